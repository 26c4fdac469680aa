"""From a study to what is told of it: risks with intervals, contrasts, how far the factor moves them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.kernels.special_functions import erfc, ndtri
from causalrules.words.findings import Effect, Level, Trend

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.words.findings import Estimand, Triple
    from causalrules.words.studies import Slope, Study

_LEAST_RISK = 1e-9


class Contrast(NamedTuple):
    """Two levels, and the difference of their adjusted risks."""

    level: int
    against: int
    difference: float
    error: float

    @property
    def z(self) -> float:
        """Difference by its standard error."""
        return abs(self.difference) / self.error if self.error > 0 else 0.0


def width(confidence: float) -> float:
    """Standard errors that an interval reaches on each side."""
    return float(ndtri(0.5 + confidence / 2))


def compared_levels(study: Study) -> NDArray[np.intp]:
    """Levels that have an adjusted risk."""
    return np.flatnonzero(np.isfinite(study.risk))


def reference_of(study: Study) -> int:
    """The level that others are compared with: the asked one, else the first that has a risk."""
    known = compared_levels(study)
    wanted = study.levels.reference
    return wanted if wanted in known or not len(known) else int(known[0])


def clearest(study: Study) -> Contrast | None:
    """The two levels whose risks differ most clearly; None where fewer than two have one."""
    known = compared_levels(study).tolist()
    found = [contrast(study, a, b) for place, a in enumerate(known) for b in known[:place]]
    return max(found, key=lambda one: one.z) if found else None


def contrast(study: Study, level: int, against: int) -> Contrast:
    """One level compared with another."""
    v = study.covariance
    variance = v[level, level] + v[against, against] - 2 * v[level, against]
    difference = float(study.risk[level] - study.risk[against])
    return Contrast(level, against, difference, float(np.sqrt(max(variance, 0.0))))


def shows_a_difference(study: Study, confidence: float) -> bool:
    """Whether an interval of some contrast, or of the slope, leaves out no effect."""
    best, z = clearest(study), width(confidence)
    slope = study.slope
    is_sloped = slope is not None and slope.error > 0 and abs(slope.per_unit) > z * slope.error
    return is_sloped or (best is not None and best.z > z)


def moves(study: Study, confidence: float) -> Triple:
    """Standard deviation of the adjusted risk over the records, less what chance alone would give.

    The squared deviation is a quadratic form of the risks; its interval is by the delta method, and that of
    the deviation its root.
    """
    known = compared_levels(study)
    if len(known) < 2:
        return (float("nan"),) * 3
    share = study.shares[known] / study.shares[known].sum()
    centre = np.eye(len(known)) - share
    form = centre.T @ (share[:, None] * centre)
    risk, v = study.risk[known], study.covariance[np.ix_(known, known)]
    by_chance = float(np.trace(form @ v))
    square = float(risk @ form @ risk) - by_chance
    slope = 2 * form @ risk
    error = float(np.sqrt(slope @ v @ slope + 2 * np.trace(form @ v @ form @ v)))
    z = width(confidence)
    low, high = square - z * error, square + z * error
    return tuple(float(np.sqrt(max(one, 0.0))) for one in (square, low, high))  # type: ignore[return-value]


def effect_of(study: Study, confidence: float, estimand: Estimand, *, is_mean: bool) -> Effect | None:
    """What a study found, as it is told; None where no two levels could be compared."""
    known = compared_levels(study)
    if len(known) < 2:
        return None
    order = known if study.levels.is_ordered else known[np.argsort(-study.risk[known], kind="stable")]
    reference = reference_of(study)
    return Effect(
        estimand=estimand,
        applies_to=study.applies_to,
        left_out={why: n for why, n in study.left_out.items() if n},
        reference=study.levels.names[reference],
        levels=tuple(
            _level(study, int(place), reference, confidence, is_mean=is_mean) for place in order.tolist()
        ),
        trend=None if study.slope is None else _trend(study.slope, confidence),
        att=_att(study, reference, confidence),
        covariance=tuple(map(tuple, study.covariance[np.ix_(order, order)].tolist())),
    )


def _level(study: Study, place: int, reference: int, confidence: float, *, is_mean: bool) -> Level:
    risk, variance = float(study.risk[place]), float(study.covariance[place, place])
    z, other = width(confidence), contrast(study, place, reference)
    is_reference = place == reference
    ends = (None, *study.levels.cuts, None)
    ratios = {} if is_mean else _ratios(study, place, reference, z)
    return Level(
        level=study.levels.names[place],
        records=round(float(study.records[place])),
        crude=float(study.crude[place]),
        risk=_around(risk, z * np.sqrt(variance)) if is_mean else _share(risk, variance, z),
        difference=(0.0, 0.0, 0.0) if is_reference else _around(other.difference, z * other.error),
        p=None if is_reference else float(erfc(other.z / np.sqrt(2))),
        within=(ends[place], ends[place + 1]) if study.levels.cuts else None,
        **ratios,
    )


def _share(risk: float, variance: float, z: float) -> Triple:
    """A share with an interval that stays between 0 and 1 (by log odds)."""
    if not _LEAST_RISK < risk < 1 - _LEAST_RISK:
        return _around(risk, z * float(np.sqrt(variance)))
    odds = np.log(risk / (1 - risk))
    reach = z * np.sqrt(variance) / (risk * (1 - risk))
    low, high = (1 / (1 + np.exp(-(odds + side * reach))) for side in (-1, 1))
    return risk, float(low), float(high)


def _ratios(study: Study, place: int, reference: int, z: float) -> dict[str, Triple | None]:
    """Ratio of risks and of odds, by logarithms; None where a risk is 0 or 1."""
    if place == reference:
        return {"ratio": (1.0, 1.0, 1.0), "odds_ratio": (1.0, 1.0, 1.0)}
    a, b = float(study.risk[place]), float(study.risk[reference])
    found: dict[str, Triple | None] = {"ratio": None, "odds_ratio": None}
    pair = np.array([place, reference])
    v = study.covariance[np.ix_(pair, pair)]
    if min(a, b) > _LEAST_RISK:
        slope = np.array([1 / a, -1 / b])
        found["ratio"] = _exponential(np.log(a / b), z * np.sqrt(max(slope @ v @ slope, 0.0)))
    if min(a, b) > _LEAST_RISK and max(a, b) < 1 - _LEAST_RISK:
        slope = np.array([1 / (a * (1 - a)), -1 / (b * (1 - b))])
        log_odds = np.log(a / (1 - a) * (1 - b) / b)
        found["odds_ratio"] = _exponential(log_odds, z * np.sqrt(max(slope @ v @ slope, 0.0)))
    return found


def _around(value: float, reach: float) -> Triple:
    return value, float(value - reach), float(value + reach)


def _exponential(value: float, reach: float) -> Triple:
    top = 700.0
    return tuple(float(np.exp(min(one, top))) for one in (value, value - reach, value + reach))  # type: ignore[return-value]


def _trend(slope: Slope, confidence: float) -> Trend:
    reach = width(confidence) * slope.error
    per_unit = _around(slope.per_unit, reach)
    return Trend(per_unit=per_unit, per_sd=tuple(one * slope.sd for one in per_unit), p=slope.p)  # type: ignore[arg-type]


def _att(study: Study, reference: int, confidence: float) -> Triple | None:
    """Of two levels: among those who have the one that is not the reference."""
    if study.att is None or reference != 0 or not np.isfinite(study.att[0]):
        return None
    return _around(study.att[0], width(confidence) * study.att[1])


def distance(study: Study, confidence: float, *, is_mean: bool) -> float:
    """How far the limit of the clearest contrast stands from no effect, as an odds ratio of at least 1.

    Of means, the standardised difference is turned into one (Chinn 2000).
    """
    best, z = clearest(study), width(confidence)
    if best is None:
        return 1.0
    if is_mean:
        limit = abs(best.difference) - z * best.error
        return float(np.exp(max(limit, 0.0) / max(study.spread, 1e-300) * np.pi / np.sqrt(3)))
    odds = _ratios(study, best.level, best.against, z)["odds_ratio"]
    if odds is None:
        return 1.0
    return max(odds[1], 1 / odds[2] if odds[2] > 0 else 1.0, 1.0)

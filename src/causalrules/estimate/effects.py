"""From a study to what is told of it: risks with intervals, contrasts, how far the factor moves them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.kernels.special_functions import ndtri
from causalrules.words import constants
from causalrules.words.compare_levels import difference_of, odds_ratio_of, p_of, ratio_of
from causalrules.words.findings import Effect, Level, Trend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.words.findings import Estimand, Triple
    from causalrules.words.studies import Slope, Study


class Contrast(NamedTuple):
    """Two levels, and the difference of their adjusted risks with its interval."""

    level: int
    against: int
    difference: Triple

    @property
    def clearness(self) -> float:
        """The difference by its interval's reach towards none: above 1 where that leaves out no effect."""
        value, low, high = self.difference
        reach = value - low if value > 0 else high - value
        return abs(value) / reach if reach > 0 else 0.0


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


def clearest(study: Study, confidence: float) -> Contrast | None:
    """The two levels whose risks differ most clearly; None where fewer than two have one."""
    known, risks = compared_levels(study).tolist(), risks_of(study, confidence)
    found = [contrast(study, a, b, risks) for place, a in enumerate(known) for b in known[:place]]
    return max(found, key=lambda one: one.clearness) if found else None


def contrast(study: Study, level: int, against: int, risks: Sequence[Triple]) -> Contrast:
    """One level compared with another, from the risks of all."""
    correlation = _correlation(study, level, against)
    return Contrast(level, against, difference_of(risks[level], risks[against], correlation))


def risks_of(study: Study, confidence: float) -> list[Triple]:
    """The adjusted risk (or mean) of every level, with its interval."""
    z = width(confidence)
    found = []
    for risk, variance, size in zip(
        study.risk.tolist(), study.covariance.diagonal().tolist(), study.effective.tolist(), strict=True
    ):
        reach = z * float(np.sqrt(variance))
        found.append(
            (risk, risk - reach, risk + reach) if np.isinf(size) else _share(risk, variance, size, z)
        )
    return found


def _share(risk: float, variance: float, size: float, z: float) -> Triple:
    """A share with Wilson's interval, of as many records as would have its variance.

    That of no events in so many records is where it would be in a sample of them.

    Examples
    --------
    >>> [round(one, 3) for one in _share(0.0, 42 * 2 / 44**2 / 40, 40.0, 1.96)]
    [0.0, 0.0, 0.088]
    """
    if not np.isfinite(variance) or variance <= 0:
        return risk, risk, risk
    likely = (size * risk + constants.ADDED / 2) / (size + constants.ADDED)
    n = likely * (1 - likely) / variance
    middle, scale = (risk + z * z / (2 * n)), 1 + z * z / n
    reach = z * float(np.sqrt(risk * (1 - risk) / n + (z / (2 * n)) ** 2))
    return risk, max((middle - reach) / scale, 0.0), min((middle + reach) / scale, 1.0)


def _correlation(study: Study, a: int, b: int) -> float:
    v = study.covariance
    size = float(np.sqrt(v[a, a] * v[b, b]))
    return float(v[a, b]) / size if size > 0 else 0.0


def is_reversed(study: Study, confidence: float) -> bool:
    """Whether adjusting turns the clearest difference round: both it and the crude one are beyond 0."""
    best = clearest(study, confidence)
    if best is None or best.clearness <= 1:
        return False
    pair = [best.level, best.against]
    crude, n = study.crude[pair], np.maximum(study.records[pair], 1.0)
    variance = np.full(2, study.spread**2) if np.isinf(study.effective).any() else crude * (1 - crude)
    reach = width(confidence) * float(np.sqrt((variance / n).sum()))
    difference = float(crude[0] - crude[1])
    return abs(difference) > reach and difference * best.difference[0] < 0


def shows_a_difference(study: Study, confidence: float) -> bool:
    """Whether an interval of some contrast, or of the slope, leaves out no effect."""
    best, z = clearest(study, confidence), width(confidence)
    slope = study.slope
    is_sloped = slope is not None and slope.error > 0 and abs(slope.per_unit) > z * slope.error
    return is_sloped or (best is not None and best.clearness > 1)


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
    risks = risks_of(study, confidence)
    own, other, correlation = risks[place], risks[reference], _correlation(study, place, reference)
    is_reference = place == reference
    ends = (None, *study.levels.cuts, None)
    difference = (0.0,) * 3 if is_reference else difference_of(own, other, correlation)
    ratios: dict[str, Triple | None] = {}
    if not is_mean:
        of = {"ratio": ratio_of, "odds_ratio": odds_ratio_of}
        ratios = {
            name: (1.0, 1.0, 1.0) if is_reference else ask(own, other, correlation)
            for name, ask in of.items()
        }
    return Level(
        level=study.levels.names[place],
        records=round(float(study.records[place])),
        crude=float(study.crude[place]),
        risk=own,
        difference=difference,
        p=None if is_reference else p_of(difference, confidence),
        within=(ends[place], ends[place + 1]) if study.levels.cuts else None,
        **ratios,
    )


def _trend(slope: Slope, confidence: float) -> Trend:
    reach = width(confidence) * slope.error
    per_unit = (slope.per_unit, slope.per_unit - reach, slope.per_unit + reach)
    return Trend(per_unit=per_unit, per_sd=tuple(one * slope.sd for one in per_unit), p=slope.p)  # type: ignore[arg-type]


def _att(study: Study, reference: int, confidence: float) -> Triple | None:
    """Of two levels: among those who have the one that is not the reference."""
    if study.att is None or reference != 0 or not np.isfinite(study.att[0]):
        return None
    value, reach = study.att[0], width(confidence) * study.att[1]
    return value, value - reach, value + reach


def clearest_ratio(study: Study, confidence: float, *, of_odds: bool = False) -> Triple | None:
    """Ratio of the risks, or their odds, of the two levels that differ most clearly; None for means."""
    best, risks = clearest(study, confidence), risks_of(study, confidence)
    if best is None or np.isinf(study.effective).any():
        return None
    ask = odds_ratio_of if of_odds else ratio_of
    return ask(risks[best.level], risks[best.against], _correlation(study, best.level, best.against))


def distance(study: Study, confidence: float, *, is_mean: bool) -> float:
    """How far the limit of the clearest contrast stands from no effect, as an odds ratio of at least 1.

    Of means, the standardised difference is turned into one (Chinn 2000).
    """
    best = clearest(study, confidence)
    if best is None or best.clearness <= 1:
        return 1.0
    if is_mean:
        limit = min(map(abs, best.difference[1:]))
        return float(np.exp(limit / max(study.spread, 1e-300) * np.pi / np.sqrt(3)))
    odds = clearest_ratio(study, confidence, of_odds=True)
    if odds is None:
        return 1.0
    return max(odds[1], 1 / odds[2] if odds[2] > 0 else 1.0, 1.0)

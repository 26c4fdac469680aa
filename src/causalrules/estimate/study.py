"""The study: one factor, one outcome, the columns held; an estimate, and what each record adds to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.estimate.compared import compared_records
from causalrules.estimate.expected import expected, fit_outcome, fitted
from causalrules.estimate.models import Design, Known, fit_linear
from causalrules.estimate.sums import combined
from causalrules.estimate.terms import OF_LEVEL, Term, n_smooth, number_basis, standardised
from causalrules.words import constants
from causalrules.words.studies import Slope, Study

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from causalrules.estimate.compared import Compared
    from causalrules.estimate.expected import Expected, OutcomeModel
    from causalrules.estimate.models import Fit
    from causalrules.words.records import Column, Records
    from causalrules.words.studies import Levels


def study(
    records: Records,
    levels: Levels,
    controls: Sequence[Column],
    *,
    number: Column | None = None,
    not_asked: Collection[str] = (),
    of_outcome: OutcomeModel | None = None,
) -> Study | None:
    """Compare the levels of a factor among records that are alike in the controls.

    Parameters
    ----------
    records : Records
    levels : Levels
        Of the factor.
    controls : sequence of Column
        What is held.
    number : Column, optional
        The factor's own column where it is a number: then its line and curve are tested as well.
    not_asked : collection of str
        Controls that do not apply to everybody: no value is one of their values.
    of_outcome : OutcomeModel, optional
        Of the controls and others, where that is known: its products are taken, and fits begin where it
        ended.

    Returns
    -------
    Study or None
        None where fewer than two levels have records to compare.
    """
    n_steps = None if of_outcome is None else of_outcome.n_steps
    group = compared_records(records, levels, controls, not_asked, n_steps)
    if group is None:
        return None
    k = len(levels.names)
    says = expected(group, k, of_outcome)
    left = group.surprise(says.outcome)
    slope, p_shape = _number_test(group, number, levels, left, says)
    indicators = (group.level[:, None] == np.arange(k)) - says.chances
    p_levels = group.summing.test(indicators, *left, says.outcome.n_used)
    p = p_levels if slope is None else combined([slope.p, p_levels if number is None else p_shape])
    adjusted = _adjusted_risks(group, says, k)
    crude = _crude(group, k, adjusted.inside)
    return Study(
        levels=levels,
        records=crude.records,
        crude=crude.risk,
        risk=adjusted.risk,
        covariance=adjusted.covariance,
        effective=adjusted.effective,
        shares=crude.shares,
        p=p,
        p_crude=crude.p,
        n_compared=round(float(group.summing.count.sum())),
        applies_to=adjusted.applies_to,
        left_out=_left_out(records, levels, group, adjusted.applies_to),
        slope=slope,
        att=adjusted.att,
        explained=_explained(group, says, k),
        products=tuple(term.columns for term in says.design.terms if len(term.columns) > 1),
        treats_missing=group.treats_missing,
        chances=says.chances,
        prognosis=says.outcome.mean,
        at_level=adjusted.at_level,
        rows=group.rows,
        spread=_spread(group),
    )


def _left_out(records: Records, levels: Levels, group: Compared, applies_to: int) -> dict[str, int]:
    """Records that risks do not speak of, by reason."""
    without = float(records.count[levels.level < 0].sum())
    compared = float(group.summing.count.sum())
    found = {"missing": float(records.count.sum()) - without - compared, "implausible": compared - applies_to}
    apart = {why: float(records.count[rows].sum()) for why, rows in levels.apart.items()}
    found[levels.left_out] = found.get(levels.left_out, 0.0) + without - sum(apart.values())
    found |= apart
    return {why: round(n) for why, n in found.items()}


def _spread(group: Compared) -> float:
    share = group.mass / group.mass.sum()
    return float(np.sqrt(share @ (group.y - share @ group.y) ** 2))


def _number_test(
    group: Compared,
    number: Column | None,
    levels: Levels,
    surprise: tuple[NDArray[np.float64], NDArray[np.float64]],
    says: Expected,
) -> tuple[Slope | None, float]:
    """The slope of a number or of ordered levels, and the test of its whole curve."""
    if number is None and not levels.is_ordered:
        return None, 1.0
    values, basis = _values_and_basis(group, number)
    fit = fit_linear(says.design, np.column_stack([values, basis]))
    left = np.column_stack([values, basis]) - fit.mean
    information = float(group.mass @ left[:, 0] ** 2)
    if information <= 1e-9 * float(group.mass.sum()):
        return None, 1.0
    residual, n_used = surprise[0], says.outcome.n_used
    along = float(group.mass @ (left[:, 0] * residual)) / information
    added = left[:, :1] * (residual - along * left[:, 0])[:, None] / information
    of_rows = group.level.astype(np.float64)
    if number is not None and number.values is not None:
        of_rows = np.append(0.0, number.values)[number.codes[group.rows]]
    centred = of_rows - group.mass @ of_rows / group.mass.sum()
    sd = float(np.sqrt(group.mass @ centred**2 / group.mass.sum()))
    scale = max(float(group.mass.sum()) - n_used, 1.0) / float(group.mass.sum())
    slope = Slope(
        per_unit=along / sd,
        error=float(np.sqrt(group.summing.spread(added)[0, 0] / scale)) / sd,
        sd=sd,
        p=group.summing.test(left[:, 1:2], *surprise, n_used),
    )
    return slope, group.summing.test(left[:, 1:], *surprise, n_used)


def _values_and_basis(
    group: Compared, number: Column | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The factor's standardised value, and its line and curve, of every row."""
    if number is None:
        size = np.bincount(group.level, group.mass).astype(np.float64)
        value = standardised(np.arange(len(size), dtype=np.float64), size)[group.level]
        return value, value[:, None]
    codes = number.codes[group.rows]
    size = np.bincount(codes, group.mass, number.n_codes).astype(np.float64)
    assert number.values is not None
    value = np.append(0.0, standardised(number.values, size[1:]))[codes]
    smooth = number_basis(np.append(0.0, size[1:]))[:, : n_smooth(number.n_codes - 1)]
    return value, smooth[codes]


@dataclass(frozen=True, slots=True, eq=False)
class Adjusted:
    """Adjusted risks and their covariance."""

    risk: NDArray[np.float64]
    covariance: NDArray[np.float64]
    effective: NDArray[np.float64]
    inside: NDArray[np.bool_]
    applies_to: int
    att: tuple[float, float] | None
    at_level: NDArray[np.float64]


def _adjusted_risks(group: Compared, says: Expected, k: int) -> Adjusted:
    """Risks of all levels, standardised to the records for whom all of them are plausible (AIPW)."""
    mass, chances = group.mass, says.chances
    share = np.bincount(group.level, mass, k) / mass.sum()
    is_plausible = chances >= constants.PLAUSIBLE * share
    shown = (mass @ is_plausible >= constants.COMPARABLE[0] * mass.sum()) & (share > 0)
    inside = is_plausible[:, shown].all(axis=1)
    risk, covariance = np.full(k, np.nan), np.full((k, k), np.nan)
    applies_to = round(float(group.summing.count[inside].sum()))
    if shown.sum() < 2 or applies_to < 1:
        return Adjusted(risk, covariance, risk, inside, 0, None, risk[None])
    _, at_level = _outcome_by_level(group, says, k)
    total = float(mass[inside].sum())
    has = (group.level[:, None] == np.arange(k)) & inside[:, None]
    inverse = np.where(has, 1 / np.maximum(chances, 1e-12), 0.0)
    reached = np.maximum(mass @ inverse, 1e-300)
    left = np.where(has, group.y[:, None] - at_level, 0.0) * inverse
    off = (mass @ left) / reached
    base = (mass * inside) @ at_level / total
    found = base + off
    added = np.where(inside[:, None], at_level - base, 0.0) / total + (left - off * inverse) / reached
    n = float(group.summing.count.sum())
    spread = group.summing.spread(added) * n / max(n - says.outcome.n_used - k + 1, 1.0)
    of_level = group.summing.spread((left - off * inverse) / reached).diagonal()
    effective, least = _least_variances(group, says.outcome, inside, inverse / reached, found, of_level)
    spread = spread + np.diag(np.maximum(least - of_level, 0.0))
    risk[shown] = found[shown]
    covariance[np.ix_(shown, shown)] = spread[np.ix_(shown, shown)]
    if not group.is_mean:
        risk = np.clip(risk, 0.0, 1.0)
    att = _att(group, chances, at_level, inside, says.outcome.n_used) if k == 2 else None
    return Adjusted(risk, covariance, effective, inside, applies_to, att, at_level)


def _least_variances(
    group: Compared,
    outcome: Fit,
    inside: NDArray[np.bool_],
    weights: NDArray[np.float64],
    risk: NDArray[np.float64],
    of_level: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """As how many records those of each level tell, and the least variance that so many can have.

    Few records may be alike by chance, so what they show is taken together with a few more that are not.
    What controls tell of the outcome makes the records of a level tell as much as more of them.
    """
    summing, mass = group.summing, group.mass * inside
    _, variance = group.surprise(outcome)
    unexplained = float(mass @ variance / mass.sum())
    squares = (summing.count * summing.weight**2) @ weights**2
    n = 1 / np.maximum(squares, 1e-300)
    if group.is_mean:
        return np.full(len(risk), np.inf), (of_level * n**2 + constants.ADDED * unexplained) / (
            n + constants.ADDED
        ) / n
    share = float(mass @ outcome.mean / mass.sum())
    effective = n * share * (1 - share) / max(unexplained, 1e-300)
    likely = (effective * np.clip(risk, 0.0, 1.0) + constants.ADDED / 2) / (effective + constants.ADDED)
    return effective, likely * (1 - likely) / effective


def _outcome_by_level(group: Compared, says: Expected, k: int) -> tuple[Fit, NDArray[np.float64]]:
    """What is expected of each row at every level, float64[n, k]."""
    basis = np.eye(k) - 1 / k
    term = Term(OF_LEVEL, group.level.astype(np.int32), basis, k)
    design = Design((term, *says.design.terms), group.mass)
    fit = fitted(group, design, fit_outcome, Known(says.design, says.outcome))
    effect = basis @ fit.coefficients[design.places[0]]
    if group.is_mean:
        return fit, fit.mean[:, None] + effect[None, :] - effect[group.level][:, None]
    chance = np.clip(fit.mean, 1e-12, 1 - 1e-12)
    own = np.log(chance / (1 - chance))
    return fit, 1 / (1 + np.exp(-(own[:, None] + effect[None, :] - effect[group.level][:, None])))


def _att(
    group: Compared,
    chances: NDArray[np.float64],
    at_level: NDArray[np.float64],
    inside: NDArray[np.bool_],
    n_used: float,
) -> tuple[float, float]:
    """Difference of risks among those who have the second of two levels, and its standard error."""
    mass = group.mass * inside
    exposed = (group.level == 1).astype(np.float64)
    left = group.y - at_level[:, 0]
    like_exposed = (1 - exposed) * chances[:, 1] / np.maximum(chances[:, 0], 1e-12)
    n_exposed, n_like = float(mass @ exposed), float(mass @ like_exposed)
    if n_exposed <= 0 or n_like <= 0:
        return float("nan"), float("nan")
    mean, mean_like = float(mass @ (exposed * left)) / n_exposed, float(mass @ (like_exposed * left)) / n_like
    added = inside * (exposed * (left - mean) / n_exposed - like_exposed * (left - mean_like) / n_like)
    n = float(group.summing.count.sum())
    spread = float(group.summing.spread(added[:, None])[0, 0]) * n / max(n - n_used, 1.0)
    return mean - mean_like, float(np.sqrt(spread))


@dataclass(frozen=True, slots=True, eq=False)
class Crude:
    """Levels as they are, nothing held: records and risk of those that risks are standardised to."""

    records: NDArray[np.float64]
    risk: NDArray[np.float64]
    shares: NDArray[np.float64]
    p: float


def _crude(group: Compared, k: int, inside: NDArray[np.bool_]) -> Crude:
    mass, count = group.mass, group.summing.count
    size = np.bincount(group.level, mass, k)
    has = (group.level[:, None] == np.arange(k)) - size / mass.sum()
    mean = np.full(len(group.y), float(mass @ group.y / mass.sum()))
    p = group.summing.test(has, *group.summing.surprise(group.y, mean, is_mean=group.is_mean), 1.0)
    compared = mass * inside
    risk = np.bincount(group.level, compared * group.y, k).astype(np.float64)
    risk /= np.maximum(np.bincount(group.level, compared, k), 1e-300)
    records = np.bincount(group.level, count * inside, k).astype(np.float64)
    shares = np.bincount(group.level, count, k) / max(float(count.sum()), 1.0)
    return Crude(records, risk, shares, p)


def _explained(group: Compared, says: Expected, k: int) -> dict[str, float]:
    """Of the crude association, the part that each control accounts for.

    The crude association is the sum over records of a level's surplus times the outcome; the outcome's model
    says what each control adds to the outcome. A product's part is halved between its columns.
    """
    mass = group.mass
    share = np.bincount(group.level, mass, k) / mass.sum()
    has = ((group.level[:, None] == np.arange(k)) - share) * mass[:, None] / np.sqrt(np.maximum(share, 1e-12))
    crude = has.T @ group.y
    size = float(crude @ crude)
    found = {part.name: 0.0 for part in group.parts}
    if size <= 0:
        return found
    mean = says.outcome.mean
    curvature = 1.0 if group.is_mean else float(mass @ (mean * (1 - mean)) / mass.sum())
    for names, adds in says.adds.items():
        part = float((has.T @ adds) @ crude) * curvature / size / len(names)
        for name in names:
            found[name] += part
    return found

"""The study: one factor, one outcome, the columns held; an estimate, and what each record adds to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from causalrules.estimate.models import Design, Fit, Known, fit_levels, fit_linear, fit_logistic
from causalrules.estimate.products import (
    Part,
    Residuals,
    offered,
    part_of,
    product_term,
    wanted_products,
)
from causalrules.estimate.sums import Summing, combined
from causalrules.estimate.terms import Term, n_fixed_of, number_basis, standardised, term_of
from causalrules.words import constants
from causalrules.words.studies import Levels, Slope, Study

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from numpy.typing import NDArray

    from causalrules.words.records import Column, Records


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The records that a study compares, and what is held of them."""

    rows: NDArray[np.intp]
    level: NDArray[np.int64]
    y: NDArray[np.float64]
    summing: Summing
    controls: tuple[Column, ...]
    plain: Design
    treats_missing: str
    is_mean: bool

    @property
    def mass(self) -> NDArray[np.float64]:
        """What each row weighs."""
        return self.plain.mass

    def surprise(self, outcome: Fit) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What a model does not expect of the outcome, and the variance that it expects of that."""
        return self.summing.surprise(self.y, outcome.mean, is_mean=self.is_mean)

    def design(self, products: Sequence[Term] = (), *more: Term) -> Design:
        """More terms, the controls, and products of them."""
        if not products and not more:
            return self.plain
        return Design((*more, *self.plain.terms, *products), self.mass)


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What the controls say: the outcome, and the chance of every level."""

    outcome: Fit
    of_outcome: tuple[Term, ...]
    chances: NDArray[np.float64]
    products: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeModel:
    """The outcome given all columns that matter: its products, and of an event where the fit ended.

    `acting` are the products that are beyond doubt (Bonferroni).
    """

    products: tuple[tuple[str, ...], ...]
    known: Known | None
    acting: tuple[tuple[str, ...], ...] = ()


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
    level, compared = _chosen_rows(records, levels, controls, not_asked)
    if len(np.unique(level[level >= 0])) < 2:
        return None
    group = _group(records, levels, controls, compared)
    if len(np.unique(group.level)) < 2 or np.ptp(group.y) == 0:
        return None
    expected = _expected(group, len(levels.names), of_outcome)
    left = group.surprise(expected.outcome)
    slope, p_shape = _number_test(group, number, levels, left, expected.outcome.n_used)
    indicators = (group.level[:, None] == np.arange(len(levels.names))) - expected.chances
    p_levels = group.summing.test(indicators, *left, expected.outcome.n_used)
    p = p_levels if slope is None else combined([slope.p, p_levels if number is None else p_shape])
    adjusted = _adjusted_risks(group, expected, len(levels.names))
    crude = _crude(group, len(levels.names), adjusted.inside)
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
        explained=_explained(group, expected, len(levels.names)),
        products=expected.products,
        treats_missing=group.treats_missing,
        chances=expected.chances,
        prognosis=expected.outcome.mean,
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


def _chosen_rows(
    records: Records, levels: Levels, controls: Sequence[Column], not_asked: Collection[str]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The level of every row, and whether it lacks no control."""
    complete = np.ones(records.n_rows, np.bool_)
    for column in controls:
        if column.name not in not_asked:
            complete &= column.codes > 0
    return levels.level, complete


def _group(
    records: Records, levels: Levels, controls: Sequence[Column], complete: NDArray[np.bool_]
) -> Compared:
    """The records to compare: complete ones where enough are, else all with missing as a level."""
    has_level = levels.level >= 0
    known, whole = (_information(records, rows) for rows in (has_level, has_level & complete))
    least, share = constants.COMPLETE
    takes_complete = whole >= max(min(least, known), share * known)
    rows = np.flatnonzero(has_level & complete if takes_complete else has_level)
    summing = Summing.over(records, rows)
    mass = summing.mass
    chosen = tuple(_only(column, rows) for column in controls)
    return Compared(
        rows=rows,
        level=levels.level[rows],
        y=records.outcome[rows],
        summing=summing,
        controls=chosen,
        plain=Design([term_of(column, mass) for column in chosen], mass),
        treats_missing="complete" if takes_complete else "level",
        is_mean=records.is_mean,
    )


def _information(records: Records, rows: NDArray[np.bool_]) -> float:
    """Records of the rarer outcome; of means, all."""
    count = float(records.count[rows].sum())
    if records.is_mean:
        return count
    has = float((records.count * records.outcome)[rows].sum())
    return min(has, count - has)


def _only(column: Column, rows: NDArray[np.intp]) -> Column:
    from dataclasses import replace

    return replace(column, codes=column.codes[rows], shown=None)


def outcome_model(records: Records, columns: Sequence[Column]) -> OutcomeModel | None:
    """The outcome given some columns, among the records that have all of them; None where all are alike."""
    everyone = Levels(names=("",), level=np.zeros(records.n_rows, np.int64), reference=0)
    _, complete = _chosen_rows(records, everyone, columns, ())
    group = _group(records, everyone, columns, complete)
    if np.ptp(group.y) == 0:
        return None
    parts = [part_of(column, group.mass) for column in group.controls]
    fit, products, acting = _outcome_model(group, parts)
    names = tuple(term.columns for term in products)
    return OutcomeModel(names, None if group.is_mean else Known.of(group.design(products), fit), acting)


def _outcome_model(
    group: Compared, parts: Sequence[Part]
) -> tuple[Fit, tuple[Term, ...], tuple[tuple[str, ...], ...]]:
    """The outcome given the controls, with the products that it asks for."""

    def fit(design: Design, known: Known | None) -> Fit:
        return _fit_outcome(design, group.y, known, is_mean=group.is_mean)

    return _grown(group, parts, fit, partial(_left_of_outcome, group), (2, 3))


def _expected(group: Compared, k: int, of_outcome: OutcomeModel | None) -> Expected:
    """Models of outcome and levels given the controls, each with the products that it asks for.

    The test and the estimate are right where either model is, so what one of them missed may be in the other.
    """
    parts = [part_of(column, group.mass) for column in group.controls]

    def of_levels(design: Design, known: Known | None) -> Fit:
        if k > 2:
            return fit_levels(design, group.level, k, known)
        return fit_logistic(design, (group.level == 1).astype(np.float64), known)

    if of_outcome is None:
        outcome, products, _ = _outcome_model(group, parts)
    else:
        products = _products_named(group, parts, of_outcome.products)
        outcome = _fit_outcome(group.design(products), group.y, of_outcome.known, is_mean=group.is_mean)
    levels, of_them, _ = _grown(
        group, parts, of_levels, partial(_left_of_levels, group, k), (2, 3) if k == 2 else (2,)
    )
    chances = levels.mean if k > 2 else np.column_stack([1 - levels.mean, levels.mean])
    names = dict.fromkeys(term.columns for term in (*products, *of_them))
    return Expected(outcome, products, chances, tuple(names))


def _products_named(
    group: Compared, parts: Sequence[Part], names: Collection[tuple[str, ...]]
) -> tuple[Term, ...]:
    """The products of these names whose columns are all held."""
    by_name = {part.name: part for part in parts}
    held = (one for one in names if all(name in by_name for name in one))
    return tuple(product_term(offered([by_name[name] for name in one], len(one)), group.mass) for one in held)


def _grown(
    group: Compared,
    parts: Sequence[Part],
    fit: Callable[[Design, Known | None], Fit],
    left: Callable[[Fit], Residuals],
    sizes: Sequence[int],
) -> tuple[Fit, tuple[Term, ...], tuple[tuple[str, ...], ...]]:
    """A model of the controls, with the products between whose cells its residuals differ.

    Those products come with it that are beyond doubt.
    """
    products: tuple[Term, ...] = ()
    acting: list[tuple[str, ...]] = []
    design = group.design()
    found = fit(design, None)
    for size in sizes:
        wanted = wanted_products(parts, left(found), size)
        if wanted:
            products = (*products, *(product_term(one.parts, group.mass) for one in wanted))
            acting += [one.names for one in wanted if one.p_corrected <= constants.BEYOND_DOUBT]
            known = Known.of(design, found)
            design = group.design(products)
            found = fit(design, known)
    return found, products, tuple(acting)


def _fit_outcome(
    design: Design,
    y: NDArray[np.float64],
    known: Known | None = None,
    *,
    is_mean: bool,
) -> Fit:
    if not is_mean:
        return fit_logistic(design, y, known)
    fit = fit_linear(design, y[:, None])
    return Fit(fit.mean[:, 0], fit.coefficients[:, 0], fit.n_used, fit.penalties)


def _left_of_outcome(group: Compared, fit: Fit) -> Residuals:
    """What a model leaves of the outcome."""
    left, variance = group.surprise(fit)
    return Residuals((group.mass * left)[:, None], (group.mass * variance)[:, None])


def _left_of_levels(group: Compared, k: int, fit: Fit) -> Residuals:
    """What a model leaves of the levels; of two, one tells the other."""
    mean = fit.mean.reshape(len(group.level), -1)
    has = group.level[:, None] == (np.array([1]) if k == 2 else np.arange(k))
    mass = group.mass[:, None]
    return Residuals(mass * (has - mean), mass * mean * (1 - mean))


def _number_test(
    group: Compared,
    number: Column | None,
    levels: Levels,
    surprise: tuple[NDArray[np.float64], NDArray[np.float64]],
    n_used: float,
) -> tuple[Slope | None, float]:
    """The slope of a number or of ordered levels, and the test of its whole curve."""
    if number is None and not levels.is_ordered:
        return None, 1.0
    values, basis = _values_and_basis(group, number)
    fit = fit_linear(group.design(), np.column_stack([values, basis]))
    left = np.column_stack([values, basis]) - fit.mean
    information = float(group.mass @ left[:, 0] ** 2)
    if information <= 1e-9 * float(group.mass.sum()):
        return None, 1.0
    residual = surprise[0]
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
    smooth = number_basis(number, np.append(0.0, size[1:]))[:, : n_fixed_of(number)]
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


def _adjusted_risks(group: Compared, expected: Expected, k: int) -> Adjusted:
    """Risks of all levels, standardised to the records for whom all of them are plausible (AIPW)."""
    mass, chances = group.mass, expected.chances
    share = np.bincount(group.level, mass, k) / mass.sum()
    is_plausible = chances >= constants.PLAUSIBLE * share
    shown = (mass @ is_plausible >= constants.COMPARABLE[0] * mass.sum()) & (share > 0)
    inside = is_plausible[:, shown].all(axis=1)
    risk, covariance = np.full(k, np.nan), np.full((k, k), np.nan)
    applies_to = round(float(group.summing.count[inside].sum()))
    if shown.sum() < 2 or applies_to < 1:
        return Adjusted(risk, covariance, risk, inside, 0, None, risk[None])
    _, at_level = _outcome_by_level(group, expected, k)
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
    spread = group.summing.spread(added) * n / max(n - expected.outcome.n_used - k + 1, 1.0)
    of_level = group.summing.spread((left - off * inverse) / reached).diagonal()
    effective, least = _least_variances(group, expected.outcome, inside, inverse / reached, found, of_level)
    spread = spread + np.diag(np.maximum(least - of_level, 0.0))
    risk[shown] = found[shown]
    covariance[np.ix_(shown, shown)] = spread[np.ix_(shown, shown)]
    if not group.is_mean:
        risk = np.clip(risk, 0.0, 1.0)
    att = _att(group, chances, at_level, inside, expected.outcome.n_used) if k == 2 else None
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


def _outcome_by_level(group: Compared, expected: Expected, k: int) -> tuple[Fit, NDArray[np.float64]]:
    """What is expected of each row at every level, float64[n, k]."""
    basis = np.eye(k) - 1 / k
    term = Term(("",), group.level.astype(np.int32), basis, k)
    design = group.design(expected.of_outcome, term)
    known = Known.of(group.design(expected.of_outcome), expected.outcome)
    fit = _fit_outcome(design, group.y, known, is_mean=group.is_mean)
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


def _explained(group: Compared, expected: Expected, k: int) -> dict[str, float]:
    """Of the crude association, the part that each control accounts for.

    The crude association is the sum over records of a level's surplus times the outcome; the outcome's model
    says what each control adds to the outcome. A product's part is halved between its columns.
    """
    design, mass = group.design(expected.of_outcome), group.mass
    share = np.bincount(group.level, mass, k) / mass.sum()
    has = ((group.level[:, None] == np.arange(k)) - share) * mass[:, None] / np.sqrt(np.maximum(share, 1e-12))
    crude = has.T @ group.y
    size = float(crude @ crude)
    found = {column.name: 0.0 for column in group.controls}
    if size <= 0:
        return found
    mean = expected.outcome.mean
    curvature = 1.0 if group.is_mean else float(mass @ (mean * (1 - mean)) / mass.sum())
    for term, place in zip(design.terms, design.places, strict=True):
        adds = (term.basis @ expected.outcome.coefficients[place])[term.codes] * curvature
        part = float((has.T @ adds) @ crude) / size / len(term.columns)
        for name in term.columns:
            found[name] += part
    return found

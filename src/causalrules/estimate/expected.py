"""What the controls of a study let expect: of the outcome, and of the exposure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.estimate.compared import compared_records
from causalrules.estimate.models import Design, Fit, Known, fit_levels, fit_linear, fit_logistic
from causalrules.estimate.products import Residuals, products_named, wanted_products
from causalrules.estimate.terms import term_of_score
from causalrules.words.studies import Levels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.estimate.compared import Compared
    from causalrules.words.records import Column, Records

    FitsRecords = Callable[[Design, Compared, Known | None], Fit]


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeModel:
    """The outcome given all columns that matter: the products that act on it, and where the fit ended.

    Numbers have `n_steps` steps, in every model of the table.
    """

    products: tuple[tuple[str, ...], ...]
    known: Known
    n_steps: int


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What the controls and their products say: the outcome, by which design, and the chance of every level.

    `adds` is what each of these terms adds to the outcome's score, where effects add up.
    """

    design: Design
    outcome: Fit
    chances: NDArray[np.float64]
    adds: dict[tuple[str, ...], NDArray[np.float64]]


def outcome_model(records: Records, columns: Sequence[Column]) -> OutcomeModel | None:
    """The outcome given some columns, among the records that have all of them; None where all are alike."""
    everyone = Levels(names=("",), level=np.zeros(records.n_rows, np.int64), reference=0)
    group = compared_records(records, everyone, columns)
    return None if group is None else _model_of_outcome(group)


def _model_of_outcome(group: Compared) -> OutcomeModel:
    """The outcome given the controls, with the products between whose cells its residuals differ.

    The first records tell which: what these do not show moves no estimate by much, since it has to go with
    the exposure, too.
    """
    first, design, products = group.first, group.plain, list[tuple[str, ...]]()
    part = group.begun(design)
    known = Known(part, fit_outcome(part, first, None))
    for size in (2, 3):
        left, variance = (first.mass * one for one in first.surprise(known.fit))
        new = wanted_products(first.parts, Residuals(left[:, None], variance[:, None]), size)
        if new:
            products += new
            part = group.begun(group.design(products_named(group.parts, products, group.mass)))
            known = Known(part, fit_outcome(part, first, known))
    return OutcomeModel(tuple(products), known, group.n_steps)


def expected(group: Compared, k: int, of_outcome: OutcomeModel | None) -> Expected:
    """Models of outcome and levels given the controls and the products that act on the outcome.

    Effects need not add up on the scale of log odds, or on any: so the outcome's model has its own score once
    more, as a number, with curve and steps. What is likely to confound acts through a score (Hansen 2008).
    """

    def of_levels(design: Design, some: Compared, known: Known | None) -> Fit:
        return fit_levels(design, some.level, k, known)

    model = of_outcome or _model_of_outcome(group)
    design = group.design(products_named(group.parts, model.products, group.mass))
    chances = fitted(group, design, of_levels, None).mean
    adds = {term.columns: model.known.effects(term)[term.codes] for term in design.terms}
    score = np.sum([*adds.values(), np.zeros(len(group.y))], axis=0)
    bent = Design((*design.terms, term_of_score(score, group.mass)), group.mass)
    return Expected(bent, fitted(group, bent, fit_outcome, model.known), chances, adds)


def fitted(group: Compared, design: Design, fit: FitsRecords, known: Known | None) -> Fit:
    """A model of the first records, then of all, from where the first one ended.

    Where a fit knows all terms and how much they tell, that is the first one.
    """
    if group.first is not group and (known is None or known.information(design) is None):
        part = group.begun(design)
        known = Known(part, fit(part, group.first, known))
    return fit(design, group, known)


def fit_outcome(design: Design, group: Compared, known: Known | None) -> Fit:
    """The outcome by all of a design's terms; of means, at once."""
    if not group.is_mean:
        return fit_logistic(design, group.y, known)
    fit = fit_linear(design, group.y[:, None])
    return replace(fit, mean=fit.mean[:, 0], coefficients=fit.coefficients[:, 0])

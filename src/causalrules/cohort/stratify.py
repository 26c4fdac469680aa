"""Who is compared with whom: strata of records that are alike in all controls, or in two scores.

Strata of the propensity score alone balance the arms but mix records of very
different risk, and an odds ratio over such a mixture is nearer to 1 than the
one that holds for each of them (it does not collapse; Greenland, Robins and
Pearl 1999). Strata of the prognostic score alone trust one fitted model:
noise in it made 10-35 % of null exposures significant. Here a stratum is narrow in
both (Hansen 2008; Leacy and Stuart 2014): records are cut by propensity into
about √(n/20) groups, each of them by prognosis into parts of about 20 records.

Why 20: a stratum of m records in which the arms fall by chance keeps
(m - 1)/m of the information, so 20 cost at most 5 %, whatever the shares of
the arms and of the outcome. Fewer than 20 lose power and partners, more
leave confounding inside (measured: experiments/study_calibration.py). Of a small
table a dozen strata may leave it inside all the same. What is left shows in the
prognostic score: its difference between the arms within strata is the error of
the log odds ratio. Where that is more than a quarter of the standard error the
strata are halved, as Imbens and Rubin (2015, ch. 17) split theirs, while 80 % of the
smaller arm keep partners.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from causalrules.cohort.product_terms import shares_of_arms, with_products
from causalrules.cohort.score_design import deciles
from causalrules.cohort.scores import NOTHING_KNOWN, Scores, fit_scores
from causalrules.domain.unique_rows import number_combinations
from causalrules.kernels.arms_in_strata import compared_strata
from causalrules.kernels.ordering import order_of
from causalrules.kernels.score_strata import add_by_code, cut_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.score_design import Models
    from causalrules.cohort.study_rows import Control, StudyRows

MatchingName = Literal["auto", "exact", "propensity"]
Method = Literal["exact", "propensity"]

RECORDS_PER_STRATUM, FEWEST_PER_STRATUM = 20, 5
"""That strata of scores aim at, and down to which they are halved."""

MOST_LEFT = 0.25
"""Error of the log odds ratio, in its standard errors, that may stay: a test at 5 % then errs in 5.8 %."""

LEAST_MATCHED = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """The stratum of every unique row.

    Parameters
    ----------
    numbers : int64[n_rows]
        From 0; -1 where the other arm is absent.
    method : {"exact", "propensity"}
        Alike in all controls, or in both scores.
    exact_on : tuple of str
        Controls on which all records of a stratum agree.
    scores : Scores or None
        As far as they were needed.
    modelled : StudyRows or None
        The rows of the scores, with the products of numbers that are held besides.
    """

    numbers: NDArray[np.int64]
    method: Method
    exact_on: tuple[str, ...]
    scores: Scores | None
    modelled: StudyRows | None = None


def stratify(rows: StudyRows, matching: MatchingName = "auto", near: Models = NOTHING_KNOWN) -> Strata:
    """Choose the strata.

    Parameters
    ----------
    rows : StudyRows
        Without the rows that are left out for missing values.
    matching : {"auto", "exact", "propensity"}
        ``auto``: exact where all controls are categories and strata are not
        too thin; by scores otherwise.
    near : Models
        Where the fits of scores may start, see `cohort.scores.fit_scores`.

    Notes
    -----
    *Too thin* means that fewer than 80 % of the smaller arm find partners, or
    that there are fewer than five records to a stratum: a fifth of the
    information would be lost.

    Examples
    --------
    >>> from causalrules.cohort.study_rows import Control, StudyRows
    >>> sex = Control("sex", np.array([1, 1, 2, 2, 3], np.int32), 3)
    >>> counts = np.array([[3, 2], [4, 1], [6, 4], [8, 1], [1, 0]])
    >>> rows = StudyRows(np.array([True, False, True, False, True]), counts, (sex,))
    >>> stratify(rows).numbers.tolist()
    [0, 0, 1, 1, -1]
    """
    names = tuple(control.name for control in rows.controls)
    if rows.exposed.all() or not rows.exposed.any():
        return Strata(np.full(rows.n_rows, -1), "exact", names, None)
    may_be_exact = not any(control.is_number for control in rows.controls)
    if matching == "exact" or not names or (matching == "auto" and may_be_exact):
        exact = number_combinations([_classes(control, rows) for control in rows.controls], rows.n_rows)
        if matching == "exact" or not names or _is_thick_enough(rows, exact):
            return Strata(keep_compared(rows, exact), "exact", names, None)
    scores = fit_scores(rows, near)
    found = _by_scores(rows, scores)
    wider = with_products(rows, found.numbers)
    return found if wider is rows else _by_scores(wider, fit_scores(wider, scores.models))


def _by_scores(rows: StudyRows, scores: Scores) -> Strata:
    cells, exact_on = _exact_cells(rows, scores)
    ranked = _Ranked.of(scores.propensity), _Ranked.of(scores.prognosis)
    size = float(RECORDS_PER_STRATUM)
    numbers = keep_compared(rows, _score_strata(rows, scores, ranked, cells, size))
    while size > FEWEST_PER_STRATUM and _left_within(rows, scores, numbers) > MOST_LEFT:
        size /= 2
        finer = keep_compared(rows, _score_strata(rows, scores, ranked, cells, size))
        if share_matched(rows, finer, rows.smaller_arm) < LEAST_MATCHED:
            break  # as of a person's records, which are alike in all that is held
        numbers = finer
    return Strata(numbers, "propensity", exact_on, scores, rows)


def _left_within(rows: StudyRows, scores: Scores, numbers: NDArray[np.int64]) -> float:
    """How far the arms differ in prognosis within strata, in standard errors of the log odds ratio.

    Strata have the weights of the Mantel-Haenszel test. To nine digits: the rest hangs on the order of rows.
    """
    is_in = numbers >= 0
    if not is_in.any():
        return 0.0
    share, _ = shares_of_arms(rows, numbers)
    place, counts, exposed = numbers[is_in], rows.counts[is_in], rows.exposed[is_in]
    lacks, has = (np.bincount(place, counts[:, outcome]) for outcome in (0, 1))
    n_exposed = np.bincount(place, counts.sum(axis=1) * exposed)
    n = lacks + has
    information = float((n_exposed * (n - n_exposed) * has * lacks / n**3).sum())
    # No product of vectors: of more than 10,000 BLAS would share it among threads of its own, which then wait
    # busily beside ours, for a third of all processor time on Adult.
    return abs(round(float((share * scores.prognosis).sum()) * sqrt(information), 9))


def strata_of_controls(
    rows: StudyRows, numbers: NDArray[np.int64], method: Method, missing: str
) -> NDArray[np.int64]:
    """The strata of a study, also those without both arms where records agree on all controls.

    Parameters
    ----------
    rows : StudyRows
        All rows of the study.
    numbers : int64[n_rows]
        Strata that have both arms, else -1.
    method, missing
        How records were compared, and what became of those with missing controls.
    """
    if method != "exact":
        return numbers
    strata = number_combinations([_classes(control, rows) for control in rows.controls], rows.n_rows)
    if missing == "drop":
        for control in rows.controls:
            strata = np.where(control.codes > 0, strata, -1)
    return strata


def keep_compared(rows: StudyRows, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Put -1 where a stratum has one arm only, and number the others without gaps."""
    kept: NDArray[np.int64] = compared_strata(numbers, rows.exposed, int(numbers.max(initial=-1)) + 1)
    return kept


def share_matched(rows: StudyRows, numbers: NDArray[np.int64], arm: NDArray[np.bool_]) -> float:
    """Share of an arm's records in strata that have both arms; 0 for an empty arm."""
    n_records = rows.n_records
    everybody = int(n_records[arm].sum())
    return float(n_records[arm & (numbers >= 0)].sum()) / everybody if everybody else 0.0


def _classes(control: Control, rows: StudyRows) -> NDArray[np.int64]:
    return deciles(control, rows.n_records) if control.is_number else control.codes.astype(np.int64)


def _is_thick_enough(rows: StudyRows, numbers: NDArray[np.int64]) -> bool:
    n_strata = int(numbers.max(initial=0)) + 1
    compared = keep_compared(rows, numbers)
    return (
        share_matched(rows, compared, rows.smaller_arm) >= LEAST_MATCHED
        and int(rows.n_records.sum()) >= 5 * n_strata
    )


def _exact_cells(rows: StudyRows, scores: Scores) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Hold the strongest categories exactly, as many as leave room for the scores.

    Scores are sums over the controls; where two categories act together they
    mislead. With both held exactly, 5 % instead of 15 % of 150 null exposures were
    significant (n 2,000); where a number confounds more strongly besides, about 10 %
    of 60, against 32 % by regression. More than √(n/20) cells would leave the scores too few cuts.
    """
    cells = np.zeros(rows.n_rows, np.int64)
    held: list[str] = []
    most = np.sqrt(rows.n_records.sum() / RECORDS_PER_STRATUM)
    categories = [control for control in rows.controls if not control.is_number]
    n_records = rows.n_records.astype(np.float64)
    sizes_and_scores = np.stack(
        [
            n_records,
            *(
                n_records * (score - np.average(score, weights=n_records))
                for score in (scores.propensity, scores.prognosis)
            ),
        ],
        axis=1,
    )
    for control in sorted(categories, key=lambda c: (-_strength(c, sizes_and_scores), c.name)):
        if 2 * (cells.max(initial=0) + 1) > most:
            break
        finer = number_combinations([cells, control.codes.astype(np.int64)], rows.n_rows)
        compared = keep_compared(rows, finer)
        if finer.max(initial=0) < most and share_matched(rows, compared, rows.smaller_arm) >= LEAST_MATCHED:
            cells = finer
            held.append(control.name)
    return cells, tuple(held)


def _strength(control: Control, sizes_and_scores: NDArray[np.float64]) -> float:
    """How much a category moves both scores: the product of the variances between its values.

    Parameters
    ----------
    sizes_and_scores : float64[n_rows, 3]
        Records of every row, and each score minus its mean, times the records.
    """
    sums = np.zeros((control.n_codes + 1, 3))
    add_by_code(control.codes, sizes_and_scores, sums)
    size, *of_scores = sums.T
    size = np.maximum(size, 1e-300)
    product = 1.0
    for of_score in of_scores:
        product *= float(size @ (of_score / size) ** 2)
    return product


class _Ranked(NamedTuple):
    """A score to nine digits, and the order of rows by it.

    What differs less is rounding, and must not depend on the order in which an engine gives its rows.
    """

    digits: NDArray[np.int64]
    order: NDArray[np.intp]

    @classmethod
    def of(cls, score: NDArray[np.float64]) -> _Ranked:
        """Rank the rows."""
        digits = np.rint(score * 1e9).astype(np.int64)
        lowest, highest = int(digits.min(initial=0)), int(digits.max(initial=0))
        return cls(digits, order_of(digits - lowest, highest - lowest + 1))


def _score_strata(
    rows: StudyRows, scores: Scores, ranked: tuple[_Ranked, _Ranked], cells: NDArray[np.int64], size: float
) -> NDArray[np.int64]:
    """Cut every cell by propensity, then every part by prognosis, into strata of about so many records."""
    n_records = rows.n_records.astype(np.float64)
    n_strata = np.bincount(cells, n_records) / size
    # Groups of equal information, not of equal size: where one arm is rare its records crowd at one end of
    # the score, and equally many records there would leave the arms different within a group.
    chance = 0.5 * (1 + np.tanh(scores.propensity / 2))
    groups = _cut(cells, ranked[0], n_records * chance * (1 - chance), np.sqrt(n_strata))
    n_parts = np.bincount(groups, n_records) / size
    return _cut(groups, ranked[1], n_records, n_parts)


def _cut(
    groups: NDArray[np.int64],
    ranked: _Ranked,
    n_records: NDArray[np.float64],
    n_parts: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Cut each group into parts with about equally many records; equal scores stay together."""
    order = ranked.order[order_of(groups[ranked.order], len(n_parts))]
    numbers = np.empty(len(groups), np.int64)
    cut_groups(order, groups, ranked.digits, n_records, n_parts, numbers)
    return numbers

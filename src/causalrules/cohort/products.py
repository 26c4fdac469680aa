"""Products of two controls, where scores that only add up leave the arms different in them.

A score is a sum over the controls. Where two numbers act on exposure and outcome by their product alone, or a
number acts in one group of records as it does not in the others, it sees neither, and the arms stay as
different as they were. With 1.2 times the product of two numbers in both log odds all of 20 exposures without
an effect were called causal (n 5,000), with a number whose line turns round between two groups all of 30
(n 3,000), and the second opinion, a sum as well, agreed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.score_design import line_of_codes
from causalrules.cohort.study_rows import Control, StudyRows
from causalrules.kernels.score_strata import add_by_code

if TYPE_CHECKING:
    from numpy.typing import NDArray


LEAST_DIFFERENCE, LEAST_ERRORS = 0.1, 3.0
"""Standardised difference from which a product is held too, and in how many standard errors."""

LEAST_SHARE = 0.05
"""Of the records that have a category's value, for a number to be held within it."""

_N_BINS = 50


def with_products(rows: StudyRows, stratum: NDArray[np.int64]) -> StudyRows:
    """The rows with more controls: all products in which the strata leave the arms different.

    Of two numbers, or of a number and a value of a category: the number among the records with that value.

    Parameters
    ----------
    rows : StudyRows
        Of the study.
    stratum : int64[n_rows]
        -1 for rows without partners.

    Examples
    --------
    Those with both numbers high or both low are exposed, and nothing is held:

    >>> from causalrules.cohort.study_rows import StudyRows
    >>> values = np.array([-1.0, 1.0])
    >>> one = Control("a", np.array([1, 1, 2, 2], np.int32), 2, values)
    >>> other = Control("b", np.array([1, 2, 1, 2], np.int32), 2, values)
    >>> exposed, counts = np.array([True, False, False, True]), np.full((4, 2), 50)
    >>> rows = with_products(StudyRows(exposed, counts, (one, other)), np.zeros(4, np.int64))
    >>> [control.name for control in rows.controls]
    ['a', 'b', 'a × b']
    """
    numbers = [control for control in rows.controls if control.is_number]
    if not numbers or len(rows.controls) < 2 or not (stratum >= 0).any():
        return rows
    lines = np.stack([line_of_codes(one, rows.n_records)[one.codes] for one in numbers])
    share, n_effective = _shares_of_arms(rows, stratum)
    # To nine digits: what differs less is rounding, and must not decide.
    least = max(LEAST_DIFFERENCE, LEAST_ERRORS / n_effective**0.5) + 5e-10
    products = [
        _product(f"{one.name} × {other.name}", lines[i] * lines[j], (one.codes > 0) & (other.codes > 0), rows)
        for i, j in np.argwhere(np.triu(_differences_in_products(rows, lines, share), 1) > least)
        for one, other in [(numbers[i], numbers[j])]
    ]
    n_records = rows.n_records / rows.n_records.sum()
    of_rows = np.vstack([n_records[None], n_records * lines, n_records * lines**2, share * lines])
    for category in rows.controls:
        if not category.is_number:
            differences = _differences_within(category, of_rows)
            products += [
                _product(
                    f"{numbers[i].name} × {category.name} {code}",
                    np.where(category.codes == code, lines[i], 0.0),
                    numbers[i].codes > 0,
                    rows,
                )
                for code, i in np.argwhere(differences > least)
            ]
    if not products:
        return rows
    return StudyRows(rows.exposed, rows.counts, (*rows.controls, *products))


def _shares_of_arms(rows: StudyRows, stratum: NDArray[np.int64]) -> tuple[NDArray[np.float64], float]:
    """What the records of each row count in a difference of the arms' means, and how many it rests on.

    Strata have the weights of the Mantel-Haenszel test; unexposed records count negatively.
    """
    is_in = stratum >= 0
    n, place, is_exposed = rows.n_records[is_in].astype(np.float64), stratum[is_in], rows.exposed[is_in]
    exposed, unexposed = (
        np.bincount(place[arm], n[arm], int(place.max()) + 1) for arm in (is_exposed, ~is_exposed)
    )
    weight = exposed * unexposed / (exposed + unexposed)
    share = np.zeros(rows.n_rows)
    share[is_in] = np.where(is_exposed, (weight / exposed)[place], -(weight / unexposed)[place]) * n
    return share / weight.sum(), float(weight.sum())


def _differences_in_products(
    rows: StudyRows, lines: NDArray[np.float64], share: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How far the arms differ in the product of each two numbers, in its standard deviations.

    Parameters
    ----------
    lines : float64[n_numbers, n_rows]
        Each number, standardised.
    share : float64[n_rows]
        See `_shares_of_arms`.
    """
    n_records = rows.n_records / rows.n_records.sum()
    mean = (lines * n_records) @ lines.T
    spread = np.sqrt(np.maximum((lines**2 * n_records) @ (lines**2).T - mean**2, 1e-12))
    return np.asarray(np.abs((lines * share) @ lines.T) / spread)


def _differences_within(category: Control, of_rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same of each number and each value of a category but the most frequent one and rare ones.

    Such a product is the number times the value's indicator, whose mean is taken off: what the number
    does among all records is none of it.

    Parameters
    ----------
    category : Control
        Whose values.
    of_rows : float64[1 + 3 · n_numbers, n_rows]
        Share of the records; that times every number, times its square; and what each row counts
        in the difference of the arms (`_shares_of_arms`) times every number.

    Returns
    -------
    float64[n_codes + 1, n_numbers]
        0 for values that are not looked at.
    """
    sums = np.zeros((category.n_codes + 1, len(of_rows)))
    add_by_code(category.codes, of_rows, sums)
    size, (mean, square, difference) = sums[:, :1], np.split(sums[:, 1:], 3, axis=1)
    difference = difference - size * difference.sum(axis=0)
    variance = (1 - 2 * size) * square + size**2 * square.sum(axis=0)
    variance -= (mean - size * mean.sum(axis=0)) ** 2
    is_looked_at = size[:, 0] >= LEAST_SHARE
    is_looked_at[np.argmax(size[:, 0])] = False
    return np.where(is_looked_at[:, None], np.abs(difference) / np.sqrt(np.maximum(variance, 1e-12)), 0.0)


def _product(
    name: str, product: NDArray[np.float64], is_known: NDArray[np.bool_], rows: StudyRows
) -> Control:
    """A product in bins of about equally many records, as a number."""
    value, place = np.unique(np.round(product, 9), return_inverse=True)
    size = np.bincount(place[is_known], rows.n_records[is_known], len(value))
    middle = (np.cumsum(size) - size / 2) / size.sum()
    _, of_value = np.unique(np.minimum((_N_BINS * middle).astype(np.int64), _N_BINS - 1), return_inverse=True)
    values = np.bincount(of_value, size * value) / np.maximum(np.bincount(of_value, size), 1)
    codes = np.where(is_known, of_value[place] + 1, 0).astype(np.int32)
    return Control(name, codes, len(values), values)

"""Products of two numbers, where scores that only add up leave the arms different in them.

A score is a sum over the controls. Where two numbers act on exposure and outcome by their product alone, it
sees neither, and the arms stay as different as they were: with 1.2 times the product in both log odds, all of
20 exposures without an effect were called causal (n 5,000), and the second opinion, a sum as well, agreed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.score_design import line_of_codes
from causalrules.cohort.study_rows import Control, StudyRows

if TYPE_CHECKING:
    from numpy.typing import NDArray


LEAST_DIFFERENCE, LEAST_ERRORS = 0.1, 3.0
"""Standardised difference from which a product is held too, and in how many standard errors."""

_N_BINS = 50


def with_products(rows: StudyRows, stratum: NDArray[np.int64]) -> StudyRows:
    """The rows with every product of two numbers as a control in which the strata leave the arms different.

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
    if len(numbers) < 2:
        return rows
    lines = np.stack([line_of_codes(one, rows.n_records)[one.codes] for one in numbers])
    pairs = zip(*np.nonzero(np.triu(_are_different(rows, stratum, lines), 1)), strict=True)
    products = [
        _product(numbers[one], numbers[other], lines[one] * lines[other], rows) for one, other in pairs
    ]
    if not products:
        return rows
    return StudyRows(rows.exposed, rows.counts, (*rows.controls, *products))


def _are_different(
    rows: StudyRows, stratum: NDArray[np.int64], lines: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """For which pairs of numbers the arms differ in the product, as the Mantel-Haenszel test weighs strata.

    Parameters
    ----------
    lines : float64[n_numbers, n_rows]
        Each number, standardised.
    """
    is_in = stratum >= 0
    n, place = rows.n_records[is_in].astype(np.float64), stratum[is_in]
    if not len(place):
        return np.zeros((len(lines), len(lines)), np.bool_)
    sides = rows.exposed[is_in], ~rows.exposed[is_in]
    exposed, unexposed = (np.bincount(place[arm], n[arm], int(place.max()) + 1) for arm in sides)
    weight = exposed * unexposed / (exposed + unexposed)
    share = np.where(sides[0], (weight / exposed)[place], -(weight / unexposed)[place]) * n / weight.sum()
    inside = lines[:, is_in]
    n_records = rows.n_records / rows.n_records.sum()
    mean = (lines * n_records) @ lines.T
    spread = np.sqrt(np.maximum((lines**2 * n_records) @ (lines**2).T - mean**2, 1e-12))
    difference = np.abs((inside * share) @ inside.T) / spread
    least = max(LEAST_DIFFERENCE, LEAST_ERRORS / float(np.sqrt(weight.sum())))
    # To nine digits: what differs less is rounding, and must not decide.
    return np.asarray(np.round(difference, 9) > least)


def _product(one: Control, other: Control, product: NDArray[np.float64], rows: StudyRows) -> Control:
    """The product of two numbers in bins of about equally many records; missing where one of them is."""
    value, place = np.unique(np.round(product, 9), return_inverse=True)
    is_known = (one.codes > 0) & (other.codes > 0)
    size = np.bincount(place[is_known], rows.n_records[is_known], len(value))
    middle = (np.cumsum(size) - size / 2) / size.sum()
    _, of_value = np.unique(np.minimum((_N_BINS * middle).astype(np.int64), _N_BINS - 1), return_inverse=True)
    values = np.bincount(of_value, size * value) / np.maximum(np.bincount(of_value, size), 1)
    codes = np.where(is_known, of_value[place] + 1, 0).astype(np.int32)
    return Control(f"{one.name} × {other.name}", codes, len(values), values)

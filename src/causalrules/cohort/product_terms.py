"""Products of two controls, where scores that only add up leave the arms different in them.

A score is a sum over the controls. Where two numbers act on exposure and outcome by their product alone, or a
number acts in one group of records as it does not in the others, it sees neither, and the arms stay as
different as they were. With 1.2 times the product of two numbers in both log odds all of 20 exposures without
an effect were called causal (n 5,000), with a number whose line turns round between two groups all of 30
(n 3,000), and the second opinion, a sum as well, agreed.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    known = spreads_of(rows, numbers)
    lines = known.lines
    share, n_effective = shares_of_arms(rows, stratum)
    # To nine digits: what differs less is rounding, and must not decide.
    least = max(LEAST_DIFFERENCE, LEAST_ERRORS / n_effective**0.5) + 5e-10
    shares = lines * share[:, None]
    differences = known.differences(shares)
    products = [
        _product(
            f"{one.name} × {other.name}",
            lines[:, i] * lines[:, j],
            (one.codes > 0) & (other.codes > 0),
            rows,
        )
        for i, j in np.argwhere(np.triu(differences, 1) > least)
        for one, other in [(numbers[i], numbers[j])]
    ]
    for category in rows.controls:
        if not category.is_number:
            differences = known.within[category.name].differences(category, shares)
            products += [
                _product(
                    f"{numbers[i].name} × {category.name} {code}",
                    np.where(category.codes == code, lines[:, i], 0.0),
                    numbers[i].codes > 0,
                    rows,
                )
                for code, i in np.argwhere(differences > least)
            ]
    if not products:
        return rows
    return StudyRows(rows.exposed, rows.counts, (*rows.controls, *products))


def shares_of_arms(rows: StudyRows, stratum: NDArray[np.int64]) -> tuple[NDArray[np.float64], float]:
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


@dataclass(frozen=True, slots=True, eq=False)
class SpreadsWithin:
    """The products of each number and the values of one category, over all records.

    Such a product is the number times the value's indicator, whose mean is taken off: what the number
    does among all records is none of it.

    Parameters
    ----------
    size : float64[n_codes + 1, 1]
        Share of the records with each value.
    spread : float64[n_codes + 1, n_numbers]
        Standard deviation of each product; infinite for the most frequent value and rare ones, which are
        not looked at.
    """

    size: NDArray[np.float64]
    spread: NDArray[np.float64]

    @classmethod
    def of(cls, category: Control, of_rows: NDArray[np.float64]) -> SpreadsWithin:
        """From the share of the records of every row, that times every number, and times its square."""
        sums = _sums_by_value(category, of_rows)
        size, (mean, square) = sums[:, :1], np.split(sums[:, 1:], 2, axis=1)
        variance = (1 - 2 * size) * square + size**2 * square.sum(axis=0)
        variance -= (mean - size * mean.sum(axis=0)) ** 2
        is_looked_at = size >= LEAST_SHARE
        is_looked_at[np.argmax(size)] = False
        return cls(size, np.where(is_looked_at, np.sqrt(np.maximum(variance, 1e-12)), np.inf))

    def differences(self, category: Control, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far the arms differ in each product, in its standard deviations.

        `shares` float64[n_rows, n_numbers] is what each row counts in the difference of the arms
        (`shares_of_arms`) times every number.
        """
        sums = _sums_by_value(category, shares)
        return np.asarray(np.abs(sums - self.size * sums.sum(axis=0)) / self.spread)


@dataclass(frozen=True, slots=True, eq=False)
class Spreads:
    """What products of controls are over all records, whoever is exposed: studies of the same rows share it.

    Parameters
    ----------
    lines : float64[n_rows, n_numbers]
        Each number, standardised.
    of_two : float64[n_numbers, n_numbers]
        Standard deviation of the product of each two numbers.
    within : dict of str to SpreadsWithin
        Of every category.
    """

    lines: NDArray[np.float64]
    of_two: NDArray[np.float64]
    within: dict[str, SpreadsWithin]

    def differences(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far the arms differ in the product of each two numbers, see `SpreadsWithin.differences`."""
        return np.asarray(np.abs(shares.T @ self.lines) / self.of_two)


def spreads_of(rows: StudyRows, numbers: list[Control]) -> Spreads:
    """How the numbers of some rows spread, worked out once for all studies that share the rows."""
    if rows.shared.spreads is None:
        lines = np.stack([line_of_codes(one, rows.n_records)[one.codes] for one in numbers], axis=1)
        n_records = (rows.n_records / rows.n_records.sum())[:, None]
        of_lines, of_squares = n_records * lines, n_records * lines**2
        of_two = np.sqrt(np.maximum(of_squares.T @ lines**2 - (of_lines.T @ lines) ** 2, 1e-12))
        of_rows = np.hstack([n_records, of_lines, of_squares])
        within = {one.name: SpreadsWithin.of(one, of_rows) for one in rows.controls if not one.is_number}
        rows.shared.spreads = Spreads(lines, of_two, within)
    return rows.shared.spreads


def _sums_by_value(category: Control, of_rows: NDArray[np.float64]) -> NDArray[np.float64]:
    sums = np.zeros((category.n_codes + 1, of_rows.shape[1]))
    add_by_code(category.codes, of_rows, sums)
    return sums


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

"""Which way an arrow points, and what bears witness to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from causalrules.kernels.special_functions import chdtrc

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.find.average import Arrows
    from causalrules.find.window_rows import WindowRows

SURE = 0.95
"""Share of an arrow's probability that must point one way."""

PROBABLE = 0.5
DEPENDENT = 0.01
"""Divided by the number of columns in the window: a dependence that bears witness."""

INDEPENDENT = 0.05

Kind = Literal["common effect", "instrument", "passed on"]


@dataclass(frozen=True, slots=True)
class Witness:
    """A third column that tells the direction of an arrow.

    Parameters
    ----------
    column : int
    kind : str
        `common effect`: independent of the cause, but not among records alike in the outcome: two causes
        of one outcome. `instrument`: independent of the outcome, but not among records alike in the
        effect: another cause of the effect. `passed on`: a cause of the outcome that goes with the
        effect, but not among records alike in the outcome.
    """

    column: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Arrow:
    """The direction between a column and the outcome.

    Parameters
    ----------
    direction : str
        `cause`: from the column to the outcome; `effect`: from the outcome; or `undecided`.
    witnesses : tuple of Witness
        What the data's direction rests on.
    is_declared : bool
        Whether the user said so.
    """

    direction: Literal["cause", "effect", "undecided"]
    witnesses: tuple[Witness, ...] = ()
    is_declared: bool = False


def label_arrows(rows: WindowRows, arrows: Arrows) -> tuple[Arrow, ...]:
    """Direction of every column of the window, where a third column bears witness.

    Parsimony alone is no evidence of direction: twenty additive causes of an
    outcome have a shorter code as twenty effects of it. And the arrow of a number
    turns with its bins (age came out as an effect of death), so numbers are
    always undecided, and bear no witness.

    Returns
    -------
    tuple of Arrow
        In the order of the window's columns.
    """
    tests = _Tests(rows)
    p_next = arrows.p_next
    is_near = (p_next > PROBABLE) & ~rows.is_number
    sure_cause = is_near & (arrows.p_cause >= SURE * p_next)
    sure_effect = is_near & (arrows.p_effect >= SURE * p_next)
    places = range(len(rows.columns))
    labels = [Arrow("undecided")] * len(places)
    for x in np.flatnonzero(sure_cause).tolist():
        seen = [y for y in places if y != x and arrows.p_cause[y] > PROBABLE and tests.is_common_effect(x, y)]
        if seen:
            labels[x] = Arrow("cause", tuple(Witness(rows.columns[y], "common effect") for y in seen))
    is_cause = [label.direction == "cause" for label in labels]
    for x in np.flatnonzero(sure_effect).tolist():
        if not tests.goes_with_outcome(x):
            continue
        seen_by = [
            Witness(rows.columns[w], "instrument") for w in places if w != x and tests.is_instrument(w, x)
        ]
        seen_by += [
            Witness(rows.columns[y], "passed on") for y in places if is_cause[y] and tests.is_passed_on(y, x)
        ]
        if seen_by:
            labels[x] = Arrow("effect", tuple(seen_by))
    return tuple(labels)


class _Tests:
    """Tests of independence between the window's variables; places are those of its columns."""

    def __init__(self, rows: WindowRows) -> None:
        self._codes, self._counts, self._levels = rows.with_outcome()
        self._outcome = rows.n_variables - 1
        self._is_number = rows.is_number
        self._limit = DEPENDENT / max(1, len(rows.columns))

    def goes_with_outcome(self, x: int) -> bool:
        """Alone, as every effect does.

        Where two columns tell about the outcome only together, each is
        independent of it and dependent given the other: they would be called
        each other's instruments, but may as well be a combined cause.
        """
        return self._p_value(x, self._outcome) < self._limit

    def is_common_effect(self, x: int, y: int) -> bool:
        """Independent, and dependent given the outcome."""
        return (
            not self._is_number[y]
            and self._p_value(x, y) > INDEPENDENT
            and self._p_value(x, y, self._outcome) < self._limit
        )

    def is_instrument(self, w: int, x: int) -> bool:
        """Of x: goes with it, not with the outcome, but with the outcome given x."""
        return (
            not self._is_number[w]
            and self._p_value(w, self._outcome) > INDEPENDENT
            and self._p_value(w, x) < self._limit
            and self._p_value(w, self._outcome, x) < self._limit
        )

    def is_passed_on(self, y: int, x: int) -> bool:
        """The cause y goes with x, and no longer given the outcome."""
        return (
            not self._is_number[y]
            and self._p_value(x, y) < self._limit
            and self._p_value(x, y, self._outcome) > INDEPENDENT
        )

    @cached_property
    def _known(self) -> dict[tuple[int, ...], float]:
        return {}

    def _p_value(self, a: int, b: int, *given: int) -> float:
        key = (min(a, b), max(a, b), *given)
        if key not in self._known:
            self._known[key] = independence_p_value(
                self._counts, *((self._codes[:, v], int(self._levels[v])) for v in key)
            )
        return self._known[key]


def independence_p_value(
    counts: NDArray[np.int64],
    first: tuple[NDArray[np.int64], int],
    second: tuple[NDArray[np.int64], int],
    given: tuple[NDArray[np.int64], int] | None = None,
) -> float:
    """Likelihood ratio test (G²) of two variables' independence, given a third.

    Parameters
    ----------
    counts : int64[n_rows]
        How often each row occurs.
    first, second, given : (int64[n_rows], int)
        Levels from 0, and how many there are.

    Examples
    --------
    Two coins and whether they agree: independent, but not given the third.

    >>> first, second = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> agree = (first == second).astype(np.int64)
    >>> counts = np.array([25, 25, 25, 25])
    >>> independence_p_value(counts, (first, 2), (second, 2))
    1.0
    >>> independence_p_value(counts, (first, 2), (second, 2), (agree, 2)) < 1e-9
    True
    """
    (a, n_a), (b, n_b) = first, second
    stratum, n_strata = given or (np.zeros_like(a), 1)
    cells = np.bincount((stratum * n_a + a) * n_b + b, counts, minlength=n_strata * n_a * n_b)
    table = cells.reshape(n_strata, n_a, n_b)
    of_a, of_b, total = table.sum(axis=2), table.sum(axis=1), table.sum(axis=(1, 2))
    expected = of_a[:, :, None] * of_b[:, None, :] / np.maximum(total, 1)[:, None, None]
    is_there = table > 0
    statistic = 2 * float((table[is_there] * np.log(table[is_there] / expected[is_there])).sum())
    # Levels that do not occur in a stratum take no degree of freedom there.
    free = np.maximum((of_a > 0).sum(axis=1) - 1, 0) * np.maximum((of_b > 0).sum(axis=1) - 1, 0)
    return float(chdtrc(float(free.sum()), max(statistic, 0.0))) if free.any() else 1.0

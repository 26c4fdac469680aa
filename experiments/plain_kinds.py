"""Tables in which other columns confound an exposure, each with everything about it known.

A kind says how its columns steer exposure and outcome; a table is made from the name of its kind, a number
and the odds ratio planted, and from nothing else. The outcome is always ``z=yes``, the exposure the column
``x``. All that steers both is among the columns, so an exposure of odds ratio 1 has no effect and every
method may find that out. The kinds here shaped the method; `experiments.sealed_kinds` has those that did
not.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from scipy.special import ndtr, ndtri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Columns = dict[str, NDArray]
    Confounders = tuple[Columns, NDArray, NDArray]
    """Columns, and what they add to the log odds of exposure and of outcome."""

OUTCOME = "z=yes"
USUAL_LOG_ODDS = -1.0
"""Of the outcome where nothing raises or lowers it: three records in ten."""

N_INSIDE = 50
"""Numbers over which a risk is averaged within an interval."""


@dataclass(frozen=True)
class Levels:
    """A category; `tilts` says how much the confounders favour each of its levels, one of which acts."""

    names: tuple[str, ...]
    tilts: tuple[float, ...]
    acting: str
    reference: str

    def chances(self, on_x: NDArray) -> Iterator[tuple[NDArray, NDArray]]:
        """Each level with its probability for every record."""
        odds = np.exp(np.multiply.outer(self.tilts, on_x))
        for code, share in enumerate(odds / odds.sum(0)):
            yield np.full(len(on_x), code), share

    def draw(self, chance: np.random.Generator, on_x: NDArray) -> NDArray:
        """The code of every record."""
        shares = np.array([share for _, share in self.chances(on_x)])
        return (chance.random(len(on_x)) > shares.cumsum(0)[:-1]).sum(0)

    def basis(self, values: NDArray) -> NDArray:
        """An indicator of every level but the first."""
        return np.equal.outer(values, np.arange(1, len(self.names))).astype(float)

    def shift(self, values: NDArray) -> NDArray:
        """1 where the level acts."""
        return (values == self.names.index(self.acting)).astype(float)

    def values_at(self, level: str, on_x: NDArray) -> list[NDArray]:
        """What the records would have at a level: its code."""
        return [np.full(len(on_x), self.names.index(level))]

    def column(self, values: NDArray) -> NDArray:
        """As the table has it."""
        return np.array(self.names)[values]


@dataclass(frozen=True)
class Number:
    """A number, by its confounders and normal noise; it acts by a shape."""

    shape: Callable[[NDArray], NDArray]
    acting: str = ""
    reference: str = ""
    slope: float = 0.8

    def chances(self, on_x: NDArray) -> Iterator[tuple[NDArray, NDArray]]:
        """Forty values with weights whose sums are integrals over the noise."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(40)
        for node, weight in zip(nodes, weights / weights.sum(), strict=True):
            yield self.slope * on_x + node, np.full(len(on_x), weight)

    def draw(self, chance: np.random.Generator, on_x: NDArray) -> NDArray:
        """The number of every record."""
        return self.slope * on_x + chance.normal(size=len(on_x))

    def basis(self, values: NDArray) -> NDArray:
        """A line and a curve."""
        return np.stack([values, values**2], axis=1)

    def shift(self, values: NDArray) -> NDArray:
        """What it adds, in units of the log odds ratio."""
        return self.shape(values)

    def values_at(self, level: str, on_x: NDArray) -> list[NDArray]:
        """What they would have there: a number, or evenly of the numbers that they may have in an interval.

        Intervals are written ``≤3``, ``3–5.5`` and ``>5.5``.
        """
        low, high = _limits(level)
        if low == high:
            return [np.full(len(on_x), low)]
        below, above = ndtr(low - self.slope * on_x), ndtr(high - self.slope * on_x)
        shares = (np.arange(N_INSIDE) + 0.5) / N_INSIDE
        return [self.slope * on_x + ndtri(below + share * (above - below)) for share in shares]

    def column(self, values: NDArray) -> NDArray:
        """As it is."""
        return values


Exposure = Levels | Number
"""How an exposure is drawn, and which of its values act; values are codes or numbers."""


def _limits(level: str) -> tuple[float, float]:
    """The ends of an interval as people read it: a minus of its own width, and "to" beside it.

    Examples
    --------
    >>> _limits("≤3"), _limits("3–5.5"), _limits("−0.97 to −0.34"), _limits(">−2")
    ((-inf, 3.0), (3.0, 5.5), (-0.97, -0.34), (-2.0, inf))
    """
    text = level.replace(" to ", "–").replace("−", "-")
    if text[0] in "≤<":
        return -np.inf, float(text[1:])
    if text[0] in "≥>":
        return float(text[1:]), np.inf
    low, _, high = text.partition("–")
    return float(low), float(high or low)


STEP = 0.5
TWO = Levels(("no", "yes"), (0.0, 1.0), "yes", "no")
FOUR = Levels(("p", "q", "r", "s"), (0.0, 0.9, -0.6, 0.3), "r", "p")
LINE = Number(lambda x: x)
U_SHAPED = Number(lambda x: x**2 - 1)
STEPPED = Number(lambda x: (x > STEP).astype(float))


@dataclass(frozen=True, eq=False, kw_only=True)
class Known:
    """A table, and all that is true of it.

    Parameters
    ----------
    table : pyarrow.Table
    exposure : Exposure
    effect : float
        Odds ratio among records alike in everything else; of a number for one unit of its shape.
    values : float64 or intp[n]
        The exposure of every record, as numbers.
    base : float64[n]
        Log odds of the outcome without what the exposure adds.
    on_x : float64[n]
        What the columns add to the exposure's log odds.
    """

    table: pa.Table
    exposure: Exposure
    effect: float
    values: NDArray
    base: NDArray
    on_x: NDArray

    def risk_at(self, level: str) -> NDArray:
        """Risk of every record, had it this level."""
        values = self.exposure.values_at(level, self.on_x)
        return np.mean([self._risk(one) for one in values], axis=0)

    def difference(self, level: str, against: str, among: NDArray | None = None) -> float:
        """How much higher the mean risk is at one level than at another, among all records or some."""
        found = self.risk_at(level) - self.risk_at(against)
        return float(found.mean() if among is None else found[among].mean())

    def odds_ratio(self, level: str, against: str) -> float:
        """The marginal one: of the mean risks of all records."""
        odds = [risk / (1 - risk) for risk in (self.risk_at(level).mean(), self.risk_at(against).mean())]
        return float(odds[0] / odds[1])

    def surprises(self) -> tuple[NDArray, NDArray]:
        """Exposure (its basis) and outcome, each less what the other columns let expect."""
        chances = list(self.exposure.chances(self.on_x))
        expected = sum(share[:, None] * self.exposure.basis(values) for values, share in chances)
        risk = sum(share * self._risk(values) for values, share in chances)
        has_outcome = self.table["z"].to_numpy(zero_copy_only=False) == "yes"
        return self.exposure.basis(self.values) - expected, has_outcome - risk

    def _risk(self, values: NDArray) -> NDArray:
        return expit(self.base + np.log(self.effect) * self.exposure.shift(values))


@dataclass(frozen=True)
class Kind:
    """One kind of table: how columns confound, how many records, which exposure, the effect looked for."""

    name: str
    confounders: Callable[[np.random.Generator, int], Confounders]
    n: int = 2000
    exposure: Exposure = TWO
    effect: float = 1.5

    def make(self, seed: int, effect: float = 1.0) -> Known:
        """The table of a number; with the same number it has the same columns whatever the effect is."""
        chance = np.random.default_rng([number_of(self.name), seed])
        columns, on_x, on_z = self.confounders(chance, self.n)
        values, base = self.exposure.draw(chance, on_x), on_z + USUAL_LOG_ODDS
        log_odds = base + np.log(effect) * self.exposure.shift(values)
        z = chance.random(self.n) < expit(log_odds)
        table = pa.table({**columns, "x": self.exposure.column(values), "z": yes_no(z)})
        return Known(table=table, exposure=self.exposure, effect=effect, values=values, base=base, on_x=on_x)


def number_of(name: str) -> int:
    """The same number for the same name on every machine."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")


def expit(log_odds: NDArray) -> NDArray:
    """The probability of log odds."""
    return 0.5 * (1 + np.tanh(log_odds / 2))


def yes_no(holds: NDArray) -> NDArray:
    return np.where(holds, "yes", "no")


def names(codes: NDArray, word: str = "v") -> NDArray:
    """Codes as texts."""
    return np.array([f"{word}{code:02}" for code in range(codes.max() + 1)])[codes]


def even(score: NDArray, spread: float = 1.0) -> NDArray:
    """A score with mean 0 and this standard deviation."""
    return spread * (score - score.mean()) / score.std()


def both(columns: Columns, score: NDArray) -> Confounders:
    """The same score steers exposure and outcome: as much confounding as it can make."""
    return columns, even(score), even(score)


def _normal(chance: np.random.Generator, shape: tuple[int, ...]) -> NDArray:
    return chance.normal(size=shape)


def _numbers(
    k: int,
    score: Callable[[NDArray], NDArray],
    chance: np.random.Generator,
    n: int,
    draw: Callable[[np.random.Generator, tuple[int, ...]], NDArray] = _normal,
) -> Confounders:
    """Some numbers, drawn in one way, and what they make together."""
    values = draw(chance, (k, n))
    return both({f"a{i}": column for i, column in enumerate(values)}, score(values))


def _slopes(chance: np.random.Generator, n: int) -> Confounders:
    a, group = chance.normal(size=n), chance.integers(0, 4, n)
    return both({"a": a, "group": names(group)}, np.array([-1.0, -0.2, 0.6, 1.4])[group] * a)


def _cells(sizes: tuple[int, ...], chance: np.random.Generator, n: int) -> Confounders:
    codes = [chance.integers(0, size, n) for size in sizes]
    score = chance.normal(size=sizes)[tuple(codes)]
    return both({f"c{i}": names(code) for i, code in enumerate(codes)}, score)


def _many_weak(chance: np.random.Generator, n: int) -> Confounders:
    values = chance.random((12, n)) < 0.5
    return both({f"c{i:02}": yes_no(column) for i, column in enumerate(values)}, values.sum(0))


def _threshold(chance: np.random.Generator, n: int) -> Confounders:
    """Four of eight findings or more make the difference, whichever they are."""
    values = chance.random((8, n)) < 0.4
    return both({f"c{i}": yes_no(column) for i, column in enumerate(values)}, (values.sum(0) >= 4) * 1.0)


def value_and_number(levels: int, chance: np.random.Generator, n: int) -> Confounders:
    """A category and a number that act side by side."""
    c, a = chance.integers(0, levels, n), chance.normal(size=n)
    return both({"c": names(c), "a": a}, chance.normal(size=levels)[c] + a)


def _with_gaps(chance: np.random.Generator, n: int) -> Confounders:
    """A strong category of which three in ten values are missing."""
    c, is_missing = chance.integers(0, 6, n), chance.random(n) < 0.3
    return both({"c": np.where(is_missing, None, names(c))}, 1.5 * chance.normal(size=6)[c])


def _rare(chance: np.random.Generator, n: int) -> Confounders:
    columns, on_x, on_z = _cells((12,), chance, n)
    return columns, on_x - 2, on_z - 3.1


def _zeros(chance: np.random.Generator, shape: tuple[int, ...]) -> NDArray:
    return chance.exponential(size=shape) * (chance.random(shape) < 0.5)


def _humps(chance: np.random.Generator, shape: tuple[int, ...]) -> NDArray:
    return chance.normal(chance.choice([-2.0, 2.0], shape), 0.6)


SINE = partial(_numbers, 1, lambda a: np.sin(2.5 * a[0]))
STEP_OF_A = partial(_numbers, 1, lambda a: (a[0] > STEP) * 1.0)
FOUR_NUMBERS = partial(_numbers, 4, lambda a: a.sum(0))
CELLS = partial(_cells, (6, 6))
DAYS = partial(
    _numbers,
    1,
    lambda day: np.cos(2 * np.pi * day[0] / 365),
    draw=lambda chance, shape: chance.integers(0, 730, shape) * 1.0,
)
RATIO = partial(
    _numbers,
    2,
    lambda a: np.minimum(a[0] / a[1], 4),
    draw=lambda chance, shape: chance.lognormal(0, 0.5, shape),
)
HEAVY = partial(
    _numbers, 1, lambda a: np.arcsinh(a[0]), draw=lambda chance, shape: chance.standard_t(2, shape)
)

KNOWN = (
    Kind("sine", SINE),
    Kind("step", STEP_OF_A),
    Kind("seasons", DAYS),
    Kind("maximum", partial(_numbers, 2, lambda a: a.max(0))),
    Kind("number within category", _slopes),
    Kind("6 x 6 cells", CELLS),
    Kind("4 x 12 cells", partial(_cells, (4, 12))),
    Kind("heavy tails", HEAVY),
    Kind("zeros", partial(_numbers, 1, lambda a: a[0] + (a[0] > 0), draw=_zeros)),
    Kind("two humps", partial(_numbers, 1, lambda a: np.sin(2.5 * a[0]) * np.abs(a[0]), draw=_humps)),
    Kind("ratio", RATIO),
    Kind("product", partial(_numbers, 2, lambda a: a.prod(0))),
    Kind("saw-tooth", partial(_numbers, 1, lambda a: a[0] % 1)),
    Kind("12 values", partial(_cells, (12,))),
    Kind("40 values", partial(_cells, (40,))),
    Kind("4 numbers", FOUR_NUMBERS),
    Kind("many weak", _many_weak),
    Kind("U shape", partial(_numbers, 1, lambda a: a[0] ** 2)),
    Kind("four of eight", _threshold),
    Kind("three columns at once", partial(_cells, (3, 3, 3))),
    Kind("three numbers at once", partial(_numbers, 3, lambda a: np.cbrt(a.prod(0)))),
    Kind("values missing", _with_gaps),
    Kind("small", partial(value_and_number, 3), n=200, effect=3.0),
    Kind("rare outcome", _rare, n=5000, effect=2.0),
    Kind("6 x 6 cells, n 500", CELLS, n=500, effect=2.0),
    Kind("4 numbers, n 500", FOUR_NUMBERS, n=500, effect=2.0),
    Kind("6 x 6 cells, n 20,000", CELLS, n=20_000, effect=1.2),
    Kind("sine, n 20,000", SINE, n=20_000, effect=1.2),
    Kind("four levels, 6 values and a number", partial(value_and_number, 6), n=3000, exposure=FOUR),
    Kind("four levels, 6 x 6 cells", CELLS, n=3000, exposure=FOUR),
    Kind("four levels, step", STEP_OF_A, n=3000, exposure=FOUR),
    Kind("line, 8 values", partial(_cells, (8,)), exposure=LINE, effect=1.2),
    Kind("line, 6 x 6 cells", CELLS, exposure=LINE, effect=1.2),
    Kind("line, sine", SINE, exposure=LINE, effect=1.2),
    Kind("U, 8 values", partial(_cells, (8,)), exposure=U_SHAPED, effect=1.2),
    Kind("U, 4 numbers", FOUR_NUMBERS, exposure=U_SHAPED, effect=1.2),
    Kind("step, 8 values", partial(_cells, (8,)), exposure=STEPPED, effect=1.5),
    Kind("step, step", STEP_OF_A, exposure=STEPPED, effect=1.5),
)
"""The kinds that the method was made for, and those that a sketch of it failed on."""

"""Which columns a study holds: what is linked to the outcome, and what could move the estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.special_functions import chdtrc
from causalrules.words import constants
from causalrules.words.records import Column

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from causalrules.domain.knowledge import KnownRoles
    from causalrules.words.records import Records
    from causalrules.words.studies import Levels

_MOST_CELLS = 1 << 20
"""Codes, or cells, of columns that are looked at in one go: 8 MB of places."""

MOST_HELD = 30
"""Columns of one study."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a study holds, and what it cannot.

    Parameters
    ----------
    columns : tuple of str
        Held, the most harmful first.
    inseparable : tuple of str
        Not held, though they may be linked to the outcome: beside them nothing could be compared.
    not_allowed : tuple of str
        Columns that would be held, had the user not said that they come later.
    related : tuple of str
        Those of the columns held that go with the factor.
    """

    columns: tuple[str, ...]
    inseparable: tuple[str, ...] = ()
    not_allowed: tuple[str, ...] = ()
    related: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Harm:
    """What leaving a column out does to an estimate."""

    moves: float
    p_exposure: float
    p_outcome: float
    comparable: float
    freedom: int

    @property
    def rank(self) -> tuple[float, float]:
        """The most harmful first; of those that do none, what goes most clearly with both."""
        return -round(self.moves, 9), round(max(self.p_exposure, self.p_outcome), 9)


def held_for(
    records: Records,
    levels: Levels,
    own: Collection[str],
    p_link: Mapping[str, float],
    roles: KnownRoles,
    *,
    acting: Collection[tuple[str, ...]] = (),
    looked_at: Collection[str] | None = None,
    only_asked: bool = False,
) -> Held:
    """Which columns the study of a factor holds.

    What is linked to the outcome, acts on it together with others, or goes with the exposure and with the
    outcome given it; the most harmful first, as many as the rarer outcome allows. Never what the user says to
    come after the exposure or the outcome, and never what hardly leaves a record to compare.

    Parameters
    ----------
    records : Records
        Without leaks, identifiers and copies.
    levels : Levels
        Of the factor.
    own : collection of str
        The factor's own columns.
    p_link : mapping of str to float
        See `find.links`.
    roles : KnownRoles
        What the user says.
    acting : collection of tuples of str
        Columns whose cells say of the outcome what none of them says alone. Where none is linked to it by
        itself, they are judged by their cells.
    looked_at : collection of str, optional
        The columns to choose from, of a wide table; all by default. What is linked or asked for is among
        them.
    only_asked : bool
        Whether the columns that the user asks to adjust for are the only ones.
    """
    later = roles.later_than(own)
    asked = roles.knowledge.adjust
    harms = harms_of(
        records,
        levels,
        [
            column
            for column in records.columns
            if column.name not in own and (looked_at is None or column.name in looked_at)
        ],
    )
    cells = {
        columns: _joined(records, columns)
        for columns in acting
        if not {*own} & {*columns} and max(p_link.get(name, 0.0) for name in columns) < constants.LINKED
    }
    of_cells = harms_of(records, levels, list(cells.values()))
    by_cells = {
        name
        for columns, column in cells.items()
        if _moves_the_estimate(of_cells[column.name])
        for name in columns
    }
    wanted = [
        name
        for name, harm in harms.items()
        if name in asked
        or (
            not only_asked
            and (p_link.get(name, 0.0) >= constants.LINKED or name in by_cells or _moves_the_estimate(harm))
        )
    ]
    allowed = [name for name in wanted if roles.may_be_held(name) and name not in later]
    free = [name for name in allowed if harms[name].comparable >= constants.COMPARABLE[0] or name in asked]
    free.sort(
        key=lambda name: (name not in asked, p_link.get(name, 0.0) < constants.LINKED, *harms[name].rank)
    )
    held = _within_means(records, free, harms, p_link, asked)
    return Held(
        columns=tuple(held),
        related=tuple(name for name in held if harms[name].p_exposure <= constants.BEYOND_DOUBT),
        inseparable=tuple(
            name for name in allowed if name not in free and p_link.get(name, 0.0) >= constants.LINKED
        ),
        not_allowed=tuple(name for name in wanted if name not in allowed),
    )


def _moves_the_estimate(harm: Harm) -> bool:
    return harm.moves >= constants.LEAST_HARM


def _within_means(
    records: Records,
    names: list[str],
    harms: Mapping[str, Harm],
    p_link: Mapping[str, float],
    asked: Collection[str],
) -> list[str]:
    """As many of the columns that the rarer outcome allows; what is linked or asked for is always held."""
    left = _rarer(records) / constants.EVENTS_PER_COLUMN
    found: list[str] = []
    for name in names:
        left -= harms[name].freedom
        is_due = name in asked or p_link.get(name, 0.0) >= constants.LINKED
        if (is_due or left >= 0) and len(found) < MOST_HELD:
            found.append(name)
    return found


def _rarer(records: Records) -> float:
    if records.is_mean:
        return float(records.count.sum())
    has = float(records.count @ records.outcome)
    return min(has, float(records.count.sum()) - has)


def harms_of(records: Records, levels: Levels, columns: Sequence[Column]) -> dict[str, Harm]:
    """How far an estimate moves where a column is not held, and what it says of exposure and outcome.

    The bias, in standard errors, is about the root of n times its correlation with the exposure times that
    with the outcome given the exposure. Squared correlations are what chi-squared statistics have beyond
    their degrees of freedom. Columns with equally many codes are looked at together: of 3,000 columns each
    has so few records that calls, one by one, would take longer than what they do.
    """
    sizes: dict[int, list[Column]] = {}
    for column in columns:
        sizes.setdefault(constants.BINS + 1 if column.is_number else column.n_codes, []).append(column)
    found: dict[str, Harm] = {}
    for n_codes, alike in sizes.items():
        at_once = max(1, _MOST_CELLS // max(records.n_rows, n_codes**2))
        for start in range(0, len(alike), at_once):
            found |= _harms_alike(records, levels, alike[start : start + at_once], n_codes)
    return {column.name: found[column.name] for column in columns}


def _harms_alike(
    records: Records, levels: Levels, columns: Sequence[Column], n_codes: int
) -> dict[str, Harm]:
    """Those of columns that have equally many codes."""
    m, k = len(columns), len(levels.names)
    codes = np.stack([coarse_codes(records, column) for column in columns])
    joint = (codes + n_codes * np.arange(m)[:, None]) * (k + 1) + (levels.level + 1)

    def sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
        of_each = np.broadcast_to(values, joint.shape).ravel()
        tables = np.bincount(joint.ravel(), of_each, m * n_codes * (k + 1)).reshape(m, n_codes, k + 1)
        return tables[:, 1:, 1:].astype(np.float64)

    count, has = sums(records.count), sums(records.count * records.outcome)
    if records.is_mean:
        known = (codes > 0) & (levels.level >= 0)
        n_known = np.maximum(known.sum(axis=1), 1)
        mean = (known @ records.outcome) / n_known
        apart = np.where(known, records.outcome - mean[:, None], 0.0)
        spread = np.maximum(np.sqrt((apart**2).sum(axis=1) / n_known), 1e-300)
        has = (has - count * mean[:, None, None]) / spread[:, None, None]
    size, of_level = count.sum(axis=2), count.sum(axis=1)
    n, n_used = size.sum(axis=1), (size > 0).sum(axis=1)
    at_least = np.maximum(n, 1.0)
    of_exposure, df_exposure = _chi_squared(count)
    of_outcome, df_outcome = _given_exposure(count, has, is_mean=records.is_mean)
    beyond = np.maximum(of_exposure - df_exposure, 0.0) * np.maximum(of_outcome - df_outcome, 0.0)
    share = of_level / at_least[:, None]
    chance = (count + constants.ADDED * share[:, None]) / (size[:, :, None] + constants.ADDED)
    plausible = chance >= constants.PLAUSIBLE * share[:, None]
    reach = (size[:, :, None] * plausible).sum(axis=1) / at_least[:, None]
    told = (reach >= constants.COMPARABLE[0]) & (share >= constants.RARE)
    comparable = (size * (plausible | ~told[:, None]).all(axis=2)).sum(axis=1) / at_least
    comparable[~told[:, levels.reference] | (told.sum(axis=1) < 2)] = 0.0
    moves = np.sqrt(beyond / at_least)
    p_exposure, p_outcome = chdtrc(df_exposure, of_exposure), chdtrc(df_outcome, of_outcome)
    says_nothing = (n_used < 2) | (k < 2) | (n < 2)
    return {
        column.name: Harm(0.0, 1.0, 1.0, 1.0, 0)
        if says_nothing[place]
        else Harm(
            moves=float(moves[place]),
            p_exposure=float(p_exposure[place]),
            p_outcome=float(p_outcome[place]),
            comparable=float(comparable[place]),
            freedom=int(n_used[place]) - 1 if not column.is_number else 3,
        )
        for place, column in enumerate(columns)
    }


def _joined(records: Records, names: Sequence[str]) -> Column:
    """The cells of some columns, as a category; of three numbers as many as of two."""
    codes, n_cells, n_bins = np.ones(records.n_rows, np.int64), 1, int(constants.BINS ** (2 / len(names)))
    for column in map(records.column, names):
        own = coarse_codes(records, column, n_bins)
        n_own = n_bins if column.is_number else column.n_codes - 1
        codes = np.where((codes > 0) & (own > 0), (codes - 1) * n_own + own, 0)
        n_cells *= n_own
    return Column(
        name=" & ".join(names),
        kind="category",
        levels=tuple(map(str, range(n_cells))),
        codes=codes.astype(np.int32),
    )


def coarse_codes(records: Records, column: Column, n_bins: int | None = None) -> NDArray[np.int64]:
    """Codes of a category as they are, of a number by a few parts; 0 is missing."""
    if not column.is_number:
        return column.codes.astype(np.int64)
    n_bins = n_bins or constants.BINS
    size = np.bincount(column.codes, records.count, column.n_codes)[1:]
    middle = (np.cumsum(size) - size / 2) / max(float(size.sum()), 1.0)
    tenth = np.append(0, 1 + np.minimum((n_bins * middle).astype(np.int64), n_bins - 1))
    codes: NDArray[np.int64] = tenth[column.codes]
    return codes


def _chi_squared(count: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pearson's statistics of tables float64[m, n_codes, k], and their degrees of freedom."""
    rows, columns = count.sum(axis=2), count.sum(axis=1)
    expected = rows[:, :, None] * columns[:, None] / np.maximum(rows.sum(axis=1), 1e-300)[:, None, None]
    statistic = ((count - expected) ** 2 / np.maximum(expected, 1e-300)).sum(axis=(1, 2))
    free = np.maximum((rows > 0).sum(axis=1) - 1, 0) * np.maximum((columns > 0).sum(axis=1) - 1, 0)
    return statistic, free.astype(np.float64)


def _given_exposure(
    count: NDArray[np.float64], has: NDArray[np.float64], *, is_mean: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Statistics of the columns' associations with the outcome within levels (Mantel and Haenszel)."""
    total = np.maximum(count.sum(axis=1), 1e-300)
    risk = has.sum(axis=1) / total
    surplus = (has - count * risk[:, None]).sum(axis=2)
    spread = np.ones_like(risk) if is_mean else risk * (1 - risk)
    within = (count * spread[:, None]).sum(axis=2)
    variance = within[:, :, None] * np.eye(count.shape[1]) - (
        count * (spread / total)[:, None]
    ) @ count.transpose(0, 2, 1)
    values, vectors = np.linalg.eigh(variance)
    is_used = values > 1e-9 * np.maximum(values.max(axis=1, initial=0.0), 1e-300)[:, None]
    along = (vectors * surplus[:, :, None]).sum(axis=1)
    statistic = np.where(is_used, along**2 / np.where(is_used, values, 1.0), 0.0).sum(axis=1)
    return statistic, np.maximum(is_used.sum(axis=1), 1).astype(np.float64)

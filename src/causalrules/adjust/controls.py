"""Which columns a study holds: what is linked to the outcome, and what could move the estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.special_functions import chdtrc

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from causalrules.domain.knowledge import KnownRoles
    from causalrules.words.records import Column, Records
    from causalrules.words.studies import Levels

LINKED = 0.2
"""Probability of a direct link with the outcome from which a column is held wherever it may be."""

BOTH_SIDES = 0.2
"""p-values below which a column goes with the exposure, and with the outcome given the exposure (Maldonado
and Greenland 1993): many weak confounders confound like a strong one."""

LEAST_HARM = 0.1
"""Standard errors by which what is not held may move the estimate."""

RELATED = 0.01
"""p-value from which a column held goes with the factor: it may stand in its place."""

EVENTS_PER_COLUMN = 5
"""Records of the rarer outcome for each degree of freedom that a column not linked to it takes (Vittinghoff
and McCulloch 2007)."""

COMPARABLE = 0.5
"""Share of the records that must still have every level plausible where one column is held."""

PLAUSIBLE = 0.05
"""Of a level's share, its least chance among records with one value of a column."""

LEAST_SHARE, _BLUR = 0.02, 2.0
"""Levels that fewer records have do not decide who can be compared; and so many records like all others are
added to those of each value, of which few may have a level by chance alone."""

N_BINS = 10
"""Parts by which a number is looked at here."""

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
        Columns linked to the outcome beside which hardly any record could have every level: not held.
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
    harms = {
        column.name: harm_of(records, levels, column)
        for column in records.columns
        if column.name not in own and (looked_at is None or column.name in looked_at)
    }
    by_cells = {
        name
        for columns in acting
        if not {*own} & {*columns}
        and max(p_link.get(name, 0.0) for name in columns) < LINKED
        and _moves_the_estimate(harm_of(records, levels, *(records.column(name) for name in columns)))
        for name in columns
    }
    wanted = [
        name
        for name, harm in harms.items()
        if name in asked
        or (
            not only_asked
            and (p_link.get(name, 0.0) >= LINKED or name in by_cells or _moves_the_estimate(harm))
        )
    ]
    allowed = [name for name in wanted if roles.may_be_held(name) and name not in later]
    free = [name for name in allowed if harms[name].comparable >= COMPARABLE or name in asked]
    free.sort(key=lambda name: (name not in asked, p_link.get(name, 0.0) < LINKED, *harms[name].rank))
    held = _within_means(records, free, harms, p_link, asked)
    return Held(
        columns=tuple(held),
        related=tuple(name for name in held if harms[name].p_exposure <= RELATED),
        inseparable=tuple(name for name in allowed if name not in free and p_link.get(name, 0.0) >= LINKED),
        not_allowed=tuple(name for name in wanted if name not in allowed),
    )


def _moves_the_estimate(harm: Harm) -> bool:
    goes_with_both = max(harm.p_exposure, harm.p_outcome) <= BOTH_SIDES
    return goes_with_both and harm.moves >= LEAST_HARM


def _within_means(
    records: Records,
    names: list[str],
    harms: Mapping[str, Harm],
    p_link: Mapping[str, float],
    asked: Collection[str],
) -> list[str]:
    """As many of the columns that the rarer outcome allows; what is linked or asked for is always held."""
    left = _rarer(records) / EVENTS_PER_COLUMN
    found: list[str] = []
    for name in names:
        left -= harms[name].freedom
        is_due = name in asked or p_link.get(name, 0.0) >= LINKED
        if (is_due or left >= 0) and len(found) < MOST_HELD:
            found.append(name)
    return found


def _rarer(records: Records) -> float:
    if records.is_mean:
        return float(records.count.sum())
    has = float(records.count @ records.outcome)
    return min(has, float(records.count.sum()) - has)


def harm_of(records: Records, levels: Levels, *columns: Column) -> Harm:
    """How far an estimate moves where a column is not held, and what it says of exposure and outcome.

    Several columns are judged by their cells.

    The bias, in standard errors, is about the root of n times its correlation with the exposure times that
    with the outcome given the exposure. Squared correlations are what chi-squared statistics have beyond
    their degrees of freedom.
    """
    codes, n_codes = coarse_codes(records, columns[0])
    for column in columns[1:]:
        own, n_own = coarse_codes(records, column)
        codes = np.where((codes > 0) & (own > 0), (codes - 1) * (n_own - 1) + own, 0)
        n_codes = (n_codes - 1) * (n_own - 1) + 1
    k = len(levels.names)
    known = (levels.level >= 0) & (codes > 0)
    joint = (codes * k + levels.level)[known]
    count = np.bincount(joint, records.count[known], n_codes * k).reshape(n_codes, k)[1:]
    y = records.outcome[known]
    if records.is_mean:
        y = (y - y.mean()) / max(float(y.std()), 1e-300)
    has = np.bincount(joint, records.count[known] * y, n_codes * k).reshape(n_codes, k)[1:]
    is_used = count.sum(axis=1) > 0
    count, has = count[is_used], has[is_used]
    n = float(count.sum())
    if min(count.shape) < 2 or n < 2:
        return Harm(0.0, 1.0, 1.0, 1.0, 0)
    of_exposure, df_exposure = _chi_squared(count)
    of_outcome, df_outcome = _given_exposure(count, has, is_mean=records.is_mean)
    beyond = max(of_exposure - df_exposure, 0.0) * max(of_outcome - df_outcome, 0.0)
    share = count.sum(axis=0) / n
    size = count.sum(axis=1)
    chance = (count + _BLUR * share) / (size[:, None] + _BLUR)
    plausible = (chance >= PLAUSIBLE * share)[:, share >= LEAST_SHARE].all(axis=1)
    comparable = float(size @ plausible) / n
    return Harm(
        moves=float(np.sqrt(beyond / n)),
        p_exposure=float(chdtrc(df_exposure, of_exposure)),
        p_outcome=float(chdtrc(df_outcome, of_outcome)),
        comparable=comparable,
        freedom=3 if len(columns) == 1 and columns[0].is_number else len(count) - 1,
    )


def coarse_codes(records: Records, column: Column) -> tuple[NDArray[np.int64], int]:
    """Codes of a category as they are, of a number by ten parts; 0 is missing."""
    if not column.is_number:
        return column.codes.astype(np.int64), column.n_codes
    size = np.bincount(column.codes, records.count, column.n_codes)[1:]
    middle = (np.cumsum(size) - size / 2) / max(float(size.sum()), 1.0)
    tenth = np.append(0, 1 + np.minimum((N_BINS * middle).astype(np.int64), N_BINS - 1))
    return tenth[column.codes], N_BINS + 1


def _chi_squared(count: NDArray[np.float64]) -> tuple[float, int]:
    """Pearson's statistic of a table, and its degrees of freedom."""
    rows, columns = count.sum(axis=1), count.sum(axis=0)
    expected = np.outer(rows, columns) / count.sum()
    occurs = expected > 0
    statistic = float(((count - expected)[occurs] ** 2 / expected[occurs]).sum())
    return statistic, (int((rows > 0).sum()) - 1) * (int((columns > 0).sum()) - 1)


def _given_exposure(
    count: NDArray[np.float64], has: NDArray[np.float64], *, is_mean: bool
) -> tuple[float, int]:
    """Statistic of a column's association with the outcome within levels (Mantel and Haenszel)."""
    total = np.maximum(count.sum(axis=0), 1e-300)
    risk = has.sum(axis=0) / total
    surplus = (has - count * risk).sum(axis=1)
    spread = np.ones_like(risk) if is_mean else risk * (1 - risk)
    variance = np.diag(count @ spread) - (count * (spread / total)) @ count.T
    values, vectors = np.linalg.eigh(variance)
    is_used = values > 1e-9 * max(float(values.max(initial=0.0)), 1e-300)
    along = vectors[:, is_used].T @ surplus
    return float((along**2 / values[is_used]).sum()), max(int(is_used.sum()), 1)

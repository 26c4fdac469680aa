"""Which columns stand next to the outcome, over as many windows as it takes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.neighbours.average import average
from causalrules.cohort.neighbours.declared_arrows import DeclaredArrows
from causalrules.cohort.neighbours.direction import Arrow, label_arrows
from causalrules.cohort.neighbours.families import family_scores
from causalrules.cohort.neighbours.groups import find_groups
from causalrules.cohort.neighbours.window import find_candidates, helpers, leaks
from causalrules.cohort.neighbours.window_rows import window_rows
from causalrules.domain.knowledge import Knowledge
from causalrules.kernels.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.neighbours.average import Arrows
    from causalrules.cohort.neighbours.interactions import InteractingPair
    from causalrules.cohort.neighbours.window import Candidates
    from causalrules.cohort.neighbours.window_rows import Columns, UniqueRows, WindowRows
    from causalrules.domain.knowledge import KnownRoles
    from causalrules.engines.contract import Counts

MOST_COLUMNS = 12
"""Of a window: with the outcome 13 variables, 2^13 sets."""

WEAK = 0.2
"""Below this probability a column gives its place to the next candidate."""

N_CONTEXT = 4
"""The strongest neighbours, kept beside the others where a whole window is full of neighbours."""

MOST_ROUNDS = 30

MOST_PASSES, MOST_PAIR_WINDOWS = 3, 6
"""Passes over the interacting pairs, and windows of one pass."""

MOST_SECOND_CHANCES, MOST_SECOND_LOOKS, LEAST_NEW = 2, 3, 4
"""How often candidates that lost their place are looked at again, windows each time, and places they need."""

COMPANY_OF_EACH = 3
"""Columns that interact with a strong one, kept beside it in the last window."""

LEAST_COMPLETE, LEAST_COMPLETE_SHARE = 50, 0.2
"""Records of the rarer outcome, and their share, that must be complete for a second look without gaps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """What is known of one column.

    Parameters
    ----------
    column : int
    name : str
    p_cause, p_effect : float
        Probability of the arrow to the outcome, and from it; 0 for columns that no window held.
    arrow : Arrow
        `cause`, `effect` or `undecided`, and the witness.
    explained_by : tuple of int
        Items within whose strata the column's association is gone.
    is_leak : bool
        Whether it nearly is the outcome.
    is_associated : bool
        Whether one of its items goes with the outcome, by the screen.
    """

    column: int
    name: str
    p_cause: float
    p_effect: float
    arrow: Arrow
    explained_by: tuple[int, ...]
    is_leak: bool
    is_associated: bool

    @property
    def p_next(self) -> float:
        """Probability that it stands next to the outcome."""
        return min(1.0, self.p_cause + self.p_effect)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Neighbourhood:
    """The columns around the outcome.

    Parameters
    ----------
    columns : tuple of Neighbour
        One for every column of the table, in order.
    pairs : tuple of InteractingPair
        Items whose effects depend on each other, beyond Bonferroni's limit over all pairs.
    groups : tuple of tuple of int
        Columns that cannot be told apart, each group one finding.
    window : tuple of int
        The columns of the last window.
    arrows : float64[d, d]
        Probabilities of all arrows of the last window; the outcome is the last variable.
    """

    columns: tuple[Neighbour, ...]
    pairs: tuple[InteractingPair, ...]
    groups: tuple[tuple[int, ...], ...]
    window: tuple[int, ...]
    arrows: NDArray[np.float64]

    @property
    def is_crowded(self) -> bool:
        """Whether more columns may stand next to the outcome than are looked at side by side.

        Which of several that say much the same keep their places then hangs on the records: of 33 columns
        of Census Income, 7 had a probability above one half in one half of the table and below in the other.
        """
        n_strong = sum(column.p_next >= WEAK for column in self.columns)
        return n_strong >= MOST_COLUMNS < len(self.columns)

    def causes_of(self, column: int) -> dict[int, float]:
        """Columns of the last window and the probability that each causes this one."""
        if column not in self.window:
            return {}
        into = self.arrows[:-1, self.window.index(column)]
        return {other: float(p) for other, p in zip(self.window, into, strict=True) if other != column}


_Found = tuple[float, float]
"""Probabilities that a column is a cause of the outcome, and an effect."""


def _found_in(window: Sequence[int], arrows: Arrows) -> dict[int, _Found]:
    pairs = zip(arrows.p_cause.tolist(), arrows.p_effect.tolist(), strict=True)
    return dict(zip(window, pairs, strict=True))


@dataclass(slots=True, eq=False)
class _Search:
    """What the rounds share."""

    unique_rows: UniqueRows
    columns: Columns
    declared: DeclaredArrows
    keep: tuple[int, ...]
    workers: Workers
    found: dict[int, _Found] = field(default_factory=dict)
    _seen: dict[frozenset[int], dict[int, _Found]] = field(default_factory=dict)

    def look(
        self, window: Sequence[int], complete: Sequence[int] = (), *, additive: bool = True
    ) -> tuple[WindowRows, NDArray[np.float64], Arrows]:
        """Average over the networks of one window."""
        rows = window_rows(self.unique_rows, self.columns, window, complete)
        forbidden, required = self.declared.forbidden(window), self.declared.required(window)
        scores = family_scores(
            rows, len(self.columns), forbidden, required, additive=additive, workers=self.workers
        )
        return rows, scores, average(scores)

    def glance(self, window: Sequence[int], but: Sequence[int] = ()) -> None:
        """Look at a window without additive families, once for the same columns, and remember it."""
        key = frozenset(window)
        if key not in self._seen:
            _, _, arrows = self.look(window, additive=False)
            self._seen[key] = _found_in(window, arrows)
        self.remember(self._seen[key], but)

    def remember(self, found: Mapping[int, _Found], but: Sequence[int] = ()) -> None:
        self.found.update({column: found[column] for column in found if column not in but})

    def p_next(self, column: int) -> float:
        return sum(self.found.get(column, (0.0, 0.0)))

    def strongest_first(self, columns: Sequence[int]) -> list[int]:
        """By probability, which is told to nine digits: the rest is rounding, and must not decide."""
        return sorted(columns, key=lambda column: -round(self.p_next(column), 9))

    def is_strong(self, column: int) -> bool:
        return self.p_next(column) >= WEAK or column in self.keep


def learn(
    engine: Counts,
    unique_rows: UniqueRows,
    columns: Columns,
    *,
    roles: KnownRoles | None = None,
    keep: Sequence[int] = (),
    threads: int | None = 1,
) -> Neighbourhood:
    """Find the columns next to the outcome, by averaging over networks of a few columns at a time.

    Parameters
    ----------
    engine : Counts
        Where records are counted.
    unique_rows : callable
        From at most 12 columns to their different rows: codes and counts.
    columns : Columns
        Names, and which are numbers.
    roles : KnownRoles, optional
        What the user says about time and arrows.
    keep : sequence of int
        Columns that are in every window, whatever their association: a hypothesis of the user's.
    threads : int, optional
        Threads that share the work; None for one a core.
    """
    declared = DeclaredArrows(roles or Knowledge().about(""), columns.names)
    numbers = range(len(columns))
    candidates = find_candidates(engine, unique_rows, columns, list(filter(declared.is_after, numbers)))
    certain = [column for column in numbers if declared.certain(column) and column not in keep]
    search = _Search(unique_rows, columns, declared, (*keep, *certain), Workers(threads))
    queue = [*search.keep, *(column for column in candidates.columns if column not in search.keep)]
    window = _rounds(search, queue)
    together = _column_pairs(engine, candidates)
    window = _look_at_pairs(search, window, together)
    is_leak = leaks(engine, len(columns))
    if not window:
        return _result(engine, search, candidates, is_leak, {}, (), (), np.zeros((1, 1)))
    window = _with_helpers(search, engine, candidates, window, together)
    rows, scores, arrows = search.look(window)
    search.remember(_found_in(window, arrows))
    for _ in range(MOST_SECOND_CHANCES):
        more = _second_chance(search, [*candidates.columns, *candidates.uncut], window)
        if not more:
            break
        window = _with_helpers(search, engine, candidates, more, together)
        rows, scores, arrows = search.look(window)
        search.remember(_found_in(window, arrows))
    _look_at_complete(search, candidates, rows, window)
    labels = dict(zip(window, label_arrows(rows, arrows), strict=True))
    groups = find_groups(rows, scores, arrows)
    return _result(engine, search, candidates, is_leak, labels, groups, tuple(window), arrows.probability)


def _rounds(search: _Search, queue: list[int]) -> list[int]:
    """Fill the window, drop the weak, refill from the queue; no column enters twice.

    Returns the window of the last round.
    """
    window, rest = queue[:MOST_COLUMNS], queue[MOST_COLUMNS:]
    for _ in range(MOST_ROUNDS):
        if not window or not rest:
            break
        search.glance(window)
        strong = [column for column in window if search.is_strong(column)]
        if len(strong) == len(window):
            _judge_beside_context(search, window, rest)
            break
        n_free = MOST_COLUMNS - len(strong)
        window, rest = strong + rest[:n_free], rest[n_free:]
    if window and not all(column in search.found for column in window):
        # The last to enter have not been looked at, and helpers may need their places.
        search.glance(window)
    return window


def _judge_beside_context(search: _Search, window: list[int], rest: list[int]) -> None:
    """Look at the remaining candidates beside the strongest neighbours, some at a time."""
    context = search.strongest_first(window)[:N_CONTEXT]
    n_new = MOST_COLUMNS - len(context)
    for start in range(0, len(rest), n_new):
        shown = context + rest[start : start + n_new]
        search.glance(shown, but=window)


def _column_pairs(engine: Counts, candidates: Candidates) -> list[tuple[int, int]]:
    """Pairs of columns with interacting items, the clearest first."""
    column = engine.column_of_item
    pairs = ((int(column[pair.first]), int(column[pair.second])) for pair in candidates.pairs)
    return list(dict.fromkeys([*pairs, *candidates.uncut_pairs]))


def _look_at_pairs(search: _Search, window: list[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Look again at interacting columns, now side by side; returns the window with those that are strong.

    A consequence may show beside its other causes only, and one half of a combined cause beside the other
    only. In the rounds, whichever came first may have given its place away before the other entered.
    """
    for _ in range(MOST_PASSES):
        strong = [column for column in window if search.is_strong(column)]
        context = search.strongest_first(strong)[: MOST_COLUMNS - 4]
        open_pairs = [pair for pair in pairs if not {*pair} <= {*strong}]
        n_before = len(strong)
        for shown in _windows_of_pairs(context, open_pairs)[:MOST_PAIR_WINDOWS]:
            search.glance(shown, but=strong)
            strong += [column for column in shown if column not in strong and search.is_strong(column)]
        weak = [column for column in window if column not in strong]
        window = [*strong, *weak][:MOST_COLUMNS]
        if len(strong) == n_before:
            break
    return window


def _windows_of_pairs(context: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Windows of the context and as many pairs as have room, the first pairs first."""
    windows: list[list[int]] = []
    for pair in pairs:
        new = [column for column in pair if column not in context]
        for shown in windows:
            missing = [column for column in new if column not in shown]
            if len(shown) + len(missing) <= MOST_COLUMNS:
                shown += missing
                break
        else:
            windows.append([*context, *new])
    return windows


def _company_of(strong: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Columns that interact with the strong ones, the clearest first; a few of each."""
    n_of: Counter[int] = Counter()
    company: dict[int, None] = {}
    for pair in pairs:
        inside = [column for column in pair if column in strong]
        if len(inside) == 1 and n_of[inside[0]] < COMPANY_OF_EACH:
            n_of[inside[0]] += 1
            company[pair[0] + pair[1] - inside[0]] = None
    return list(company)


def _second_chance(search: _Search, queue: Sequence[int], window: Sequence[int]) -> list[int]:
    """Look again at candidates that gave their place away; returns the strong columns if there are new ones.

    The rounds know full tables only, with few causes: of five causes that add up, some look weak there.
    Beside the strong columns, and with additive families, they may not. Nor may numbers that show nothing
    alone, as height beside weight where the body mass index is a cause. With the columns of Mushroom and
    outcomes made up from five of them, F1 of the neighbours rose from 0.90 to 0.95 (24 tables).
    """
    strong = [column for column in window if search.is_strong(column)]
    others = [column for column in queue if column not in window]
    n_new = MOST_COLUMNS - len(strong)
    if not strong or n_new < LEAST_NEW:
        return []
    found = []
    for start in range(0, min(len(others), MOST_SECOND_LOOKS * n_new), n_new):
        shown = strong + others[start : start + n_new]
        _, _, arrows = search.look(shown)
        search.remember(_found_in(shown, arrows), but=strong)
        found += [column for column in shown[len(strong) :] if search.is_strong(column)]
    return [*strong, *search.strongest_first(found)][:MOST_COLUMNS] if found else []


def _with_helpers(
    search: _Search,
    engine: Counts,
    candidates: Candidates,
    window: list[int],
    pairs: Sequence[tuple[int, int]],
) -> list[int]:
    """The window with helpers in the places of the weak; the weak stay where places are left."""
    strong = [column for column in window if search.is_strong(column)]
    weak = [column for column in window if column not in strong]
    company = _company_of(strong, pairs)
    bring = list(dict.fromkeys([*company, *helpers(engine, candidates.screened, strong)]))
    n_free = MOST_COLUMNS - len(strong)
    weak = [column for column in weak if column not in company][: max(0, n_free - len(bring))]
    return list(dict.fromkeys([*strong, *company, *weak, *bring]))[:MOST_COLUMNS]


def _look_at_complete(
    search: _Search, candidates: Candidates, rows: WindowRows, window: Sequence[int]
) -> None:
    """Look once more at the records whose strong columns are all known, where some are missing.

    Missing as a level leaves those records unadjusted: a confounder missing at
    random in 10 % (30 %) of 4,000 records left an exposure without effect next to
    the outcome in 36 % (100 %) of tables. And what is missing more often among
    the ill stands next to the outcome as a level, whatever its values do. A
    column keeps the smaller of the two probabilities.
    """
    gaps = [c for c in window if search.is_strong(c) and candidates.screened.has_missing[c]]
    if not gaps:
        return
    complete, _, arrows = search.look(window, complete=gaps)
    smaller_outcome = complete.levels.counts.sum(axis=0).min(), rows.levels.counts.sum(axis=0).min()
    if smaller_outcome[0] < max(LEAST_COMPLETE, LEAST_COMPLETE_SHARE * smaller_outcome[1]):
        return
    weaker = arrows.p_next < [search.p_next(column) for column in window]
    stay = [column for column, is_weaker in zip(window, weaker, strict=True) if not is_weaker]
    search.remember(_found_in(window, arrows), but=stay)


def _result(
    engine: Counts,
    search: _Search,
    candidates: Candidates,
    is_leak: NDArray[np.bool_],
    labels: Mapping[int, Arrow],
    groups: tuple[tuple[int, ...], ...],
    window: tuple[int, ...],
    arrows: NDArray[np.float64],
) -> Neighbourhood:
    explained: dict[int, tuple[float, tuple[int, ...]]] = {}
    for item, left in candidates.shielded.items():
        column, crude = int(engine.column_of_item[item]), float(candidates.screened.p_values[item])
        if (
            left.is_explained
            and column not in candidates.columns
            and (crude, ()) < explained.get(column, (2.0, ()))
        ):
            explained[column] = crude, left.held
    associated = set(engine.column_of_item[candidates.screened.passed].tolist())
    neighbours = []
    for column, name in enumerate(search.columns.names):
        found = search.declared.certain(column) or search.found.get(column, (0.0, 0.0))
        p_cause, p_effect = found
        neighbours.append(
            Neighbour(
                column=column,
                name=name,
                p_cause=p_cause,
                p_effect=p_effect,
                arrow=_declared(search.declared, column) or labels.get(column, Arrow("undecided")),
                explained_by=explained.get(column, (0.0, ()))[1],
                is_leak=bool(is_leak[column]),
                is_associated=column in associated,
            )
        )
    return Neighbourhood(
        columns=tuple(neighbours), pairs=candidates.pairs, groups=groups, window=window, arrows=arrows
    )


def _declared(declared: DeclaredArrows, column: int) -> Arrow | None:
    """What the user says about time overrules the data."""
    if declared.is_after(column):
        return Arrow("effect", is_declared=True)
    return Arrow("cause", is_declared=True) if declared.is_before(column) else None

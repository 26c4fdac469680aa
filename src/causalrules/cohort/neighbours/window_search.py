"""The walk through windows: which columns are looked at side by side, and what is found of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from causalrules.cohort.neighbours.screen import SCREEN_LEVEL
from causalrules.cohort.neighbours.uncut_numbers import p_value_beside
from causalrules.cohort.neighbours.window import helpers
from causalrules.cohort.neighbours.window_rows import window_rows
from causalrules.find.average import average
from causalrules.find.families import family_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from causalrules.cohort.neighbours.window import Candidates
    from causalrules.cohort.neighbours.window_rows import Columns, UniqueRows
    from causalrules.engines.contract import Counts
    from causalrules.find.average import Arrows
    from causalrules.find.declared_arrows import DeclaredArrows
    from causalrules.find.window_rows import WindowRows
    from causalrules.kernels.workers import Workers

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

_Found = tuple[float, float]
"""Probabilities that a column is a cause of the outcome, and an effect."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one window shows.

    Parameters
    ----------
    window : list of int
        The columns side by side.
    rows : WindowRows
        Their records.
    scores : float64[d, 2^d]
        Of every family, see `families.family_scores`.
    arrows : Arrows
        Averaged over all networks.
    """

    window: list[int]
    rows: WindowRows
    scores: NDArray[np.float64]
    arrows: Arrows

    @property
    def found(self) -> dict[int, _Found]:
        """What the window shows of every column: P(cause) and P(effect)."""
        pairs = zip(self.arrows.p_cause.tolist(), self.arrows.p_effect.tolist(), strict=True)
        return dict(zip(self.window, pairs, strict=True))


@dataclass(slots=True, eq=False)
class WindowSearch:
    """Looks at the candidates window by window.

    Parameters
    ----------
    engine : Counts
        Where records are counted.
    candidates : Candidates
        Columns that may stand next to the outcome, the strongest first, and items that interact.
    unique_rows, columns
        As in `learn`.
    declared : DeclaredArrows
        What the user says about time and arrows.
    keep : tuple of int
        Columns that are in every window.
    workers : Workers
        Threads that share the work.
    found : dict of int to (float, float)
        What was found of each column when it was looked at last.
    """

    engine: Counts
    candidates: Candidates
    unique_rows: UniqueRows
    columns: Columns
    declared: DeclaredArrows
    keep: tuple[int, ...]
    workers: Workers
    found: dict[int, _Found] = field(default_factory=dict)
    _seen: dict[frozenset[int], dict[int, _Found]] = field(default_factory=dict)

    def run(self) -> Look | None:
        """Go through windows; returns the last one, of the strongest columns, or None without candidates."""
        pairs = self._column_pairs()
        window = self._look_at_pairs(self._rounds(), pairs)
        if not window:
            return None
        last = self._look_in_full(self._with_helpers(window, pairs))
        for _ in range(MOST_SECOND_CHANCES):
            more = self._second_chance(last.window)
            if not more:
                break
            last = self._look_in_full(self._with_helpers(more, pairs))
        self._look_at_complete(last)
        return last

    def _look(self, window: list[int], complete: Sequence[int] = (), *, additive: bool = True) -> Look:
        """Average over the networks of one window."""
        rows = window_rows(self.unique_rows, self.columns, window, complete)
        forbidden, required = self.declared.forbidden(window), self.declared.required(window)
        scores = family_scores(
            rows, len(self.columns), forbidden, required, additive=additive, workers=self.workers
        )
        return Look(window, rows, scores, average(scores))

    def _look_in_full(self, window: list[int]) -> Look:
        """Look at a window with additive families, and remember it."""
        look = self._look(window)
        self._remember(look.found)
        return look

    def _glance(self, window: list[int], but: Sequence[int] = ()) -> None:
        """Look at a window without additive families, once for the same columns, and remember it."""
        key = frozenset(window)
        if key not in self._seen:
            self._seen[key] = self._look(window, additive=False).found
        self._remember(self._seen[key], but)

    def _remember(self, found: Mapping[int, _Found], but: Sequence[int] = ()) -> None:
        self.found.update({column: found[column] for column in found if column not in but})

    def _p_next(self, column: int) -> float:
        return sum(self.found.get(column, (0.0, 0.0)))

    def _strongest_first(self, columns: Sequence[int]) -> list[int]:
        """By probability to nine digits: the rest is rounding, and must not decide."""
        return sorted(columns, key=lambda column: -round(self._p_next(column), 9))

    def _is_strong(self, column: int) -> bool:
        return self._p_next(column) >= WEAK or column in self.keep

    def _rounds(self) -> list[int]:
        """Fill the window, drop the weak, refill from the queue; no column enters twice.

        Returns the window of the last round.
        """
        queue = [*self.keep, *(column for column in self.candidates.columns if column not in self.keep)]
        window, rest = queue[:MOST_COLUMNS], queue[MOST_COLUMNS:]
        for _ in range(MOST_ROUNDS):
            if not window or not rest:
                break
            self._glance(window)
            strong = [column for column in window if self._is_strong(column)]
            if len(strong) == len(window):
                self._judge_beside_context(window, rest)
                break
            n_free = MOST_COLUMNS - len(strong)
            window, rest = strong + rest[:n_free], rest[n_free:]
        if window and not all(column in self.found for column in window):
            # The last to enter have not been looked at, and helpers may need their places.
            self._glance(window)
        return window

    def _judge_beside_context(self, window: list[int], rest: list[int]) -> None:
        """Look at the remaining candidates beside the strongest neighbours, some at a time."""
        context = self._strongest_first(window)[:N_CONTEXT]
        n_new = MOST_COLUMNS - len(context)
        for start in range(0, len(rest), n_new):
            shown = context + rest[start : start + n_new]
            self._glance(shown, but=window)

    def _column_pairs(self) -> list[tuple[int, int]]:
        """Pairs of columns with interacting items, the clearest first."""
        column = self.engine.column_of_item
        pairs = ((int(column[pair.first]), int(column[pair.second])) for pair in self.candidates.pairs)
        uncut = ((pair.number, pair.other) for pair in self.candidates.uncut_pairs)
        return list(dict.fromkeys([*pairs, *uncut]))

    def _look_at_pairs(self, window: list[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
        """Look again at interacting columns, now side by side; returns the window with those that are strong.

        A consequence may show beside its other causes only, and one half of a combined cause beside the other
        only. In the rounds, whichever came first may have given its place away before the other entered.
        """
        for _ in range(MOST_PASSES):
            strong = [column for column in window if self._is_strong(column)]
            context = self._strongest_first(strong)[: MOST_COLUMNS - 4]
            open_pairs = [pair for pair in pairs if not {*pair} <= {*strong}]
            n_before = len(strong)
            for shown in _windows_of_pairs(context, open_pairs)[:MOST_PAIR_WINDOWS]:
                self._glance(shown, but=strong)
                strong += [column for column in shown if column not in strong and self._is_strong(column)]
            weak = [column for column in window if column not in strong]
            window = [*strong, *weak][:MOST_COLUMNS]
            if len(strong) == n_before:
                break
        return window

    def _second_chance(self, window: Sequence[int]) -> list[int]:
        """Look again at candidates that gave their place away; returns the strong columns if some are new.

        The rounds know full tables only, with few causes: of five causes that add up, some look weak there.
        Beside the strong columns, and with additive families, they may not. With the columns of Mushroom and
        outcomes made up from five of them, F1 of the neighbours rose from 0.90 to 0.95 (24 tables). Nor may
        numbers that show nothing alone, as height beside weight where the body mass index is a cause.
        """
        strong = [column for column in window if self._is_strong(column)]
        n_new = MOST_COLUMNS - len(strong)
        if not strong or n_new < LEAST_NEW:
            return []
        others = [column for column in self.candidates.columns if column not in window]
        others += self._shown_beside(strong, [one for one in self.candidates.uncut if one not in window])
        found = []
        for start in range(0, min(len(others), MOST_SECOND_LOOKS * n_new), n_new):
            shown = strong + others[start : start + n_new]
            self._remember(self._look(shown).found, but=strong)
            found += [column for column in shown[len(strong) :] if self._is_strong(column)]
        return [*strong, *self._strongest_first(found)][:MOST_COLUMNS] if found else []

    def _shown_beside(self, strong: Sequence[int], numbers: Sequence[int]) -> list[int]:
        """Those of the numbers that go with the outcome beside the strong columns, the clearest first."""
        tested = [
            (p_value_beside(window_rows(self.unique_rows, self.columns, [*strong, number]).levels), number)
            for number in numbers
        ]
        return [number for p_value, number in sorted(tested) if p_value <= SCREEN_LEVEL]

    def _with_helpers(self, window: list[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
        """The window with helpers in the places of the weak; the weak stay where places are left."""
        strong = [column for column in window if self._is_strong(column)]
        weak = [column for column in window if column not in strong]
        company = _company_of(strong, pairs)
        bring = list(dict.fromkeys([*company, *helpers(self.engine, self.candidates.screened, strong)]))
        n_free = MOST_COLUMNS - len(strong)
        weak = [column for column in weak if column not in company][: max(0, n_free - len(bring))]
        return list(dict.fromkeys([*strong, *company, *weak, *bring]))[:MOST_COLUMNS]

    def _look_at_complete(self, last: Look) -> None:
        """Look once more at the records whose strong columns are all known, where some are missing.

        Missing as a level leaves those records unadjusted: a confounder missing at
        random in 10 % (30 %) of 4,000 records left an exposure without effect next to
        the outcome in 36 % (100 %) of tables. And what is missing more often among
        the ill stands next to the outcome as a level, whatever its values do. A
        column keeps the smaller of the two probabilities.
        """
        has_missing = self.candidates.screened.has_missing
        gaps = [c for c in last.window if self._is_strong(c) and has_missing[c]]
        if not gaps:
            return
        complete = self._look(last.window, complete=gaps)
        n_complete, n_all = (look.rows.levels.counts.sum(axis=0).min() for look in (complete, last))
        if n_complete < max(LEAST_COMPLETE, LEAST_COMPLETE_SHARE * n_all):
            return
        weaker = complete.arrows.p_next < [self._p_next(column) for column in last.window]
        stay = [column for column, is_weaker in zip(last.window, weaker, strict=True) if not is_weaker]
        self._remember(complete.found, but=stay)


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

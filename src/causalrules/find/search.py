"""The walk through windows: one queue of candidates, one loop."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.find.average import average
from causalrules.find.families import weigh_families
from causalrules.find.pairs import interacting_columns
from causalrules.find.products import Product
from causalrules.find.strength import strengths
from causalrules.kernels.special_functions import ndtri

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.find.average import Arrows
    from causalrules.find.declared_arrows import DeclaredArrows
    from causalrules.find.families import Families
    from causalrules.find.pairs import InteractingColumns
    from causalrules.find.sample import Sample
    from causalrules.find.strength import Strength
    from causalrules.find.window_rows import WindowRows
    from causalrules.kernels.workers import Workers

MOST_COLUMNS = 12
"""Of a window: with the outcome 13 variables, 2^13 sets."""

LEAST_NEW = 6
"""Places of a window for candidates: where many columns are strong, beside the strongest of them only."""

WEAK = 0.2
"""Below this probability a column gives its place to the next candidate."""

SCREEN_LEVEL, NOISE_ENTRANTS = 0.05, 10
"""Who enters: at most so large a p-value beside the strong columns, and about so many columns of noise. In
wide tables what is weaker could not pay the price of being named among so many."""

MOST_PAIRS = 12
"""Pairs that enter for acting together."""

SKETCH_RECORDS = 10_000
"""Records with which candidates are tried; who stays is looked at with the whole sample."""

MOST_TRIES, MOST_LOOKS = 2, 40
"""How often a column may enter, beside different strong ones; and windows in all."""

HELPER, HELPERS_OF_EACH = 4.8, 3
"""Columns that go with a strong one at p = 1e-6 take free places of the last window, a few of each: they bear
witness for arrows, and what stands in for one of them gives way."""

LEAST_COMPLETE, LEAST_COMPLETE_SHARE = 50, 0.2
"""Records of the rarer outcome, and their share, that must be complete for a second look without gaps."""


class _Unit(NamedTuple):
    """What enters: a column or a pair, and the strong columns beside which it was tried."""

    columns: tuple[int, ...]
    beside: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one window shows.

    Parameters
    ----------
    window : tuple of int
        Columns, in the order of the table.
    rows : WindowRows
    families : Families
    arrows : Arrows
    pairs : tuple of InteractingColumns
        Those that were looked at as a product.
    """

    window: tuple[int, ...]
    rows: WindowRows
    families: Families
    arrows: Arrows
    pairs: tuple[InteractingColumns, ...]

    @property
    def p_pairs(self) -> dict[InteractingColumns, float]:
        """For each pair the probability that its columns act together."""
        shares = self.families.shares
        own = shares @ self.arrows.families[: shares.shape[1]]
        return dict(zip(self.pairs, own.tolist(), strict=True))


@dataclass(slots=True, eq=False)
class Search:
    """Looks at candidates window by window.

    Parameters
    ----------
    sample : Sample
        The records.
    declared : DeclaredArrows
        What the user says about time and arrows.
    keep : tuple of int
        Columns that are in every window.
    workers : Workers
        Threads that share the work.
    p_link : dict of int to float
        What was found of each column when it was looked at last.
    p_pair : dict of InteractingColumns to float
        That the columns of a pair act together, likewise.
    """

    sample: Sample
    declared: DeclaredArrows
    keep: tuple[int, ...]
    workers: Workers
    p_link: dict[int, float] = field(default_factory=dict)
    p_pair: dict[InteractingColumns, float] = field(default_factory=dict)
    _pairs: list[InteractingColumns] = field(default_factory=list)
    _tried: defaultdict[tuple[int, ...], list[frozenset[int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _beside: dict[frozenset[int], Strength] = field(default_factory=dict)
    _looks: dict[tuple[bool, tuple[int, ...]], Look] = field(default_factory=dict)
    _sketch: Sample = field(init=False)
    _n_looks: int = 0
    _last: Look | None = None

    def __post_init__(self) -> None:
        self._sketch = self.sample.smaller(SKETCH_RECORDS)

    def run(self) -> Look | None:
        """Look until no candidate is left; returns the last window, or None where there was no candidate.

        Candidates are tried with a part of the records first; who stays is looked at with all.
        """
        alone = self._strength(frozenset()).outcome
        by_strength = sorted(range(len(alone)), key=lambda c: (-alone[c], c))
        self._pairs = interacting_columns(self.sample, by_strength)
        self._try_candidates()
        while (window := self._with_helpers()) and (True, window) not in self._looks:
            self._last = self._look(window, in_full=True)
            self._try_candidates()
        if self._last is not None:
            self._look_at_complete(self._last)
        return self._last

    def _try_candidates(self) -> None:
        """Look at candidates beside the strong columns until none is left."""
        while self._n_looks < MOST_LOOKS and (window := self._with_candidates()):
            self._look(window, in_full=False)

    def _strong(self) -> list[int]:
        """The columns that keep their places, the most probable first."""
        found = {c for c, p in self.p_link.items() if p >= WEAK} | {*self.keep}
        # To nine digits: the rest is rounding, and must not decide.
        return sorted(found, key=lambda c: (c not in self.keep, -round(self.p_link.get(c, 0.0), 9), c))

    def _strength(self, held: frozenset[int]) -> Strength:
        """What every column says beside the held ones, in ascending order."""
        if held not in self._beside:
            sample = self.sample if self._last or not held else self._sketch
            self._beside[held] = strengths(sample, sorted(held))
        return self._beside[held]

    def _with_candidates(self) -> tuple[int, ...]:
        """The next window of the strongest columns and candidates; empty where none is left."""
        strong = self._strong()
        window = {*self._with_partners(strong)[: MOST_COLUMNS - LEAST_NEW]}
        n_before = len(window)
        for unit in self._queue(frozenset(strong)):
            if len(window.union(unit.columns)) <= MOST_COLUMNS:
                window.update(unit.columns)
                self._tried[unit.columns].append(unit.beside)
        return tuple(sorted(window)) if len(window) > n_before else ()

    def _with_partners(self, strong: Sequence[int]) -> list[int]:
        """Columns, and of each the one that it acts together with most clearly.

        A child of the outcome may show beside its other parent only, which is no link itself.
        """
        partners = []
        for column in strong:
            pair = next((pair for pair in self._pairs if column in pair[:2]), None)
            partners += [pair.first + pair.second - column] if pair else []
        return list(dict.fromkeys([*strong, *partners]))

    def _queue(self, strong: frozenset[int]) -> list[_Unit]:
        """Columns and pairs that were not tried beside the strong ones yet, the strongest first.

        So a column that comes out strong late gives those before it another chance, if they still say
        something beside it: what explains it does, and what it explains does not.
        """
        outcome = self._strength(strong).outcome.tolist()
        limit = -float(ndtri(min(SCREEN_LEVEL, NOISE_ENTRANTS / len(outcome))))
        waiting = [(-z, _Unit((c,), strong)) for c, z in enumerate(outcome) if z >= limit]
        pairs = self._pairs[:MOST_PAIRS]
        waiting += [(-pair.deviate, _Unit((pair.first, pair.second), frozenset())) for pair in pairs]
        waiting.sort(key=lambda one: (one[0], one[1].columns))
        return [u for _, u in waiting if self._may_enter(u) and not strong.issuperset(u.columns)]

    def _may_enter(self, unit: _Unit) -> bool:
        tried = self._tried[unit.columns]
        return len(tried) < MOST_TRIES and unit.beside not in tried

    def _with_helpers(self) -> tuple[int, ...]:
        """The strongest columns; in free places pairs that wait for a full look, and what goes with them."""
        window = self._with_partners(self._strong()[:MOST_COLUMNS])[:MOST_COLUMNS]
        for pair in self._pairs[:MOST_PAIRS]:
            is_known = any({*pair[:2]} <= {*seen} for in_full, seen in self._looks if in_full)
            if not is_known and len({*window, *pair[:2]}) <= MOST_COLUMNS:
                window = list(dict.fromkeys([*window, *pair[:2]]))
        beside = self._strength(frozenset(window))
        helpers = []
        for z in beside.held.T:
            strongest = np.argsort(-z, kind="stable")[:HELPERS_OF_EACH].tolist()
            helpers += [(-float(z[c]), c) for c in strongest if z[c] >= HELPER]
        bring = [*(c for _, c in sorted(helpers)), *np.argsort(-beside.outcome, kind="stable").tolist()]
        return tuple(sorted([*dict.fromkeys([*window, *bring])][:MOST_COLUMNS]))

    def _look(self, window: tuple[int, ...], *, in_full: bool) -> Look:
        """Average over the networks of a window, and remember what it shows.

        Beside a part of the strong columns only what is new is judged.
        """
        key = in_full, window
        if key not in self._looks:
            rows = (self.sample if in_full else self._sketch).window(window)
            self._looks[key] = self._average(rows, window, in_full=in_full)
            self._n_looks += 1
        look = self._looks[key]
        strong = self._strong()
        is_whole = self._last is None and {*self._with_partners(strong)} <= {*window}
        told = window if in_full or is_whole else [c for c in window if c not in strong]
        found = dict(zip(window, look.arrows.p_next.tolist(), strict=True))
        self.p_link |= {c: min(found[c], 1.0) for c in told}
        self.p_pair |= look.p_pairs
        return look

    def _average(self, rows: WindowRows, window: tuple[int, ...], *, in_full: bool = True) -> Look:
        """The average over a window's networks; in full with causes that add up, and with products."""
        pairs = [pair for pair in self._pairs if in_full and {pair.first, pair.second} <= {*window}]
        products = [
            Product(window.index(p.first), window.index(p.second), p.first_level, p.second_level)
            for p in pairs
        ]
        families = weigh_families(
            rows,
            len(self.sample.codes),
            self.declared.forbidden(window),
            self.declared.required(window),
            products,
            sketchy=not in_full,
            workers=self.workers,
        )
        chosen = tuple(pairs[place] for place in families.products)
        return Look(window, rows, families, average(families.scores), chosen)

    def _look_at_complete(self, last: Look) -> None:
        """Look once more at the records whose strong columns are all known, where some are missing.

        Missing as a level leaves those records unadjusted, and what is missing more often among the ill is
        linked to the outcome as a level, whatever its values do. A column keeps the smaller probability.
        """
        gaps = [c for c in last.window if self.p_link[c] >= WEAK and self.sample.has_missing(c)]
        if not gaps:
            return
        rows = self.sample.window(last.window, gaps)
        n_complete, n_all = (float(one.levels.counts.sum(axis=0).min()) for one in (rows, last.rows))
        if n_complete < max(LEAST_COMPLETE, LEAST_COMPLETE_SHARE * n_all):
            return
        complete = self._average(rows, last.window)
        for column, p in zip(last.window, complete.arrows.p_next.tolist(), strict=True):
            self.p_link[column] = min(self.p_link[column], p)

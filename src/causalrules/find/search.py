"""The walk through windows: one queue of candidates, one loop."""

from __future__ import annotations

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

LEAST_NEW = 4
"""Places of a window for candidates: where more columns are strong, these are looked at beside the strongest."""

WEAK = 0.2
"""Below this probability a column gives its place to the next candidate."""

SCREEN_LEVEL, NOISE_ENTRANTS = 0.05, 10
"""Who enters: at most so large a p-value beside the strong columns, and about so many columns of noise. In wide
tables what is weaker could not pay the price of being named among so many."""

MOST_PAIRS, MOST_PRODUCTS = 12, 3
"""Pairs that enter for acting together, and those that are looked at as a product in one window."""

SKETCH_RECORDS = 10_000
"""Records with which candidates are tried; who stays is looked at with the whole sample."""

MOST_LOOKS = 40

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
    _tried: set[_Unit] = field(default_factory=set)
    _beside: dict[frozenset[int], Strength] = field(default_factory=dict)
    _looks: dict[tuple[int, tuple[int, ...]], Look] = field(default_factory=dict)
    _n_looks: int = 0

    def run(self) -> Look | None:
        """Look until no candidate is left; returns the last window, or None where there was no candidate.

        Candidates are tried with a part of the records first; who stays is looked at with all.
        """
        alone = self._strength(frozenset()).outcome
        by_strength = sorted(range(len(alone)), key=lambda c: (-alone[c], c))
        self._pairs = interacting_columns(self.sample, by_strength)
        sketch = self.sample.smaller(SKETCH_RECORDS)
        self._try_candidates(sketch)
        last: Look | None = None
        while (window := self._with_helpers()) and (last is None or window != last.window):
            last = self._look(self.sample, window)
            self._try_candidates(self.sample)
        if last is not None:
            self._look_at_complete(last)
        return last

    def _try_candidates(self, sample: Sample) -> None:
        """Look at candidates beside the strong columns until none is left."""
        while self._n_looks < MOST_LOOKS and (window := self._with_candidates()):
            self._look(sample, window)

    def _strong(self) -> list[int]:
        """The columns that keep their places, the most probable first."""
        found = {c for c, p in self.p_link.items() if p >= WEAK} | {*self.keep}
        # To nine digits: the rest is rounding, and must not decide.
        return sorted(found, key=lambda c: (c not in self.keep, -round(self.p_link.get(c, 0.0), 9), c))

    def _strength(self, held: frozenset[int]) -> Strength:
        """What every column says beside the held ones, in ascending order."""
        if held not in self._beside:
            self._beside[held] = strengths(self.sample, sorted(held))
        return self._beside[held]

    def _with_candidates(self) -> tuple[int, ...]:
        """The next window of candidates and the strong columns, or the strongest of these; empty at the end."""
        strong = self._strong()
        window = {*strong[: MOST_COLUMNS - LEAST_NEW]}
        n_before = len(window)
        for unit in self._queue(frozenset(strong)):
            if len(window.union(unit.columns)) <= MOST_COLUMNS:
                window.update(unit.columns)
                self._tried.add(unit)
        return tuple(sorted(window)) if len(window) > n_before else ()

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
        return [u for _, u in waiting if u not in self._tried and not strong.issuperset(u.columns)]

    def _with_helpers(self) -> tuple[int, ...]:
        """The strongest columns; in free places what acts together with them, or goes with them."""
        strong = self._strong()[:MOST_COLUMNS]
        if not strong:
            return ()
        held = sorted(strong)
        goes_with = self._strength(frozenset(held)).held
        bring = [c for pair in self._pairs for c in (pair.first, pair.second) if {*pair[:2]} & {*strong}]
        helpers = []
        for z in goes_with.T:
            strongest = np.argsort(-z, kind="stable")[:HELPERS_OF_EACH].tolist()
            helpers += [(-float(z[c]), c) for c in strongest if z[c] >= HELPER]
        bring += [c for _, c in sorted(helpers)]
        bring += np.argsort(-self._strength(frozenset(held)).outcome, kind="stable").tolist()
        return tuple(sorted([*dict.fromkeys([*strong, *bring])][:MOST_COLUMNS]))

    def _look(self, sample: Sample, window: tuple[int, ...]) -> Look:
        """Average over the networks of a window, and remember what it shows.

        Beside a part of the strong columns only what is new is judged.
        """
        key = len(sample.counts), window
        if key not in self._looks:
            self._looks[key] = self._average(sample.window(window), window)
            self._n_looks += 1
        look = self._looks[key]
        strong = {*self._strong()}
        told = window if strong <= {*window} else [c for c in window if c not in strong]
        found = dict(zip(window, look.arrows.p_next.tolist(), strict=True))
        self.p_link |= {c: min(found[c], 1.0) for c in told}
        self.p_pair |= look.p_pairs
        return look

    def _average(self, rows: WindowRows, window: tuple[int, ...]) -> Look:
        pairs = tuple(pair for pair in self._pairs if {pair.first, pair.second} <= {*window})[:MOST_PRODUCTS]
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
            workers=self.workers,
        )
        return Look(window, rows, families, average(families.scores), pairs)

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

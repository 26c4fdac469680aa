"""Matching over blocks of records: signatures gathered in one pass, items weighed in another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from causalrules.domain.histogram import StrataHistogram
from causalrules.engines.cohorts import ScratchPool
from causalrules.engines.record_lines import RecordLines
from causalrules.engines.rule_strata import signatures_of
from causalrules.errors import EngineError, Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from causalrules.domain.signatures import Signatures
    from causalrules.engines.blocks import Blocks
    from causalrules.engines.contract import Match, MatchedItems
    from causalrules.engines.stratum_scratch import Scratch
    from causalrules.engines.unique_records import Profiles
    from causalrules.kernels.workers import Workers

Kept = TypeVar("Kept")

_RULES_A_PASS = 16
"""More would save passes, but all their signatures are in memory at a time."""


class MatchingInBlocks:
    """Matches the records of rules by their signatures, which must fit into memory.

    Parameters
    ----------
    blocks : Blocks
        The records.
    workers : Workers
        Threads to count with.
    """

    def __init__(self, blocks: Blocks, workers: Workers) -> None:
        self._blocks = blocks
        self._workers = workers

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Match[Kept],
        rules_a_pass: int = _RULES_A_PASS,
    ) -> Iterator[tuple[Kept, MatchedItems]]:
        """What each match gave and who has each item, for each pattern in order, a few in each pass."""
        for start in range(0, len(patterns), rules_a_pass):
            rules = range(start, min(start + rules_a_pass, len(patterns)))
            gathered = self._gather_signatures(patterns, controls, rules)
            found = self._workers.map(lambda rule: match(rule, gathered[rule]), rules)  # noqa: B023
            matched = dict(zip(rules, found, strict=True))
            weights = {rule: weights for rule, (_, weights) in matched.items()}
            items = self._items_by_weights(patterns, controls, gathered, weights)
            yield from zip((answer for answer, _ in matched.values()), items, strict=True)

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order, all in one pass."""
        gathered = self._gather_signatures(patterns, controls, range(len(patterns)))
        for signatures in gathered.values():
            n_exposed, n_unexposed = signatures.sizes.T
            is_matched = (n_exposed > 0) & (n_unexposed > 0)
            yield StrataHistogram.from_strata(
                signatures.counts[is_matched],
                int(n_exposed[~is_matched].sum()),
                int(n_unexposed[~is_matched].sum()),
            )

    def _gather_signatures(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_], rules: range
    ) -> dict[int, Signatures]:
        """One pass that adds up the signatures of some rules."""
        gathered: dict[int, Signatures] = {}
        for block, pool in self._blocks_with_keys():
            ask = _Signatures(patterns, controls, block)
            # Threads hand over no more than is kept: the groups of records of all rules would take much.
            for rule, here in self._asked(rules, lambda rule, scratch: ask(rule, scratch)[0], pool):  # noqa: B023
                gathered[rule] = gathered[rule] + here if rule in gathered else here
            n_groups = sum(len(one.words) for one in gathered.values())
            if n_groups > self._blocks.most_records * len(rules):
                raise EngineError(
                    f"matching by distance needs all kinds of records in memory: there are more than "
                    f"{self._blocks.most_records:,}. Allow more with ",
                    Setting("memory"),
                    ", or use ",
                    Setting("matching", "exact"),
                    ".",
                )
        return gathered

    def _items_by_weights(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        gathered: dict[int, Signatures],
        weights: dict[int, NDArray[np.int64]],
    ) -> list[MatchedItems]:
        """One pass that adds up who has each item, by the weights that matching gave."""
        totals: dict[int, MatchedItems] = {}
        for block, pool in self._blocks_with_keys():
            ask = _WeighedItems(
                _Signatures(patterns, controls, block), gathered, weights, RecordLines.of(block)
            )
            for rule, items in self._asked(gathered, ask, pool):
                totals[rule] = totals[rule] + items if rule in totals else items
        return list(totals.values())

    def _asked(
        self, rules: Iterable[int], ask: Callable[[int, Scratch], Kept], pool: ScratchPool
    ) -> Iterator[tuple[int, Kept]]:
        """Ask about every rule, by all threads; answers come in order."""

        def asked(rule: int) -> Kept:
            with pool.borrowed() as scratch:
                return ask(rule, scratch)

        return zip(rules, self._workers.map(asked, list(rules)), strict=True)

    def _blocks_with_keys(self) -> Iterator[tuple[Profiles, ScratchPool]]:
        """Blocks ready to be grouped, each with work space."""
        everything = np.ones(int(self._blocks.first_item[-1]), np.bool_)
        for block in self._blocks:
            records = block.kept_apart(everything)  # those of a block are distinct
            yield records, ScratchPool(records.n_profiles)


@dataclass(frozen=True, slots=True)
class _Signatures:
    """Asks a block for the signatures of rules."""

    patterns: NDArray[np.intp]
    controls: NDArray[np.bool_]
    block: Profiles

    def __call__(self, rule: int, scratch: Scratch) -> tuple[Signatures, NDArray[np.int32]]:
        return signatures_of(self.block, self.patterns[rule], self.controls[rule], scratch)


@dataclass(frozen=True, slots=True)
class _WeighedItems:
    """Asks a block who has each item, by weights of the signatures of all blocks."""

    ask: _Signatures
    gathered: dict[int, Signatures]
    weights: dict[int, NDArray[np.int64]]
    lines: RecordLines

    def __call__(self, rule: int, scratch: Scratch) -> MatchedItems:
        here, group = self.ask(rule, scratch)
        weights = self.weights[rule][self.gathered[rule].places_of(here)]
        block = self.ask.block
        return block.matched_items(block.has_pattern(self.ask.patterns[rule]), group, weights, self.lines)

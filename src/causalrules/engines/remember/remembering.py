"""An engine that asks another one, but nothing twice."""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from causalrules.domain.histogram import StrataHistogram
from causalrules.engines.contract import MatchedItems, OutcomeCounts, SavableMatch
from causalrules.engines.remember.answers import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.domain.signatures import Signatures
    from causalrules.engines.contract import Answer, Engine, Packed
    from causalrules.engines.remember.journal import Journal

Kept = TypeVar("Kept")


class RememberingEngine:
    """Answers from a journal what is in it; asks the engine inside for the rest and writes it down.

    A question is known by a digest of its words, so neither the order of
    questions nor who asked matters. Of questions about several rules each
    rule's answer is kept for itself: only the rules that are missing are
    asked for again.

    Parameters
    ----------
    engine : Engine
        Counts the records.
    journal : Journal
        Of the run.
    part : str
        Which records the engine counts, where a run has several engines.
    """

    def __init__(self, engine: Engine, journal: Journal, part: str = "all") -> None:
        self._engine = engine
        self._journal = journal
        self._part = part
        self.n_with: int = engine.n_with
        self.n_without: int = engine.n_without
        self.column_of_item: NDArray[np.intp] = engine.column_of_item

    def fingerprint(self) -> str:
        """That of the engine inside."""
        return self._engine.fingerprint()

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item."""
        return self._item_counts

    @cached_property
    def _item_counts(self) -> OutcomeCounts:
        arrays = self._arrays("item_counts", [], lambda: _of_counts(self._engine.item_counts()))
        return OutcomeCounts(*arrays)

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern."""
        arrays = self._arrays(
            "pattern_counts", [patterns], lambda: _of_counts(self._engine.pattern_counts(patterns))
        )
        return OutcomeCounts(*arrays)

    def overlaps(self, patterns: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records that have the pattern and the item, for each pair of them."""
        (overlaps,) = self._arrays(
            "overlaps", [patterns, items], lambda: [self._engine.overlaps(patterns, items)]
        )
        return overlaps

    def within(self, held: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records with each item, in every stratum of the held items."""
        (counts,) = self._arrays("within", [held, items], lambda: [self._engine.within(held, items)])
        return counts

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order, as they become ready."""
        return self._for_each_rule(
            "strata",
            self._keys("strata", patterns, controls),
            lambda missing: self._engine.strata(patterns[missing], controls[missing]),
            lambda histogram: (histogram.to_arrays(), ""),
            lambda packed: StrataHistogram.from_arrays(packed[0]),
        )

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order."""
        return self._for_each_rule(
            "matched_items",
            self._keys("matched_items", patterns, controls),
            lambda missing: self._engine.matched_items(patterns[missing], controls[missing]),
            lambda items: ([_items_to_array(items)], ""),
            lambda packed: MatchedItems(*packed[0][0]),
        )

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Callable[[int, Signatures], tuple[Answer, NDArray[np.int64]]],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Match each pattern's records by a way that is handed in; remembered if it is a `SavableMatch`."""
        if not isinstance(match, SavableMatch):
            return self._engine.nearest_pairs(patterns, controls, match)
        way: SavableMatch[Answer] = match

        def ask(missing: NDArray[np.intp]) -> Iterator[tuple[Answer, MatchedItems]]:
            return self._engine.nearest_pairs(
                patterns[missing], controls[missing], lambda rule, found: way(int(missing[rule]), found)
            )

        def pack(answer: tuple[Answer, MatchedItems]) -> Packed:
            arrays, text = way.pack(answer[0])
            return [_items_to_array(answer[1]), *arrays], text

        def unpack(packed: Packed) -> tuple[Answer, MatchedItems]:
            (items, *arrays), text = packed
            return way.unpack((arrays, text)), MatchedItems(*items)

        names = [way.name_of(rule) for rule in range(len(patterns))]
        keys = self._keys("nearest_pairs", patterns, controls, names)
        return self._for_each_rule("nearest_pairs", keys, ask, pack, unpack)

    def _arrays(
        self,
        question: str,
        words: Sequence[NDArray[np.intp]],
        ask: Callable[[], list[NDArray[np.int64]]],
    ) -> list[NDArray[np.int64]]:
        """The answer to a question that is answered as a whole."""
        digest = self._digest(question, *(array.shape for array in words))
        for array in words:
            digest.update(array.astype("<i8").tobytes())
        key = digest.digest()
        remembered = self._journal.find(key)
        if remembered is not None:
            return remembered[0]
        arrays = ask()
        self._journal.add(Entry(key, f"{self._part}: {question}", (arrays, "")))
        return arrays

    def _for_each_rule(
        self,
        question: str,
        keys: list[bytes],
        ask: Callable[[NDArray[np.intp]], Iterator[Kept]],
        pack: Callable[[Kept], Packed],
        unpack: Callable[[Packed], Kept],
    ) -> Iterator[Kept]:
        """Start asking for the rules that are missing; all answers come in order."""
        missing = [rule for rule, key in enumerate(keys) if key not in self._journal]
        fresh = ask(np.array(missing, np.intp)) if missing else iter(())
        is_missing = set(missing)

        def answers() -> Iterator[Kept]:
            for rule, key in enumerate(keys):
                packed = None if rule in is_missing else self._journal.take(key)
                if packed is not None:
                    yield unpack(packed)
                    continue
                # An answer that has vanished since is asked for again.
                answer = next(fresh if rule in is_missing else ask(np.array([rule], np.intp)))
                self._journal.add(Entry(key, f"{self._part}: {question}", pack(answer)))
                yield answer

        return answers()

    def _keys(
        self,
        question: str,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        names: Sequence[str] | None = None,
    ) -> list[bytes]:
        """One for each rule."""
        start = self._digest(question, patterns.shape[1:], controls.shape[1:])
        keys = []
        rows = zip(patterns.astype("<i8"), np.packbits(controls, axis=1), strict=True)
        for rule, (pattern, held) in enumerate(rows):
            digest = start.copy()
            digest.update(pattern.tobytes() + held.tobytes())
            if names is not None:
                digest.update(names[rule].encode())
            keys.append(digest.digest())
        return keys

    def _digest(self, question: str, *shapes: tuple[int, ...]) -> blake2b:
        return blake2b(repr((self._part, question, shapes)).encode(), digest_size=16)


def _of_counts(counts: OutcomeCounts) -> list[NDArray[np.int64]]:
    return [counts.with_outcome, counts.without_outcome]


def _items_to_array(items: MatchedItems) -> NDArray[np.int64]:
    return np.stack([items.exposed, items.matched_exposed, items.weight_exposed, items.weight_unexposed])

"""An engine that asks another one, but nothing twice."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from causalrules.engines.contract import MatchedItems, SavableMatch
from causalrules.engines.engine_wrapper import EngineWrapper
from causalrules.engines.questions import RowsQuestion, RuleQuestion, keys_of_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.engines.checkpoint.saved_answers import SavedAnswers
    from causalrules.engines.contract import Answer, Engine, Match, Packed
    from causalrules.engines.questions import CountQuestion, Sum

Kept = TypeVar("Kept")

_N_TURNS = 64
"""Locks that questions share, by their keys: a thread that asks what another one asks waits for its answer.
There are many more than threads, so that one hardly ever waits for the answer to another question."""


class CachingEngine(EngineWrapper):
    """Answers what was saved; asks the engine inside for the rest and saves it.

    A question is known by its key, so neither the order of questions nor who
    asked matters, and threads may ask side by side. Of questions about several
    rules each rule's answer is kept for itself: only the rules that are missing
    are asked for again.

    Parameters
    ----------
    engine : Engine
        Counts the records.
    saved : SavedAnswers
        Of the run.
    part : str
        Which records the engine counts, where a run has several engines.
    """

    def __init__(self, engine: Engine, saved: SavedAnswers, part: str = "all") -> None:
        super().__init__(engine)
        self._saved = saved
        self._part = part
        self._turns = [Lock() for _ in range(_N_TURNS)]

    def answer(self, question: CountQuestion) -> NDArray[np.int64]:
        """The array that was saved, or that the engine inside finds.

        The sums over items are what a study of whole columns asks for last, so they stand for it.
        """
        ends_a_study = question.method == "item_sums"
        counts: NDArray[np.int64] = self._whole(question.method, question, ends_a_study=ends_a_study)
        return counts

    def unique_rows(self, columns: NDArray[np.intp]) -> UniqueRows:
        """The distinct combinations of some columns with their counts."""
        rows: UniqueRows = self._whole("unique_rows", RowsQuestion(columns))
        return rows

    def _whole(self, method: str, question: Any, *, ends_a_study: bool = False) -> Any:
        """The answer to a question that is answered as a whole."""
        key = question.key(self._part)
        with self._turns[key[0] % _N_TURNS]:
            found = self._saved.take(key) if ends_a_study else self._saved.find(key)
            if found is not None:
                return question.unpack(found)
            answer = question.ask(self._engine)
            self._saved.add(key, f"{self._part}: {method}", question.pack(answer))
        return answer

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order, as they become ready."""
        return self._about_rules(RuleQuestion("strata", patterns, controls))

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order."""
        return self._about_rules(RuleQuestion("matched_items", patterns, controls))

    def _about_rules(self, question: RuleQuestion[Sum]) -> Iterator[Sum]:
        keys = keys_of_rules(self._part, question.method, question.patterns, question.controls)
        return self._for_each_rule(
            question.method,
            keys,
            lambda missing: question.only(missing).ask(self._engine),
            question.pack,
            question.unpack,
        )

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Match[Answer],
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
            return [*answer[1].to_arrays(), *arrays], text

        def unpack(packed: Packed) -> tuple[Answer, MatchedItems]:
            (items, *arrays), text = packed
            return way.unpack((arrays, text)), MatchedItems.from_arrays([items])

        # Chance takes part in these answers, and is drawn by the rule's name.
        names = [way.name_of(rule) for rule in range(len(patterns))]
        keys = keys_of_rules(self._part, "nearest_pairs", patterns, controls, names)
        return self._for_each_rule("nearest_pairs", keys, ask, pack, unpack)

    def _for_each_rule(
        self,
        method: str,
        keys: list[bytes],
        ask: Callable[[NDArray[np.intp]], Iterator[Kept]],
        pack: Callable[[Kept], Packed],
        unpack: Callable[[Packed], Kept],
    ) -> Iterator[Kept]:
        """Start asking for the rules that are missing; all answers come in order."""
        missing = [rule for rule, key in enumerate(keys) if key not in self._saved]
        fresh = ask(np.array(missing, np.intp)) if missing else iter(())
        is_missing = set(missing)

        def answers() -> Iterator[Kept]:
            for rule, key in enumerate(keys):
                packed = None if rule in is_missing else self._saved.take(key)
                if packed is not None:
                    yield unpack(packed)
                    continue
                # An answer that was damaged, or has vanished since, is asked for again.
                answer = next(fresh if rule in is_missing else ask(np.array([rule], np.intp)))
                self._saved.add(key, f"{self._part}: {method}", pack(answer))
                yield answer

        return answers()

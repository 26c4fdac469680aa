"""Strata and matched items of many rules, from distinct records held in memory."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from itertools import chain
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from causalrules.engines.one_stratum import histogram_of_one, matched_in_one
from causalrules.engines.questions import items_in_play
from causalrules.engines.record_lines import RecordLines
from causalrules.engines.rule_strata import exact_weights, histogram_of, signatures_of, with_company
from causalrules.engines.stratum_scratch import Scratch
from causalrules.engines.unique_records import WORTH_COLLAPSING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.engines.contract import Match, MatchedItems
    from causalrules.engines.packed import PackedRecords
    from causalrules.engines.unique_records import Profiles
    from causalrules.kernels.workers import Workers

Answer = TypeVar("Answer")
_RULES_A_TASK = 16
_TASKS_A_THREAD = 8
"""Tasks have fewer rules where there would be fewer tasks than this: threads then end at the same time."""
_RULES_AT_ONCE = 512
"""Rules that are put into the order of their controls: those with equal ones share their keys."""
_ITEMS_TOO_MANY = 2
_MOST_REMEMBERED = 1 << 20
"""Profiles of a collapse that is remembered beside a newer one."""


class CohortRecords:
    """Answers what cohort studies ask about distinct records.

    Parameters
    ----------
    records : Profiles
        Distinct records.
    packed : PackedRecords
        The same, for supports.
    workers : Workers
        Threads to count with.
    """

    def __init__(self, records: Profiles, packed: PackedRecords, workers: Workers) -> None:
        self._records = records
        self._packed = packed
        self._workers = workers
        self._collapsed: list[Profiles] = []
        self._apart: list[NDArray[np.bool_]] = []
        self._n_with, self._n_without = int(records.n_with.sum()), int(records.n_without.sum())

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order, as they become ready.

        What all rules of a task hold fixed sets most records of a wide table
        apart from all others. They have no partner in any of these rules, so
        only the rest is looked at rule by rule. Rules that have less than half
        of their controls in common set too few records apart.
        """
        exposed = self._packed.pattern_counts(patterns)
        n_records = self._n_with + self._n_without

        def count(profiles: Profiles, rules: NDArray[np.intp], scratch: Scratch) -> list[StrataHistogram]:
            held, by_all = controls[rules], np.all(controls[rules], axis=0)
            alike = profiles
            if len(rules) > 1 and 2 * len(rules) * by_all.sum() >= held.sum() > 0:
                alike = with_company(profiles, by_all, scratch, WORTH_COLLAPSING)
            return [strata_of(alike, rule, scratch) for rule in rules]

        def strata_of(profiles: Profiles, rule: np.intp, scratch: Scratch) -> StrataHistogram:
            n_with, n_without = int(exposed.with_outcome[rule]), int(exposed.without_outcome[rule])
            if not controls[rule].any():
                return histogram_of_one(n_with, n_without, self._n_with, self._n_without)
            histogram = histogram_of(profiles, patterns[rule], controls[rule], scratch)
            return histogram.among(n_with + n_without, n_records - n_with - n_without)

        return self._for_each_task(patterns, controls, count)

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order."""
        n_exposed = self._packed.pattern_counts(patterns).support

        def matched(profiles: Profiles, rule: np.intp, scratch: Scratch) -> MatchedItems:
            is_exposed = profiles.has_pattern(patterns[rule])
            if controls[rule].any():
                strata = exact_weights(profiles, patterns[rule], controls[rule], scratch)
                return profiles.matched_items(is_exposed, *strata, self._lines)
            exposed = self._lines.counts(profiles.member, is_exposed)
            n_records = self._n_with + self._n_without
            return matched_in_one(exposed, self._everybody, int(n_exposed[rule]), n_records)

        return self._for_each_rule(patterns, controls, matched)

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Match[Answer],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Match each pattern's records by a way that is handed in, in order, as they become ready."""

        def matched(profiles: Profiles, rule: np.intp, scratch: Scratch) -> tuple[Answer, MatchedItems]:
            signatures, group = signatures_of(profiles, patterns[rule], controls[rule], scratch)
            answer, weights = match(int(rule), signatures)
            is_exposed = profiles.has_pattern(patterns[rule])
            return answer, profiles.matched_items(is_exposed, group, weights, self._lines)

        return self._for_each_rule(patterns, controls, matched)

    def _for_each_rule(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        ask: Callable[[Profiles, np.intp, Scratch], Answer],
    ) -> Iterator[Answer]:
        """Start asking for every rule by itself; answers come in order as they become ready."""

        def ask_all(profiles: Profiles, rules: NDArray[np.intp], scratch: Scratch) -> list[Answer]:
            return [ask(profiles, rule, scratch) for rule in rules]

        return self._for_each_task(patterns, controls, ask_all)

    def _for_each_task(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        ask: Callable[[Profiles, NDArray[np.intp], Scratch], list[Answer]],
    ) -> Iterator[Answer]:
        """Start asking about some rules with similar controls at a time; answers come in order.

        Records that agree on every item in play are collapsed first. Patterns
        made of control items need no other items in play; only the others
        are counted on a finer collapse.
        """
        base: NDArray[np.bool_] = np.any(controls, axis=0)
        is_plain: NDArray[np.bool_] = np.all(base[patterns], axis=1)
        fine = self._profiles_for(items_in_play(patterns, controls))
        coarse = fine if not is_plain.any() else self._profiles_for(base)
        scratch = ScratchPool(max(coarse.n_profiles, fine.n_profiles))

        def study(rules: NDArray[np.intp]) -> list[Answer]:
            with scratch.borrowed() as own:
                return ask(coarse if is_plain[rules[0]] else fine, rules, own)

        enough = len(patterns) // (_TASKS_A_THREAD * self._workers.n_threads)
        tasks = list(_by_controls(controls, is_plain, max(1, min(enough, _RULES_A_TASK))))
        answers = chain.from_iterable(self._workers.map(study, tasks))
        return _in_order(np.concatenate(tasks) if tasks else np.empty(0, np.intp), answers)

    @cached_property
    def _everybody(self) -> NDArray[np.int64]:
        """Records with each item."""
        return self._lines.counts(self._records.member, np.ones(self._records.n_profiles, np.bool_))

    @cached_property
    def _lines(self) -> RecordLines:
        return RecordLines.of(self._records)

    def _profiles_for(self, items: NDArray[np.bool_]) -> Profiles:
        """Records collapsed to at least these items, from the smallest collapse at hand.

        A collapse that keeps a few items more than needed is taken as it is;
        only the last two are remembered, since later levels ask for similar items, and
        of large ones, which take much memory, only the last.
        Where some items leave most records apart, more items do as well.
        """
        usable = [profiles for profiles in self._collapsed if not (items & ~profiles.base).any()]
        smallest = min(usable, key=lambda profiles: profiles.n_profiles, default=self._records)
        is_apart = any(not (apart & ~items).any() for apart in self._apart)
        if is_apart or (smallest.base & ~items).sum() <= _ITEMS_TOO_MANY:
            return smallest
        collapsed = smallest.collapsed_to(items, WORTH_COLLAPSING)
        if collapsed is smallest:
            self._apart.append(items)
        else:
            before = [one for one in self._collapsed[-1:] if one.n_profiles <= _MOST_REMEMBERED]
            self._collapsed = [*before, collapsed]
        return collapsed


def _by_controls(
    controls: NDArray[np.bool_], is_plain: NDArray[np.bool_], rules_a_task: int
) -> Iterator[NDArray[np.intp]]:
    """Places of rules in tasks: rules of one kind with similar controls, some hundreds after the other."""
    for start in range(0, len(controls), _RULES_AT_ONCE):
        packed = np.packbits(controls[start : start + _RULES_AT_ONCE], axis=1)
        order = np.array(sorted(range(len(packed)), key=lambda i: packed[i].tobytes()), np.intp)
        for kind in (True, False):
            rules = start + order[is_plain[start + order] == kind]
            for first in range(0, len(rules), rules_a_task):
                yield rules[first : first + rules_a_task]


def _in_order(places: NDArray[np.intp], answers: Iterator[Answer]) -> Iterator[Answer]:
    """Answers in the order of their places, each as soon as all before it are there."""
    waiting: dict[int, Answer] = {}
    n_out = 0
    for place, answer in zip(places.tolist(), answers, strict=True):
        waiting[place] = answer
        while n_out in waiting:
            yield waiting.pop(n_out)
            n_out += 1


class ScratchPool:
    """Work space that threads borrow and give back."""

    def __init__(self, n_profiles: int) -> None:
        self._n_profiles = n_profiles
        self._free: SimpleQueue[Scratch] = SimpleQueue()

    @contextmanager
    def borrowed(self) -> Iterator[Scratch]:
        """Work space for the time of one task."""
        try:
            scratch = self._free.get_nowait()
        except Empty:
            scratch = Scratch.for_profiles(self._n_profiles)
        try:
            yield scratch
        finally:
            self._free.put(scratch)

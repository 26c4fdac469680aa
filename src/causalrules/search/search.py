"""From a coded table to rules: levels of patterns, each put to its cohort studies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain import Settings
from causalrules.domain.notation import find_pattern, known_pattern
from causalrules.domain.progress import Progress
from causalrules.domain.stopwatch import Stopwatch
from causalrules.engines.contract import Opened
from causalrules.engines.opposite import OppositeOutcome
from causalrules.search.patterns import PatternTree
from causalrules.search.study import Cohort, Studies

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Direction, Pattern, Rule
    from causalrules.encode import Vocabulary


def nothing_remembered() -> int:
    """Answers taken from a checkpoint where there is none."""
    return 0


def known_items(exposure: str | Pattern, vocabulary: Vocabulary) -> tuple[int, ...]:
    """The item numbers of an exposure, written as people do or given as items."""
    items = vocabulary.items[: vocabulary.n_items]
    summary = vocabulary.summary
    reasons = {entry.column: entry.reason for entry in summary.left_out}
    reasons[summary.outcome.column] = "it is the outcome"
    find = find_pattern if isinstance(exposure, str) else known_pattern
    return tuple(items.index(item) for item in find(exposure, items, reasons))  # type: ignore[arg-type]


@dataclass(slots=True)
class Search:
    """One search through a table; what is finished is in `rules` even if it is cut short.

    `by_length` counts candidates, frequent patterns, associations and
    verdicts for each length; `n_remembered` counts the answers that a
    checkpoint had.
    """

    opened: Opened
    settings: Settings
    watch: Stopwatch
    on_progress: Callable[[Progress], None]
    rules: list[Rule] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    by_length: dict[int, Counter[str]] = field(default_factory=dict)
    n_remembered: Callable[[], int] = nothing_remembered

    def run(self) -> None:
        """Search in every direction asked for."""
        choice = self.settings.direction
        directions: tuple[Direction, ...] = ("raises", "lowers") if choice == "both" else (choice,)
        for direction in directions:
            studies = self._studies(direction)
            found: list[Rule] = []
            try:
                self._levels(studies, found)
            finally:
                self.rules += studies.with_same_records(found)

    def test(self, exposure: str | Pattern) -> None:
        """Put one hypothesis to a cohort study, whether it is an association or not.

        It is the only hypothesis, so its p-value needs no correction. Where
        nobody can be compared, it is untestable.
        """
        patterns = np.array([known_items(exposure, self.opened.vocabulary)], dtype=np.intp)
        direction = self.settings.direction
        if direction == "both":
            crude = self._studies("raises").crude(self.opened.engine.pattern_counts(patterns))
            direction = "raises" if crude.value[0] >= 1 else "lowers"
        studies = self._studies(direction)
        self.rules += studies.judge(list(studies.run(patterns)), n_hypotheses=1, in_full=True)

    def _studies(self, direction: Direction) -> Studies:
        """Cohort studies in one direction."""
        engine, judge_engine = self.opened.engine, self.opened.judge_engine
        if direction == "lowers":
            engine, judge_engine = OppositeOutcome(engine), OppositeOutcome(judge_engine)
        return Studies(engine, judge_engine, self.opened.vocabulary, self.settings, direction, self.watch)

    def _levels(self, studies: Studies, found: list[Rule]) -> None:
        """Level by level in one direction."""
        tree = PatternTree(studies.engine, studies.largest_rare_count)
        for length in range(1, self.settings.max_length + 1):
            with self.watch("mine"):
                level = tree.grow()
            with self.watch("assess"):
                associations = np.flatnonzero(studies.are_associations(level.counts))
            counts = self.by_length.setdefault(length, Counter())
            counts.update(
                candidates=level.n_candidates, frequent=level.n_frequent, associations=len(associations)
            )
            # Every pattern of the level was a hypothesis; records held out are new to those chosen.
            n_hypotheses = len(associations) if self.settings.holdout else len(level.patterns)
            cohorts: list[Cohort] = []
            before = self.n_remembered()
            try:
                for cohort in studies.run(level.patterns[associations]):
                    cohorts.append(cohort)
                    progress = (len(cohorts), len(associations), self.n_remembered() - before)
                    self.on_progress(Progress(studies.direction, length, *progress))
            finally:
                rules = studies.judge(cohorts, n_hypotheses)
                counts.update(rule.verdict for rule in rules)
                found += rules
            is_causal = np.zeros(len(level.patterns), np.bool_)
            is_causal[associations] = [rule.verdict == "causal" for rule in rules]
            tree.remove(is_causal)
            if not len(level.patterns):
                break

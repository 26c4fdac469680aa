"""The search of the paper: levels of frequent patterns, each put to its cohort studies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.decisions import decisions_of
from causalrules.domain.progress import Progress
from causalrules.engines.opposite import OppositeOutcome
from causalrules.errors import ExposureError, quoted
from causalrules.search.not_studied import Reasons, not_studied
from causalrules.search.paper_studies import Cohort, PaperStudies
from causalrules.search.patterns import PatternTree
from causalrules.search.search_run import SearchRun

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.domain import Direction, Pattern, Rule
    from causalrules.domain.knowledge import KnownRoles


@dataclass(slots=True)
class PaperSearch(SearchRun):
    """Finds rules as the paper does: frequent patterns level by level, each direction for itself."""

    def run(self) -> None:
        """Search in every direction asked for."""
        self._take_knowledge()
        choice = self.settings.direction
        directions: tuple[Direction, ...] = ("raises", "lowers") if choice == "both" else (choice,)
        for direction in directions:
            studies = self._studies(direction)
            found: list[Rule] = []
            try:
                self._levels(studies, found)
            finally:
                self.rules += studies.with_same_records(found)
        self.not_studied = self._why_not_studied()

    def test(self, exposure: str | Pattern) -> None:
        """Put one hypothesis to a cohort study, whether it is an association or not.

        It is the only hypothesis, so its p-value needs no correction. Where
        nobody can be compared, it is untestable.
        """
        vocabulary = self.opened.vocabulary
        patterns = np.array([self.items_of(exposure)], dtype=np.intp)
        self._take_knowledge()
        for item in patterns[0]:
            if not self._is_asked[item]:
                name = vocabulary.items[item].column
                raise ExposureError(f"the exposure column {quoted(name)} is no cause by what was said of it.")
        direction = self.settings.direction
        if direction == "both":
            crude = self._studies("raises").associations.crude(self.opened.engine.pattern_counts(patterns))
            direction = "raises" if crude.value[0] >= 1 else "lowers"
        studies = self._studies(direction)
        self.rules += studies.judge(list(studies.run(patterns)), n_hypotheses=1, in_full=True)

    @property
    def _roles(self) -> KnownRoles:
        return self.settings.knowledge.about(self.opened.vocabulary.summary.outcome.column)

    @property
    def _is_asked(self) -> NDArray[np.bool_]:
        """Items that may be causes by what the user says."""
        roles, items = self._roles, self.opened.vocabulary.items
        return np.array(
            [roles.why_not_asked(one.column) is None and not roles.is_after(one.column) for one in items]
        )

    def _take_knowledge(self) -> None:
        """Check what the user says, and write down what it decides."""
        vocabulary = self.opened.vocabulary
        columns = list(dict.fromkeys(item.column for item in vocabulary.items))
        left_out = vocabulary.summary.why_left_out
        self.settings.knowledge.check_names([*columns, *left_out, vocabulary.summary.outcome.column])
        self.decisions = decisions_of(self._roles, columns)

    def _why_not_studied(self) -> Reasons:
        studied = {item.column for rule in self.rules for item in rule.pattern}
        after = "it comes after the outcome, by what was said"
        weak = "no value of it is both frequent enough and associated with the outcome"
        return not_studied(
            self.opened.vocabulary,
            self._roles,
            studied,
            lambda name: after if self._roles.is_after(name) else weak,
        )

    def _studies(self, direction: Direction) -> PaperStudies:
        """Cohort studies in one direction."""
        engine, judge_engine = self.opened.engine, self.opened.judge_engine
        if direction == "lowers":
            engine, judge_engine = OppositeOutcome(engine), OppositeOutcome(judge_engine)
        return PaperStudies(
            engine,
            judge_engine,
            self.opened.vocabulary,
            self.settings,
            direction,
            self.watch,
            self._roles,
        )

    def _levels(self, studies: PaperStudies, found: list[Rule]) -> None:
        """Level by level in one direction."""
        tree = PatternTree(studies.engine, studies.associations.largest_rare_count, self._is_asked)
        for length in range(1, self.settings.max_length + 1):
            with self.watch("mine"):
                level = tree.grow()
            with self.watch("assess"):
                associations = np.flatnonzero(studies.associations.are_associations(level.counts))
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

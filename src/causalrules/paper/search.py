"""The paper's search of a table: Algorithm 1 in each direction, as often as pairs are drawn, and the vote."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.decisions import decisions_of
from causalrules.domain.progress import Progress
from causalrules.domain.sentences import listed
from causalrules.engines.opposite import OppositeOutcome
from causalrules.errors import ExposureError, quoted
from causalrules.paper.algorithm_1 import Run, algorithm_1
from causalrules.paper.judging import draws_pairs, n_runs, strength_of
from causalrules.paper.studies import PaperStudies
from causalrules.search_run import Reasons, SearchRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Direction, Pattern
    from causalrules.domain.knowledge import KnownRoles
    from causalrules.paper.rule import PaperRule
    from causalrules.paper.settings import PaperSettings
    from causalrules.paper.studies import Tested


@dataclass(slots=True)
class PaperSearch(SearchRun):
    """Finds rules as the paper does: frequent patterns level by level, each direction for itself."""

    settings: PaperSettings
    rules: list[PaperRule] = field(default_factory=list)

    def run(self) -> None:
        """Search in every direction asked for."""
        self._take_knowledge()
        choice = self.settings.direction
        directions: tuple[Direction, ...] = ("raises", "lowers") if choice == "both" else (choice,)
        for direction in directions:
            studies, runs = self._studies(direction), []
            try:
                for number in range(n_runs(self.settings)):
                    runs.append(Run(number))
                    self._search(studies, runs[-1])
            except BaseException:
                runs = runs[:-1] or runs  # an unfinished run has no vote, unless it is the only one
                raise
            finally:
                self._take(studies, runs)
        self.not_studied = self._why_not_studied()

    def one_run(self, direction: Direction, number: int) -> Run:
        """The rule set of one run in one direction, before any vote; run 0 is what ``runs=1`` finds."""
        run = Run(number)
        self._search(self._studies(direction), run)
        return run

    def _search(self, studies: PaperStudies, run: Run) -> None:
        before = 0

        def on_study(length: int, done: int, total: int) -> None:
            nonlocal before
            if done == 0:
                before = self.n_remembered()
            else:
                remembered = self.n_remembered() - before
                self.on_progress(Progress(studies.direction, length, done, total, remembered))

        algorithm_1(studies, self._is_asked, run, on_study)

    def _take(self, studies: PaperStudies, runs: list[Run]) -> None:
        """The rules of one direction, and what was counted for them."""
        found = studies.rules(self._voted(runs))
        for length in sorted({length for run in runs for length in run.by_length}):
            counts = self.by_length.setdefault(length, Counter())
            # Runs prune by their own rules; what is told is the most that any of them counted.
            counts.update(reduce(or_, (run.by_length.get(length, Counter()) for run in runs)))
            counts.update(rule.verdict for rule in found if rule.length == length)
        self.rules += studies.with_same_records(found)

    def _voted(self, runs: list[Run]) -> list[Tested]:
        """What the runs say together; with fewer runs than votes, as after Ctrl-C, all of them must agree."""
        if not draws_pairs(self.settings):
            return runs[0].tested
        return vote(runs, min(self.settings.votes, len(runs)))

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
        cohorts = list(studies.cohorts(patterns))
        runs = [Run(number, studies.judge(cohorts, 1, number)) for number in range(n_runs(self.settings))]
        self.rules += studies.rules(self._voted(runs), in_full=True)

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
        self.notes += self._what_missing_means()

    def _what_missing_means(self) -> list[str]:
        """Where values are missing, what the definition of an item makes of them."""
        engine, places = self.opened.engine, self.opened.vocabulary.items_of_column
        support, n_records = engine.item_counts().support, engine.n_with + engine.n_without
        lacking = [name for name, items in places.items() if support[list(items)].sum() < n_records]
        if not lacking:
            return []
        return [
            f"Values are missing in {listed(lacking, 5)}. A missing value is no item in the paper: records "
            "without one count as unexposed, and match others without one. That may bias odds ratios; the "
            "default (causalrules mine, test) leaves them out."
        ]

    def _why_not_studied(self) -> Reasons:
        studied = {item.column for rule in self.rules for item in rule.pattern}
        after = "it comes after the outcome, by what was said"
        weak = "no value of it is both frequent enough and associated with the outcome"
        return self.without_study(
            self._roles, studied, lambda name: after if self._roles.is_after(name) else weak
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


def vote(runs: Sequence[Run], votes: int) -> list[Tested]:
    """Every rule that some run tested, causal where at least so many runs found it causal.

    Each run prunes by its own causal rules, so a rule may have been tested in
    some runs only. Its numbers are those of its decisive run: with v votes
    needed the v-th best, or the last one where fewer tested it.
    """
    of_rule: dict[str, list[Tested]] = {}
    for run in runs:
        for one in run.tested:
            of_rule.setdefault(one.cohort.name, []).append(one)
    return [_decisive(found, votes) for found in of_rule.values()]


def _decisive(found: list[Tested], votes: int) -> Tested:
    best_first = sorted(found, key=lambda one: (one.is_causal, *strength_of(one.study)), reverse=True)
    n_causal = sum(one.is_causal for one in found)
    decisive = best_first[min(votes, len(best_first)) - 1]
    if decisive.is_causal and n_causal < votes:  # the other runs had found a part of it and did not ask
        decisive = replace(decisive, judgement=replace(decisive.judgement, verdict="rejected"))
    return replace(decisive, causal_runs=n_causal)

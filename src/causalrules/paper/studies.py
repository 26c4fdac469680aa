"""The cohort studies of one direction: from patterns to fair data sets, and to rules with evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess import fair_odds_ratio, odds_ratio_of_table
from causalrules.assess.effects import effects_of, risk_ratio_of
from causalrules.domain import Direction, Estimate
from causalrules.domain.histogram import NO_STRATA
from causalrules.paper.controls import Associations
from causalrules.paper.entangled import balance_and_entangled, same_records
from causalrules.paper.explaining_items import explain_away
from causalrules.paper.fair_data import FairDataSet, FairDataSets
from causalrules.paper.judging import Judgement, Study, judge, n_runs, paper_doubts, run_test
from causalrules.paper.rule import PaperRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from causalrules.domain import Doubts, Item
    from causalrules.domain.knowledge import KnownRoles
    from causalrules.domain.progress import Stopwatch
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine, MatchedItems
    from causalrules.paper.controls import Controls
    from causalrules.paper.settings import PaperSettings


_CONTROLS_AT_ONCE = 1 << 26
"""Places in the table of controls, a row a rule and a byte an item, that is made at a time: 64 MiB."""


@dataclass(frozen=True, slots=True, eq=False)
class Cohort:
    """A pattern with its controls and the records compared: all that a verdict needs.

    Chance is drawn from the name: the direction and the items, whatever the places of their columns.
    """

    name: str
    pattern: NDArray[np.intp]
    controls: NDArray[np.bool_]
    dropped_columns: NDArray[np.bool_]
    with_outcome: int
    without_outcome: int
    fair: FairDataSet


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """A cohort whose study was judged, in one run or by the votes of several.

    `causal_runs` is the number of runs that found the rule causal; None where nothing is drawn.
    """

    cohort: Cohort
    study: Study
    judgement: Judgement
    causal_runs: int | None = None

    @property
    def is_causal(self) -> bool:
        """Whether the rule is causal."""
        return self.judgement.verdict == "causal"


class PaperStudies:
    """Runs the cohort studies of the paper for rules of one direction, and judges them.

    A cohort is counted once for all runs: only the pairs drawn from its strata differ.

    Parameters
    ----------
    engine : Engine
        The records that hypotheses and controls are chosen from.
    judge_engine : Engine
        The records they are tested on: the same, or those held out.
    vocabulary : Vocabulary
        The names of items and columns.
    settings : PaperSettings
        How to choose controls and how to judge.
    direction : {'raises', 'lowers'}
        Which outcome counts as z.
    watch : Stopwatch
        Where time is written down.
    roles : KnownRoles
        What the user says about columns: some are never held.
    """

    def __init__(
        self,
        engine: Engine,
        judge_engine: Engine,
        vocabulary: Vocabulary,
        settings: PaperSettings,
        direction: Direction,
        watch: Stopwatch,
        roles: KnownRoles,
    ) -> None:
        self.engine = engine
        self.associations = Associations(engine, vocabulary, settings, roles)
        self._judge_engine = judge_engine
        self._vocabulary = vocabulary
        self.settings = settings
        self.watch = watch
        self._fair = FairDataSets(judge_engine, vocabulary.items, settings)
        self._kept: dict[bytes, Cohort] = {}
        self._rows: dict[bytes, NDArray[np.bool_]] = {}
        self._tuples: dict[bytes, tuple[Item, ...]] = {}
        self._doubts_without_pairs: dict[Judgement, Doubts] = {}
        self.direction = direction

    def cohorts(self, patterns: NDArray[np.intp]) -> Iterator[Cohort]:
        """One cohort for each pattern, in order, as they become ready.

        Nothing is computed here but counts: the engine's threads would have
        to wait for the interpreter whenever this one is busy.
        """
        if n_runs(self.settings) == 1:
            yield from self._counted(patterns)
            return
        is_new = np.array([pattern.tobytes() not in self._kept for pattern in patterns], np.bool_)
        counted = self._counted(patterns[is_new])
        for pattern in patterns:
            key = pattern.tobytes()
            if key not in self._kept:
                self._kept[key] = next(counted)
            yield self._kept[key]

    def _counted(self, patterns: NDArray[np.intp]) -> Iterator[Cohort]:
        at_once = max(1, _CONTROLS_AT_ONCE // len(self._vocabulary.items))
        for start in range(0, len(patterns), at_once):
            yield from self._run_some(patterns[start : start + at_once])

    def _run_some(self, patterns: NDArray[np.intp]) -> Iterator[Cohort]:
        """Cohorts of so many patterns that the controls of all of them stand side by side."""
        with self.watch("cohort"):
            controls = self._controls_of(patterns)
            counts = self._judge_engine.pattern_counts(patterns)
            names = [self.rule_name(pattern) for pattern in patterns]
            fair_data_sets = self._fair.of(patterns, controls.items, names)
        for index, pattern in enumerate(patterns):
            with self.watch("cohort"):
                fair = next(fair_data_sets)
            yield Cohort(
                names[index],
                pattern,
                self._shared_row(controls.items[index]),
                self._shared_row(controls.dropped_columns[index]),
                int(counts.with_outcome[index]),
                int(counts.without_outcome[index]),
                fair,
            )

    def _shared_row(self, row: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """A copy of the row, one for all that are equal: most rules of a wide table hold the same items."""
        key = row.tobytes()
        if key not in self._rows:
            self._rows[key] = row.copy()
        return self._rows[key]

    def rule_name(self, pattern: NDArray[np.intp]) -> str:
        """What chance is drawn from: the direction and the items, whatever the places of their columns."""
        return (
            f"{self.direction}: {' & '.join(sorted(str(self._vocabulary.items[item]) for item in pattern))}"
        )

    def judge(self, cohorts: list[Cohort], n_hypotheses: int, run: int) -> list[Tested]:
        """Verdicts for the cohorts of one length, among so many hypotheses, with the pairs of one run."""
        with self.watch("assess"):
            studies = [self._tested(cohort, run) for cohort in cohorts]
            judgements = judge(studies, self.settings, n_hypotheses)
            return [Tested(*one) for one in zip(cohorts, studies, judgements, strict=True)]

    def rules(self, tested: list[Tested], *, in_full: bool = False) -> list[PaperRule]:
        """Rules with all of their evidence; balance and entangled items of causal rules, `in_full` of all."""
        cohorts = [one.cohort for one in tested]
        with self.watch("assess"):
            rules = list(map(self._rule, tested))
            chosen = [i for i, one in enumerate(tested) if in_full or one.is_causal]
            # Fair data sets of one length stand in one table.
            for length in sorted({rules[i].length for i in chosen}):
                same = [i for i in chosen if rules[i].length == length]
                for i, items in zip(same, self._matched_items([cohorts[i] for i in same]), strict=True):
                    rules[i] = self._with_balance(rules[i], cohorts[i], items)
        if self.settings.explain:
            rules = [
                self._explained(rule, cohort) if rule.verdict == "rejected" else rule
                for rule, cohort in zip(rules, cohorts, strict=True)
            ]
        return rules if self.direction == "raises" else [rule.of_the_opposite() for rule in rules]

    def _tested(self, cohort: Cohort, run: int) -> Study:
        """The study of a cohort; where nobody has a partner, one for all of them."""
        if any(len(strata.rows) for strata in cohort.fair.runs):
            return run_test(cohort.fair.runs, self.settings, cohort.name, run)
        return self._without_pairs

    @cached_property
    def _without_pairs(self) -> Study:
        return run_test([NO_STRATA], self.settings, "")

    def _explained(self, rule: PaperRule, cohort: Cohort) -> PaperRule:
        """The rule with the controls that explain it away."""
        with self.watch("explain"):
            explanation = explain_away(
                self._judge_engine,
                cohort.pattern,
                cohort.controls,
                self._vocabulary.items,
                self.settings.confidence,
            )
        return replace(rule, explanation=explanation)

    def _rule(self, tested: Tested) -> PaperRule:
        cohort, study, judgement = tested.cohort, tested.study, tested.judgement
        settings, items = self.settings, self._vocabulary.items
        n_z, n_not_z = self._judge_engine.n_with, self._judge_engine.n_without
        exposed = cohort.with_outcome + cohort.without_outcome
        effects = effects_of(
            study.pairs,
            cohort.with_outcome,
            cohort.without_outcome,
            n_z,
            n_not_z,
            settings.confidence,
        )
        return PaperRule(
            pattern=tuple(items[item] for item in cohort.pattern),
            direction=self.direction,
            verdict=judgement.verdict,
            support=cohort.with_outcome,
            local_support=cohort.with_outcome / n_z,
            odds_ratio=self._crude_of(cohort),
            controls=self._items_in(cohort.controls),
            not_held=self._items_in(self._not_held(cohort)),
            columns_dropped=tuple(self._column_names[c] for c in np.flatnonzero(cohort.dropped_columns)),
            exposed=exposed,
            unexposed=n_z + n_not_z - exposed,
            closeness=cohort.fair.closeness,
            pairs=study.pairs,
            fair_odds_ratio=fair_odds_ratio(study.pairs, settings.confidence),
            test=settings.test,
            adjusted_odds_ratio=study.significance.odds_ratio,
            p_value=study.significance.p_value,
            q_value=judgement.q_value,
            effects=effects,
            doubts=self._doubts(cohort, study, judgement),
            causal_runs=tested.causal_runs,
        )

    def _items_in(self, row: NDArray[np.bool_]) -> tuple[Item, ...]:
        """The items of a row of the table of controls, one tuple for all that are equal."""
        key = row.tobytes()
        if key not in self._tuples:
            self._tuples[key] = tuple(compress(self._vocabulary.items, row.tolist()))
        return self._tuples[key]

    def _doubts(self, cohort: Cohort, study: Study, judgement: Judgement) -> Doubts:
        """What could undo the rule; where nobody has a partner, only the numbers of records differ."""
        if study is not self._without_pairs:
            return self._doubts_of(cohort, study, judgement)
        if judgement not in self._doubts_without_pairs:
            self._doubts_without_pairs[judgement] = self._doubts_of(cohort, study, judgement)
        strata = cohort.fair.strata
        return replace(
            self._doubts_without_pairs[judgement],
            unmatched_exposed=strata.lonely_exposed,
            unmatched_unexposed=strata.lonely_unexposed,
        )

    def _doubts_of(self, cohort: Cohort, study: Study, judgement: Judgement) -> Doubts:
        return paper_doubts(
            cohort.fair.strata,
            study.pairs,
            judgement,
            self.settings,
            cohort.name,
            self._own_risk_ratio(study),
        )

    def _own_risk_ratio(self, study: Study) -> Estimate:
        """The risk ratio of the outcome itself, also for rules that lower it."""
        pairs = study.pairs.flipped() if self.direction == "lowers" else study.pairs
        return risk_ratio_of(pairs, self.settings.confidence)

    def _crude_of(self, cohort: Cohort) -> Estimate:
        exposed = (cohort.with_outcome, cohort.without_outcome)
        n_z, n_not_z = self._judge_engine.n_with, self._judge_engine.n_without
        cells = (*exposed, n_z - exposed[0], n_not_z - exposed[1])
        return odds_ratio_of_table(cells, self.settings.confidence)

    def _not_held(self, cohort: Cohort) -> NDArray[np.bool_]:
        """Items that might have been held fixed but were not, other than the pattern's own columns."""
        return self.associations.might_be_held(cohort.pattern) & ~cohort.controls

    def _matched_items(self, cohorts: list[Cohort]) -> Iterator[MatchedItems]:
        if not cohorts:
            return iter(())
        patterns = np.stack([cohort.pattern for cohort in cohorts])
        controls = np.stack([cohort.controls for cohort in cohorts])
        return self._fair.matched_items(patterns, controls, [cohort.fair for cohort in cohorts])

    def _with_balance(self, rule: PaperRule, cohort: Cohort, matched: MatchedItems) -> PaperRule:
        """A causal rule with its balance and the items entangled with it."""
        balance, entangled = balance_and_entangled(
            self._judge_engine,
            matched,
            self.associations.in_own_columns(cohort.pattern),
            self._not_held(cohort),
            self._vocabulary.items,
            rule.exposed,
            cohort.fair.strata.lonely_exposed,
            rule.pairs.n_pairs,
        )
        return replace(rule, balance=balance, entangled=entangled)

    def with_same_records(self, rules: list[PaperRule]) -> list[PaperRule]:
        """Causal rules with the names of others that stand for the same records."""
        number = {item: i for i, item in enumerate(self._vocabulary.items)}
        causal = [i for i, rule in enumerate(rules) if rule.verdict == "causal"]
        patterns = [tuple(number[item] for item in rules[i].pattern) for i in causal]
        groups = same_records(self._judge_engine, patterns, [rules[i].exposed for i in causal])
        completed = list(rules)
        for i, others in zip(causal, groups, strict=True):
            names = tuple(rules[causal[other]].name for other in others)
            completed[i] = replace(rules[i], same_records_as=names)
        return completed

    def _controls_of(self, patterns: NDArray[np.intp]) -> Controls:
        """The items that studies of these patterns hold fixed: the associations' own, and the exact ones."""
        controls = self.associations.controls_of(patterns)
        if self.settings.exact_on:
            for pattern, held, dropped in zip(
                patterns, controls.items, controls.dropped_columns, strict=True
            ):
                held |= self._fair.is_exact & ~self.associations.in_own_columns(pattern)
                dropped[self._judge_engine.column_of_item[held]] = False
        return controls

    @cached_property
    def _column_names(self) -> list[str]:
        return [self._vocabulary.items[first].column for first in self._vocabulary.first_item[:-1]]

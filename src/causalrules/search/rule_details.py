"""What a rule shows besides its verdict: other estimates, the path it goes away on, subgroups, doses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, log
from typing import TYPE_CHECKING

from causalrules.cohort.explaining_columns import what_explains
from causalrules.search.contrast_verdicts import side_of
from causalrules.search.explain_contrast import explain_contrast
from causalrules.search.number_effect import effect_per_unit, number_of_interval
from causalrules.search.ordered_levels import dose_response
from causalrules.search.subgroup_effects import divide, groupings, subgroups_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from causalrules.domain import Rule, Settings
    from causalrules.domain.progress import Stopwatch
    from causalrules.engines.contract import Opened
    from causalrules.search.contrast_rules import ContrastRules
    from causalrules.search.contrast_study import ContrastStudy
    from causalrules.search.outcome_neighbourhoods import OutcomeNeighbourhoods
    from causalrules.search.study_contrasts import ContrastStudies


@dataclass(frozen=True, slots=True, eq=False)
class RuleDetails:
    """Completes rules that have their verdicts.

    Parameters
    ----------
    opened : Opened
        Vocabulary and engines.
    settings : Settings
        What is asked for.
    watch : Stopwatch
        Where time is written down.
    studies : ContrastStudies
        Of the same records.
    around : OutcomeNeighbourhoods
        What stands next to the outcome. Of rules that were searched for, only what stands out is worth more
        work.
    ordered : mapping of str to tuple of int
        The items of each column whose values have an order.
    """

    opened: Opened
    settings: Settings
    watch: Stopwatch
    studies: ContrastStudies
    around: OutcomeNeighbourhoods
    ordered: Mapping[str, tuple[int, ...]]

    def beside_others(
        self, done: Sequence[ContrastStudy], judged: Sequence[Rule], rules: ContrastRules
    ) -> list[Rule]:
        """The rules with what comes out when columns are not held that may come after the outcome."""
        asked = {}
        for place, (study, rule) in enumerate(zip(done, judged, strict=True)):
            own = [item.column for item in rule.pattern]
            doubtful = self.around.of(own).controls.doubtful([column.name for column in study.held], own)
            if doubtful and self._stands_out(rule):
                asked[place] = study, doubtful
        with self.watch("cohort"):
            others = dict(zip(asked, self.studies.study_beside(list(asked.values())), strict=True))
            found = [
                rules.beside(rule, others[place], asked[place][1]) if place in asked else rule
                for place, rule in enumerate(judged)
            ]
            changed = [place for place in asked if found[place] is not judged[place]]

            def with_fewest(place: int) -> Rule:
                return self._with_fewest(judged[place], found[place], *asked[place], rules)

            fewest = list(self.studies.side_by_side(with_fewest, changed))
        for place, rule in zip(changed, fewest, strict=True):
            found[place] = rule
        return found

    def _with_fewest(
        self,
        rule: Rule,
        without_all: Rule,
        study: ContrastStudy,
        doubtful: Sequence[str],
        rules: ContrastRules,
    ) -> Rule:
        """The rule beside its estimate without the few columns that matter, where these are not all.

        Of the user's own hypothesis one column, without which alone the answer is another one, as without a
        collider: that is the question to ask. Otherwise those that move the odds ratio most are left out
        first, until what comes out is on the same side as without all of them.
        """
        if not self.around.is_mined and len(doubtful) > 1:
            alone = self._without_one(rule, study, doubtful, rules)
            if alone is not None:
                return alone
        explaining = what_explains(study.arms.rows, study.compared.odds_ratio.odds_ratio.value, doubtful)
        for count in range(1, min(len(explaining) + 1, len(doubtful))):
            few = explaining[:count]
            (other,) = self.studies.study_beside([(study, few)])
            found = rules.beside(rule, other, few)
            if found is not rule and _side_beside(found) == _side_beside(without_all):
                return found
        return without_all

    def places_of_doses(self, done: Sequence[ContrastStudy], judged: Sequence[Rule]) -> set[int]:
        """The places of the rules that show all levels of their column: one for each column with an order.

        Of several it is a causal one, and of these the one that compares most records: strata of the others
        have room for few records whose level is not like the exposed one.
        """
        best: dict[str, tuple[bool, int, int]] = {}
        for place, (study, rule) in enumerate(zip(done, judged, strict=True)):
            name = rule.pattern[0].column
            is_shown = self._stands_out(rule) and self.settings.direction in ("both", rule.direction)
            if is_shown and rule.length == 1 and name in self.ordered and not study.untestable:
                rank = (rule.verdict == "causal", study.compared.strata.n_compared, -place)
                best[name] = max(best.get(name, rank), rank)
        return {-place for _, _, place in best.values()}

    def _without_one(
        self, rule: Rule, study: ContrastStudy, doubtful: Sequence[str], rules: ContrastRules
    ) -> Rule | None:
        """The rule beside its estimate without the one column that makes it another answer.

        None if no column does; of several that which moves the odds ratio furthest.
        """
        others = self.studies.study_beside([(study, (name,)) for name in doubtful])
        tried = [rules.beside(rule, other, (name,)) for name, other in zip(doubtful, others, strict=True)]
        return max((one for one in tried if one is not rule), key=_change_beside, default=None)

    def completed(
        self, done: Sequence[ContrastStudy], judged: Sequence[Rule], places_of_doses: Collection[int]
    ) -> list[Rule]:
        """The rules with explanations, subgroups and doses, as far as they are asked for.

        Parameters
        ----------
        done, judged
            The studies, and the rules that they became.
        places_of_doses : collection of int
            Places of the rules that show all levels of their column.
        """
        rules = list(judged)
        if self.settings.explain:
            with self.watch("explain"):
                rules = [self._explained(rule, study) for rule, study in zip(rules, done, strict=True)]

        def complete(place: int) -> Rule:
            rule, study = rules[place], done[place]
            is_testable = not study.untestable
            if self.settings.by and is_testable and (rule.verdict == "causal" or not self.around.is_mined):
                rule = self._with_subgroups(rule, study)
            if place in places_of_doses:
                rule = self._with_dose(rule, study)
            if len(study.pattern) == 1 and is_testable and not self.around.is_mined:
                rule = self._with_number(rule, study)
            return rule

        with self.watch("cohort"):
            return list(self.studies.side_by_side(complete, range(len(rules))))

    def _stands_out(self, rule: Rule) -> bool:
        return rule.verdict in ("causal", "possible") or not self.around.is_mined

    def _with_dose(self, rule: Rule, study: ContrastStudy) -> Rule:
        """The rule with all levels of its column."""
        levels = self.ordered[rule.pattern[0].column]
        return replace(rule, dose=dose_response(study, levels, self.opened, self.settings))

    def _with_number(self, rule: Rule, study: ContrastStudy) -> Rule:
        """The rule with the effect per unit on the odds, where its exposure is an interval of a number."""
        number = number_of_interval(rule.pattern[0], self.opened.vocabulary)
        if number is None or self.settings.outcome_as == "mean":
            return rule
        return replace(rule, per_unit=effect_per_unit(study, number, self.opened, self.settings))

    def _with_subgroups(self, rule: Rule, study: ContrastStudy) -> Rule:
        """The rule with its effect in the subgroups of all columns asked for but its own."""
        own = {item.column for item in rule.pattern}
        chosen = groupings([name for name in self.settings.by if name not in own], self.opened)
        divided = [divide(study, one, self.opened, self.settings) for one in chosen]
        found = [subgroups_of(one, self.settings.confidence) for one in divided]
        return replace(rule, subgroups=tuple(found))

    def _explained(self, rule: Rule, study: ContrastStudy) -> Rule:
        """A rejected rule with the path on which its association goes away.

        Held are the items that the search found to explain it, else those of the study's controls.
        """
        if rule.verdict != "rejected" or rule.length > 1:
            return rule
        vocabulary = self.opened.vocabulary
        name = rule.pattern[0].column
        around = self.around.of([name])
        held = around.controls.explaining_items(name, around.items)
        if not held:
            names = {column.name for column in study.held}
            held = [number for number, item in enumerate(vocabulary.hypotheses) if item.column in names]
        confidence = self.settings.confidence
        explanation = explain_contrast(
            self.opened.engine, vocabulary, study.pattern, held, rule.direction, confidence
        )
        return replace(rule, explanation=explanation)


def _change_beside(rule: Rule) -> float:
    """How far the estimate that stands beside the rule's own is from it, on the log scale."""
    assert rule.design.without_undecided is not None
    own, other = rule.of_the_outcome().adjusted_odds_ratio, rule.design.without_undecided.odds_ratio
    return abs(log(other.value / own.value)) if min(own.value, other.value) > 0 else inf


def _side_beside(rule: Rule) -> int:
    """On which side of no effect the estimate lies that stands beside the rule's own."""
    assert rule.design.without_undecided is not None
    if rule.mean is not None and rule.mean.without_undecided is not None:
        return side_of(rule.mean.without_undecided, 0)
    return side_of(rule.design.without_undecided.odds_ratio, 1)

"""Columns whose effect depends on another column, so that little of it is left on average."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from causalrules.domain.marker_phrases import DEPENDS_ON
from causalrules.search.contrast_verdicts import PROBABLE
from causalrules.search.subgroup_effects import MOST_SUBGROUPS, divide, groupings, subgroups_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from causalrules.domain import Pattern, Rule, Settings
    from causalrules.domain.subgroups import Subgroups
    from causalrules.engines.contract import Opened
    from causalrules.search.contrast_study import ContrastStudy
    from causalrules.search.outcome_neighbourhoods import OutcomeNeighbourhoods
    from causalrules.search.study_contrasts import ContrastStudies
    from causalrules.search.subgroup_effects import DividedStudy


class DependentEffects:
    """Asks of exposures without a clear effect on average whether their effect depends on another column.

    A column next to the outcome may raise its risk beside one value of another column and lower it beside
    the next. What a study estimates is the average, which may be nothing at all. Of 31 true neighbours
    that the search had found in 90 tables of random networks, and that no study had shown, 17 were such.

    Parameters
    ----------
    opened : Opened
        Vocabulary and engines.
    settings : Settings
        How to judge.
    studies : ContrastStudies
        Made the studies.
    around : OutcomeNeighbourhoods
        What stands next to the outcome.
    """

    def __init__(
        self, opened: Opened, settings: Settings, studies: ContrastStudies, around: OutcomeNeighbourhoods
    ) -> None:
        self._opened = opened
        self._settings = settings
        self._studies = studies
        self._around = around

    def findings(
        self, rules: Sequence[Rule], done: Sequence[ContrastStudy], n_hypotheses: int
    ) -> Iterator[Rule]:
        """Rules of single items that become findings: of each column the clearest."""
        if self._settings.min_odds_ratio is not None:  # tests of interaction say nothing of it
            return
        by_pattern = {rule.pattern: rule for rule in rules}
        shown = {item.column for rule in rules if rule.verdict == "causal" for item in rule.pattern}
        open_studies: dict[str, list[ContrastStudy]] = {}
        for study in done:
            rule = by_pattern.get(self._pattern_of(study))
            if rule is not None and rule.pattern[0].column not in shown and self._is_open(rule, study):
                open_studies.setdefault(rule.pattern[0].column, []).append(study)
        asked = [(tried, self._others(name)) for name, tried in open_studies.items()]
        for found in self._studies.side_by_side(lambda one: self._clearest(*one, n_hypotheses), asked):
            if found is not None:
                yield _depending(by_pattern[self._pattern_of(found[0])], found[1])

    def _pattern_of(self, study: ContrastStudy) -> Pattern:
        return tuple(self._opened.vocabulary.items[item] for item in study.pattern)

    def _is_open(self, rule: Rule, study: ContrastStudy) -> bool:
        """A probable neighbour, not a consequence and no leak, that could be studied."""
        is_near = rule.p_next is not None and rule.p_next >= PROBABLE and rule.arrow != "effect"
        return is_near and not study.untestable and rule.pattern[0].column not in self._around.leaks

    def _others(self, name: str) -> list[str]:
        """Columns of the last window whose values make subgroups."""
        items = self._opened.vocabulary.items_of_column
        beside = self._around.of((name,)).controls.beside(name)
        return [other for other in beside if len(items.get(other, ())) <= MOST_SUBGROUPS]

    def _clearest(
        self, tried: Sequence[ContrastStudy], others: Sequence[str], n_hypotheses: int
    ) -> tuple[ContrastStudy, Subgroups] | None:
        """The study whose effect differs most clearly between another column's values.

        None where nothing differs by Bonferroni over all hypotheses and all columns asked about.
        """
        told: list[tuple[float, int, DividedStudy]] = []
        for grouping in groupings(others, self._opened):
            for place, study in enumerate(tried):  # whose rows are the same
                divided = divide(study, grouping, self._opened, self._settings)
                if divided.interaction_p is not None:
                    told.append((divided.interaction_p, place, divided))
        if not told:
            return None
        p_value, place, best = min(told, key=lambda one: one[:2])
        corrected = min(1.0, p_value * len(told) * max(1, n_hypotheses))
        if corrected > self._settings.alpha:
            return None
        found = subgroups_of(best, self._settings.confidence)
        return tried[place], replace(found, interaction_q=corrected)


def _depending(rule: Rule, found: Subgroups) -> Rule:
    """The rule as a finding whose effect depends on another column; never better than fragile.

    Its p-values are those of the test that decided, of one effect for all subgroups: where that fails, the
    exposure changes the outcome in some of them, whatever it does on average.
    """
    assert found.interaction_p is not None
    told = [group for group in found.groups if group.is_informative]
    ratios = ", ".join(f"{group.odds_ratio.value:.2f} with {group.name}" for group in told)
    average = rule.of_the_outcome().adjusted_odds_ratio.value
    reason = f"{DEPENDS_ON} {found.column}: odds ratio {ratios}; {average:.2f} on average"
    return replace(
        rule,
        verdict="causal",
        reason=reason,
        grade="fragile",
        p_value=found.interaction_p,
        q_value=found.interaction_q,
        subgroups=(*rule.subgroups, found),
    )

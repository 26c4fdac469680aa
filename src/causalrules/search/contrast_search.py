"""The default search: which columns stand next to the outcome, and how much their contrasts change it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from causalrules.cohort.neighbours.screen import SCREEN_LEVEL
from causalrules.domain import largest_count_within
from causalrules.domain.decisions import decisions_of
from causalrules.domain.marker_phrases import NEARLY
from causalrules.domain.progress import Progress, Stopwatch, ignore_progress
from causalrules.errors import ExposureError, Setting, SettingsError, quoted
from causalrules.search.balance_guard import check_arms
from causalrules.search.combined_causes import clearest
from causalrules.search.combined_findings import CombinedFindings, find_combined
from causalrules.search.contrast_rules import ContrastRules
from causalrules.search.contrast_study import ContrastStudy
from causalrules.search.contrast_verdicts import LEAST_POSSIBLE, VerdictContext
from causalrules.search.crude_screen import Contrast, Screen, taken_away, too_weak_or_rare
from causalrules.search.dependent_effects import DependentEffects
from causalrules.search.explained_values import ExplainedValues
from causalrules.search.negative_controls import NegativeControls
from causalrules.search.ordered_levels import ordered_columns
from causalrules.search.outcome_neighbourhoods import OutcomeNeighbourhoods
from causalrules.search.placebo_runs import placebo_of_mining, placebo_of_study
from causalrules.search.rule_details import RuleDetails
from causalrules.search.search_notes import (
    CROWDED,
    alarms_of,
    halves_of,
    leaks_among,
    values_that_settle,
    warn_of_rare_exposures,
    warn_of_twins,
)
from causalrules.search.study_contrasts import ContrastStudies
from causalrules.search.subgroup_effects import groupings, with_corrected_interactions
from causalrules.search.weak_confounders import WeakConfounders
from causalrules.search_run import SearchRun

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from causalrules.domain import Pattern, Rule, Settings
    from causalrules.domain.falsification import NegativeControl, Placebo
    from causalrules.domain.knowledge import KnownRoles
    from causalrules.engines.contract import Opened


MOST_STUDIES = 200
"""Studies of a run: all probable neighbours of the outcome, then the strongest associations."""


@dataclass(slots=True)
class ContrastSearch(SearchRun):
    """The search among contrasts: values of one column against the others, and combinations of them."""

    settings: Settings
    rules: list[Rule] = field(default_factory=list)
    negative_controls: tuple[NegativeControl, ...] = ()
    placebo: Placebo | None = None
    _candidate_columns: tuple[str, ...] = field(default=(), init=False)
    _ordered: dict[str, tuple[int, ...]] = field(default_factory=dict, init=False)
    _leaks: dict[str, str] = field(default_factory=dict, init=False)
    _settled: dict[str, str] = field(default_factory=dict, init=False)
    _records_repeat: bool = field(default=False, init=False)

    def run(self) -> None:
        """Search, and keep the rules of the direction asked for, which is known after a study only."""
        try:
            self._search()
        finally:
            before = list(self.rules)
            if self.settings.direction != "both":
                for rule in self.rules:
                    if rule.direction != self.settings.direction:
                        self.by_length[rule.length].subtract(["associations", rule.verdict])
                self.rules = [rule for rule in self.rules if rule.direction == self.settings.direction]
            self.not_studied += taken_away(self._candidate_columns, before, self.rules)

    def _search(self) -> None:
        """Find what stands next to the outcome, then put every contrast that goes with it to its study."""
        vocabulary = self.opened.vocabulary
        screen, around = self._prepare()
        asked = [c for c in screen.contrasts if around.may_be_asked(vocabulary.items[c.item].column)]
        candidates = self._candidates(asked, around)
        self._note_not_studied(candidates, screen, around)
        n_contrasts = len(asked) + sum(map(around.may_be_asked, vocabulary.numbers_without_items))
        # Every contrast was a hypothesis; records held out are new to those chosen.
        n_hypotheses = len(candidates) if self.settings.holdout else n_contrasts
        counts = self.by_length.setdefault(1, Counter())
        counts.update(candidates=n_contrasts, frequent=len(asked), associations=len(candidates))
        studies = ContrastStudies(
            self.opened.judge_engine, vocabulary, self.settings, around, self.n_remembered
        )
        done: list[ContrastStudy] = []
        try:
            self._study_each(candidates, studies, done)
        finally:
            done.sort(key=lambda study: candidates.index(study.pattern))
            self._judge(done, around, studies, n_hypotheses)
            counts.update(rule.verdict for rule in self.rules)
        self._reject_explained_values(done, studies)
        if self.settings.max_length > 1 and self.settings.outcome_as != "mean":
            self._combine(screen, around, studies)
        self._find_dependent(done, around, studies, n_hypotheses)
        causal = [
            tuple(map(vocabulary.items.index, rule.pattern))
            for rule in self.rules
            if rule.verdict == "causal"
        ]
        self._check_negative_controls(causal, screen, studies)
        if self.settings.placebo:
            self.placebo = placebo_of_mining(self.opened, self.settings, _rules_mined)

    def _reject_explained_values(self, done: list[ContrastStudy], studies: ContrastStudies) -> None:
        """Reject values that differ from the others only because of another value of their column."""
        explained = ExplainedValues(self.opened, self.settings, studies, self._ordered)
        with self.watch("cohort"):
            self._put_in_place(explained.rejected(self.rules, done))

    def _put_in_place(self, changed: Mapping[int, Rule]) -> None:
        """Give rules of single items other verdicts, by their places."""
        for place, rule in changed.items():
            self.by_length[1].subtract([self.rules[place].verdict])
            self.by_length[1].update([rule.verdict])
            self.rules[place] = rule

    def _combine(self, screen: Screen, surroundings: OutcomeNeighbourhoods, studies: ContrastStudies) -> None:
        """Study items whose effects depend on each other, and list under causes what says the same."""
        causal = [rule.pattern[0].column for rule in self.rules if rule.verdict == "causal"]
        with self.watch("mine"):
            findings = find_combined(self.opened, screen, surroundings, causal, self.settings.max_length)
        done: list[ContrastStudy] = []
        n_remembered, n_before = 0, len(self.rules)
        try:
            for finding in findings.together:
                with self.watch("cohort"):
                    tried = [studies.study(pattern) for pattern in findings.patterns_of(finding)]
                n_remembered += all(study.is_remembered for study in tried)
                done.append(clearest(tried))
                length = len(finding.items)
                n_tested, n_all = len(done), len(findings.together)
                self.on_progress(Progress("both", length, n_tested, n_all, n_remembered))
        finally:
            self._judge(done, surroundings, studies, len(done))
            self._count_combined(len(surroundings.of().items.column_of_item), n_before)
            self._list_what_says_the_same(findings)

    def _find_dependent(
        self,
        done: list[ContrastStudy],
        around: OutcomeNeighbourhoods,
        studies: ContrastStudies,
        n_hypotheses: int,
    ) -> None:
        """Give probable neighbours their verdict whose effect depends on another column."""
        if self.opened.vocabulary.carried:  # the tests of this count records with and without the outcome
            return
        dependent = DependentEffects(self.opened, self.settings, studies, around)
        with self.watch("cohort"):
            findings = list(dependent.findings(self.rules, done, n_hypotheses))
        places = {rule.pattern: place for place, rule in enumerate(self.rules)}
        self._put_in_place({places[rule.pattern]: rule for rule in findings})

    def _count_combined(self, n_items: int, n_before: int) -> None:
        """How many combinations were looked at, and what became of those studied."""
        n_pairs = n_items * (n_items - 1) // 2
        self.by_length.setdefault(2, Counter()).update(candidates=n_pairs, frequent=n_pairs)
        for rule in self.rules[n_before:]:
            self.by_length.setdefault(rule.length, Counter()).update(["associations", rule.verdict])

    def _list_what_says_the_same(self, findings: CombinedFindings) -> None:
        """Give causal rules the names of those that hold only because of them."""
        vocabulary = self.opened.vocabulary
        patterns = findings.patterns_that_say_the_same()
        for place, rule in enumerate(self.rules):
            if rule.verdict == "causal":  # of several values of a column the clearest, which comes first
                same = patterns.pop(frozenset(item.column for item in rule.pattern), ())
                self.rules[place] = replace(rule, says_the_same=tuple(map(vocabulary.name_of, same)))

    def test(self, exposure: str | Pattern) -> None:
        """Put one hypothesis to its study; it is the only one, so nothing is corrected."""
        vocabulary = self.opened.vocabulary
        pattern = self.items_of(exposure)
        names = vocabulary.columns_of(pattern)
        if self.settings.adjusts_for_nothing_else and set(self.settings.adjusted_for) <= set(names):
            named = " and ".join(map(quoted, self.settings.adjusted_for))
            raise ExposureError(
                f"{named} is the exposure itself and cannot be adjusted for; name other columns with ",
                Setting("adjust"),
                ", or leave it out.",
            )
        screen, around = self._prepare(names)
        studies = ContrastStudies(self.opened.judge_engine, vocabulary, self.settings, around)
        with self.watch("cohort"):
            study = studies.study(pattern)
        check_arms(study, vocabulary)
        done = [study]
        self._judge(done, around, studies, n_hypotheses=1)
        self._check_negative_controls([pattern], screen, studies)
        if self.settings.placebo and not study.untestable:
            asked = tuple(vocabulary.items[item] for item in pattern)
            tested = partial(_rules_tested, asked)
            self.placebo = placebo_of_study(self.opened, self.settings, done[0], tested)

    def _check_negative_controls(
        self, patterns: list[tuple[int, ...]], screen: Screen, studies: ContrastStudies
    ) -> None:
        """Put what cannot be to its studies, and say first where it is found all the same."""
        settings = self.settings
        if not (settings.negative_outcome or settings.negative_exposure):
            return
        with self.watch("cohort"):
            controls = NegativeControls(self.opened.judge_engine, self.opened.vocabulary, settings, studies)
            self.negative_controls = controls.found(patterns, screen)
        self.notes += alarms_of(self.negative_controls)

    def _prepare(self, asked: Collection[str] = ()) -> tuple[Screen, OutcomeNeighbourhoods]:
        """What is associated with the outcome, and what stands next to it, before anything is studied.

        What the user says is checked first, so that a mistake costs no work. `asked` are the columns of the
        user's own hypothesis, if there is one.
        """
        vocabulary = self.opened.vocabulary
        around = OutcomeNeighbourhoods(self.opened.engine, vocabulary, self.settings, asked)
        around.check_exposure(list(asked))
        self._check_subgroups(asked)
        self._ordered = ordered_columns(self.settings, vocabulary)
        if self.settings.holdout:
            self.notes.append(halves_of(self.opened))
        columns = [column.name for column in vocabulary.held_columns]
        self.decisions = decisions_of(around.roles, columns, asked)
        screen = self._screen(around.roles)
        around.leaks = tuple(self._leaks)
        with self.watch("mine"):
            if around.of(asked).controls.are_crowded:
                self.notes.append(CROWDED)
        return screen, around

    def _check_subgroups(self, asked: Collection[str]) -> None:
        """Refuse columns that make no subgroups before the work is done."""
        for name in self.settings.by:
            if name in asked:
                raise SettingsError("by", "columns other than the exposure's", name)
        groupings(self.settings.by, self.opened)

    def _screen(self, roles: KnownRoles) -> Screen:
        with self.watch("mine"):
            engine, share = self.opened.engine, self.settings.min_support
            largest_rare = (
                largest_count_within(share, engine.n_with),
                largest_count_within(share, engine.n_without),
            )
            screen = Screen(engine, self.opened.vocabulary, largest_rare)
            as_they_are = self.opened.judge_engine if self.settings.is_sampled else engine
            twins = warn_of_twins(as_they_are, self.opened.vocabulary)
            self._records_repeat = bool(twins or self.opened.vocabulary.repeating)
            self.notes += twins
            # What is said to come before the outcome is no leak, however much it tells.
            self._leaks = {name: how for name, how in screen.leaks.items() if not roles.is_before(name)}
            unsaid = {name: how for name, how in self._leaks.items() if not roles.is_after(name)}
            self.notes += leaks_among(unsaid, self.opened.vocabulary.summary.notes)
            self.notes += self._ask_about_settled(screen, roles)
            return screen

    def _leaks_asked_about(self, roles: KnownRoles) -> list[str]:
        """Leaks of which the user has not said what they are."""
        is_said = self.settings.adjusts_for_nothing_else
        return [] if is_said else [name for name in self._leaks if roles.may_be_held(name)]

    def _ask_about_settled(self, screen: Screen, roles: KnownRoles) -> list[str]:
        """Ask when values were known that leave hardly any doubt about the outcome."""
        items = self.opened.vocabulary.items
        found = {
            item: how
            for item, how in screen.settling_values.items()
            if items[item].column not in self._leaks
            and not roles.is_before(items[item].column)
            and not roles.is_after(items[item].column)
        }
        for item, how in found.items():
            self._settled.setdefault(items[item].column, f"{items[item].name} {NEARLY} settles it ({how})")
        return values_that_settle({items[item]: how for item, how in found.items()})

    def _candidates(self, asked: list[Contrast], around: OutcomeNeighbourhoods) -> list[tuple[int, ...]]:
        """Contrasts to study: all of probable neighbours, then the strongest of the others."""
        items = self.opened.vocabulary.items
        with self.watch("mine"):
            near = [c for c in asked if around.p_next(items[c.item].column) >= LEAST_POSSIBLE]
        others = [c for c in asked if c not in near and c.p_value <= SCREEN_LEVEL]
        return [(contrast.item,) for contrast in near + others[: max(0, MOST_STUDIES - len(near))]]

    def _note_not_studied(
        self, candidates: list[tuple[int, ...]], screen: Screen, around: OutcomeNeighbourhoods
    ) -> None:
        """Keep why columns have no study, and warn of rare exposures that are clearly associated."""
        vocabulary = self.opened.vocabulary
        names = dict.fromkeys(vocabulary.items[item].column for (item,) in candidates)
        self._candidate_columns = tuple(names)
        why = too_weak_or_rare(vocabulary, screen.contrasts, self.settings, SCREEN_LEVEL)
        self.not_studied = self.without_study(around.roles, names, why)
        if not vocabulary.carried and self.settings.group_column is None and not self._records_repeat:
            self.notes += warn_of_rare_exposures(
                screen, vocabulary, around.may_be_asked, self.settings.confidence
            )

    def _study_each(
        self, candidates: list[tuple[int, ...]], studies: ContrastStudies, done: list[ContrastStudy]
    ) -> None:
        """Put every candidate to its study; those finished are in `done` even if an interrupt ends it."""
        finished = studies.study_each(candidates)
        n_remembered = 0
        while True:
            with self.watch("cohort"):
                study = next(finished, None)
            if study is None:
                return
            done.append(study)
            n_remembered += study.is_remembered
            self.on_progress(Progress("both", 1, len(done), len(candidates), n_remembered))

    def _judge(
        self,
        done: list[ContrastStudy],
        around: OutcomeNeighbourhoods,
        studies: ContrastStudies,
        n_hypotheses: int,
    ) -> None:
        """Keep the rules that studies become, with verdicts and all that is asked for.

        Studies in `done` that weak columns confound together give their places to those that hold them.
        """
        vocabulary = self.opened.vocabulary
        if not self.settings.adjusts_for_nothing_else and self.settings.matched_set is None:
            with self.watch("cohort"):
                weak = WeakConfounders(self.opened.judge_engine, vocabulary, around, studies)
                done[:] = weak.held_too(done)
        with self.watch("assess"):
            context = VerdictContext(
                n_hypotheses=n_hypotheses,
                leaks=self._leaks,
                settled=self._settled,
                unsaid_leaks=[name for name in self._leaks if not around.roles.is_after(name)],
                asked_when=() if around.is_mined else self._leaks_asked_about(around.roles),
                is_mined=around.is_mined,
                places=[
                    around.place_of(vocabulary.columns_of(study.pattern), study.near_copies) for study in done
                ],
            )
            rules = ContrastRules(vocabulary, self.settings)
            judged = rules.judged(done, context, studies.side_by_side)
        details = RuleDetails(self.opened, self.settings, self.watch, studies, around, self._ordered)
        n_before = len(self.rules)
        judged = details.beside_others(done, judged, rules)
        with_doses = details.places_of_doses(done, judged)
        self.rules += details.completed(done, judged, with_doses)
        if self.settings.by:
            self.rules[n_before:] = with_corrected_interactions(self.rules[n_before:])


def _rules_mined(opened: Opened, settings: Settings) -> list[Rule]:
    """The rules of another table."""
    search = ContrastSearch(opened, settings, Stopwatch(), ignore_progress)
    search.run()
    return search.rules


def _rules_tested(exposure: Pattern, opened: Opened, settings: Settings) -> list[Rule]:
    """The rule that a hypothesis becomes in another table."""
    search = ContrastSearch(opened, settings, Stopwatch(), ignore_progress)
    search.test(exposure)
    return search.rules

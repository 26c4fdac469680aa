"""The default search: which columns stand next to the outcome, and how much their contrasts change it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from causalrules.cohort.neighbours.learn import learn
from causalrules.domain import largest_count_within
from causalrules.domain.progress import Progress
from causalrules.errors import SettingsError, UnknownColumnError
from causalrules.search.combined_causes import CombinedCauses, clearest
from causalrules.search.combined_findings import CombinedFindings
from causalrules.search.contrast_rules import LEAST_POSSIBLE, ContrastRules, Place, Verdicts
from causalrules.search.contrast_study import ContrastStudies, ContrastStudy
from causalrules.search.explain_contrast import explain_contrast
from causalrules.search.first_look import SCREEN_LEVEL, Screen
from causalrules.search.hypothesis_items import HypothesisItems
from causalrules.search.neighbour_controls import NeighbourControls
from causalrules.search.repeated_records import warn_of_twins
from causalrules.search.search import known_items, nothing_remembered

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from causalrules.domain import Pattern, Rule, Settings
    from causalrules.domain.stopwatch import Stopwatch
    from causalrules.engines.contract import Opened


MOST_STUDIES = 200
"""Studies of a run: all probable neighbours of the outcome, then the strongest associations."""


class Around(NamedTuple):
    """What stands around the outcome: the items as the search sees them, and what to hold."""

    items: HypothesisItems
    controls: NeighbourControls


@dataclass(slots=True)
class ContrastSearch:
    """One search through a table; what is finished is in `rules` even if it is cut short.

    Parameters
    ----------
    opened : Opened
        Vocabulary and engines.
    settings : Settings
        What to look for and how to judge.
    watch : Stopwatch
        Where time is written down.
    on_progress : callable
        Told after each study.
    """

    opened: Opened
    settings: Settings
    watch: Stopwatch
    on_progress: Callable[[Progress], None]
    rules: list[Rule] = field(default_factory=list)
    by_length: dict[int, Counter[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    n_remembered: Callable[[], int] = nothing_remembered

    def run(self) -> None:
        """Search, and keep the rules of the direction asked for, which is known after a study only."""
        try:
            self._search()
        finally:
            if self.settings.direction != "both":
                for rule in self.rules:
                    if rule.direction != self.settings.direction:
                        self.by_length[rule.length].subtract(["associations", rule.verdict])
                self.rules = [rule for rule in self.rules if rule.direction == self.settings.direction]

    def _search(self) -> None:
        """Find what stands next to the outcome, then put every contrast that goes with it to its study."""
        screen = self._screen()
        around = self._around(screen)
        candidates = self._candidates(screen, around)
        n_contrasts = len(screen.contrasts) + self.opened.vocabulary.n_numbers_without_items
        # Every contrast was a hypothesis; records held out are new to those chosen.
        n_hypotheses = len(candidates) if self.settings.holdout else n_contrasts
        counts = self.by_length.setdefault(1, Counter())
        counts.update(candidates=n_contrasts, frequent=len(screen.contrasts), associations=len(candidates))
        studies = ContrastStudies(
            self.opened.judge_engine, self.opened.vocabulary, self.settings, around.controls
        )
        done: list[ContrastStudy] = []
        n_taken = 0
        try:
            finished = studies.study_each(candidates)
            while True:
                before = self.n_remembered()
                with self.watch("cohort"):
                    study = next(finished, None)
                if study is None:
                    break
                done.append(study)
                n_taken += self.n_remembered() > before
                self.on_progress(Progress("both", 1, len(done), len(candidates), n_taken))
        finally:
            done.sort(key=lambda study: candidates.index(study.pattern))
            self._judge(done, screen, around, n_hypotheses, is_mined=True)
            counts.update(rule.verdict for rule in self.rules)
        if self.settings.max_length > 1:
            self._combine(screen, around, studies)

    def _combine(self, screen: Screen, around: Around, studies: ContrastStudies) -> None:
        """Items whose effects depend on each other, the clearest first; one finding a set of columns."""
        vocabulary = self.opened.vocabulary
        n_items = len(around.items.column_of_item)
        combined = CombinedCauses(self.opened.engine, vocabulary, n_items, screen.exposure_of_two)
        pairs = [
            (around.items.item_of(pair.first), around.items.item_of(pair.second))
            for pair in around.controls.pairs
        ]
        alone = dict.fromkeys(rule.pattern[0].column for rule in self.rules if rule.verdict == "causal")
        findings = CombinedFindings(combined, alone)

        def may_combine(names: Collection[str]) -> bool:
            return self._may_combine(names, screen, around)

        with self.watch("mine"):
            findings.accept_pairs(pairs, may_combine)
            if self.settings.max_length > 2:
                findings.grow([around.items.item_of(item) for item in range(n_items)], may_combine)
        done: list[ContrastStudy] = []
        n_taken, n_before = 0, len(self.rules)
        try:
            for finding in findings.together:
                before = self.n_remembered()
                with self.watch("cohort"):
                    tried = [studies.study(pattern) for pattern in combined.patterns_of(finding.items)]
                n_taken += self.n_remembered() - before >= len(tried)
                done.append(clearest(tried))
                length = len(finding.items)
                self.on_progress(Progress("both", length, len(done), len(findings.together), n_taken))
        finally:
            self._judge(done, screen, around, len(done), is_mined=True)
            self._count_combined(n_items, n_before)
            self._list_what_says_the_same(findings, combined)

    def _count_combined(self, n_items: int, n_before: int) -> None:
        """How many combinations were looked at, and what became of those studied."""
        n_pairs = n_items * (n_items - 1) // 2
        self.by_length.setdefault(2, Counter()).update(candidates=n_pairs, frequent=n_pairs)
        for rule in self.rules[n_before:]:
            self.by_length.setdefault(rule.length, Counter()).update(["associations", rule.verdict])

    def _list_what_says_the_same(self, findings: CombinedFindings, combined: CombinedCauses) -> None:
        """Give causal rules the names of those that hold only because of them."""
        items = self.opened.vocabulary.items
        names: dict[frozenset[str], list[str]] = {}
        for finding in (*findings.alone, *findings.together):
            for others in finding.says_the_same:
                named = next(combined.patterns_of(others))
                names.setdefault(finding.columns, []).append(" & ".join(str(items[item]) for item in named))
        for place, rule in enumerate(self.rules):
            if rule.verdict == "causal":  # of several values of a column the clearest, which comes first
                same = names.pop(frozenset(item.column for item in rule.pattern), ())
                self.rules[place] = replace(rule, says_the_same=tuple(same))

    def _may_combine(self, names: Collection[str], screen: Screen, around: Around) -> bool:
        """No leaks, and no consequences."""
        known = [around.controls.neighbour(name) for name in names]
        return not any(one.name in screen.leaks or one.arrow.direction == "effect" for one in known)

    def test(self, exposure: str | Pattern) -> None:
        """Put one hypothesis to its study; it is the only one, so nothing is corrected."""
        vocabulary = self.opened.vocabulary
        pattern = known_items(exposure, vocabulary)
        screen = self._screen()
        around = self._around(screen, {vocabulary.items[item].column for item in pattern})
        studies = ContrastStudies(self.opened.judge_engine, vocabulary, self.settings, around.controls)
        with self.watch("cohort"):
            study = studies.study(pattern)
        self._judge([study], screen, around, 1, is_mined=False)

    def _screen(self) -> Screen:
        with self.watch("mine"):
            engine, share = self.opened.engine, self.settings.min_support
            largest_rare = (
                largest_count_within(share, engine.n_with),
                largest_count_within(share, engine.n_without),
            )
            screen = Screen(engine, self.opened.vocabulary, largest_rare)
            self.notes += warn_of_twins(engine, self.opened.vocabulary)
            self.notes += [
                f"{name} nearly decides the outcome ({how}): a leak, a consequence, or the outcome in other "
                f"words. Studies do not adjust for it, but where it takes part, others look less likely to "
                f"stand next to the outcome; --drop {name} leaves it out."
                for name, how in screen.leaks.items()
            ]
            return screen

    def _around(self, screen: Screen, keep: Collection[str] = ()) -> Around:
        """What stands next to the outcome; `keep` are columns of the user's hypothesis."""
        self._check_what_is_adjusted_for()
        with self.watch("mine"):
            settings, vocabulary = self.settings, self.opened.vocabulary
            items = HypothesisItems(self.opened.engine, vocabulary)
            kept = [number for number, name in enumerate(items.columns.names) if name in keep]
            neighbourhood = learn(items, items.unique_rows, items.columns, keep=kept)
            controls = NeighbourControls(
                vocabulary,
                neighbourhood,
                settings.adjusted_for,
                only_adjust=settings.adjusts_for_nothing_else,
                leaks=screen.leaks,
            )
            return Around(items, controls)

    def _candidates(self, screen: Screen, around: Around) -> list[tuple[int, ...]]:
        """Contrasts to study: all of probable neighbours, then the strongest of the others."""
        items = self.opened.vocabulary.items
        near = [c for c in screen.contrasts if around.controls.p_next(items[c.item].column) >= LEAST_POSSIBLE]
        others = [c for c in screen.contrasts if c not in near and c.p_value <= SCREEN_LEVEL]
        return [(contrast.item,) for contrast in near + others[: max(0, MOST_STUDIES - len(near))]]

    def _place_of(self, study: ContrastStudy, around: Around) -> Place:
        """Where a study's exposure stands; of several columns the one that is least likely a neighbour."""
        vocabulary, controls = self.opened.vocabulary, around.controls
        outcome = vocabulary.summary.outcome.column
        names = [vocabulary.items[item].column for item in study.pattern]
        name = min(names, key=controls.p_next)
        one = controls.neighbour(name)
        return Place(
            p_next=controls.p_next(name),
            p_cause=one.p_cause,
            p_effect=one.p_effect,
            arrow=one.arrow.direction,
            witness=controls.witness_of(name, outcome),
            explained_by=controls.explained_by(name, around.items, vocabulary),
            group=tuple(other for other in controls.group_of(name) if other not in names),
            is_combined=len(names) > 1,
        )

    def _check_what_is_adjusted_for(self) -> None:
        """A name that is no column's must not look as if it had been held."""
        vocabulary = self.opened.vocabulary
        held = [column.name for column in vocabulary.held_columns]
        left_out = {entry.column for entry in vocabulary.summary.left_out}
        left_out.add(vocabulary.summary.outcome.column)
        for name in self.settings.adjusted_for:
            if name in held:  # numbers without a cut are no hypotheses, but can be held
                continue
            if name in left_out:
                raise SettingsError("adjust", "columns that take part in the search", name)
            raise UnknownColumnError("adjust", name, held)

    def _judge(
        self,
        studies: list[ContrastStudy],
        screen: Screen,
        around: Around,
        n_hypotheses: int,
        *,
        is_mined: bool,
    ) -> None:
        with self.watch("assess"):
            verdicts = Verdicts(
                n_hypotheses=n_hypotheses,
                leaks=screen.leaks,
                is_mined=is_mined,
                places=[self._place_of(study, around) for study in studies],
            )
            rules = ContrastRules(self.opened.vocabulary, self.settings).judged(studies, verdicts)
        if self.settings.explain:
            with self.watch("explain"):
                rules = [
                    self._explained(rule, study, around) for rule, study in zip(rules, studies, strict=True)
                ]
        self.rules += rules

    def _explained(self, rule: Rule, study: ContrastStudy, around: Around) -> Rule:
        """A rejected rule with the path on which its association goes away.

        Held are the items that the search found to explain it, else those of the study's controls.
        """
        if rule.verdict != "rejected" or rule.length > 1:
            return rule
        vocabulary = self.opened.vocabulary
        held = around.controls.explaining_items(rule.pattern[0].column, around.items)
        if not held:
            names = {column.name for column in study.held}
            items = vocabulary.items[: vocabulary.n_items]
            held = [number for number, item in enumerate(items) if item.column in names]
        confidence = self.settings.confidence
        explanation = explain_contrast(
            self.opened.engine, vocabulary, study.pattern, held, rule.direction, confidence
        )
        return replace(rule, explanation=explanation)

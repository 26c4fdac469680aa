"""The default search: which columns stand next to the outcome, and how much their contrasts change it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from causalrules.cohort.neighbours.learn import learn
from causalrules.domain import largest_count_within
from causalrules.domain.progress import Progress
from causalrules.errors import SettingsError, UnknownColumnError
from causalrules.search.combined_causes import CombinedCauses
from causalrules.search.contrast_rules import LEAST_POSSIBLE, ContrastRules, Place, Verdicts
from causalrules.search.contrast_study import ContrastStudies, ContrastStudy
from causalrules.search.first_look import SCREEN_LEVEL, Screen
from causalrules.search.hypothesis_items import HypothesisItems
from causalrules.search.neighbour_controls import NeighbourControls
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
        around = self._around()
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
        """Pairs whose effects depend on each other, the clearest first; one finding for each two columns."""
        vocabulary = self.opened.vocabulary
        n_items = len(around.items.column_of_item)
        combined = CombinedCauses(self.opened.engine, vocabulary, n_items)
        accepted = {rule.pattern[0].column for rule in self.rules if rule.verdict == "causal"}
        seen: set[frozenset[str]] = set()
        done: list[ContrastStudy] = []
        pairs = [
            (around.items.item_of(pair.first), around.items.item_of(pair.second))
            for pair in around.controls.pairs
        ]
        n_taken, n_before = 0, len(self.rules)
        try:
            for number, pair in enumerate(pairs, 1):
                names = frozenset(vocabulary.items[item].column for item in pair)
                if names in seen or not self._may_combine(names, screen, around):
                    continue
                with self.watch("mine"):
                    if not combined.stays(pair, accepted):
                        continue
                before = self.n_remembered()
                with self.watch("cohort"):
                    tried = [studies.study(pattern) for pattern in combined.patterns_of(pair)]
                n_taken += self.n_remembered() - before >= len(tried)
                done.append(
                    min(tried, key=lambda study: (bool(study.untestable), study.compared.odds_ratio.p_value))
                )
                seen.add(names)
                accepted |= names
                n_most = len(done) + len(pairs) - number
                self.on_progress(Progress("both", 2, len(done), n_most, n_taken))
        finally:
            self._judge(done, screen, around, len(done), is_mined=True)
            counts = self.by_length.setdefault(2, Counter())
            n_pairs = n_items * (n_items - 1) // 2
            counts.update(candidates=n_pairs, frequent=n_pairs, associations=len(done))
            counts.update(rule.verdict for rule in self.rules[n_before:])

    def _may_combine(self, names: Collection[str], screen: Screen, around: Around) -> bool:
        """No leaks, no consequences, and not two names for one thing."""
        known = [around.controls.neighbour(name) for name in names]
        if any(one.name in screen.leaks or one.arrow.direction == "effect" for one in known):
            return False
        return not any(set(around.controls.group_of(name)) & set(names) for name in names)

    def test(self, exposure: str | Pattern) -> None:
        """Put one hypothesis to its study; it is the only one, so nothing is corrected."""
        vocabulary = self.opened.vocabulary
        pattern = known_items(exposure, vocabulary)
        screen = self._screen()
        around = self._around({vocabulary.items[item].column for item in pattern})
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
            self.notes += [
                f"{name} nearly decides the outcome ({share:.0%} of it): a leak, a consequence, or the "
                f"outcome in other words. Other studies do not adjust for it; --drop {name} leaves it out."
                for name, share in screen.leaks.items()
            ]
            return screen

    def _around(self, keep: Collection[str] = ()) -> Around:
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
            group=controls.group_of(name),
            is_combined=len(names) > 1,
        )

    def _check_what_is_adjusted_for(self) -> None:
        """A name that is no column's must not look as if it had been held."""
        vocabulary = self.opened.vocabulary
        held = [column.name for column in vocabulary.held_columns]
        left_out = {entry.column for entry in vocabulary.summary.left_out}
        left_out.add(vocabulary.summary.outcome.column)
        for name in self.settings.adjusted_for:
            if name in left_out:
                raise SettingsError("adjust", "columns that take part in the search", name)
            if name not in held:
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
            self.rules += ContrastRules(self.opened.vocabulary, self.settings).judged(studies, verdicts)

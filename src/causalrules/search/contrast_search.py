"""The default search: which columns stand next to the outcome, and how much their contrasts change it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from causalrules.domain import largest_count_within
from causalrules.domain.decisions import Decision, decisions_of
from causalrules.domain.progress import Progress
from causalrules.search.combined_causes import CombinedCauses
from causalrules.search.contrast_rules import LEAST_POSSIBLE, ContrastRules, Verdicts
from causalrules.search.contrast_study import ContrastStudies, ContrastStudy
from causalrules.search.first_look import SCREEN_LEVEL, Contrast, Screen
from causalrules.search.search import known_items, nothing_remembered
from causalrules.search.surroundings import Around, Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from causalrules.domain import Pattern, Rule, Settings
    from causalrules.domain.stopwatch import Stopwatch
    from causalrules.engines.contract import Opened


MOST_STUDIES = 200
"""Studies of a run: all probable neighbours of the outcome, then the strongest associations."""


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
    decisions: tuple[Decision, ...] = ()
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
        around = self._surroundings()
        vocabulary = self.opened.vocabulary
        screen = self._screen(around)
        asked = [c for c in screen.contrasts if around.may_be_asked(vocabulary.items[c.item].column)]
        candidates = self._candidates(asked, around)
        n_contrasts = len(asked) + sum(map(around.may_be_asked, vocabulary.numbers_without_items))
        # Every contrast was a hypothesis; records held out are new to those chosen.
        n_hypotheses = len(candidates) if self.settings.holdout else n_contrasts
        counts = self.by_length.setdefault(1, Counter())
        counts.update(candidates=n_contrasts, frequent=len(asked), associations=len(candidates))
        studies = ContrastStudies(self.opened.judge_engine, vocabulary, self.settings, around)
        done: list[ContrastStudy] = []
        n_taken = 0
        try:
            for pattern in candidates:
                before = self.n_remembered()
                with self.watch("cohort"):
                    done.append(studies.study(pattern))
                n_taken += self.n_remembered() > before
                self.on_progress(Progress("both", 1, len(done), len(candidates), n_taken))
        finally:
            self._judge(done, screen, around, n_hypotheses, is_mined=True, studies=studies)
            counts.update(rule.verdict for rule in self.rules)
        if self.settings.max_length > 1:
            self._combine(screen, around, studies)

    def _combine(self, screen: Screen, surroundings: Surroundings, studies: ContrastStudies) -> None:
        """Pairs whose effects depend on each other, the clearest first; one finding for each two columns."""
        vocabulary, around = self.opened.vocabulary, surroundings.of()
        n_items = len(around.items.column_of_item)
        combined = CombinedCauses(self.opened.engine, vocabulary, n_items)
        accepted = {
            rule.pattern[0].column
            for rule in self.rules
            if rule.verdict == "causal" and surroundings.roles.may_be_held(rule.pattern[0].column)
        }
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
                if names in seen or not all(map(surroundings.may_be_asked, names)):
                    continue
                if not self._may_combine(names, screen, around):
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
            self._judge(done, screen, surroundings, len(done), is_mined=True, studies=studies)
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
        names = [vocabulary.items[item].column for item in pattern]
        around = self._surroundings(names)
        around.check_exposure(names)
        screen = self._screen(around)
        studies = ContrastStudies(self.opened.judge_engine, vocabulary, self.settings, around)
        with self.watch("cohort"):
            study = studies.study(pattern)
        self._judge([study], screen, around, 1, is_mined=False, studies=studies)

    def _screen(self, around: Surroundings) -> Screen:
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
                if not around.roles.is_after(name)
            ]
            return screen

    def _surroundings(self, keep: Collection[str] = ()) -> Surroundings:
        """What stands next to the outcome; `keep` are columns of the user's hypothesis."""
        with self.watch("mine"):
            around = Surroundings(self.opened.engine, self.opened.vocabulary, self.settings, keep)
            around.of(keep)
        columns = [column.name for column in self.opened.vocabulary.held_columns]
        self.decisions = decisions_of(around.roles, columns)
        return around

    def _candidates(self, asked: list[Contrast], around: Surroundings) -> list[tuple[int, ...]]:
        """Contrasts to study: all of probable neighbours, then the strongest of the others."""
        items = self.opened.vocabulary.items
        with self.watch("mine"):
            near = [c for c in asked if around.p_next(items[c.item].column) >= LEAST_POSSIBLE]
        others = [c for c in asked if c not in near and c.p_value <= SCREEN_LEVEL]
        return [(contrast.item,) for contrast in near + others[: max(0, MOST_STUDIES - len(near))]]

    def _judge(
        self,
        done: list[ContrastStudy],
        screen: Screen,
        around: Surroundings,
        n_hypotheses: int,
        *,
        is_mined: bool,
        studies: ContrastStudies,
    ) -> None:
        items = self.opened.vocabulary.items
        with self.watch("assess"):
            verdicts = Verdicts(
                n_hypotheses=n_hypotheses,
                leaks=screen.leaks,
                is_mined=is_mined,
                places=[around.place_of([items[item].column for item in study.pattern]) for study in done],
            )
            rules = ContrastRules(self.opened.vocabulary, self.settings)
            judged = rules.judged(done, verdicts)
        with self.watch("cohort"):
            for study, rule in zip(done, judged, strict=True):
                own = [item.column for item in rule.pattern]
                doubtful = around.of(own).controls.doubtful([column.name for column in study.held], own)
                if doubtful and (rule.verdict in ("causal", "possible") or not is_mined):
                    rule = rules.beside(rule, studies.study(study.pattern, without=doubtful), doubtful)
                self.rules.append(rule)

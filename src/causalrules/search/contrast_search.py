"""The default search: which columns stand next to the outcome, and how much their contrasts change it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from causalrules.cohort.neighbours.learn import learn
from causalrules.domain import largest_count_within
from causalrules.domain.progress import Progress
from causalrules.search.contrast_rules import LEAST_POSSIBLE, ContrastRules, Place, Verdicts
from causalrules.search.contrast_study import ContrastStudies, ContrastStudy
from causalrules.search.hypothesis_items import HypothesisItems
from causalrules.search.neighbour_controls import NeighbourControls
from causalrules.search.screen import SCREEN_LEVEL, Screen
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
        """Find what stands next to the outcome, then put every contrast that goes with it to its study."""
        screen = self._screen()
        around = self._around()
        candidates = self._candidates(screen, around)
        n_hypotheses = len(screen.contrasts) + self.opened.vocabulary.n_numbers_without_items
        counts = self.by_length.setdefault(1, Counter())
        counts.update(candidates=n_hypotheses, frequent=len(screen.contrasts), associations=len(candidates))
        studies = ContrastStudies(
            self.opened.judge_engine, self.opened.vocabulary, self.settings, around.controls
        )
        done: list[ContrastStudy] = []
        try:
            for pattern in candidates:
                with self.watch("cohort"):
                    done.append(studies.study(pattern))
                self.on_progress(Progress("raises", 1, len(done), len(candidates), self.n_remembered()))
        finally:
            self._judge(done, screen, around, n_hypotheses, is_mined=True)
            counts.update(rule.verdict for rule in self.rules)

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
        )

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

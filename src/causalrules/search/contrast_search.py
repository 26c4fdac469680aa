"""The default search: contrasts of one item, each put to a study that holds whole columns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from causalrules.domain import largest_count_within
from causalrules.domain.progress import Progress
from causalrules.errors import SettingsError, UnknownColumnError
from causalrules.search.associated_controls import AssociatedControls
from causalrules.search.contrast_rules import ContrastRules, Verdicts
from causalrules.search.contrast_study import ContrastStudies, ContrastStudy
from causalrules.search.screen import SCREEN_LEVEL, Screen
from causalrules.search.search import known_items, nothing_remembered

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Pattern, Rule, Settings
    from causalrules.domain.stopwatch import Stopwatch
    from causalrules.engines.contract import Opened


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
        """Study every contrast whose item goes with the outcome."""
        screen = self._screen()
        with self.watch("mine"):
            candidates = [contrast for contrast in screen.contrasts if contrast.p_value <= SCREEN_LEVEL]
        counts = self.by_length.setdefault(1, Counter())
        n_candidates = len(screen.contrasts) + self.opened.vocabulary.n_numbers_without_items
        counts.update(candidates=n_candidates, frequent=len(screen.contrasts), associations=len(candidates))
        # Every contrast was a hypothesis; records held out are new to those chosen.
        n_hypotheses = len(candidates) if self.settings.holdout else n_candidates
        studies = self._studies(screen)
        done: list[ContrastStudy] = []
        n_taken = 0
        try:
            for contrast in candidates:
                before = self.n_remembered()
                with self.watch("cohort"):
                    done.append(studies.study((contrast.item,)))
                n_taken += self.n_remembered() > before
                self.on_progress(Progress("both", 1, len(done), len(candidates), n_taken))
        finally:
            self._judge(done, screen, n_hypotheses, is_corrected=True)
            self._keep_the_direction_asked_for()
            counts["associations"] -= len(done) - len(self.rules)
            counts.update(rule.verdict for rule in self.rules)

    def _keep_the_direction_asked_for(self) -> None:
        """Drop rules of the other direction: which one a rule has is known after its study only."""
        if self.settings.direction != "both":
            self.rules = [rule for rule in self.rules if rule.direction == self.settings.direction]

    def test(self, exposure: str | Pattern) -> None:
        """Put one hypothesis to its study; it is the only one, so nothing is corrected."""
        pattern = known_items(exposure, self.opened.vocabulary)
        screen = self._screen()
        with self.watch("cohort"):
            study = self._studies(screen).study(pattern)
        self._judge([study], screen, 1, is_corrected=False)

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

    def _studies(self, screen: Screen) -> ContrastStudies:
        settings, vocabulary = self.settings, self.opened.vocabulary
        self._check_what_is_adjusted_for()
        chosen = AssociatedControls(
            vocabulary, screen, settings.adjusted_for, only_adjust=settings.adjusts_for_nothing_else
        )
        return ContrastStudies(self.opened.judge_engine, vocabulary, settings, chosen)

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
        self, studies: list[ContrastStudy], screen: Screen, n_hypotheses: int, *, is_corrected: bool
    ) -> None:
        with self.watch("assess"):
            verdicts = Verdicts(
                n_hypotheses=n_hypotheses,
                leaks=screen.leaks,
                anything_associated=any(p <= SCREEN_LEVEL for p in screen.association.values()),
                is_corrected=is_corrected,
            )
            self.rules += ContrastRules(self.opened.vocabulary, self.settings).judged(studies, verdicts)

"""What every search through a table is asked with, and what it leaves behind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from causalrules.domain.notation import find_pattern, known_pattern
from causalrules.domain.progress import nothing_remembered

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from causalrules.domain import Pattern, Rule, Settings
    from causalrules.domain.decisions import Decision
    from causalrules.domain.falsification import NegativeControl, Placebo
    from causalrules.domain.progress import Progress, Stopwatch
    from causalrules.engines.contract import Opened
    from causalrules.search.not_studied import Reasons


@dataclass(slots=True)
class SearchRun(ABC):
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
        Called after each study.
    by_length : dict of int to Counter
        For each length: candidates, frequent patterns, associations and verdicts.
    n_remembered : callable
        Counts the answers that a checkpoint had.
    """

    opened: Opened
    settings: Settings
    watch: Stopwatch
    on_progress: Callable[[Progress], None]
    rules: list[Rule] = field(default_factory=list)
    by_length: dict[int, Counter[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    decisions: tuple[Decision, ...] = ()
    not_studied: Reasons = ()
    n_remembered: Callable[[], int] = nothing_remembered
    negative_controls: tuple[NegativeControl, ...] = ()
    placebo: Placebo | None = None

    @abstractmethod
    def run(self) -> None:
        """Search for causes."""

    @abstractmethod
    def test(self, exposure: str | Pattern) -> None:
        """Put one hypothesis to its study."""

    def items_of(self, exposure: str | Pattern) -> tuple[int, ...]:
        """The item numbers of an exposure, written as people do or given as items."""
        items, summary = self.opened.vocabulary.hypotheses, self.opened.vocabulary.summary
        reasons = summary.why_left_out | {summary.outcome.column: "it is the outcome"}
        if isinstance(exposure, str):
            pattern = find_pattern(exposure, items, reasons)
        else:
            pattern = known_pattern(exposure, items, reasons)
        return tuple(map(items.index, pattern))

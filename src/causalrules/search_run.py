"""What every search through a table is asked with, and what it leaves behind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from causalrules.domain.data_summary import LeftOut
from causalrules.domain.notation import find_pattern, known_pattern
from causalrules.domain.progress import nothing_remembered

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Collection, Iterator

    from causalrules.domain import Pattern
    from causalrules.domain.decisions import Decision
    from causalrules.domain.knowledge import KnownRoles
    from causalrules.domain.progress import Progress, Stopwatch
    from causalrules.engines.contract import Opened

Reasons = tuple[LeftOut, ...]


@dataclass(slots=True)
class SearchRun(ABC):
    """One search through a table; what is finished is in `rules` even if it is cut short.

    Parameters
    ----------
    opened : Opened
        Vocabulary and engines.
    settings : TableSettings
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
    settings: Any
    watch: Stopwatch
    on_progress: Callable[[Progress], None]
    rules: list[Any] = field(default_factory=list)
    by_length: dict[int, Counter[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    decisions: tuple[Decision, ...] = ()
    not_studied: Reasons = ()
    n_remembered: Callable[[], int] = nothing_remembered

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

    def without_study(
        self, roles: KnownRoles, studied: Collection[str], why: Callable[[str], str]
    ) -> Reasons:
        """Columns without a study: not asked about by what was said, or for the reason that `why` tells."""

        def reasons() -> Iterator[LeftOut]:
            for name in self.opened.vocabulary.items_of_column:
                said = roles.why_not_asked(name)
                if said is not None:
                    yield LeftOut(name, f"it was not tested, because you said: {said}")
                elif name not in studied:
                    yield LeftOut(name, why(name))

        return tuple(reasons())

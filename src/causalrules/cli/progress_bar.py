"""How far a run is, on a terminal: a bar for each level and direction, and how many studies there were."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from causalrules.domain.progress import Progress, ignore_progress
from causalrules.warm_up import on_compiling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console


class StudiesSeen:
    """How many cohort studies there were, and how many of them were taken from a checkpoint."""

    def __init__(self, show: Callable[[Progress], None]) -> None:
        self._show = show
        self._last: dict[tuple[str, int], Progress] = {}

    def see(self, progress: Progress) -> None:
        """Note how far a level is, and show it."""
        self._last[progress.direction, progress.length] = progress
        self._show(progress)

    @property
    def n_tested(self) -> int:
        """Studies that are finished."""
        return sum(progress.tested for progress in self._last.values())

    @property
    def n_remembered(self) -> int:
        """Finished studies whose counts a checkpoint had."""
        return sum(progress.remembered for progress in self._last.values())


@contextmanager
def progress_bar(talk: Console) -> Iterator[Callable[[Progress], None]]:
    """A bar for each level and direction on a terminal; nothing elsewhere."""
    if talk.quiet or not sys.stderr.isatty():
        yield ignore_progress
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns: list[Any] = [
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("rules tested"),
        TimeRemainingColumn(),
    ]
    with Bar(*columns, console=talk, transient=True) as bar:
        tasks: dict[tuple[str, int], Any] = {}
        reading = bar.add_task("reading and preparing", total=None)
        compiling = "compiling the inner loops, once after installing"

        def show(progress: Progress) -> None:
            bar.update(reading, visible=False)
            key = (progress.direction, progress.length)
            if key not in tasks:
                tasks[key] = bar.add_task("", total=progress.to_test)
            way = "raises or lowers" if progress.direction == "both" else progress.direction
            description = f"{way}, length {progress.length}"
            if progress.remembered:
                description += f" ({progress.remembered:,} from the checkpoint)"
            bar.update(tasks[key], completed=progress.tested, description=description)

        with on_compiling(lambda: bar.update(reading, description=compiling)):
            yield show

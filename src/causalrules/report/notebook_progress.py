"""A bar in a notebook while a search goes on; nothing elsewhere."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from causalrules.domain.progress import ignore_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from causalrules.domain.progress import Progress

PATIENCE = 1.0
"""Seconds before a bar appears: a search that is over by then needs none."""

_SECONDS_A_STEP = 0.2


@contextmanager
def showing_progress() -> Iterator[Callable[[Progress], None]]:
    """Something to tell about progress, which a notebook shows as a bar until the search is over."""
    display = _display()
    if display is None:
        yield ignore_progress
        return
    bar = _Bar(display)
    try:
        yield bar.see
    finally:
        bar.clear()


def _display() -> Any:
    """The function by which a notebook shows things; None where Python does not run in one."""
    shell = sys.modules.get("IPython")
    running = None if shell is None else shell.get_ipython()
    if running is None or not hasattr(running, "kernel"):
        return None
    from IPython.display import display

    return display


class _Bar:
    """One output of a cell, which is written anew."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._shown: Any = None
        self._next = monotonic() + PATIENCE

    def see(self, progress: Progress) -> None:
        """Show how far a level is, a few times a second."""
        if monotonic() < self._next:
            return
        self._next = monotonic() + _SECONDS_A_STEP
        self._show(bar_html(progress))

    def clear(self) -> None:
        """Leave nothing behind."""
        if self._shown is not None:
            self._show("")

    def _show(self, html: str) -> None:
        bundle = {"text/html": html, "text/plain": ""}
        if self._shown is None:
            self._shown = self._display(bundle, raw=True, display_id=True)
        else:
            self._shown.update(bundle, raw=True)


def bar_html(progress: Progress) -> str:
    """How many rules of a level are tested, as a bar and in words."""
    way = "raises or lowers" if progress.direction == "both" else progress.direction
    told = f"{way}, length {progress.length}: {progress.tested:,} of {progress.to_test:,} rules tested"
    bar = f'<progress max="{progress.to_test}" value="{progress.tested}" style="width:20em"></progress>'
    return f"<div>{bar} {told}</div>"

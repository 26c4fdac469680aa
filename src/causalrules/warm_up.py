"""Kernels loaded, or compiled, before the real table comes."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING

from causalrules.domain import DataSummary, Item, Outcome, Settings
from causalrules.errors import MissingPackageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from causalrules.domain.settings import MatchingChoice


@contextmanager
def warming_up(matching: MatchingChoice) -> Iterator[Callable[[], None]]:
    """Load the kernels in another thread while the block reads a table; gives what waits for it.

    Reading leaves the interpreter free most of the time, and loading takes
    about as long as parsing a large file.
    """

    def warm_up_quietly() -> None:
        with suppress(MissingPackageError):  # told when the package is really needed
            warm_up(matching)

    thread = Thread(target=warm_up_quietly, daemon=True)
    thread.start()
    try:
        yield thread.join
    finally:
        thread.join()


@cache
def warm_up(matching: MatchingChoice) -> None:
    """Mine a toy table once, so that every kernel is loaded, or compiled, for this way of matching."""
    import numpy as np

    from causalrules.domain.progress import ignore_progress
    from causalrules.domain.stopwatch import Stopwatch
    from causalrules.encode import CodedTable
    from causalrules.engines.load import open_coded
    from causalrules.search import Search

    n = 64
    x, z = np.arange(n) % 2 == 0, np.arange(n) % 8 < 4
    codes = np.stack([np.where(z, 1, 2), np.where(x, 1, 2), np.where(np.arange(n) % 16 < 8, 1, 2)])
    table = CodedTable(
        codes=codes.astype(np.uint16),
        items=tuple(Item(column, value) for column in "abc" for value in "pq"),
        first_item=np.array([0, 2, 4, 6]),
        has_outcome=(x | z) ^ (np.arange(n) % 7 == 0),
        summary=DataSummary(
            source="warm-up",
            rows=n,
            rows_without_outcome=0,
            columns=3,
            items=6,
            outcome=Outcome("z", "yes", n // 2, n // 2),
        ),
    )
    settings = Settings(
        judge="interval", confidence=0.5, min_support=0.0, max_length=2, threads=1, matching=matching
    )
    Search(open_coded(table, settings), settings, Stopwatch(), ignore_progress).run()

"""Kernels loaded, or compiled, before the real table comes."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING, Any

from causalrules.domain import DataSummary, Item, Outcome, Settings
from causalrules.domain.plain_settings import PlainSettings
from causalrules.errors import MissingPackageError
from causalrules.kernels.compiled import on_compiling

__all__ = ["compile_kernels", "on_compiling", "warm_up", "warming_up"]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from causalrules.domain.table_settings import TableSettings
    from causalrules.search_run import SearchRun


_SOON_READ = 8 << 20
"""Bytes of a file that is read and coded sooner than kernels are loaded."""


@contextmanager
def warming_up(source: Any, load: Callable[[], None]) -> Iterator[Callable[[], None]]:
    """Load the kernels in another thread while the block reads a table; gives what waits for it.

    Reading leaves the interpreter free most of the time, and loading takes
    about as long as parsing a large file. A small one is read first: kernels are
    loaded when they are called, which a mistake in the outcome's name comes before.
    """
    if _is_soon_read(source):
        yield lambda: None
        return

    def warm_up_quietly() -> None:
        with suppress(MissingPackageError):  # told when the package is really needed
            load()

    thread = Thread(target=warm_up_quietly, daemon=True)
    thread.start()
    try:
        yield thread.join
    finally:
        thread.join()


def _is_soon_read(source: Any) -> bool:
    try:
        return isinstance(source, str | os.PathLike) and os.path.getsize(source) < _SOON_READ
    except (
        FileNotFoundError
    ):  # the standard input, an address, a pattern of names; or whoever reads it says so
        name = os.fspath(source)
        return name != "-" and not any(sign in name for sign in "*?[:")
    except (OSError, ValueError):  # not a file's name: whoever reads it has a word for that
        return False


def compile_kernels() -> None:
    """Compile the kernels of every method, unless that was done before.

    The compiled code is kept on disk: whoever runs this after installing the package has a first run
    that takes as long as all others.
    """
    from causalrules.paper.job import PaperJob
    from causalrules.paper.settings import PaperSettings
    from causalrules.plain import PlainJob
    from causalrules.search.job import DefaultJob

    for has_wide_codes in (False, True):
        for matching in ("auto", "propensity"):
            warm_up(DefaultJob.search, Settings(matching=matching), has_wide_codes=has_wide_codes)
        warm_up(PaperJob.search, PaperSettings(), has_wide_codes=has_wide_codes)
        warm_up(PlainJob.search, PlainSettings(), has_wide_codes=has_wide_codes)


_TOY = {"a": "pq", "b": "pq", "c": "pqr"}
"""Columns and values of the toy table."""

_TOO_MANY_FOR_A_BYTE = 256
"""Values of a column from which codes take two bytes, and other compiled code."""


@cache
def warm_up(
    search: Callable[..., SearchRun], settings: TableSettings, *, has_wide_codes: bool = False
) -> None:
    """Mine a toy table once, so that every kernel of this search with such settings is loaded, or compiled.

    It has what the default's kernels are for: a column of more than two values, which may be told in
    coarse codes; one that so few records have that their distribution is exact, while
    others have so many that a p-value comes from the saddle-point. Few tables have codes of two bytes;
    where they are asked for, the last column has values that no record has.
    """
    import numpy as np

    from causalrules.domain.progress import Stopwatch, ignore_progress
    from causalrules.domain.unique_rows import number_combinations
    from causalrules.encode import CodedTable
    from causalrules.engines.load import open_coded

    n = 1 << 10
    number = np.arange(n)
    x, z, is_rare = number % 2 == 0, number % 8 < 4, number % 64 == 1
    c = np.where(is_rare, 3, 1 + (number % 16 < 8))
    codes = np.stack([np.where(z, 1, 2), np.where(x, 1, 2), c])
    items = [Item(column, value) for column, values in _TOY.items() for value in values]
    if has_wide_codes:
        items += [Item("c", str(value)) for value in range(_TOO_MANY_FOR_A_BYTE)]
    table = CodedTable(
        codes=codes.astype(np.uint16),
        items=tuple(items),
        first_item=np.array([0, 2, 4, len(items)]),
        has_outcome=(((x | z) & (c == 1)) ^ (number % 7 == 0)) | is_rare,
        summary=DataSummary(
            source="warm-up",
            rows=n,
            rows_without_outcome=0,
            columns=3,
            items=len(items),
            outcome=Outcome("z", "yes", n // 2, n // 2),
        ),
    )
    settings = settings.for_a_toy()
    search(open_coded(table, settings), settings, Stopwatch(), ignore_progress).run()
    number_combinations([np.array([0, n * n])], 2)  # so far apart that they are sorted

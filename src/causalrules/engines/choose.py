"""Which engine fits a source: how much memory it would take, and how much there is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from causalrules.files.available_memory import available_memory
from causalrules.read import files_of, is_lazy, is_stream
from causalrules.read.addresses import is_address
from causalrules.read.compressed import unpacked_size
from causalrules.read.file_kinds import PACKED
from causalrules.read.table_at import TableAt

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain.table_settings import TableSettings

BYTES_A_CELL = 11
"""Of memory for each value of a Parquet file, measured (docs/scale.md)."""

BYTES_A_TEXT_BYTE = 5
"""Of memory for each byte of any other file: a value of one letter and its comma may take as much as a
value of a Parquet file."""

PYTHON_BYTES = 240 << 20
"""Of memory for Python, its libraries and the compiled kernels, measured (docs/scale.md)."""

SMALLEST_LIMIT = 320 << 20
"""What a run in parts can do with, its smallest blocks included."""

SMALL = 64 << 20
"""A file that cannot need more bytes than this is not opened for an estimate."""

_PACKED = 8
"""How many times smaller than its content a compressed file usually is."""


def choose_engine(
    table: Any, settings: TableSettings, remark: Callable[[str], None]
) -> Literal["memory", "streaming", "spark"]:
    """The engine that the settings name, or the one that fits.

    Spark for its own data frames, memory for what is there already or seems to fit, else streaming.
    """
    if settings.engine != "auto":
        return settings.engine
    if type(table).__module__.startswith("pyspark."):
        return "spark"
    if isinstance(table, TableAt):
        table = table.location
    if is_address(table):
        remark(
            "The size of a table elsewhere is not known before: it is counted in blocks "
            "(--engine memory insists)."
        )
        return "streaming"
    if is_stream(table):
        remark("The size of a stream is not known before: it is counted in blocks (--engine memory insists).")
        return "streaming"
    if not isinstance(table, str | os.PathLike | list | tuple) and is_lazy(table):
        remark(
            "The size of a lazy frame is not known before: it is counted in blocks (--engine memory insists)."
        )
        return "streaming"
    needed = sum(map(memory_needed, files_of(table) or [table]))
    if needed <= memory_for_records(settings):
        return "memory"
    remark(
        f"The table may need {in_units(needed + PYTHON_BYTES)} of memory, more than "
        f"{in_units(memory_allowed(settings))}: "
        "it is counted in blocks (--engine memory insists, --memory allows more)."
    )
    return "streaming"


def memory_needed(table: Any) -> int:
    """An estimate of what the memory engine would take for a file; 0 for a table that is in memory."""
    if not isinstance(table, str | os.PathLike) or str(table) == "-":
        return 0
    path = Path(table)
    try:
        files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
        n_bytes = sum(file.stat().st_size for file in files)
    except OSError:
        return 0  # reading will tell what is wrong
    suffix = "".join(path.suffixes).lower()
    if suffix.endswith(PACKED):
        return int(unpacked_size(path) * BYTES_A_TEXT_BYTE)
    if n_bytes * _PACKED * BYTES_A_CELL < SMALL:
        return n_bytes
    if path.is_dir() or suffix.endswith((".parquet", ".pq")):
        from causalrules.read.columnar import n_parquet_cells

        return BYTES_A_CELL * n_parquet_cells(files)
    return int(n_bytes * BYTES_A_TEXT_BYTE)


def in_units(n_bytes: int) -> str:
    """A number of bytes in MiB or GiB.

    Examples
    --------
    >>> in_units(3 << 30), in_units(200 << 20)
    ('3.0 GiB', '200 MiB')
    """
    return f"{n_bytes / (1 << 30):.1f} GiB" if n_bytes >= 1 << 30 else f"{n_bytes >> 20} MiB"


def memory_allowed(settings: TableSettings) -> int:
    """Bytes that a run may take: what the user allows, else half of what is available."""
    return settings.most_bytes or available_memory() // 2


def memory_for_records(settings: TableSettings) -> int:
    """Bytes that records may take: what a run may take less what Python takes itself, at least a quarter."""
    allowed = memory_allowed(settings)
    return max(allowed - PYTHON_BYTES, allowed // 4)


def remark_on_smallest_limit(settings: TableSettings, remark: Callable[[str], None]) -> None:
    """Say so where less memory is allowed than a run in parts can do with."""
    if settings.most_bytes is not None and settings.most_bytes < SMALLEST_LIMIT:
        remark(
            f"{in_units(settings.most_bytes)} cannot be kept: Python takes {in_units(PYTHON_BYTES)} itself, "
            f"so the smallest limit is {in_units(SMALLEST_LIMIT)} (--memory)."
        )

"""Which engine fits a source."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from causalrules.engines.free_memory import memory_at_hand
from causalrules.read.batches import is_stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Settings

BYTES_A_CELL = 11
"""Of memory for each value of a Parquet file, measured (docs/scale.md)."""

BYTES_A_TEXT_BYTE = 2.2
"""Of memory for each byte of any other file, measured with delimited text (docs/scale.md)."""

_SMALL = 64 << 20
"""Nobody looks into a file that cannot need more than this."""

_PACKED = 8
"""How many times smaller than its content a gzipped text usually is."""


def fitting_engine(
    table: Any, settings: Settings, remark: Callable[[str], None]
) -> Literal["memory", "streaming", "spark"]:
    """Spark for its own data frames, memory for what is there already or seems to fit, else streaming."""
    if type(table).__module__.startswith("pyspark."):
        return "spark"
    if is_stream(table):
        remark("Nobody knows the size of a stream: it is counted in blocks (--engine memory insists).")
        return "streaming"
    needed = memory_needed(table)
    allowed = settings.most_bytes or memory_at_hand() // 2
    if needed <= allowed:
        return "memory"
    remark(
        f"The table may need {readable(needed)} of memory, more than {readable(allowed)}: "
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
    if n_bytes * _PACKED * BYTES_A_CELL < _SMALL:
        return n_bytes
    suffix = "".join(path.suffixes).lower()
    if path.is_dir() or suffix.endswith((".parquet", ".pq")):
        from causalrules.read.columnar import n_parquet_cells

        return BYTES_A_CELL * n_parquet_cells(files)
    return int(n_bytes * BYTES_A_TEXT_BYTE * (_PACKED if suffix.endswith(".gz") else 1))


def readable(n_bytes: int) -> str:
    """A number of bytes as people say it.

    Examples
    --------
    >>> readable(3 << 30), readable(200 << 20)
    ('3.0 GiB', '200 MiB')
    """
    return f"{n_bytes / (1 << 30):.1f} GiB" if n_bytes >= 1 << 30 else f"{n_bytes >> 20} MiB"

"""Which engine fits a source: how much memory it would take, and how much there is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from causalrules.read import is_stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Settings

BYTES_A_CELL = 11
"""Of memory for each value of a Parquet file, measured (docs/scale.md)."""

BYTES_A_TEXT_BYTE = 2.2
"""Of memory for each byte of any other file, measured with delimited text (docs/scale.md)."""

SMALL = 64 << 20
"""A file that cannot need more bytes than this is not opened for an estimate."""

_PACKED = 8
"""How many times smaller than its content a gzipped text usually is."""

_MEMINFO = Path("/proc/meminfo")
_CONTAINER = Path("/sys/fs/cgroup")
_UNKNOWN = 4 << 30
_LEAST = 256 << 20
_NO_LIMIT = 1 << 60


def choose_engine(
    table: Any, settings: Settings, remark: Callable[[str], None]
) -> Literal["memory", "streaming", "spark"]:
    """Spark for its own data frames, memory for what is there already or seems to fit, else streaming."""
    if type(table).__module__.startswith("pyspark."):
        return "spark"
    if is_stream(table):
        remark("The size of a stream is not known before: it is counted in blocks (--engine memory insists).")
        return "streaming"
    needed = memory_needed(table)
    allowed = memory_allowed(settings)
    if needed <= allowed:
        return "memory"
    remark(
        f"The table may need {in_units(needed)} of memory, more than {in_units(allowed)}: "
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
    if n_bytes * _PACKED * BYTES_A_CELL < SMALL:
        return n_bytes
    suffix = "".join(path.suffixes).lower()
    if path.is_dir() or suffix.endswith((".parquet", ".pq")):
        from causalrules.read.columnar import n_parquet_cells

        return BYTES_A_CELL * n_parquet_cells(files)
    return int(n_bytes * BYTES_A_TEXT_BYTE * (_PACKED if suffix.endswith(".gz") else 1))


def in_units(n_bytes: int) -> str:
    """A number of bytes in MiB or GiB.

    Examples
    --------
    >>> in_units(3 << 30), in_units(200 << 20)
    ('3.0 GiB', '200 MiB')
    """
    return f"{n_bytes / (1 << 30):.1f} GiB" if n_bytes >= 1 << 30 else f"{n_bytes >> 20} MiB"


def memory_allowed(settings: Settings) -> int:
    """Bytes that a run may take: what the user allows, else half of what is available."""
    return settings.most_bytes or available_memory() // 2


def available_memory() -> int:
    """Bytes that this machine, or the container we run in, has left.

    Where the system does not tell it is taken to be 4 GiB, and never to be less than 256 MiB.
    """
    return max(_LEAST, min(_left_on_machine(), _left_in_container()))


def _left_on_machine() -> int:
    try:
        for line in _MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (OSError, ValueError, AttributeError):
        return _UNKNOWN


def _left_in_container() -> int:
    """What a limit set from outside leaves; `_NO_LIMIT` if there is none."""
    try:
        most = (_CONTAINER / "memory.max").read_text().strip()
        if most == "max":
            return _NO_LIMIT
        used = int((_CONTAINER / "memory.current").read_text())
        entries = dict(line.split() for line in (_CONTAINER / "memory.stat").read_text().splitlines())
        cached = int(entries.get("inactive_file", 0))  # pages of files, given back when they are needed
        return int(most) - used + cached
    except (OSError, ValueError):
        return _NO_LIMIT

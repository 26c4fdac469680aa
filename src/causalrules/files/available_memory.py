"""How much memory is left, on any system and within containers, and giving back what is not used."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterator

_CONTAINER = Path("/sys/fs/cgroup")
_LINUX = Path("/proc/meminfo")
_LEAST = 256 << 20
_NO_LIMIT = 1 << 60


def available_memory() -> int:
    """Bytes that this machine, or the container we run in, has left; never taken to be less than 256 MiB."""
    return max(_LEAST, min(_left_on_machine(), _left_in_container()))


@contextmanager
def from_the_system() -> Iterator[None]:
    """Have Arrow take its memory from the system, where a limit is to be kept.

    What its own allocator keeps for later is up to 100 MB for each thread that reads a wide table.
    """
    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(before)


def give_back_memory() -> None:
    """Give memory that was freed back to the system: Arrow and glibc keep much of it for what may come."""
    pa.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError, TypeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)


def _left_on_machine() -> int:
    """Memory that the system would give: Linux reports it in a file, elsewhere psutil asks the system."""
    try:
        told = dict(line.split(":") for line in _LINUX.read_text().splitlines())
        return int(told["MemAvailable"].removesuffix("kB")) << 10
    except (OSError, ValueError, KeyError):
        import psutil

        return int(psutil.virtual_memory().available)


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

"""How much memory this machine, or the container we run in, has left."""

from __future__ import annotations

import os
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")
_CONTAINER = Path("/sys/fs/cgroup")
_UNKNOWN = 4 << 30
_LEAST = 256 << 20
_NO_LIMIT = 1 << 60


def memory_at_hand() -> int:
    """Bytes that can still be taken; 4 GiB where the system does not tell, and never next to nothing."""
    return max(_LEAST, min(_of_machine(), _of_container()))


def _of_machine() -> int:
    try:
        for line in _MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (OSError, ValueError, AttributeError):
        return _UNKNOWN


def _of_container() -> int:
    """What a limit set from outside leaves; far too much if there is none."""
    try:
        most = (_CONTAINER / "memory.max").read_text().strip()
        if most == "max":
            return _NO_LIMIT
        used = int((_CONTAINER / "memory.current").read_text())
        entries = dict(line.split() for line in (_CONTAINER / "memory.stat").read_text().splitlines())
        cached = int(entries.get("inactive_file", 0))  # pages of files, given back when somebody needs them
        return int(most) - used + cached
    except (OSError, ValueError):
        return _NO_LIMIT

"""Locks that the system gives back when a process ends, however it ends."""

from __future__ import annotations

import sys


def try_lock(file: int) -> bool | None:
    """Lock an open file for this process alone.

    Returns
    -------
    bool or None
        Whether we have it now; None where the system has no such locks.
    """
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

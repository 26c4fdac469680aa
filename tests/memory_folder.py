"""A folder in memory: files for a record each, and saves that wait for the disk, are slow elsewhere."""

import os
from tempfile import TemporaryDirectory

_IN_MEMORY = "/dev/shm"


def memory_folder():
    """A temporary folder, in memory where the system has a place for that."""
    place = _IN_MEMORY if os.access(_IN_MEMORY, os.W_OK) else None
    return TemporaryDirectory(prefix="causalrules-", dir=place, ignore_cleanup_errors=True)

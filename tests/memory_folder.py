"""A folder in memory: a checkpoint waits for the disk at each save, which few tests are about."""

import os
from tempfile import TemporaryDirectory

_IN_MEMORY = "/dev/shm"


def memory_folder():
    """A temporary folder, in memory where the system has a place for that."""
    return TemporaryDirectory(
        prefix="causalrules-", dir=_IN_MEMORY if os.access(_IN_MEMORY, os.W_OK) else None
    )

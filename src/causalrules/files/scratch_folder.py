"""A folder for files that are needed only while we run."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from causalrules.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from filelock import FileLock

_PREFIX = "causalrules-scratch-"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder among the temporary ones, removed at the end.

    A process that was killed cannot remove its own. The system gives its lock
    back, though: folders whose lock nobody holds are removed when the next
    one is made. The lock stands beside the folder, because Windows neither
    renames nor removes a folder while a file in it is open.
    """
    home = Path(tempfile.gettempdir())
    _remove_abandoned(home)
    folder = home / f"{_PREFIX}{uuid4().hex}"
    lock = _lock_of(folder)
    try:
        with suppress(NotImplementedError):  # no locks on this disk: the folder stays after a kill
            lock.acquire(timeout=0)  # first the lock: a folder that others can see is locked
        folder.mkdir(mode=0o700)
    except OSError as error:
        _give_back(lock)
        raise OutputError(home, error.strerror or str(error)) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _give_back(lock)


def _lock_of(folder: Path) -> FileLock:
    from filelock import FileLock  # with the first folder: most runs need none

    return FileLock(_lock_file_of(folder), thread_local=False)


def _lock_file_of(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.lock")


def _give_back(lock: FileLock) -> None:
    lock.release()
    Path(lock.lock_file).unlink(missing_ok=True)


def _remove_abandoned(home: Path) -> None:
    for folder in home.glob(f"{_PREFIX}*"):
        if not _lock_file_of(folder).exists():
            continue  # made where there are no locks: it may be in use
        lock = _lock_of(folder)
        with suppress(OSError, NotImplementedError):  # somebody else's, in use, or gone already
            lock.acquire(timeout=0)
            shutil.rmtree(folder, ignore_errors=True)
            _give_back(lock)

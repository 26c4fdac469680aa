"""A folder for files that are needed only while we run."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from causalrules.errors import OutputError
from causalrules.files.file_lock import try_lock

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = "causalrules-scratch-"
_LOCK = "in-use"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder among the temporary ones, removed at the end.

    A process that was killed cannot remove its own. The system gives its lock
    back, though: folders whose lock nobody holds are removed when the next
    one is made.
    """
    home = Path(tempfile.gettempdir())
    _remove_abandoned(home)
    try:
        folder, lock = _locked_folder(home)
    except OSError as error:
        raise OutputError(home, error.strerror or str(error)) from error
    try:
        yield folder
    finally:
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def _locked_folder(home: Path) -> tuple[Path, int]:
    """A new folder and its lock; the name that others look for is given to it once it is locked."""
    unnamed = Path(tempfile.mkdtemp(prefix=".causalrules-", dir=home))
    lock = os.open(unnamed / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    with suppress(OSError):  # no locks on this disk: nothing will be taken for abandoned
        try_lock(lock)
    folder = home / f"{_PREFIX}{unnamed.name.removeprefix('.causalrules-')}"
    return unnamed.rename(folder), lock


def _remove_abandoned(home: Path) -> None:
    for folder in home.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # somebody else's, or gone already
            lock = os.open(folder / _LOCK, os.O_RDWR)
            try:
                if try_lock(lock):
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)

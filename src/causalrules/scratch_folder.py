"""A folder for files that are needed only while we run."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from causalrules.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = re.compile(r"causalrules-(\d+)-\w+")


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder among the temporary ones, removed at the end.

    A process that was killed cannot remove its own: folders of processes that
    are gone are removed when the next one is made.
    """
    home = Path(tempfile.gettempdir())
    _remove_abandoned(home)
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"causalrules-{os.getpid()}-", dir=home))
    except OSError as error:
        raise OutputError(home, error.strerror or str(error)) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_abandoned(home: Path) -> None:
    for folder in home.glob("causalrules-*"):
        name = _NAME.fullmatch(folder.name)
        if name and not _is_alive(int(name[1])):
            shutil.rmtree(folder, ignore_errors=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True

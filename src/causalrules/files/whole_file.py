"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from causalrules.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside `path`; on success it takes its place, on failure it vanishes.

    A device or a pipe is given as it is.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "answer.txt") as unfinished:
    ...         _ = unfinished.write_text("42")
    ...     os.listdir(folder)
    ['answer.txt']
    """
    target = _final_place(path)
    if is_device(target):
        yield target
        return
    unfinished = _claim_temporary_name(target)
    try:
        yield unfinished
        unfinished.chmod(_usual_permissions())
        _to_disk(unfinished)
        unfinished.replace(target)
        _to_disk(target.parent)
    except OSError as error:
        raise OutputError(target, error.strerror or str(error)) from error
    finally:
        with suppress(FileNotFoundError):
            unfinished.unlink()


def _to_disk(path: Path) -> None:
    """Wait until the disk has it, so that a power cut leaves the old file or the new one."""
    if path.is_dir() and os.name == "nt":  # Windows opens no folders, and writes their entries by itself
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise now, before long work, if a file could not be written here later."""
    target = _final_place(path)
    if not is_device(target):
        _claim_temporary_name(target).unlink()


def _final_place(path: str | os.PathLike[str]) -> Path:
    """Where the file will be: links are followed, so that they stay links."""
    target = Path(os.path.realpath(path))
    try:
        is_folder, has_folder = target.is_dir(), target.parent.is_dir()
    except OSError as error:
        raise OutputError(path, error.strerror or str(error)) from error
    if is_folder:
        raise OutputError(path, "it is a folder")
    if not has_folder:
        raise OutputError(path, f"there is no folder {target.parent}")
    return target


def is_device(target: Path) -> bool:
    """Something like /dev/null or a pipe, which must be written to and never replaced."""
    return target.exists() and not target.is_file()


def _claim_temporary_name(target: Path) -> Path:
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".causalrules-", suffix=target.suffix)
    except OSError as error:
        raise OutputError(target, error.strerror or str(error)) from error
    os.close(handle)
    return Path(name)


def _usual_permissions() -> int:
    """Permissions an ordinary new file would get; mkstemp's are private."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

"""The folder of a checkpoint: locked by one run, its files whole or absent."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from causalrules.errors import CheckpointError
from causalrules.files.file_lock import try_lock

_LOCK = "lock"
HEADER = "checkpoint.json"
_UNFINISHED = ".checkpoint-"
_ANSWERS = re.compile(r"answers-(\d{6,})-([0-9a-f]{32})\.arrow")


class Folder:
    """The files of one checkpoint.

    Only names of our own are read, written or removed; whatever else lies in
    the folder is left alone.

    Parameters
    ----------
    path : str or path
        Made if its parent is there.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._lock: int | None = None
        self._is_new = False

    def claim(self) -> None:
        """Make the folder, lock it for this process, and remove what a killed run left unfinished.

        The system gives the lock back when a process ends, however it ends.
        """
        try:
            self._is_new = not self.path.exists()
            if self._is_new:
                self.path.mkdir()
            self._lock = self._locked()
            os.truncate(self._lock, 0)
            os.write(self._lock, f"{os.getpid()}\n".encode())
            for unfinished in self.path.glob(f"{_UNFINISHED}*"):
                unfinished.unlink()
        except CheckpointError:
            raise
        except OSError as error:
            self.release()
            raise CheckpointError.unusable(self.path, error) from error

    def _locked(self) -> int:
        while True:
            lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
            if try_lock(lock) is False:
                holder = os.read(lock, 20).decode(errors="replace").strip()
                os.close(lock)
                raise CheckpointError.in_use(self.path, holder)
            if self._is_still_there(lock):
                return lock
            os.close(lock)  # its run ended, and took the file away, while we waited

    def _is_still_there(self, lock: int) -> bool:
        with suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(lock), os.stat(self.path / _LOCK))
        return False

    def release(self) -> None:
        """Give the lock back; a folder that was made for nothing is removed."""
        if self._lock is not None:
            with suppress(OSError):
                (self.path / _LOCK).unlink()
            os.close(self._lock)
            self._lock = None
        if self._is_new:
            with suppress(OSError):  # not empty: it has a checkpoint
                self.path.rmdir()

    def header(self) -> bytes | None:
        """What describes the run, if there is anything."""
        try:
            return (self.path / HEADER).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CheckpointError.unusable(self.path, error) from error

    def write_header(self, data: bytes) -> None:
        """Say what run this is."""
        self._write(HEADER, data)

    def answers(self) -> list[str]:
        """Names of the files with answers, in the order in which they were written."""
        numbered = [
            (int(found[1]), name) for name in os.listdir(self.path) if (found := _ANSWERS.fullmatch(name))
        ]
        return [name for _, name in sorted(numbered)]

    def write_answers(self, number: int, data: bytes) -> str:
        """Write the file with this number; its name holds its checksum."""
        name = f"answers-{number:06}-{_checksum(data)}.arrow"
        self._write(name, data)
        return name

    def read_answers(self, name: str) -> bytes | None:
        """A file of answers, or None if it is not what was written."""
        found = _ANSWERS.fullmatch(name)
        with suppress(OSError):
            data = (self.path / name).read_bytes()
            if found and found[2] == _checksum(data):
                return data
        return None

    def remove(self, name: str) -> None:
        """Remove a file of ours."""
        with suppress(FileNotFoundError):
            (self.path / name).unlink()

    def _write(self, name: str, data: bytes) -> None:
        """Write a file that appears whole and lasts, or does not appear."""
        unfinished = self.path / f"{_UNFINISHED}{name}"
        try:
            with unfinished.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(self.path / name)
        finally:
            with suppress(OSError):
                unfinished.unlink()
        self._sync_names()

    def _sync_names(self) -> None:
        """Make the new name last as well; Windows does this by itself and cannot be asked."""
        if sys.platform != "win32":
            folder = os.open(self.path, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def _checksum(data: bytes) -> str:
    return sha256(data).hexdigest()[:32]

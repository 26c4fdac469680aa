"""Answers by their questions, in one SQLite file that belongs to one run at a time.

SQLite keeps what was committed through kills and power failures, and its
exclusive lock ends with the process, however it ends. It does not notice a
changed byte inside a value, so each value carries a digest.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import zlib
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryFile
from threading import RLock, local
from time import monotonic
from typing import TYPE_CHECKING, Any

from causalrules.engines.questions import from_bytes, to_bytes
from causalrules.errors import CheckpointError

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.engines.contract import Packed

SECONDS_BETWEEN_SAVES = 1.0
SHARE_BETWEEN_SAVES = 0.01
"""Answers are saved after a second, in long runs after a hundredth of the time so far: a kill costs no more
than that, and saving takes next to nothing."""

FILE = "checkpoint.sqlite"
DAMAGED = "damaged.sqlite"
PROCESS = "process"
_MOST_UNSAVED_BYTES = 1 << 26
_OURS = 0x63617573
"""Stands in the file's header, at bytes 68 to 71, and reads "caus"."""

_TABLES = f"""
BEGIN;
PRAGMA application_id = {_OURS};
CREATE TABLE run (description BLOB, digest BLOB);
CREATE TABLE answers (key BLOB PRIMARY KEY, question TEXT, answer BLOB, digest BLOB);
"""
_IN_USE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_OF_THE_SYSTEM = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
}
"""Errors that say nothing about the file's content; all others do."""


class SavedAnswers:
    """The answers of one run: those of earlier starts, and those of this one.

    Threads may ask for them and add others side by side: one waits while another has the file.

    Parameters
    ----------
    folder : str or path
        Made if its parent is there. Only files with names of ours are touched.
    on_trouble : callable
        Told once, in words, when answers cannot be saved, and when those that were saved are damaged.
    """

    def __init__(self, folder: str | os.PathLike[str], on_trouble: Callable[[str], None]) -> None:
        self.folder = Path(folder)
        self._taken = local()
        self._file = self.folder / FILE
        self._on_trouble = on_trouble
        self._is_in_trouble = False
        self._is_new_folder = self._is_locked = False
        self._connection: sqlite3.Connection | None = None
        self._unsaved: dict[bytes, tuple[bytes, str, bytes, bytes]] = {}
        self._n_unsaved_bytes = 0
        self._started = self._saved_at = monotonic()
        self._turn = RLock()

    def open(self) -> None:
        """Make the folder and lock the file for this process; refuse what cannot be written to."""
        try:
            self._is_new_folder = not self.folder.exists()
            if self._is_new_folder:
                self.folder.mkdir()
            with TemporaryFile(dir=self.folder) as room:  # fails in the system's own words
                room.write(bytes(1 << 14))
            self._lock()
            self._is_locked = True
            (self.folder / PROCESS).write_text(f"{os.getpid()}\n")
        except OSError as error:
            self.close()
            raise CheckpointError.unusable(self.folder, error) from error
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        """Open the file and lock it; one that is damaged is put aside."""
        try:
            self._connect()
        except sqlite3.Error as error:
            self._disconnect()
            code = _code(error)
            if code not in _IN_USE and not self._file.exists():
                self._lock()  # another run ended, and took the file away, before we had the lock
                return
            if code in _IN_USE:
                raise CheckpointError.in_use(self.folder, self._holder()) from error
            if code in _OF_THE_SYSTEM:
                raise OSError(*_in_words(error)) from error
            self.begin_anew()

    def _connect(self) -> None:
        # Threads take turns, see `_turn`.
        self._connection = sqlite3.connect(
            self._file, timeout=0, isolation_level=None, check_same_thread=False
        )
        ask = self._connection.execute
        ask("PRAGMA locking_mode = EXCLUSIVE")  # the lock of the first transaction stays
        ask("PRAGMA synchronous = FULL")
        ask("PRAGMA cell_size_check = ON")
        ask("BEGIN EXCLUSIVE")
        (found,) = ask("PRAGMA integrity_check(1)").fetchone()
        if _is_unread(found):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        ask("ROLLBACK")  # a COMMIT would make an empty file a database

    def _disconnect(self) -> None:
        with self._turn:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _holder(self) -> str:
        with suppress(OSError, UnicodeDecodeError):
            return (self.folder / PROCESS).read_text().strip()[:20]
        return ""

    def begin_anew(self) -> None:
        """Put a damaged file aside, and begin another; a file that never was ours is left alone."""
        self._disconnect()
        with self._file.open("rb") as file:
            head = file.read(1 << 16)
        is_cut = len(head) < 72 and b"SQLite format 3\0".startswith(head[:16])
        if not (is_cut or head[68:72] == _OURS.to_bytes(4, "big") or b"causalrules" in head):
            raise CheckpointError.foreign(self.folder, FILE)
        self._file.replace(self.folder / DAMAGED)
        with suppress(FileNotFoundError):  # what it says of the damaged file must not be done to the new one
            (self.folder / f"{FILE}-journal").unlink()
        self._on_trouble(
            f"The checkpoint {self.folder} is damaged: everything is counted anew, and what was there "
            f"is now in {DAMAGED}."
        )
        self._lock()

    def close(self) -> None:
        """Give the lock back; a file and a folder that were made for nothing are removed."""
        in_use = []
        if self._is_locked:
            self._is_locked = False
            is_empty = self._connection is not None and self._file.stat().st_size == 0
            # A run that was killed leaves an idle journal, too.
            for leftover in (PROCESS, f"{FILE}-journal", *([FILE] if is_empty else [])):
                try:
                    (self.folder / leftover).unlink()
                except PermissionError:
                    in_use.append(leftover)  # Windows removes no open file
                except OSError:
                    continue
        self._disconnect()
        for leftover in in_use:
            with suppress(OSError):  # gone by itself, or another run has it open by now
                (self.folder / leftover).unlink()
        if self._is_new_folder:
            with suppress(OSError):  # not empty: it has a checkpoint
                self.folder.rmdir()

    def run(self) -> bytes | None:
        """The description of the run, as it was given; None if there is none yet.

        A file that is damaged, so that it cannot be told, is put aside.
        """
        assert self._connection is not None, "opened before"
        try:
            if not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                return None
            found = self._connection.execute("SELECT description, digest FROM run").fetchone()
        except sqlite3.Error:
            found = None
        if found is None or not _is_whole(b"run", *found):
            self.begin_anew()
            return None
        description: bytes = found[0]
        return description

    def describe(self, description: bytes) -> None:
        """Say what run this is, in a new file."""
        assert self._connection is not None, "opened before"
        try:
            with self._connection:
                self._connection.executescript(_TABLES)
                self._connection.execute(
                    "INSERT INTO run VALUES (?, ?)", (description, _digest(b"run", description))
                )
        except sqlite3.Error as error:
            raise CheckpointError.unusable(self.folder, OSError(*_in_words(error))) from error

    def __contains__(self, key: bytes) -> bool:
        with self._turn:
            return key in self._unsaved or self._row("SELECT 1 FROM answers WHERE key = ?", key) is not None

    def find(self, key: bytes) -> Packed | None:
        """The answer to a question, if there is one."""
        with self._turn:
            row = self._unsaved.get(key, ())[2:] or self._row(
                "SELECT answer, digest FROM answers WHERE key = ?", key
            )
        return from_bytes(zlib.decompress(row[0])) if row and _is_whole(key, *row) else None

    def take(self, key: bytes) -> Packed | None:
        """The answer about one of many rules, which are counted."""
        found = self.find(key)
        self._taken.number = self.n_taken + (found is not None)
        return found

    @property
    def n_taken(self) -> int:
        """Answers about single rules that this thread took."""
        number: int = getattr(self._taken, "number", 0)
        return number

    def _row(self, query: str, key: bytes) -> Any:
        """What the file holds of a question; nothing if it has been damaged meanwhile."""
        assert self._connection is not None, "no thread goes on asking when the run has ended"
        with suppress(sqlite3.Error):
            return self._connection.execute(query, (key,)).fetchone()
        return None

    def add(self, key: bytes, question: str, answer: Packed) -> None:
        """Keep an answer; now and then those that came together are saved."""
        data = zlib.compress(to_bytes(answer), 1)
        row = key, question, data, _digest(key, data)
        with self._turn:
            self._unsaved[key] = row
            self._n_unsaved_bytes += len(data)
            now = monotonic()
            patience = max(SECONDS_BETWEEN_SAVES, SHARE_BETWEEN_SAVES * (now - self._started))
            if now - self._saved_at >= patience or self._n_unsaved_bytes > _MOST_UNSAVED_BYTES:
                self.save()

    def save(self) -> None:
        """Save what was not saved yet.

        Where this fails the run goes on: what was saved is whole, what was
        not stays in memory, up to a limit, and is tried again with the next.
        """
        with self._turn:
            if not self._unsaved or self._connection is None:
                return
            try:
                with self._connection:
                    self._connection.execute("BEGIN")
                    rows = self._unsaved.values()
                    self._connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)
            except sqlite3.Error as error:
                self._report_trouble(_in_words(error)[1])
                if self._n_unsaved_bytes <= _MOST_UNSAVED_BYTES:
                    self._saved_at = monotonic()
                    return
            self._unsaved.clear()
            self._n_unsaved_bytes = 0
            self._saved_at = monotonic()

    def _report_trouble(self, problem: str) -> None:
        if not self._is_in_trouble:
            self._is_in_trouble = True
            self._on_trouble(
                f"Cannot save to the checkpoint {self.folder}: {problem}. "
                "The run goes on and tries again later; what was saved before is whole."
            )


def _digest(key: bytes, data: bytes) -> bytes:
    return blake2b(key + data, digest_size=16).digest()


def _is_whole(key: bytes, data: object, digest: object) -> bool:
    return isinstance(data, bytes) and _digest(key, data) == digest


def _code(error: sqlite3.Error) -> int:
    """The primary code of an error; that of damage where SQLite gives none."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def _is_unread(found: str) -> bool:
    """Whether a check ended because the disk did not hand over a page, which says nothing about the page.

    SQLite says so in the check's text. A file that ends too early is damaged all the same.
    """
    codes = [int(code) for code in re.findall(r"error code=(\d+)", found)]
    return any(code & 0xFF in _OF_THE_SYSTEM and code != sqlite3.SQLITE_IOERR_SHORT_READ for code in codes)


def _in_words(error: sqlite3.Error) -> tuple[int, str]:
    """An error as the system would put it."""
    if _code(error) == sqlite3.SQLITE_FULL:
        return errno.ENOSPC, os.strerror(errno.ENOSPC)
    return errno.EIO, str(error)

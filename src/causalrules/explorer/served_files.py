"""The files that may be opened: those of one folder, and those uploaded."""

from __future__ import annotations

import os
import re
import stat
from collections import OrderedDict
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import TYPE_CHECKING

from causalrules.errors import NotServedError, UploadError
from causalrules.read.file_kinds import DATABASES, LABELLED, PACKED, WORKBOOKS, part_chosen_by

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from causalrules.explorer.limits import Limits

_TEXTS = (".csv", ".tsv", ".tab", ".txt", ".data", ".test", ".arff", ".jsonl", ".ndjson", ".json")
_COLUMNAR = (".parquet", ".pq", ".feather", ".arrow", ".ipc")
ENDINGS = (*_TEXTS, *_COLUMNAR, *WORKBOOKS, *LABELLED, *DATABASES)
_IN_FOLDER, _UPLOADED = "folder:", "upload:"
PART = "\0"
"""Stands between a file and one of its tables; no path can hold it."""
_LONGEST_NAME = 255
_RESULT = re.compile(rb'\s*\{\s*"schema"\s*:\s*"causalrules(-session)?/')


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file that can be chosen: how it is asked for, and how it is shown."""

    id: str
    name: str
    bytes: int


class ServedFiles:
    """Files inside can be opened, and nothing else.

    Parameters
    ----------
    source : Path
        A folder, whose files can be chosen, or a single file.
    uploads : Path
        An own folder for what is uploaded; names of files are chosen here, never by who sends them.
    limits : Limits
        How much is taken.
    """

    def __init__(self, source: Path, uploads: Path, limits: Limits) -> None:
        resolved = source.resolve(strict=True)
        self._only = resolved.name if resolved.is_file() else None
        self._folder = resolved.parent if self._only else resolved
        self._uploads = uploads
        self._limits = limits
        self._uploaded: OrderedDict[str, tuple[Path, str]] = OrderedDict()
        self._arriving = 0
        self._numbers = count(1)
        self._lock = Lock()
        self.title = resolved.name or str(resolved)

    def listing(self) -> list[ListedFile]:
        """Uploaded files, the latest first, then those of the folder."""
        with self._lock:
            uploaded = list(self._uploaded.items())
        mine = []
        for key, (path, name) in reversed(uploaded):
            with suppress(FileNotFoundError):  # it has just made room for another
                mine.append(ListedFile(key, name, path.stat().st_size))
        return mine + sorted(self._tables(), key=lambda file: file.name.casefold())[: self._limits.files]

    def open(self, key: str) -> Path:
        """The path of a listed file, or of the file of a part; anything else is refused in the same words."""
        whole = key
        key, sign, part = key.partition(PART)
        path = self._uploaded_path(key) if key.startswith(_UPLOADED) else self._path_in_folder(key)
        if path is None or (sign and (not part or part_chosen_by(path) is None)):
            raise NotServedError(whole.removeprefix(_IN_FOLDER))
        return path

    def name(self, key: str) -> str:
        """How people know the file, whichever of its parts is meant."""
        key = key.partition(PART)[0]
        with self._lock:
            return self._uploaded[key][1] if key in self._uploaded else key.removeprefix(_IN_FOLDER)

    async def upload(self, name: str, chunks: AsyncIterator[bytes]) -> ListedFile:
        """Keep an uploaded file; its size is watched while it arrives, its name is only shown."""
        shown = PurePosixPath(name.replace("\\", "/")).name.replace("\0", "")[-_LONGEST_NAME:] or "a file"
        number = next(self._numbers)
        path = self._uploads / f"{number}{file_ending(shown)}"
        with self._arrival():
            try:
                n_bytes = await self._write(path, chunks)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
        key = f"{_UPLOADED}{number}"
        with self._lock:
            self._uploaded[key] = (path, shown)
            while len(self._uploaded) > self._limits.uploads:
                _, (oldest, _) = self._uploaded.popitem(last=False)
                oldest.unlink(missing_ok=True)
        return ListedFile(key, shown, n_bytes)

    @contextmanager
    def _arrival(self) -> Iterator[None]:
        """Count an upload while it arrives: unfinished ones fill the disk too."""
        with self._lock:
            if self._arriving >= self._limits.arriving:
                problem = f"{self._arriving} other files are being uploaded"
                raise UploadError(problem, "Wait until one of them is there.")
            self._arriving += 1
        try:
            yield
        finally:
            with self._lock:
                self._arriving -= 1

    async def _write(self, path: Path, chunks: AsyncIterator[bytes]) -> int:
        most, n_bytes = self._limits.upload_bytes, 0
        with path.open("xb") as file:
            async for chunk in chunks:
                n_bytes += len(chunk)
                if n_bytes > most:
                    raise UploadError(
                        f"it is larger than {most:,} bytes",
                        "Open the explorer with its folder instead: causalrules explore FOLDER",
                    )
                file.write(chunk)
        if not n_bytes:
            raise UploadError("it is empty", "Choose a table with a header and records.")
        return n_bytes

    def _uploaded_path(self, key: str) -> Path | None:
        with self._lock:
            return self._uploaded[key][0] if key in self._uploaded else None

    def _path_in_folder(self, key: str) -> Path | None:
        """Inside the folder after every link is followed, an ordinary file, and of a kind that we list."""
        name = key.removeprefix(_IN_FOLDER)
        if not key.startswith(_IN_FOLDER):
            return None
        if self._only is not None:
            return self._inside(self._folder / self._only) if name == self._only else None
        path = self._inside(self._folder / name) if file_ending(name) and _is_plain_name(name) else None
        return path if path is None or self._description_is_inside(path) else None

    def _inside(self, path: Path) -> Path | None:
        try:
            resolved = path.resolve(strict=True)
            is_ordinary = stat.S_ISREG(resolved.stat().st_mode)
        except (OSError, ValueError, RuntimeError):
            return None
        return resolved if is_ordinary and resolved.is_relative_to(self._folder) else None

    def _description_is_inside(self, path: Path) -> bool:
        """C4.5 files are read with the `.names` file beside them, which must not lead out either."""
        if not file_ending(path.name).startswith((".data", ".test")):
            return True
        base = path.with_suffix("") if path.suffix.lower() == ".gz" else path
        beside = base.with_suffix(".names")
        return not os.path.lexists(beside) or self._inside(beside) is not None

    def _tables(self) -> Iterator[ListedFile]:
        """Files that can be opened; in a very large folder, only so many entries are looked at."""
        entries = _entries_below(self._folder, 1 if self._only else self._limits.depth)
        for entry in islice(entries, self._limits.entries):
            key = _IN_FOLDER + Path(entry).relative_to(self._folder).as_posix()
            path = self._path_in_folder(key)
            if path is not None and not _is_saved_result(path):
                with suppress(OSError):  # it vanished meanwhile
                    yield ListedFile(key, key.removeprefix(_IN_FOLDER), path.stat().st_size)


def _is_saved_result(path: Path) -> bool:
    """A result or a session that was saved beside its table is JSON, but no table."""
    if path.suffix.lower() != ".json":
        return False
    try:
        with path.open("rb") as file:
            return _RESULT.match(file.read(200)) is not None
    except OSError:
        return False


def _entries_below(folder: Path, depth: int) -> Iterator[str]:
    """Paths of entries, hidden ones left out, linked folders not entered."""
    try:
        entries = os.scandir(folder)
    except OSError:
        return
    with entries:
        for entry in entries:
            yield entry.path
            if depth > 1 and not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
                yield from _entries_below(Path(entry.path), depth - 1)


def _is_plain_name(name: str) -> bool:
    """Parts below the folder: no way up, no root, nothing hidden, nothing that is not Unicode."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    parts = name.split("/")
    return "\0" not in name and "\\" not in name and all(part and not part.startswith(".") for part in parts)


def file_ending(name: str) -> str:
    """What the name says about the kind of file, or nothing; never more of the name than that."""
    lower = name.lower()
    packed = next((ending for ending in PACKED if lower.endswith(ending)), "")
    bare = lower.removesuffix(packed)
    found = next((ending for ending in ENDINGS if bare.endswith(ending)), "")
    return found + packed if found or packed == ".zip" else ""

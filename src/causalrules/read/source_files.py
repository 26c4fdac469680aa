"""The files a table is read from, and whether they are still the same."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from causalrules.read.addresses import is_address
from causalrules.read.file_kinds import parquet_files_of, suffix_of
from causalrules.read.parts import files_of
from causalrules.read.table_at import TableAt

_WHOLE_IN_ONE_FILE = (
    *(".csv", ".tsv", ".tab", ".txt", ".json", ".jsonl", ".ndjson"),
    *(".parquet", ".pq", ".arrow", ".feather", ".ipc"),
)
"""Endings of files with nothing beside them that counts, as a database has its log and C4.5 its names."""


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """The files of a source, in the order in which they are read.

    Parameters
    ----------
    files : tuple of Path
        Where they are.
    told : str
        Where the source is and how it is written there; it may be read in another way by another name.
    states : tuple of (int, int)
        Size and time of the last change of each, when they were found.
    """

    files: tuple[Path, ...]
    told: str
    states: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, source: Any) -> SourceFiles | None:
        """The files of a path, a list of paths, a pattern or a folder; None where only reading tells."""
        at = source if isinstance(source, TableAt) else None
        place = source if at is None else at.location
        if is_address(place) or str(place) == "-" or not isinstance(place, str | os.PathLike | list | tuple):
            return None
        files = files_of(place)
        if files is None:
            assert isinstance(place, str | os.PathLike)
            path = Path(place)
            files = parquet_files_of(path) if path.is_dir() else [path]
        if not all(file.is_file() and suffix_of(file).endswith(_WHOLE_IN_ONE_FILE) for file in files):
            return None
        told = repr([source, list(map(str, files))])
        try:
            return cls(tuple(files), told, tuple(map(_state, files)))
        except OSError:  # reading tells what is wrong
            return None

    def digest(self) -> str:
        """Hexadecimal digits that tell other content, another place or another way of reading.

        Where a file cannot be read, they are those of no other files.
        """
        whole = hashlib.sha256(self.told.encode(errors="surrogateescape"))
        for path in self.files:
            try:
                with path.open("rb") as file:
                    whole.update(hashlib.file_digest(file, "sha256").digest())
            except OSError as error:
                whole.update(f"unread: {error}".encode(errors="surrogateescape"))
        return whole.hexdigest()

    def are_unchanged(self) -> bool:
        """Whether nobody has written to them since they were found."""
        try:
            return tuple(map(_state, self.files)) == self.states
        except OSError:
            return False


def _state(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_size, found.st_mtime_ns

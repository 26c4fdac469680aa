"""What kind of file some bytes are, by the first of them and the name, and which tables a file holds."""

from __future__ import annotations

import io
import os
import re
from typing import TYPE_CHECKING, Literal

import pyarrow as pa

from causalrules.errors import OutputError, SourceError, SourceMissingError, UnknownFormatError

if TYPE_CHECKING:
    from pathlib import Path

Part = Literal["sheet", "table"]

_NOT_READ = {b"%PDF": "a PDF document"}
PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")
"""Endings of compressed files."""

WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
LABELLED = (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt")
DATABASES = (".sqlite", ".sqlite3", ".db", ".duckdb")
_LAKES = {
    "Delta Lake": ("_delta_log/*.json",),
    "Iceberg": ("metadata/*.metadata.json",),
    "Hudi": (".hoodie/hoodie.properties",),
}
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_SAMPLE_BYTES = 1 << 16
_JSON_START = re.compile(rb'\s*\{\s*"|\s*\[\s*\{')
_ARFF_START = re.compile(rb"(?:\s|%[^\n]*\n)*@relation", re.IGNORECASE)


class FileContent:
    """The bytes of a file, read where they are asked for.

    It is sliced like `pyarrow.Buffer`. The file is never mapped into memory:
    if another program cut a mapped file short, reading on would end the process.
    """

    def __init__(self, path: Path, start: int = 0, end: int | None = None) -> None:
        self.path = path
        self._size_at_first = path.stat().st_size
        self._start = start
        self._end = self._size_at_first if end is None else end

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self._end - self._start

    def __getitem__(self, part: slice) -> FileContent:
        start, end, _ = part.indices(self.size)
        return FileContent(self.path, self._start + start, self._start + max(start, end))

    def to_pybytes(self) -> bytes:
        """The bytes themselves."""
        with self.path.open("rb") as file:
            file.seek(self._start)
            return file.read(self.size)

    def open(self) -> pa.NativeFile:
        """A stream of the bytes; of a whole file, one that can be read anywhere."""
        is_whole = not self._start and self._end == self._size_at_first
        return pa.PythonFile(
            self.path.open("rb") if is_whole else _PartOfFile(self.path, self._start, self.size)
        )

    def check_whole(self) -> None:
        """Raise if the file is no longer as long as it was when it was opened."""
        check_size(self.path, self._size_at_first, self.path.stat().st_size)


class _PartOfFile(io.FileIO):
    """So many bytes of a file, from a place on."""

    def __init__(self, path: Path, start: int, size: int) -> None:
        super().__init__(path, "rb")
        self.seek(start)
        self._left = size

    def read(self, size: int | None = -1) -> bytes:
        wanted = self._left if size is None or size < 0 else min(size, self._left)
        found = super().read(wanted) or b""
        self._left -= len(found)
        return found


def check_size(path: Path, expected: int, found: int) -> None:
    """Raise if a file changed its size while it was read."""
    if found != expected:
        problem = f"it had {expected:,} bytes at first and {found:,} while it was read"
        raise SourceError(path, problem, "Wait until no other program writes it, or read a copy.")


def open_bytes(content: pa.Buffer | FileContent) -> pa.NativeFile:
    """A stream of the bytes, wherever they are."""
    return content.open() if isinstance(content, FileContent) else pa.BufferReader(content)


def content_of(path: Path) -> pa.Buffer:
    """The file's bytes, in memory."""
    try:
        if not path.exists():
            raise SourceMissingError(path, os.listdir(path.parent) if path.parent.is_dir() else [])
        if not path.is_file():
            return pa.py_buffer(path.read_bytes())
        with path.open("rb") as file:  # Arrow's own file refuses names that are not UTF-8
            expected = os.fstat(file.fileno()).st_size
            content = pa.PythonFile(file).read_buffer(expected)
        check_size(path, expected, content.size)
        return content
    except SourceError:
        raise
    except OSError as error:
        problem = os.strerror(error.errno) if error.errno else str(error)
        raise SourceError(path, problem, "Check the path and that it may be read.") from error


def no_room(path: Path, error: OSError) -> OutputError:
    """A copy that was needed could not be written."""
    return OutputError(path, str(error), "Make room there, or set TMPDIR to a larger disk.")


def suffix_of(path: Path) -> str:
    """All endings of the name but the one for compression."""
    suffix = "".join(path.suffixes).lower()
    packed = next((ending for ending in PACKED if suffix.endswith(ending)), "")
    return suffix.removesuffix(packed)


def parquet_files_of(folder: Path) -> list[Path]:
    """The Parquet files below a folder, in order of their names; a table of a lake is refused."""
    for kind, marks in _LAKES.items():
        if any(next(folder.glob(mark), None) for mark in marks):
            problem = f"it is a table of {kind}, whose files also hold records that were deleted or replaced"
            raise SourceError(
                folder, problem, "Read it with DuckDB or its own library and pass on the result."
            )
    files = sorted(path for path in folder.rglob("*.parquet") if path.is_file())
    if not files:
        raise SourceError(folder, "it is a folder without Parquet files", "Name a file in it.")
    return files


def sample_of(name: Path | str, content: pa.Buffer | FileContent) -> bytes:
    """The first bytes, by which a kind of file is recognised."""
    sample: bytes = content[:_SAMPLE_BYTES].to_pybytes()
    if not sample.strip():
        raise SourceError(name, "it is empty", "Give a table with a header and records.")
    return sample


def is_parquet(sample: bytes, suffix: str) -> bool:
    """Whether the file is, or is meant to be, a Parquet file."""
    return sample.startswith(b"PAR1") or suffix.endswith((".parquet", ".pq"))


def is_arrow(sample: bytes, suffix: str) -> bool:
    """Whether the file is, or is meant to be, an Arrow file."""
    return sample.startswith(b"ARROW1") or suffix.endswith((".feather", ".arrow", ".ipc"))


def is_workbook(sample: bytes, suffix: str) -> bool:
    """Whether the file is, or is meant to be, a workbook of Excel or OpenDocument."""
    return sample.startswith(_OLD_OFFICE) or suffix.endswith(WORKBOOKS)


def is_labelled(sample: bytes, suffix: str) -> bool:
    """Whether the file is, or is meant to be, one of SPSS, Stata or SAS."""
    return sample.startswith((b"$FL2@", b"$FL3@", b"<stata_dta>")) or suffix.endswith(LABELLED)


def is_database(sample: bytes, suffix: str) -> bool:
    """Whether the file is, or is meant to be, a database of SQLite or DuckDB."""
    is_one = sample.startswith(b"SQLite format 3\0") or sample[8:12] == b"DUCK"
    return is_one or suffix.endswith(DATABASES)


def refuse_other_binary(name: Path | str, sample: bytes) -> None:
    """Say what a file is that is known but not read."""
    for start, kind in _NOT_READ.items():
        if sample.startswith(start):
            raise UnknownFormatError(name, f"it is {kind}", "Unpack it or save it as CSV or Parquet.")


def is_json(sample: bytes, suffix: str) -> bool:
    """Whether the text holds, or is meant to hold, JSON objects."""
    return suffix.endswith((".jsonl", ".ndjson", ".json")) or bool(_JSON_START.match(sample))


def is_arff(sample: bytes, suffix: str) -> bool:
    """Whether the text is, or is meant to be, an ARFF file."""
    return suffix.endswith(".arff") or bool(_ARFF_START.match(sample))


def is_c45(suffix: str) -> bool:
    """Whether the text is meant to be a C4.5 data file, which only its name can tell."""
    return suffix.endswith((".data", ".test"))


def is_delimited(sample: bytes, suffix: str) -> bool:
    """Whether the file is none of the kinds that have a form of their own."""
    is_binary = any(sample.startswith(start) for start in _NOT_READ)
    is_binary |= any(is_one(sample, suffix) for is_one in (is_workbook, is_labelled, is_database))
    return not (is_binary or is_json(sample, suffix) or is_arff(sample, suffix) or is_c45(suffix))


def usual_delimiter(suffix: str) -> str | None:
    """The delimiter that a name promises."""
    return "\t" if suffix.endswith((".tsv", ".tab")) else None


def part_chosen_by(path: Path) -> Part | None:
    """The setting of `TableAt` that chooses among the tables of such a file; None where it has one."""
    name = path.name.lower()
    if name.endswith(WORKBOOKS):
        return "sheet"
    return "table" if name.endswith(DATABASES) else None


def tables_in(path: Path) -> list[str]:
    """The names of a file's sheets or tables; none where it has no such parts, or cannot be looked into.

    The reader of the file reports what is wrong with it.
    """
    part = part_chosen_by(path)
    try:
        if part == "sheet":
            import fastexcel

            return list(fastexcel.read_excel(str(path)).sheet_names)
        if part == "table":
            from causalrules.read.databases import names_of_tables

            return names_of_tables(path)
    except Exception:  # each reader has errors of its own
        return []
    return []

"""The bytes of a file, and what kind of file they are, by its first bytes and its name."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import zlib
from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.errors import OutputError, SourceError, SourceMissingError, UnknownFormatError
from causalrules.files.available_memory import available_memory

if TYPE_CHECKING:
    from pathlib import Path

_GZIP = b"\x1f\x8b"
_GZIP_ERRORS = (gzip.BadGzipFile, EOFError, zlib.error)
_NOT_READ = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an Excel workbook",
    b"SQLite format 3": "an SQLite database",
    b"BZh": "compressed by bzip2",
    b"\xfd7zXZ": "compressed by xz",
    b"\x28\xb5\x2f\xfd": "compressed by Zstandard",
    b"%PDF": "a PDF document",
}
_SAMPLE_BYTES = 1 << 16
_PIECE_BYTES = 16 << 20
_JSON_START = re.compile(rb'\s*\{\s*"')
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


def is_gzip(content: pa.Buffer | FileContent) -> bool:
    """Whether the content is compressed by gzip."""
    return bool(content[:2].to_pybytes() == _GZIP)


def unpacked(name: Path | str, content: pa.Buffer) -> pa.Buffer:
    """What gzip compressed, in memory; more than the memory at hand is refused before it is taken."""
    most = available_memory() // 2
    pieces, size = [], 0
    try:
        with gzip.open(pa.BufferReader(content)) as unpacking:
            while piece := unpacking.read(_PIECE_BYTES):
                pieces.append(piece)
                size += len(piece)
                if size > most:
                    problem = f"unpacked it has more than {most >> 20:,} MiB, half of the memory that is left"
                    raise SourceError(name, problem, "Read it with --engine streaming, or unpack it first.")
    except _GZIP_ERRORS as error:
        raise _damaged(name, error) from error
    return pa.py_buffer(b"".join(pieces))


def unpacked_size(path: Path) -> int:
    """Bytes that a gzipped file says to hold, modulo 4 GiB, which is all that the format keeps."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4))
        return max(size, int.from_bytes(file.read(4), "little"))


def unpack_to(folder: Path, path: Path) -> Path:
    """A file in the folder with what gzip compressed."""
    target = folder / "unpacked"
    try:
        with gzip.open(path) as packed, target.open("wb") as file:
            shutil.copyfileobj(packed, file, 1 << 20)
    except _GZIP_ERRORS as error:
        raise _damaged(path, error) from error
    except OSError as error:
        raise no_room(target, error) from error
    return target


def _damaged(name: Path | str, error: Exception) -> SourceError:
    return SourceError(name, f"its gzip data is damaged ({error})", "Compress it again.")


def no_room(path: Path, error: OSError) -> OutputError:
    """A copy that was needed could not be written."""
    return OutputError(path, str(error), "Make room there, or set TMPDIR to a larger disk.")


def suffix_of(path: Path) -> str:
    """All endings of the name but the one for compression."""
    return "".join(path.suffixes).lower().removesuffix(".gz")


def parquet_files_of(folder: Path) -> list[Path]:
    """The Parquet files below a folder, in order of their names."""
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
    return not (is_binary or is_json(sample, suffix) or is_arff(sample, suffix) or is_c45(suffix))


def usual_delimiter(suffix: str) -> str | None:
    """The delimiter that a name promises."""
    return "\t" if suffix.endswith((".tsv", ".tab")) else None

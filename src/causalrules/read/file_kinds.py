"""The bytes of a file, and what kind of file they are, by its first bytes and its name."""

from __future__ import annotations

import gzip
import mmap
import os
import re
import shutil
import zlib
from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.errors import OutputError, SourceError, SourceMissingError, UnknownFormatError

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
_JSON_START = re.compile(rb'\s*\{\s*"')
_ARFF_START = re.compile(rb"(?:\s|%[^\n]*\n)*@relation", re.IGNORECASE)


class MappedFile:
    """A file's bytes, in memory only where they are being read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:  # Arrow's own memory map refuses names that are not UTF-8
            self._mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.content = pa.py_buffer(self._mapped)

    def forget(self) -> None:
        """Give back the memory of what was read; it is read from the disk again when it is needed."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._mapped.madvise(mmap.MADV_DONTNEED)


def content_of(path: Path) -> pa.Buffer:
    """The file's bytes, without copying them if it is an ordinary file."""
    try:
        if not path.exists():
            raise SourceMissingError(path, os.listdir(path.parent) if path.parent.is_dir() else [])
        if not path.is_file() or not path.stat().st_size:
            return pa.py_buffer(path.read_bytes())
        return MappedFile(path).content
    except SourceError:
        raise
    except OSError as error:
        problem = os.strerror(error.errno) if error.errno else str(error)
        raise SourceError(path, problem, "Check the path and that it may be read.") from error


def is_gzip(content: pa.Buffer) -> bool:
    """Whether the content is compressed by gzip."""
    return bool(content[:2].to_pybytes() == _GZIP)


def unpacked(name: Path | str, content: pa.Buffer) -> pa.Buffer:
    """What gzip compressed, in memory."""
    try:
        return pa.py_buffer(gzip.decompress(content))
    except _GZIP_ERRORS as error:
        raise _damaged(name, error) from error


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


def sample_of(name: Path | str, content: pa.Buffer) -> bytes:
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

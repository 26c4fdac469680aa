"""Compressed files: gzip, bzip2, xz, Zstandard, and zip archives with one table inside.

A workbook of Excel or OpenDocument is a zip archive too, but is read as it is.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from causalrules.errors import CausalRulesError, SourceError, quoted
from causalrules.files.available_memory import available_memory
from causalrules.read.file_kinds import FileContent, no_room, open_bytes, suffix_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE_BYTES = 16 << 20
_DAMAGES = (
    *(gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError),
    *(RuntimeError, pa.ArrowException, OSError, ValueError),
)
_STARTS = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",  # an archive with nothing in it
}
_LONGEST_START = 6
_WORKBOOK_PARTS = ("[Content_Types].xml", "mimetype")


class Unpacked(NamedTuple):
    """What was compressed, and the ending of the name it had in an archive ("" if it had none)."""

    content: pa.Buffer | FileContent
    suffix: str


def packing_of(content: pa.Buffer | FileContent) -> str:
    """What the content is compressed by; "" if it is not, or is a workbook."""
    first = content[:_LONGEST_START].to_pybytes()
    found = next((kind for start, kind in _STARTS.items() if first.startswith(start)), "")
    return "" if found == "zip" and _is_workbook(content) else found


def _is_workbook(content: pa.Buffer | FileContent) -> bool:
    try:
        with zipfile.ZipFile(io.BufferedReader(open_bytes(content))) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        return False
    return any(part in names for part in _WORKBOOK_PARTS)


def unpacked(name: Path | str, content: pa.Buffer) -> Unpacked:
    """What was compressed, in memory; more than the memory at hand is refused before it is taken."""
    most = available_memory() // 2
    pieces, size = [], 0
    with _opened(name, content) as (stream, suffix):
        while piece := stream.read(_PIECE_BYTES):
            pieces.append(piece)
            size += len(piece)
            if size > most:
                problem = f"unpacked it has more than {most >> 20:,} MiB, half of the memory that is left"
                raise SourceError(name, problem, "Read it with --engine streaming, or unpack it first.")
    return Unpacked(pa.py_buffer(b"".join(pieces)), suffix)


def unpack_to(folder: Path, path: Path) -> Unpacked:
    """What was compressed, as a file in the folder."""
    target = folder / "unpacked"
    with _opened(path, FileContent(path)) as (stream, suffix):
        try:
            file = target.open("wb")
        except OSError as error:
            raise no_room(target, error) from error
        with file:
            shutil.copyfileobj(stream, _Writing(file, target), 1 << 20)
    return Unpacked(FileContent(target), suffix)


class _Writing:
    """A file whose failures are told apart from those of what is read."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file, self._path = file, path

    def write(self, piece: bytes) -> None:
        try:
            self._file.write(piece)
        except OSError as error:
            raise no_room(self._path, error) from error


@contextmanager
def _opened(name: Path | str, content: pa.Buffer | FileContent) -> Iterator[tuple[IO[bytes], str]]:
    """A stream of what was compressed, and its ending; damage is reported in one sentence."""
    kind = packing_of(content)
    try:
        with io.BufferedReader(open_bytes(content)) as packed:
            if kind == "zip":
                with zipfile.ZipFile(packed) as archive:
                    inside = _only_table(name, archive)
                    with archive.open(inside) as stream:
                        yield stream, suffix_of(Path(inside.filename))
            elif kind == "Zstandard":
                with pa.CompressedInputStream(pa.PythonFile(packed, "r"), "zstd") as stream:
                    yield stream, ""
            else:
                openers: dict[str, Any] = {"gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open}
                with openers[kind](packed) as stream:
                    yield stream, ""
    except (CausalRulesError, MemoryError):
        raise
    except _DAMAGES as error:
        reason = str(error) or type(error).__name__
        raise SourceError(name, f"its {kind} data is damaged ({reason})", "Compress it again.") from error


def _only_table(name: Path | str, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """The one file of an archive; what systems add on their own does not count."""
    files = [
        one
        for one in archive.infolist()
        if not one.is_dir()
        and not any(part.startswith((".", "__MACOSX")) for part in one.filename.split("/"))
    ]
    if len(files) != 1:
        listed = ", ".join(quoted(one.filename) for one in files[:5])
        problem = f"it is a zip archive with {len(files)} files" + (f": {listed}" if files else "")
        raise SourceError(name, problem, "Unpack it and name one of them, or a folder of Parquet files.")
    if files[0].flag_bits & 1:
        raise SourceError(name, "it is a zip archive with a password", "Unpack it first.")
    return files[0]


def unpacked_size(path: Path) -> int:
    """Bytes that a compressed file may hold: gzip keeps them modulo 4 GiB, zip keeps them, others do not."""
    size = path.stat().st_size
    kind = packing_of(FileContent(path))
    if kind == "gzip":
        with path.open("rb") as file:
            file.seek(max(0, size - 4))
            return max(size, int.from_bytes(file.read(4), "little"))
    if kind == "zip":
        try:
            with zipfile.ZipFile(path) as archive:
                return max(size, sum(one.file_size for one in archive.infolist()))
        except (zipfile.BadZipFile, OSError):
            return size
    return size * _USUAL_RATIO if kind else size


_USUAL_RATIO = 10
"""How many times larger the content of a well compressed text usually is."""

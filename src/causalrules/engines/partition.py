"""Records on disk, spread over parts so that those of one stratum are in the same part."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import numpy as np

from causalrules.engines.unique_records import WORTH_COLLAPSING, Profiles, code_type
from causalrules.errors import EngineError, Setting
from causalrules.files.available_memory import give_back_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from numpy.typing import NDArray

_RECORDS_AT_ONCE = 1 << 17
"""Records that are put into the order of their parts at a time, and read at a time to spread them again."""

_Chunk = tuple["NDArray[np.unsignedinteger]", "NDArray[np.int64]", "NDArray[np.int64]"]


@dataclass(frozen=True, slots=True)
class Part:
    """A file of records, chunk after chunk: their number, then counts and codes as they are in memory.

    Parameters
    ----------
    path : Path
        The file.
    first_item : intp[n_columns + 1]
        As in `Vocabulary`.
    n_records : int
        Records in it, those that are alike counted as often as they were sent.
    """

    path: Path
    first_item: NDArray[np.intp]
    n_records: int

    def read(self) -> Profiles:
        """All records; the file is removed."""
        (records,) = self._gathered(self.n_records)
        self.path.unlink()
        return records

    def __iter__(self) -> Iterator[Profiles]:
        """Some records at a time."""
        return self._gathered(_RECORDS_AT_ONCE)

    def _gathered(self, at_once: int) -> Iterator[Profiles]:
        waiting: list[_Chunk] = []
        for chunk in self._chunks():
            waiting.append(chunk)
            if sum(len(n_with) for _, n_with, _ in waiting) >= at_once:
                yield self._joined(waiting)
                waiting = []
        if waiting:
            yield self._joined(waiting)

    def _joined(self, chunks: list[_Chunk]) -> Profiles:
        codes, n_with, n_without = (np.concatenate(one, axis=-1) for one in zip(*chunks, strict=True))
        return Profiles.uncollapsed(self.first_item, codes, n_with, n_without)

    def _chunks(self) -> Iterator[_Chunk]:
        size, n_columns = code_type(self.first_item), len(self.first_item) - 1
        with self.path.open("rb") as file:
            while head := file.read(8):
                n = int.from_bytes(head, "little")
                n_with, n_without = (np.frombuffer(file.read(8 * n), np.int64) for _ in range(2))
                codes = np.frombuffer(file.read(n * n_columns * size().itemsize), size)
                yield codes.reshape(n_columns, n), n_with, n_without


@contextmanager
def spread(
    source: Iterable[Profiles],
    within: Path,
    held: NDArray[np.bool_],
    in_play: NDArray[np.bool_],
    n_parts: int,
) -> Iterator[list[Part]]:
    """The records in parts; those that agree on the held items are in the same.

    Parameters
    ----------
    source : iterable of Profiles
        The records, some at a time.
    within : Path
        Where a folder is made for the parts; it is removed at the end.
    held : bool[n_items]
        Items that decide on the part.
    in_play : bool[n_items]
        Items that matter; records that come together and agree on them travel as one.
    n_parts : int
        The parts there may be; those without records are left out.
    """
    folder = Path(mkdtemp(dir=within))
    try:
        yield _written(source, folder, held, in_play, n_parts)
    except OSError as error:
        raise EngineError(
            f"records could not be spread on disk: {error}. Allow more with ",
            Setting("memory"),
            f", or make room in {within}.",
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _written(
    source: Iterable[Profiles],
    folder: Path,
    held: NDArray[np.bool_],
    in_play: NDArray[np.bool_],
    n_parts: int,
) -> list[Part]:
    n_records = np.zeros(n_parts, np.int64)
    first_item = np.zeros(1, np.intp)
    for records in source:
        block = records if in_play.all() else records.collapsed_to(in_play, WORTH_COLLAPSING)
        first_item = np.append(block.first_slot - np.arange(len(block.first_slot)), len(block.slot_of_item))
        for start in range(0, block.n_profiles, _RECORDS_AT_ONCE):
            some = block.some(slice(start, start + _RECORDS_AT_ONCE))
            part_of = some.parts(held, n_parts)
            n_records += np.bincount(part_of, minlength=n_parts)
            order = np.argsort(part_of.astype(np.uint16) if n_parts <= 1 << 16 else part_of, kind="stable")
            _append(folder, some.some(order), part_of[order])
        del records, block
        give_back_memory()
    return [
        Part(folder / str(number), first_item, int(n_records[number])) for number in np.flatnonzero(n_records)
    ]


def _append(folder: Path, records: Profiles, part_of: NDArray[np.int64]) -> None:
    """Write records, in the order of their parts, each to its part's file."""
    starts = np.flatnonzero(np.diff(part_of, prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(part_of)], strict=True):
        with (folder / str(part_of[start])).open("ab") as file:
            _write_chunk(file, records.some(slice(start, end)))


def _write_chunk(file: BinaryIO, records: Profiles) -> None:
    head = records.n_profiles.to_bytes(8, "little")
    numbers = [one.tobytes() for one in (records.n_with, records.n_without, records.codes)]
    file.write(b"".join([head, *numbers]))

"""A batch of answers as an Arrow file, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.engines.contract import Packed

_RUN = b"causalrules-run"
_SCHEMA = pa.schema(
    [
        ("key", pa.binary(16)),  # a digest of the question
        ("question", pa.string()),  # its kind, for people
        ("shapes", pa.list_(pa.int64())),  # for each array its dimensions and their sizes
        ("numbers", pa.large_list(pa.int64())),  # all arrays, one after the other
        ("text", pa.string()),
    ]
)


class Entry(NamedTuple):
    """One answer, and what it answers."""

    key: bytes
    question: str
    answer: Packed


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Answers that were saved together.

    Parameters
    ----------
    run : str
        Fingerprint of the run they belong to.
    keys : list of bytes
        The questions.
    """

    run: str
    keys: list[bytes]
    _shapes: list[list[int]]
    _ends: NDArray[np.int64]
    _numbers: NDArray[np.int64]
    _texts: list[str]

    @classmethod
    def from_bytes(cls, data: bytes) -> Batch:
        """Read what `to_bytes` made; anything else raises an error of Arrow's, or `ValueError`."""
        with pa.ipc.open_file(pa.py_buffer(data)) as reader:
            table = reader.read_all()
        if not table.schema.equals(_SCHEMA):
            raise ValueError("not a batch of answers")
        columns = {name: table[name].combine_chunks() for name in _SCHEMA.names}
        return cls(
            run=(table.schema.metadata or {})[_RUN].decode(),
            keys=columns["key"].to_pylist(),
            _shapes=columns["shapes"].to_pylist(),
            _ends=columns["numbers"].offsets.to_numpy(),
            _numbers=columns["numbers"].values.to_numpy(),
            _texts=columns["text"].to_pylist(),
        )

    def answer(self, row: int) -> Packed:
        """The answer in this row; arrays are the caller's own."""
        numbers = self._numbers[self._ends[row] : self._ends[row + 1]]
        arrays: list[NDArray[np.int64]] = []
        start, place, shapes = 0, 0, self._shapes[row]
        while place < len(shapes):
            n_dimensions = shapes[place]
            shape = shapes[place + 1 : place + 1 + n_dimensions]
            size = int(np.prod(shape, dtype=np.int64))
            arrays.append(numbers[start : start + size].reshape(shape).copy())
            start, place = start + size, place + 1 + n_dimensions
        return arrays, self._texts[row]


def to_bytes(entries: Sequence[Entry], run: str) -> bytes:
    """A batch as an Arrow file that carries the fingerprint of its run."""
    flat = [np.ravel(array) for entry in entries for array in entry.answer[0]]
    sizes = [sum(array.size for array in entry.answer[0]) for entry in entries]
    ends = np.cumsum([0, *sizes], dtype=np.int64)
    numbers = np.concatenate(flat) if flat else np.empty(0, np.int64)
    shapes = [[n for array in entry.answer[0] for n in (array.ndim, *array.shape)] for entry in entries]
    columns = [
        pa.array([entry.key for entry in entries], pa.binary(16)),
        pa.array([entry.question for entry in entries], pa.string()),
        pa.array(shapes, pa.list_(pa.int64())),
        pa.LargeListArray.from_arrays(pa.array(ends), pa.array(numbers, pa.int64())),
        pa.array([entry.answer[1] for entry in entries], pa.string()),
    ]
    table = pa.table(columns, schema=_SCHEMA.with_metadata({_RUN: run.encode()}))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    data: bytes = sink.getvalue().to_pybytes()
    return data

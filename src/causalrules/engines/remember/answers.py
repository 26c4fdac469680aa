"""A batch of answers as an Arrow file, and back.

Arrays pass between NumPy and Arrow as buffers: `pyarrow.array` and `to_numpy`
import pandas the first time, which takes longer than a small run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.engines.contract import Packed

_RUN = b"causalrules-run"
_KEY_BYTES = 16
_NUMBERS = pa.large_list(pa.int64())
_SCHEMA = pa.schema(
    [
        ("key", pa.binary(_KEY_BYTES)),  # a digest of the question
        ("question", pa.large_string()),  # its kind, for people
        ("shapes", _NUMBERS),  # for each array its dimensions and their sizes
        ("numbers", _NUMBERS),  # all arrays, one after the other
        ("text", pa.large_string()),
    ]
)


class Entry(NamedTuple):
    """One answer, and what it answers."""

    key: bytes
    question: str
    answer: Packed


class _Lists(NamedTuple):
    """Lists of numbers, one after the other, and where each ends."""

    ends: NDArray[np.int64]
    numbers: NDArray[np.int64]

    def __getitem__(self, row: int) -> NDArray[np.int64]:  # type: ignore[override]
        return self.numbers[self.ends[row] : self.ends[row + 1]]


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
    _shapes: _Lists
    _numbers: _Lists
    _texts: Any

    @classmethod
    def from_bytes(cls, data: bytes) -> Batch:
        """Read what `to_bytes` made; anything else raises an error of Arrow's, or `ValueError`."""
        with pa.ipc.open_file(pa.py_buffer(data)) as reader:
            if not reader.schema.equals(_SCHEMA) or reader.num_record_batches != 1:
                raise ValueError("not a batch of answers")
            run, batch = reader.schema.metadata[_RUN].decode(), reader.get_batch(0)
        keys = batch["key"].buffers()[1].to_pybytes()
        return cls(
            run=run,
            keys=[keys[i : i + _KEY_BYTES] for i in range(0, _KEY_BYTES * batch.num_rows, _KEY_BYTES)],
            _shapes=_lists_of(batch["shapes"]),
            _numbers=_lists_of(batch["numbers"]),
            _texts=batch["text"],
        )

    def answer(self, row: int) -> Packed:
        """The answer in this row; arrays are the caller's own."""
        numbers, shapes = self._numbers[row], self._shapes[row].tolist()
        arrays: list[NDArray[np.int64]] = []
        start, place = 0, 0
        while place < len(shapes):
            n_dimensions = shapes[place]
            shape = shapes[place + 1 : place + 1 + n_dimensions]
            size = int(np.prod(shape, dtype=np.int64))
            arrays.append(numbers[start : start + size].reshape(shape).copy())
            start, place = start + size, place + 1 + n_dimensions
        return arrays, self._texts[row].as_py()


def to_bytes(entries: Sequence[Entry], run: str) -> bytes:
    """A batch as an Arrow file that carries the fingerprint of its run."""
    shapes = [[n for array in entry.answer[0] for n in (array.ndim, *array.shape)] for entry in entries]
    numbers = [np.ravel(array) for entry in entries for array in entry.answer[0]]
    sizes = [sum(array.size for array in entry.answer[0]) for entry in entries]
    keys = pa.py_buffer(b"".join(entry.key for entry in entries))
    columns = [
        pa.Array.from_buffers(pa.binary(_KEY_BYTES), len(entries), [None, keys]),
        _texts([entry.question for entry in entries]),
        _lists([len(shape) for shape in shapes], [np.array(shape, np.int64) for shape in shapes]),
        _lists(sizes, numbers),
        _texts([entry.answer[1] for entry in entries]),
    ]
    batch = pa.RecordBatch.from_arrays(columns, schema=_SCHEMA.with_metadata({_RUN: run.encode()}))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, batch.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _lists(sizes: Sequence[int], parts: Sequence[NDArray[np.int64]]) -> Any:
    numbers = np.concatenate([np.empty(0, np.int64), *parts], dtype=np.int64)
    return pa.LargeListArray.from_arrays(_int64(_ends(sizes)), _int64(numbers))


def _texts(texts: Sequence[str]) -> Any:
    encoded = [text.encode() for text in texts]
    ends = pa.py_buffer(_ends([len(text) for text in encoded]))
    return pa.LargeStringArray.from_buffers(len(texts), ends, pa.py_buffer(b"".join(encoded)))


def _ends(sizes: Sequence[int]) -> NDArray[np.int64]:
    return np.cumsum([0, *sizes], dtype=np.int64)


def _int64(numbers: NDArray[np.int64]) -> Any:
    return pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(numbers)])


def _lists_of(column: Any) -> _Lists:
    return _Lists(_numpy(column.offsets), _numpy(column.values))


def _numpy(numbers: Any) -> NDArray[np.int64]:
    buffer = numbers.buffers()[1]
    if buffer is None:
        return np.empty(0, np.int64)
    return np.frombuffer(buffer, np.int64, len(numbers), 8 * numbers.offset)

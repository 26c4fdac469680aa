"""What Spark hands over in small batches, in larger ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROWS_AT_ONCE = 1 << 17
"""Enough that a batch's own costs do not count, and a few tens of megabytes for a wide table."""


def large_batches(batches: Iterable[pa.RecordBatch], n_rows: int = ROWS_AT_ONCE) -> Iterator[pa.Table]:
    """The same records in tables of at least so many rows, but for the last; none of them empty."""
    waiting: list[pa.RecordBatch] = []
    n_waiting = 0
    for batch in batches:
        if batch.num_rows:
            waiting.append(batch)
            n_waiting += batch.num_rows
        if n_waiting >= n_rows:
            yield pa.Table.from_batches(waiting)
            waiting, n_waiting = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)

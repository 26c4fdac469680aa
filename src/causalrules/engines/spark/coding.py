"""The second pass over a Spark table: records become codes, identical ones are put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.encode.columns import Batch
from causalrules.engines.blocks import merged
from causalrules.engines.spark.batches import unpacked
from causalrules.engines.spark.rows import rows_of
from causalrules.engines.unique_records import Profiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

    from causalrules.encode import RecordCoder

MOST_AT_ONCE = 1 << 20
"""Distinct records that a worker gathers before it hands them on."""

_WORTH_MERGING = 1 << 16


@dataclass(frozen=True, slots=True)
class CodePartition:
    """Runs on a worker: the distinct records of one partition.

    Should a record come in two rows, it is counted in both; counts add up.
    """

    coder: RecordCoder
    first_item: NDArray[np.intp]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of rows to batches of rows."""
        columns = np.arange(len(self.first_item) - 1)
        waiting: list[Profiles] = []
        for table in unpacked(batches):
            codes, has_outcome = self.coder.code(Batch(table, self.coder.missing))
            counts = has_outcome.astype(np.int64)
            waiting.append(Profiles.of_records(self.first_item, codes, counts, 1 - counts))
            n_waiting = sum(records.n_profiles for records in waiting)
            if n_waiting > max(2 * waiting[0].n_profiles, _WORTH_MERGING):
                waiting = [merged(waiting, self.first_item)]
                if waiting[0].n_profiles > MOST_AT_ONCE:
                    yield from rows_of(waiting.pop(), columns)
        if waiting:
            yield from rows_of(merged(waiting, self.first_item), columns)

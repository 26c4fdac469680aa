"""What surrounds our work on Spark's workers: loaded modules are not searched for garbage."""

from __future__ import annotations

import gc
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pyarrow as pa

_n_modules = 0


@dataclass(frozen=True, slots=True)
class OnWorker:
    """The work on a partition; afterwards Python's garbage collector passes over loaded modules.

    PySpark's daemon collects all garbage after every task. Most of what it then
    looks at are the modules of NumPy, Arrow, Numba and our own, which stay until the
    process ends: 70 ms of processor time for a task that may take one.
    """

    work: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of the partition to batches of the work."""
        yield from self.work(batches)
        _pass_over_modules()


def _pass_over_modules() -> None:
    """Once for each process, and again where more modules were loaded; never for what tasks leave behind."""
    global _n_modules
    if len(sys.modules) > _n_modules:
        _n_modules = len(sys.modules)
        gc.collect()
        gc.freeze()

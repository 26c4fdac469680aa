"""Threads that count; the kernels release the interpreter lock."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from threading import local
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Task = TypeVar("Task")
Answer = TypeVar("Answer")

_thread = local()
"""Has `is_ours` in threads that work for us."""


def _begin() -> None:
    _thread.is_ours = True


class Workers:
    """Answers come in the order of the tasks, so the number of threads changes nothing but the time.

    Parameters
    ----------
    threads : int, optional
        All cores by default.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.n_threads = threads or os.cpu_count() or 1

    def map(self, work: Callable[[Task], Answer], tasks: Sequence[Task]) -> Iterator[Answer]:
        """Do the work for each task; one task alone is done by the caller's thread.

        So are tasks of a task: threads that wait for each other's would wait for ever.
        """
        if len(tasks) <= 1 or self.n_threads == 1 or hasattr(_thread, "is_ours"):
            return map(work, tasks)
        return self._pool.map(work, tasks)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.n_threads, thread_name_prefix="causalrules", initializer=_begin)


ONE_AFTER_THE_OTHER = Workers(1)
"""The caller's own thread."""

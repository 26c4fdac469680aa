"""Seconds spent in each part of a run."""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Stopwatch:
    """Adds up time by name, and the total since it was made."""

    def __init__(self) -> None:
        self._start = perf_counter()
        self._spent: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Add the time of a `with` block to this name."""
        start = perf_counter()
        try:
            yield
        finally:
            self._spent[name] += perf_counter() - start

    def timings(self, *names: str) -> dict[str, float]:
        """Seconds for each name and in total, to the microsecond."""
        spent = {name: self._spent[name] for name in names} | {"total": perf_counter() - self._start}
        return {name: round(seconds, 6) for name, seconds in spent.items()}

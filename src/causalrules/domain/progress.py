"""How far a run is or came, and the seconds spent in each of its parts."""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from causalrules.domain.question_settings import DirectionChoice

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Progress:
    """Rules tested of those at this level and direction, which is both where studies have two sides.

    `remembered` of those tested were taken from a checkpoint.
    """

    direction: DirectionChoice
    length: int
    tested: int
    to_test: int
    remembered: int = 0


def ignore_progress(progress: Progress) -> None:
    """The listener of runs whose progress nobody watches."""


def ignore_remark(remark: str) -> None:
    """The listener of runs whose remarks nobody reads."""


def nothing_remembered() -> int:
    """Answers taken from a checkpoint where there is none."""
    return 0


def how_far(result: Any) -> str:
    """What of an interrupted run was done, in a few words; empty if it was finished."""
    if not result.interrupted:
        return ""
    n_done, n_due = len(result.tested), sum(one.get("associations", 0) for one in result.by_length.values())
    if n_done < n_due:
        return f"{n_done:,} of {n_due:,} hypotheses studied"
    studied = "1 hypothesis" if n_done == 1 else f"{n_done:,} hypotheses"
    return f"{studied} studied, not all combinations looked at"


def unfinished(result: Any) -> str:
    """How an answer to an interrupted run begins; empty if it was finished."""
    far = how_far(result)
    return f"Unfinished ({far}): " if far else ""


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

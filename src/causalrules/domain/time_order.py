"""What comes before what, put together from single statements, and the contradictions among them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from causalrules.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Iterable

OUTCOME = ""
"""Stands for the outcome, whatever its column is called; no column has an empty name."""


@dataclass(frozen=True, slots=True, order=True)
class Statement:
    """One thing that the user said, as it can be said again.

    Examples
    --------
    >>> str(Statement("never_adjust", "tar"))
    'never-adjust tar'
    """

    role: str
    text: str

    def __str__(self) -> str:
        return f"{self.role.replace('_', '-')} {self.text}"


@dataclass(frozen=True)
class TimeOrder:
    """An order of columns in time; not every two of them need be in it.

    Parameters
    ----------
    steps : dict
        (earlier, later) → the statement that says so.

    Examples
    --------
    >>> said = {("age", "smoking"): Statement("tiers", "age < smoking"), ("smoking", OUTCOME): Statement(
    ...     "before", "smoking")}
    >>> order = TimeOrder(said)
    >>> order.is_before("age", OUTCOME), order.is_before(OUTCOME, "age")
    (True, False)
    >>> [str(statement) for statement in order.why("age", OUTCOME)]
    ['tiers age < smoking', 'before smoking']
    """

    steps: dict[tuple[str, str], Statement]

    @cached_property
    def _next(self) -> dict[str, list[str]]:
        following: dict[str, list[str]] = {}
        for earlier, later in self.steps:
            following.setdefault(earlier, []).append(later)
        return following

    @cached_property
    def _later(self) -> dict[str, frozenset[str]]:
        """All that comes after each, found from the last backwards."""
        found: dict[str, frozenset[str]] = {}
        for name in reversed(self._in_order()):
            following = self._next.get(name, [])
            found[name] = frozenset(following).union(*(found[other] for other in following))
        return found

    def is_before(self, earlier: str, later: str) -> bool:
        """Whether one is known to come before the other."""
        return later in self._later.get(earlier, frozenset())

    def before(self, name: str) -> frozenset[str]:
        """All that is known to come before this one."""
        return frozenset(other for other, later in self._later.items() if name in later)

    def after(self, name: str) -> frozenset[str]:
        """All that is known to come after this one."""
        return self._later.get(name, frozenset())

    def why(self, earlier: str, later: str) -> tuple[Statement, ...]:
        """The fewest statements from which it follows that one comes before the other."""
        return tuple(dict.fromkeys(self.steps[step] for step in pairwise(self._way(earlier, later))))

    def _way(self, earlier: str, later: str) -> list[str]:
        """The shortest way from one to the other; empty if there is none."""
        reached: dict[str, str] = {earlier: earlier}
        waiting = deque([earlier])
        while waiting:
            here = waiting.popleft()
            for other in self._next.get(here, []):
                if other == later:
                    return [*_traced(reached, here), later]
                if other not in reached:
                    reached[other] = here
                    waiting.append(other)
        return []

    def check(self) -> None:
        """Refuse an order in which something would come before itself."""
        self._in_order()

    def _in_order(self) -> list[str]:
        """All names, the earlier first (Kahn 1962); whatever is in a circle cannot be ordered."""
        names = list(dict.fromkeys(name for step in self.steps for name in step))
        n_before = dict.fromkeys(names, 0)
        for _, later in self.steps:
            n_before[later] += 1
        ready = deque(name for name in names if not n_before[name])
        ordered = []
        while ready:
            ordered.append(ready.popleft())
            for other in self._next.get(ordered[-1], []):
                n_before[other] -= 1
                if not n_before[other]:
                    ready.append(other)
        if len(ordered) < len(names):
            raise self._circle(name for name in names if n_before[name])
        return ordered

    def _circle(self, names: Iterable[str]) -> KnowledgeError:
        """The shortest circle as an error that names its statements."""
        ways = filter(None, (self._way(name, name) for name in names))
        way = min(ways, key=lambda way: (len(way), way[0] == OUTCOME))
        one, other = (name or "the outcome" for name in way[:2])
        why = "before itself" if one == other else f"both before and after {other}"
        return KnowledgeError(self.why(way[0], way[0]), f"{one} would come {why}")


def _traced(reached: dict[str, str], end: str) -> list[str]:
    way = [end]
    while reached[way[-1]] != way[-1]:
        way.append(reached[way[-1]])
    return way[::-1]

"""How much a method may spend before it is stopped."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class BudgetSpentError(Exception):
    """The method has to stop; caught by `Budget.until_spent`, never by users."""


@dataclass(slots=True)
class Budget:
    """Counts tests, watches the clock and remembers why a method was stopped.

    Parameters
    ----------
    max_tests : int, optional
        Most tests, or patterns counted.
    max_seconds : float, optional
        Most time, looked at whenever tests are added. Which tests are made
        in time depends on the machine; `max_tests` gives the same findings
        everywhere.

    Examples
    --------
    >>> budget = Budget(max_tests=10)
    >>> with budget.until_spent():
    ...     budget.spend(8)
    ...     budget.spend(8)
    >>> budget.n_tests, budget.stopped
    (8, 'it needs more than 10 tests')
    """

    max_tests: int | None = None
    max_seconds: float | None = None
    n_tests: int = 0
    stopped: str = ""
    _start: float = field(default_factory=perf_counter)

    def spend(self, n_tests: int) -> None:
        """Ask for so many tests more."""
        if self.max_tests is not None and self.n_tests + n_tests > self.max_tests:
            raise BudgetSpentError(f"it needs more than {self.max_tests:,} tests")
        if self.max_seconds is not None and perf_counter() - self._start > self.max_seconds:
            raise BudgetSpentError(f"it needs more than {self.max_seconds:g} seconds")
        self.n_tests += n_tests

    @contextmanager
    def until_spent(self) -> Iterator[None]:
        """Do what is inside; if the budget does not last, leave off and write down why."""
        try:
            yield
        except BudgetSpentError as spent:
            self.stopped = str(spent)

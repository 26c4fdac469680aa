"""How much a method may spend before it is stopped."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter


class BudgetSpentError(Exception):
    """The method has to stop; caught where findings are put together, never by users."""


@dataclass(slots=True)
class Budget:
    """Counts tests and watches the clock.

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
    >>> budget.spend(8)
    >>> budget.spend(8)
    Traceback (most recent call last):
    ...
    causalrules.lab.baselines.budget.BudgetSpentError: it needs more than 10 tests
    """

    max_tests: int | None = None
    max_seconds: float | None = None
    n_tests: int = 0
    _start: float = field(default_factory=perf_counter)

    def spend(self, n_tests: int) -> None:
        """Ask for so many tests more."""
        if self.max_tests is not None and self.n_tests + n_tests > self.max_tests:
            raise BudgetSpentError(f"it needs more than {self.max_tests:,} tests")
        self.check_time()
        self.n_tests += n_tests

    def check_time(self) -> None:
        """Stop when the time is over."""
        if self.max_seconds is not None and perf_counter() - self._start > self.max_seconds:
            raise BudgetSpentError(f"it needs more than {self.max_seconds:g} seconds")

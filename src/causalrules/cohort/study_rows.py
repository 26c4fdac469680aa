"""What a study needs to know of the records: the distinct combinations of arm and controls, with counts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

Work = TypeVar("Work")


@dataclass(frozen=True, slots=True, eq=False)
class Control:
    """One column that is held, over the unique rows.

    Parameters
    ----------
    name : str
        The column's name.
    codes : int32[n_rows]
        0 for missing, 1..n_codes for a value; for numbers fine quantile bins
        in ascending order.
    n_codes : int
        Different values, missing not counted.
    values : float64[n_codes] or None
        The mean of the number in each bin; None for a category.
    """

    name: str
    codes: NDArray[np.int32]
    n_codes: int
    values: NDArray[np.float64] | None = None

    @property
    def is_number(self) -> bool:
        """Has an order and a scale, and is held by both."""
        return self.values is not None

    def take(self, rows: NDArray[np.intp]) -> Control:
        """The column over some of the rows."""
        return Control(self.name, self.codes[rows], self.n_codes, self.values)


class SharedWork:
    """What follows from the rows' counts and controls, whoever is exposed: studies of one column share it.

    For one thread at a time.

    Examples
    --------
    >>> shared = SharedWork()
    >>> shared.once("answer", lambda: 42), shared.once("answer", lambda: 43)
    (42, 42)
    """

    def __init__(self) -> None:
        self._done: dict[str, Any] = {}

    def once(self, name: str, work: Callable[[], Work]) -> Work:
        """Do the work, or give what it gave before."""
        if name not in self._done:
            self._done[name] = work()
        done: Work = self._done[name]
        return done

    def seen(self, name: str) -> Any:
        """What was done under a name before; None if nothing was."""
        return self._done.get(name)


@dataclass(frozen=True, slots=True, eq=False)
class StudyRows:
    """The records of a study as unique rows; those of unknown exposure are left out before.

    Parameters
    ----------
    exposed : bool[n_rows]
        The arm.
    counts : int64[n_rows, 2]
        Records without and with the outcome; in models of a weighted sample sums of weights.
    controls : tuple of Control
        The columns that are held.
    shared : SharedWork
        Of all studies with the same counts and controls.

    Examples
    --------
    >>> rows = StudyRows(np.array([True, False]), np.array([[3, 1], [10, 2]]), ())
    >>> rows.n_records.tolist(), rows.n_exposed, rows.n_unexposed
    ([4, 12], 4, 12)
    """

    exposed: NDArray[np.bool_]
    counts: NDArray[Any]
    controls: tuple[Control, ...]
    shared: SharedWork = field(default_factory=SharedWork)

    @property
    def n_rows(self) -> int:
        """Unique rows."""
        return len(self.exposed)

    @property
    def n_records(self) -> NDArray[np.int64]:
        """Records of every row."""
        return self.shared.once("n_records", lambda: self.counts[:, 0] + self.counts[:, 1])

    @property
    def n_exposed(self) -> int:
        """Records in the exposed arm."""
        return int(self.n_records[self.exposed].sum())

    @property
    def n_unexposed(self) -> int:
        """Records in the other arm."""
        return int(self.n_records[~self.exposed].sum())

    @property
    def smaller_arm(self) -> NDArray[np.bool_]:
        """The rows of the arm with fewer records; the exposed one if they are equal."""
        return self.exposed if self.n_exposed <= self.n_unexposed else ~self.exposed

    def without_models(self) -> StudyRows:
        """The same rows, without the designs and starts of fits that their studies share."""
        few = self.shared.once("without models", SharedWork)
        few.once("n_records", lambda: self.n_records)
        return replace(self, shared=few)

    def take(self, rows: NDArray[np.intp]) -> StudyRows:
        """Some of the rows."""
        if len(rows) == self.n_rows and np.array_equal(rows, np.arange(self.n_rows)):
            return self
        taken, some = self.shared.once("taken", lambda: (rows, self._without_others(rows)))
        if not np.array_equal(taken, rows):
            some = self._without_others(rows)
        return StudyRows(self.exposed[rows], some.counts, some.controls, some.shared)

    def _without_others(self, rows: NDArray[np.intp]) -> StudyRows:
        controls = tuple(control.take(rows) for control in self.controls)
        return StudyRows(self.exposed[rows], self.counts[rows], controls)

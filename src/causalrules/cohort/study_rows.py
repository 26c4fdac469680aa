"""What a study needs to know of the records: the distinct combinations of arm and controls, with counts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.product_terms import Spreads
    from causalrules.cohort.score_design import Design


_MOST_TAKEN = 2


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


@dataclass(slots=True, eq=False)
class SharedWork:
    """What follows from the rows' counts and controls, whoever is exposed: studies of one column share it.

    The first study that needs a thing works it out, and leaves it here. For one thread at a time.

    Parameters
    ----------
    n_records : int64[n_rows], optional
        Records of every row.
    design : Design, optional
        How the controls enter models, see `score_design.design_of`.
    outcome_start : float64[n_coefficients], optional
        Where fits of the outcome start.
    spreads : Spreads, optional
        Of products of the controls, see `products.with_products`.
    taken : list of (intp[n], StudyRows)
        The rows that were taken first, and what became of them: those with complete controls, and the others.
    with_cells : dict of str to StudyRows
        The rows with one more control, by its name, see `compare_arms.with_cells`.
    without_models : SharedWork, optional
        What is shared once the studies are done, without the models, which are large.
    """

    n_records: NDArray[np.int64] | None = None
    design: Design | None = None
    outcome_start: NDArray[np.float64] | None = None
    spreads: Spreads | None = None
    taken: list[tuple[NDArray[np.intp], StudyRows]] = field(default_factory=list)
    with_cells: dict[str, StudyRows] = field(default_factory=dict)
    without_models: SharedWork | None = None


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
        Of all studies with the same counts and controls; other counts or controls begin anew.

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
        if self.shared.n_records is None:
            self.shared.n_records = self.counts[:, 0] + self.counts[:, 1]
        return self.shared.n_records

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

    @property
    def is_complete(self) -> NDArray[np.bool_]:
        """Whether no control of a row is missing."""
        found = np.ones(self.n_rows, np.bool_)
        for control in self.controls:
            found &= control.codes > 0
        return found

    def with_arm(self, exposed: NDArray[np.bool_]) -> StudyRows:
        """The same rows in the study of another exposure, which shares all that does not depend on it."""
        return replace(self, exposed=exposed)

    def without_models(self) -> StudyRows:
        """The same rows, without the designs and starts of fits that their studies share."""
        if self.shared.without_models is None:
            self.shared.without_models = SharedWork(n_records=self.n_records)
        return replace(self, shared=self.shared.without_models)

    def take(self, rows: NDArray[np.intp]) -> StudyRows:
        """Some of the rows."""
        if len(rows) == self.n_rows and np.array_equal(rows, np.arange(self.n_rows)):
            return self
        for known, taken in self.shared.taken:
            if np.array_equal(known, rows):
                return taken.with_arm(self.exposed[rows])
        controls = tuple(control.take(rows) for control in self.controls)
        some = StudyRows(self.exposed[rows], self.counts[rows], controls)
        if len(self.shared.taken) < _MOST_TAKEN:
            self.shared.taken.append((rows, some))
        return some

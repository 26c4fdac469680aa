"""Who is exposed, who is not, and who cannot be told (arms with unknown exposure)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.study_rows import Control, StudyRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.domain.unique_rows import HeldColumn, UniqueRows


@dataclass(frozen=True, slots=True, eq=False)
class Arms:
    """The unique rows of a study, with their arms.

    Parameters
    ----------
    rows : StudyRows
        The rows whose exposure is known.
    kept : intp[n]
        Their places among all unique rows.
    exposure_unknown : int
        Records in neither arm.
    """

    rows: StudyRows
    kept: NDArray[np.intp]
    exposure_unknown: int

    def without_models(self) -> Arms:
        """The arms, without what fits of other studies of these rows share."""
        return replace(self, rows=self.rows.without_models())


def arms_of(
    rows: UniqueRows,
    pattern: Sequence[tuple[int, int]],
    controls: Sequence[HeldColumn],
    before: Arms | None = None,
) -> Arms:
    """Divide unique rows into the exposed, the unexposed and the unknown.

    A record is exposed when it has every item of the pattern, and unexposed
    when at least one column of the pattern is known and differs. Where
    neither can be said, a missing value would have to be guessed: the record
    takes no part.

    Parameters
    ----------
    rows : UniqueRows
        Over the columns of the pattern and of the controls, at least.
    pattern : sequence of (int, int)
        Column number and code of each item.
    controls : sequence of HeldColumn
        What is held.
    before : Arms, optional
        Of the same rows and controls with another pattern: what does not depend on it is shared.

    Examples
    --------
    >>> from causalrules.domain.unique_rows import UniqueRows
    >>> codes = np.array([[0, 0, 1, 1, 2], [1, 2, 0, 1, 0]], np.uint16)
    >>> rows = UniqueRows(np.array([3, 5]), codes, np.ones((5, 2), np.int64))
    >>> arms = arms_of(rows, [(3, 1), (5, 1)], [])
    >>> arms.kept.tolist(), arms.rows.exposed.tolist(), arms.exposure_unknown
    ([1, 3, 4], [False, True, False], 4)
    """
    place = {int(column): position for position, column in enumerate(rows.columns)}
    has_all = np.ones(rows.n_rows, np.bool_)
    differs = np.zeros(rows.n_rows, np.bool_)
    for column, code in pattern:
        codes = rows.codes[place[column]]
        has_all &= codes == code
        differs |= (codes != 0) & (codes != code)
    kept = np.flatnonzero(has_all | differs)
    if before is not None and np.array_equal(kept, before.kept):
        return replace(before, rows=before.rows.with_arm(has_all[kept]))
    held = tuple(
        Control(one.name, rows.codes[place[one.place]][kept].astype(np.int32), one.n_codes, one.values)
        for one in controls
    )
    unknown = int(rows.counts.sum() - rows.counts[kept].sum())
    return Arms(StudyRows(has_all[kept], rows.counts[kept], held), kept, unknown)

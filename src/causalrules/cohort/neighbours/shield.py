"""Which associations with the outcome are explained away by others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.neighbours.within_strata import associate

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from causalrules.cohort.neighbours.screen import Screened
    from causalrules.cohort.neighbours.within_strata import Association
    from causalrules.engines.contract import Counts

MOST_HELD = 3
SHIELD_LEVEL = 0.05

LEAST_INFORMATION = 0.1
"""Share of the crude variance that must be left: a near copy of an item leaves nothing to test, and
explains nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shielded:
    """What is left of an item's association when others are held.

    Parameters
    ----------
    item : int
    p_value : float
        The largest over the sets of controls that were tried. If the item stood next to the outcome,
        every one of these tests would be valid, so their largest is too (intersection-union, Berger 1982;
        Strobl, Spirtes and Visweswaran 2019 for this use).
    held : tuple of int
        The controls that gave it.
    """

    item: int
    p_value: float
    held: tuple[int, ...]

    @property
    def is_explained(self) -> bool:
        """Whether the association is gone within the controls' strata."""
        return self.p_value > SHIELD_LEVEL


def shield(engine: Counts, screened: Screened, later: Collection[int] = ()) -> dict[int, Shielded]:
    """Hold the strongest explanations of every item, from the weakest item to the strongest.

    Weak ones go first, so that an item with an effect of its own is judged
    beside other such items rather than beside their followers. What was
    explained away explains nothing any more.

    Parameters
    ----------
    later : collection of int
        Columns that come after the outcome, and explain no association with it.

    Returns
    -------
    dict
        Item → what is left, for every item within the screen's level.
    """
    passed = [int(item) for item in screened.passed]
    alive = dict.fromkeys(item for item in passed if int(engine.column_of_item[item]) not in later)
    found = {}
    known = _Known(engine, screened)
    for item in reversed(passed):
        column = engine.column_of_item[item]
        controls = np.array([y for y in alive if engine.column_of_item[y] != column], np.intp)
        found[item] = _hold_greedily(item, controls, known)
        if found[item].is_explained:
            alive.pop(item, None)
    return found


def _hold_greedily(item: int, controls: NDArray[np.intp], known: _Known) -> Shielded:
    """One at a time, the control that leaves least of the association; up to three."""
    best = Shielded(item=item, p_value=float(known.screened.p_values[item]), held=())
    held: list[int] = []
    crude = None
    while len(held) < MOST_HELD and not best.is_explained and len(controls):
        alone, with_each = _associations(item, held, controls, known)
        crude = float(alone.variance) if crude is None else crude
        p_values = np.where(with_each.variance >= LEAST_INFORMATION * crude, with_each.p_value, -1.0)
        chosen = int(p_values.argmax())
        if p_values[chosen] < 0:
            break
        held.append(int(controls[chosen]))
        controls = np.delete(controls, chosen)
        if p_values[chosen] > best.p_value:
            best = Shielded(item=item, p_value=float(p_values[chosen]), held=tuple(held))
    return best


def _associations(
    item: int, held: list[int], controls: NDArray[np.intp], known: _Known
) -> tuple[Association, Association]:
    """Of the item with the outcome: holding what is held, and holding each control besides."""
    exposed, unexposed = known.arms(item, held, controls)
    # int64[strata, controls + 1, 2] each; the last control is everybody.
    n_x, n = exposed, exposed + unexposed
    sums = [n.sum(axis=2), n_x.sum(axis=2), n[:, :, 1], n_x[:, :, 1]]
    alone = associate(*(count[:, -1] for count in sums))
    split = [np.concatenate([count[:, :-1], count[:, -1:] - count[:, :-1]]) for count in sums]
    return alone, associate(*split)


class _Known:
    """Counts the arms of items: records with the item, and records known not to have it.

    Where values of a column are missing, those known not to have an item are counted value by value. That
    is done once for all items of the column: 8,000 questions became 2,000 on Census Income, whose
    countries of birth have 42 values and gaps.
    """

    def __init__(self, engine: Counts, screened: Screened) -> None:
        self.screened = screened
        self._engine = engine
        self._of_column: dict[tuple[int, ...], tuple[NDArray[np.intp], NDArray[np.int64]]] = {}

    def arms(
        self, item: int, held: list[int], controls: NDArray[np.intp]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Both arms with each control, in the strata of what is held.

        From one call to the next, controls of a column's items only become fewer.
        """
        exposed, others = self._split_by(item, held, controls)
        column = int(self._engine.column_of_item[item])
        if not self.screened.has_missing[column]:
            return exposed, others
        key = (column, *held)
        if key not in self._of_column:
            values = np.flatnonzero(self._engine.column_of_item == column).tolist()
            known = sum(self._split_by(value, held, controls)[0] for value in values)
            self._of_column[key] = controls, np.asarray(known)
        counted, of_all = self._of_column[key]
        order = np.argsort(counted)
        places = order[np.searchsorted(counted, controls, sorter=order)]
        return exposed, of_all[:, np.append(places, -1)] - exposed

    def _split_by(
        self, value: int, held: list[int], controls: NDArray[np.intp]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Records with the value, and all others."""
        counts = self._engine.within(np.array([*held, value], np.intp), controls)
        half = len(counts) // 2
        return counts[half:], counts[:half]

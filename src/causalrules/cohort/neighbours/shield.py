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
    for item in reversed(passed):
        column = engine.column_of_item[item]
        controls = np.array([y for y in alive if engine.column_of_item[y] != column], np.intp)
        found[item] = _hold_greedily(item, controls, engine, screened)
        if found[item].is_explained:
            alive.pop(item, None)
    return found


def _hold_greedily(item: int, controls: NDArray[np.intp], engine: Counts, screened: Screened) -> Shielded:
    """One at a time, the control that leaves least of the association; up to three."""
    best = Shielded(item=item, p_value=float(screened.p_values[item]), held=())
    column = engine.column_of_item[item]
    known = np.flatnonzero(engine.column_of_item == column) if screened.has_missing[column] else None
    held: list[int] = []
    crude = None
    while len(held) < MOST_HELD and not best.is_explained and len(controls):
        alone, with_each = _associations(engine.within(np.array([*held, item]), controls, known))
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


def _associations(counts: NDArray[np.int64]) -> tuple[Association, Association]:
    """Of an item with the outcome: holding what is held, and holding each control besides.

    Parameters
    ----------
    counts : int64[2 · n_strata, n_controls + 1, 2]
        Records whose value is known, see `Counts.within`: without the item, then with it; the last control
        is everybody.
    """
    unexposed, exposed = np.split(counts, 2)
    n_x, n = exposed, exposed + unexposed
    sums = [n.sum(axis=2), n_x.sum(axis=2), n[:, :, 1], n_x[:, :, 1]]
    alone = associate(*(count[:, -1] for count in sums))
    split = [np.concatenate([count[:, :-1], count[:, -1:] - count[:, :-1]]) for count in sums]
    return alone, associate(*split)

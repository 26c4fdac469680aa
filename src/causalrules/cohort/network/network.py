"""The network around the outcome, learnt by climbing and thinking again.

A climb can get stuck on an early mistake. So the arrows of the outcome and of
each neighbour are forgotten in turn, arrows between them are turned, and pairs
that say more together than apart are put into families; after each the climb
goes on, and what is better is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.cohort.network.families import MOST_CAUSES, OUTCOME, Families
from causalrules.cohort.network.hill_climbing import NOTHING, climb, reach, turned, within
from causalrules.cohort.network.interactions import pairs_in_company

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.network.families import Causes
    from causalrules.cohort.network.hill_climbing import Net
    from causalrules.engines.contract import Engine

N_PAIRS = 20
_ARROWS_AROUND = 2
_LEAST_GAIN = 1e-6


@dataclass(frozen=True)
class Network:
    """Items with arrows between them and the outcome.

    Parameters
    ----------
    causes : dict
        Item → the items it has arrows from.
    causes_of_outcome, effects_of_outcome : frozenset of int
        Items with an arrow to and from the outcome. Arrows say what to hold
        fixed, not what comes first.
    companions : frozenset of int
        Other causes of effects that the outcome alone says nothing about:
        which of the three is the effect of the others cannot be told.
    """

    causes: dict[int, frozenset[int]]
    causes_of_outcome: frozenset[int]
    effects_of_outcome: frozenset[int]
    companions: frozenset[int] = frozenset()

    @property
    def neighbours(self) -> frozenset[int]:
        """Items next to the outcome."""
        return self.causes_of_outcome | self.effects_of_outcome

    def controls_of(self, item: int) -> frozenset[int]:
        """The items to hold fixed in a study of this one.

        For an item that the outcome has arrows to, however long the way, the
        other causes of the item; for any other, the other causes of the
        outcome. In a network that is right, an item that is not next to the
        outcome is then independent of it.
        """
        if item in self._below_outcome:
            return self.causes.get(item, frozenset()) - {item}
        return self.causes_of_outcome - {item}

    def controls_of_pattern(self, pattern: Iterable[int]) -> frozenset[int]:
        """The items to hold fixed in a study of several together."""
        held: frozenset[int] = frozenset()
        return held.union(*map(self.controls_of, pattern)) - frozenset(pattern)

    @cached_property
    def _below_outcome(self) -> set[int]:
        effects = turned(self.causes)
        below = set(self.effects_of_outcome)
        for item in self.effects_of_outcome:
            below |= reach(effects, item)
        return below


def learn_network(engine: Engine, items: NDArray[np.intp], names: Sequence[str]) -> Network:
    """Learn the arrows near the outcome.

    Parameters
    ----------
    engine : Engine
        Where records are counted.
    items : intp[n]
        The items that are variables.
    names : sequence of str
        The texts of all items: between equals the alphabet decides, not the place of a column.
    """
    counts = engine.item_counts()
    by_name = np.array(sorted(items.tolist(), key=names.__getitem__), np.intp)
    order = np.lexsort((counts.support[by_name], counts.with_outcome[by_name]))
    items = by_name[order]
    families = Families(engine, items)
    net = _think_again(families)

    def named(variables: frozenset[int] | set[int]) -> frozenset[int]:
        return frozenset(int(items[v - 1]) for v in variables if v != OUTCOME)

    effects = {y for y, causes in net.items() if OUTCOME in causes}
    only_together = {y for y in effects if families.gain(y, frozenset([OUTCOME])) <= 0}
    return Network(
        causes={int(items[y - 1]): named(causes) for y, causes in net.items() if y != OUTCOME},
        causes_of_outcome=named(net.get(OUTCOME, NOTHING)),
        effects_of_outcome=named(effects),
        companions=named({v for y in only_together for v in net[y]}),
    )


def _think_again(families: Families) -> Net:
    """Climb, then try to get unstuck.

    The region grows between rounds and never within one, so that totals can be compared.
    """
    net, _ = climb(families, {}, None)
    pairs = pairs_in_company(families, N_PAIRS)
    region: frozenset[int] = frozenset([OUTCOME])
    is_better = True
    while is_better or not within(OUTCOME, net, _ARROWS_AROUND) <= region:
        is_better = False
        region |= within(OUTCOME, net, _ARROWS_AROUND)
        net, total = climb(families, net, region)
        for thought in _second_thoughts(net, pairs):
            trial = _changed(net, thought)
            if trial == net or thought.variable in reach(turned(trial), thought.variable):
                continue
            trial, gain = climb(families, trial, region)
            if gain > total + _LEAST_GAIN:
                net, total, is_better = trial, gain, True
    return net


class _Thought(NamedTuple):
    """A change to try: forget a variable's arrows, turn one from a cause, or give it a pair of causes."""

    variable: int
    turn_from: int | None = None
    pair: Causes = NOTHING


def _second_thoughts(net: Net, pairs: list[tuple[int, Causes]]) -> list[_Thought]:
    near = within(OUTCOME, net, 1)
    forget = [_Thought(variable) for variable in sorted(near)]
    turn = [
        _Thought(variable, turn_from=cause)
        for variable in sorted(near & net.keys())
        for cause in sorted(net[variable] & near)
    ]
    return [*forget, *turn, *(_Thought(variable, pair=pair) for variable, pair in pairs)]


def _changed(net: Net, thought: _Thought) -> Net:
    """The net with the change made, where it can be."""
    variable, causes = thought.variable, net.get(thought.variable, NOTHING)
    if thought.pair:
        return {**net, variable: causes | thought.pair} if len(causes | thought.pair) <= MOST_CAUSES else net
    if thought.turn_from is None:
        return {other: others - {variable} for other, others in net.items() if other != variable}
    if thought.turn_from not in causes:
        return net
    return {**net, variable: NOTHING, thought.turn_from: frozenset([variable])}

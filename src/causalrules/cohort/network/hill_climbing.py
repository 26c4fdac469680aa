"""Climbing: the best single change of a network, until none gains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from causalrules.cohort.network.families import Causes, Families, Gains

    Net = dict[int, Causes]
    """Variable → its causes, for variables that have any."""

NOTHING: Causes = frozenset()
_LEAST_GAIN = 1e-7


def climb(families: Families, net: Net, region: frozenset[int] | None) -> tuple[Net, float]:
    """Draw, drop or turn the arrow that gains most, again and again; never close a circle.

    Only arrows with an end in the region are drawn.

    Parameters
    ----------
    region : frozenset of int or None
        None: the outcome and its present neighbours.

    Returns
    -------
    The net and its total gain.
    """
    while True:
        near = region if region is not None else within(0, net, 1)
        change = _best_change(families, net, near)
        if not change:
            return net, sum(families.gain(y, causes) for y, causes in net.items())
        net = {y: causes for y, causes in {**net, **change}.items() if causes}


def _best_change(families: Families, net: Net, near: frozenset[int]) -> Net:
    """The families that the best change alters; empty if nothing gains."""
    effects = turned(net)
    below, above = Reach(effects), Reach(net)
    known = sorted(near | net.keys())
    best, change = _LEAST_GAIN, {}
    for y in known:
        causes = net.get(y, NOTHING)
        additions = families.additions(y, causes)
        if additions.largest > best:
            v = _best_allowed(additions.gains, best, below[y], None if y in near else near)
            if v is not None:
                best, change = float(additions.gains[v]), {y: causes | {v}}
        for v, gain in families.removals(y, causes).items():
            if gain > best:
                best, change = gain, {y: causes - {v}}
            turning = gain + float(_as_cause(families, net, v, y))
            if turning > best and not any(below[w] >> y & 1 for w in effects[v] if w != y):
                best, change = turning, {y: causes - {v}, v: net.get(v, NOTHING) | {y}}
    is_known = sum(1 << y for y in known)
    for v in sorted(near):  # a first cause for a variable outside
        first = families.effects(v)
        if first.largest > best:
            effect = _best_allowed(first.gains, best, above[v] | is_known, None)
            if effect is not None:
                best, change = float(first.gains[effect]), {effect: frozenset([v])}
    return change


def _as_cause(families: Families, net: Net, variable: int, cause: int) -> float:
    """What the cause would save the variable, beside those it has."""
    causes = net.get(variable, NOTHING)
    ranked = families.additions(variable, causes) if causes else families.effects(cause)
    return float(ranked.gains[cause if causes else variable])


def _best_allowed(gains: Gains, best: float, forbidden: int, allowed: frozenset[int] | None) -> int | None:
    """The variable that gains most, and more than the best so far.

    `forbidden` has a bit for each variable.
    """
    for v in np.argsort(-gains, kind="stable"):
        if gains[v] <= best:
            return None
        if not forbidden >> int(v) & 1 and (allowed is None or int(v) in allowed):
            return int(v)
    return None


class Reach(dict[int, int]):
    """Variable → a bit for every variable that can be reached from it; of a net without circles."""

    def __init__(self, steps: Mapping[int, Collection[int]]) -> None:
        super().__init__()
        self._steps = steps

    def __missing__(self, variable: int) -> int:
        bits = 0
        for step in self._steps.get(variable, ()):
            bits |= 1 << step | self[step]
        self[variable] = bits
        return bits


def reach(steps: Mapping[int, Collection[int]], start: int) -> set[int]:
    """All variables that can be reached from the start; itself only if it is on a circle."""
    seen: set[int] = set()
    todo = [start]
    while todo:
        new = set(steps.get(todo.pop(), ())) - seen
        seen |= new
        todo += new
    return seen


def turned(net: Net) -> dict[int, set[int]]:
    """Variable → its effects."""
    effects: dict[int, set[int]] = {}
    for y, causes in net.items():
        for v in causes:
            effects.setdefault(v, set()).add(y)
    return effects


def within(variable: int, net: Net, n_arrows: int) -> frozenset[int]:
    """The variables at most so many arrows away, itself among them."""
    effects = turned(net)
    near = {variable}
    for _ in range(n_arrows):
        near |= {w for v in near for w in (*net.get(v, ()), *effects.get(v, ()))}
    return frozenset(near)

"""Which rules can be studied together when records are spread over parts.

A strata histogram adds up over parts of the records only if no stratum is
torn apart. Records that agree on every control of a rule agree on any few of
them, so records are put into parts by a few items that all rules of a round
hold fixed: every stratum of each of these rules then lies within one part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from causalrules.domain.histogram import WEIGHT_UNIT, StrataHistogram
from causalrules.engines.contract import MatchedItems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from causalrules.engines.contract import Engine

Sum = TypeVar("Sum", StrataHistogram, MatchedItems)

_BITS_TO_SPARE = 3
"""Parts come out even enough when the held items tell records apart this many bits finer than needed."""


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Rules, and items that all of them hold fixed.

    Parameters
    ----------
    rules : intp[n]
        Places of the rules.
    held : bool[n_items]
        The items that decide on a record's part; none if the rules have no control that tells records apart.
    """

    rules: NDArray[np.intp]
    held: NDArray[np.bool_]


def plan_rounds(
    controls: NDArray[np.bool_], supports: NDArray[np.int64], n_records: int, n_parts: int
) -> list[Round]:
    """Divide rules into rounds.

    Greedy: the item that tells records apart best for most of the rules comes
    first; rules that do not hold it wait for a later round. More items are
    added until records can be spread evenly, and beyond that as long as half
    of the rules stay.

    Parameters
    ----------
    controls : bool[n_rules, n_items]
        What each rule holds fixed.
    supports : int64[n_items]
        Records that have each item.
    n_records, n_parts : int
        All records, and the parts to spread them over.
    """
    information = _information(supports / max(n_records, 1))
    needed = float(np.log2(max(n_parts, 1)))
    waiting = np.arange(len(controls))
    rounds = []
    while len(waiting):
        rules, held = waiting, np.zeros(controls.shape[1], np.bool_)
        n_bits = 0.0
        while n_bits < needed + _BITS_TO_SPARE:
            share = controls[rules].mean(axis=0)
            score = np.where(held, 0.0, share * information)
            best = int(score.argmax())
            if score[best] == 0 or (n_bits > needed and share[best] < 0.5):
                break
            rules = rules[controls[rules, best]]
            held[best] = True
            n_bits += float(information[best])
        rounds.append(Round(rules, held))
        waiting = np.setdiff1d(waiting, rules, assume_unique=True)
    return rounds


def _information(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bits told by having, or not having, an item that this share of the records has."""
    both = np.stack([share, 1 - share]).clip(min=1e-300)
    information: NDArray[np.float64] = -(both * np.log2(both)).sum(axis=0)
    return np.where((share > 0) & (share < 1), information, 0.0)


def ask_in_rounds(
    engine: Engine,
    patterns: NDArray[np.intp],
    controls: NDArray[np.bool_],
    n_parts: int,
    study: Callable[[NDArray[np.bool_], NDArray[np.intp], NDArray[np.bool_]], Iterable[Iterable[Sum]]],
    without_controls: Callable[[Engine, NDArray[np.intp]], Sum],
) -> Iterator[Sum]:
    """Add the answers for each rule up over the parts; they come in order, after every round.

    Parameters
    ----------
    patterns, controls
        As in the contract.
    study : callable
        From the held items, patterns and controls of a round to the answers of each part, one for each rule.
    without_controls : callable
        From the engine and a pattern to the answer for a rule that holds nothing fixed.
    """
    answers: list[Sum | None] = [None] * len(patterns)
    has_controls = controls.any(axis=1)
    for rule in np.flatnonzero(~has_controls):
        answers[rule] = without_controls(engine, patterns[rule])
    asked = waiting = np.flatnonzero(has_controls)
    n_records = engine.n_with + engine.n_without
    n_out = 0
    for planned in plan_rounds(controls[asked], engine.item_counts().support, n_records, n_parts):
        rules = asked[planned.rules]
        for of_part in study(planned.held, patterns[rules], controls[rules]):
            for rule, answer in zip(rules, of_part, strict=True):
                so_far = answers[rule]
                answers[rule] = answer if so_far is None else so_far + answer
        waiting = np.setdiff1d(waiting, rules, assume_unique=True)
        n_ready = int(waiting.min(initial=len(patterns)))
        yield from _known(answers[n_out:n_ready])
        n_out = n_ready
    yield from _known(answers[n_out:])


def _known(answers: list[Sum | None]) -> Iterator[Sum]:
    for answer in answers:
        assert answer is not None, "every rule is in a round"
        yield answer


def one_stratum(engine: Engine, pattern: NDArray[np.intp]) -> StrataHistogram:
    """Without controls all records are one stratum."""
    counts = engine.pattern_counts(pattern[None])
    exposed = int(counts.with_outcome[0]), int(counts.without_outcome[0])
    unexposed = engine.n_with - exposed[0], engine.n_without - exposed[1]
    if sum(exposed) and sum(unexposed):
        return StrataHistogram.from_strata([(*exposed, *unexposed)], 0, 0)
    return StrataHistogram.from_strata([], sum(exposed), sum(unexposed))


def matched_in_one_stratum(engine: Engine, pattern: NDArray[np.intp]) -> MatchedItems:
    """Without controls every exposed record has the same weight, and every unexposed one."""
    n_exposed = int(engine.pattern_counts(pattern[None]).support[0])
    n_unexposed = engine.n_with + engine.n_without - n_exposed
    n_pairs = min(n_exposed, n_unexposed)
    exposed = engine.overlaps(pattern[None], np.arange(len(engine.column_of_item)))[0]
    unexposed = engine.item_counts().support - exposed
    return MatchedItems(
        exposed=exposed,
        matched_exposed=exposed if n_pairs else np.zeros_like(exposed),
        weight_exposed=exposed * (WEIGHT_UNIT * n_pairs // max(n_exposed, 1)),
        weight_unexposed=unexposed * (WEIGHT_UNIT * n_pairs // max(n_unexposed, 1)),
    )

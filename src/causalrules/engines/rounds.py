"""Which rules can be studied together when records are spread over parts.

A strata histogram adds up over parts of the records only if no stratum is
torn apart. Records that agree on every control of a rule agree on any few of
them, so records are put into parts by a few items that all rules of a round
hold fixed: every stratum of each of these rules then lies within one part.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.histogram import WEIGHT_UNIT, StrataHistogram
from causalrules.engines.contract import MatchedItems
from causalrules.engines.questions import summed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from causalrules.engines.contract import Engine
    from causalrules.engines.questions import RuleQuestion, Sum

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
    if n_parts == 1 and len(controls):
        return [Round(np.arange(len(controls)), np.zeros(controls.shape[1], np.bool_))]
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
    question: RuleQuestion[Sum],
    engine: Engine,
    n_parts: int,
    study: Callable[[list[Round]], Iterable[Iterable[tuple[int, Sum]]]],
    without_controls: Callable[[NDArray[np.intp]], Iterable[Sum]],
) -> Iterator[Sum]:
    """Ask about rules part by part, and add the answers up; they come in order, as rounds are finished.

    Parameters
    ----------
    question : RuleQuestion
        What is asked.
    engine : Engine
        Knows how many records have each item.
    n_parts : int
        The parts that the records of a round are spread over.
    study : callable
        From rounds to what is found in them, rules and answers, one for each part that has records of
        the rule. What is found together must be complete: rounds may be studied one by one, or all at once.
    without_controls : callable
        From patterns to the answers for rules that hold nothing fixed: all records are one stratum then,
        so no part of them would do.
    """
    has_controls = question.controls.any(axis=1)
    asked, alone = np.flatnonzero(has_controls), np.flatnonzero(~has_controls)
    answers: dict[int, Sum] = {}
    if len(alone):
        answers |= zip(alone.tolist(), without_controls(question.patterns[alone]), strict=True)
    n_records = engine.n_with + engine.n_without
    planned = plan_rounds(question.controls[asked], engine.item_counts().support, n_records, n_parts)
    rounds = [Round(asked[one.rules], one.held) for one in planned]
    n_out = 0
    for found in chain([()], study(rounds) if rounds else ()):
        answers |= summed(found)
        while n_out in answers:
            yield answers.pop(n_out)
            n_out += 1
    assert n_out == len(question.patterns), "every rule is in a round"


def one_stratum(engine: Engine, patterns: NDArray[np.intp]) -> Iterator[StrataHistogram]:
    """The histogram of each rule without controls: all records are one stratum."""
    counts = engine.pattern_counts(patterns)
    for exposed in counts.to_array().T.tolist():
        unexposed = engine.n_with - exposed[0], engine.n_without - exposed[1]
        if sum(exposed) and sum(unexposed):
            yield StrataHistogram.from_strata([(*exposed, *unexposed)], 0, 0)
        else:
            yield StrataHistogram.from_strata([], sum(exposed), sum(unexposed))


def matched_in_one_stratum(
    engine: Engine, patterns: NDArray[np.intp], with_item: NDArray[np.int64]
) -> Iterator[MatchedItems]:
    """Who has each item, for each rule without controls: all exposed records weigh the same, all others too.

    Parameters
    ----------
    with_item : int64[n_patterns, number of items]
        Records that have the pattern and the item.
    """
    supports = engine.pattern_counts(patterns).support
    for n_exposed, exposed in zip(supports.tolist(), with_item, strict=True):
        n_unexposed = engine.n_with + engine.n_without - n_exposed
        n_pairs = min(n_exposed, n_unexposed)
        unexposed = engine.item_counts().support - exposed
        yield MatchedItems(
            exposed=exposed,
            matched_exposed=exposed if n_pairs else np.zeros_like(exposed),
            weight_exposed=exposed * (WEIGHT_UNIT * n_pairs // max(n_exposed, 1)),
            weight_unexposed=unexposed * (WEIGHT_UNIT * n_pairs // max(n_unexposed, 1)),
        )

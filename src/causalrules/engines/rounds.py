"""Which rules can be studied together when records are spread over parts.

A strata histogram adds up over parts of the records only if no stratum is
torn apart. Records that agree on every control of a rule agree on any few of
them, so records are put into parts by a few items that all rules of a round
hold fixed: every stratum of each of these rules then lies within one part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from causalrules.engines.one_stratum import histogram_of_one, matched_in_one
from causalrules.engines.questions import summed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.engines.contract import Engine, MatchedItems
    from causalrules.engines.questions import RuleQuestion, Sum

_BITS_TO_SPARE = 3
"""Parts come out even enough when the held items tell records apart this many bits finer than needed."""

_COST_OF_AN_ITEM = 0.1
"""Beside the bits of rules it leaves behind, so that of items that leave none the best comes first."""

SAMPLED = 1 << 13
"""Records that a plan is made with: enough to tell hundreds of parts, a few megabytes for a wide table."""


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Rules, and items that all of them hold fixed.

    Parameters
    ----------
    rules : intp[n]
        Places of the rules.
    held : bool[n_items]
        The items that decide on a record's part; none if the rules have no control that tells records apart.
    is_spread : bool
        Whether records are spread over parts at all; not where the strata of all these rules fit into memory.
    """

    rules: NDArray[np.intp]
    held: NDArray[np.bool_]
    is_spread: bool = True


def no_rules(_controls: NDArray[np.bool_]) -> NDArray[np.intp]:
    """No rule holds so little that its strata would fit: what `plan_rounds` takes for granted."""
    return np.empty(0, np.intp)


def plan_rounds(
    controls: NDArray[np.bool_],
    has_item: NDArray[np.bool_],
    n_parts: int,
    fitting: Callable[[NDArray[np.bool_]], NDArray[np.intp]] = no_rules,
) -> list[Round]:
    """Divide rules into rounds.

    Each round takes the rules whose strata fit into memory, or those that can be spread by the same items,
    whichever are more. What few items tell apart cannot be spread over many parts, and need not be.

    How well items tell records apart is seen on a sample of them. What counts is what an item adds to the
    others: a near copy adds nothing, nor does the other value of a column of two. It is told in bits of
    collision entropy, -log2 of the chance that two records agree: a crowd that stays together weighs most.

    Parameters
    ----------
    controls : bool[n_rules, n_items]
        What each rule holds fixed.
    has_item : bool[n_sampled, n_items]
        The items of some distinct records.
    n_parts : int
        The parts to spread the records over.
    fitting : callable
        From the controls of some rules to the places of those whose strata fit into memory together.
    """
    nothing = np.zeros(controls.shape[1], np.bool_)
    if n_parts == 1 and len(controls):
        return [Round(np.arange(len(controls)), nothing)]
    waiting = np.arange(len(controls))
    rounds = []
    while len(waiting):
        best = _rules_to_spread(controls, waiting, has_item, n_parts)
        together = waiting[fitting(controls[waiting])]
        if len(together) > len(best.rules):
            best = Round(together, nothing, is_spread=False)
        rounds.append(best)
        waiting = np.setdiff1d(waiting, best.rules, assume_unique=True)
    return rounds


def _rules_to_spread(
    controls: NDArray[np.bool_], rules: NDArray[np.intp], has_item: NDArray[np.bool_], n_parts: int
) -> Round:
    """Rules and what all of them hold, chosen item by item.

    The item comes first that tells records apart best for the rules it costs: those that do not hold it wait
    for a later round. So the other items of a column come soon after its first, which cost nothing more.
    Items are added until records can be spread evenly, and beyond that as long as half of the rules stay.
    """
    needed = float(np.log2(n_parts))
    held, groups = np.zeros(controls.shape[1], np.bool_), _Groups(has_item)
    while groups.n_bits < needed + _BITS_TO_SPARE or groups.largest_share * n_parts > 1:
        share = controls[rules].mean(axis=0)
        gain = np.where(held | (share == 0), 0.0, groups.bits_with_each() - groups.n_bits)
        score = gain / (_COST_OF_AN_ITEM - np.log2(np.where(share == 0, 1.0, share)))
        best = int(score.argmax())
        if score[best] <= 1e-9 or (groups.n_bits > needed and share[best] < 0.5):
            break
        rules = rules[controls[rules, best]]
        held[best] = True
        groups.split_by(best)
    return Round(rules, held)


class _Groups:
    """Sampled records in groups that agree on the items chosen so far.

    Parameters
    ----------
    has_item : bool[n_sampled, n_items]
        The items of each record.
    """

    def __init__(self, has_item: NDArray[np.bool_]) -> None:
        self._has_item = has_item
        self._starts = np.zeros(min(1, len(has_item)), np.intp)

    @property
    def _sizes(self) -> NDArray[np.intp]:
        return np.diff(self._starts, append=len(self._has_item))

    @property
    def largest_share(self) -> float:
        """Of the sampled records, in one group."""
        return float(self._sizes.max(initial=0)) / max(len(self._has_item), 1)

    @property
    def n_bits(self) -> float:
        """How well groups tell records apart."""
        return float(self._bits((self._sizes.astype(np.float64) ** 2).sum()))

    def bits_with_each(self) -> NDArray[np.float64]:
        """float64[n_items]: the same if the groups were split by one more item."""
        if not len(self._has_item):
            return np.zeros(self._has_item.shape[1])
        with_item = np.add.reduceat(self._has_item, self._starts, axis=0, dtype=np.float64)
        without = self._sizes[:, None] - with_item
        return self._bits((with_item**2 + without**2).sum(axis=0))

    def _bits(self, n_agreeing: NDArray[np.float64]) -> NDArray[np.float64]:
        n = max(len(self._has_item), 1)
        bits: NDArray[np.float64] = 2 * np.log2(n) - np.log2(np.maximum(n_agreeing, 1))
        return bits

    def split_by(self, item: int) -> None:
        """Put the records of each group that have an item before those that have not."""
        group = np.repeat(np.arange(len(self._starts)), self._sizes)
        lacks = ~self._has_item[:, item]
        order = np.lexsort((lacks, group))
        self._has_item = self._has_item[order]
        number = (2 * group + lacks)[order]
        self._starts = np.flatnonzero(np.diff(number, prepend=-1))


def ask_in_rounds(
    question: RuleQuestion[Sum],
    has_item: Callable[[], NDArray[np.bool_]],
    n_parts: int,
    study: Callable[[list[Round]], Iterable[Iterable[tuple[int, Sum]]]],
    without_controls: Callable[[NDArray[np.intp]], Iterable[Sum]],
    fitting: Callable[[NDArray[np.bool_]], NDArray[np.intp]] = no_rules,
) -> Iterator[Sum]:
    """Ask about rules part by part, and add the answers up; they come in order, as rounds are finished.

    Parameters
    ----------
    question : RuleQuestion
        What is asked.
    has_item : callable
        Gives the items of some distinct records, bool[n_sampled, n_items], to plan rounds with.
    n_parts : int
        The parts that the records of a round are spread over.
    study : callable
        From rounds to what is found in them, rules and answers, one for each part that has records of
        the rule. What is found together must be complete: rounds may be studied one by one, or all at once.
    without_controls : callable
        From patterns to the answers for rules that hold nothing fixed: all records are one stratum then,
        so no part of them would do.
    fitting : callable
        As in `plan_rounds`.
    """
    has_controls = question.controls.any(axis=1)
    asked, alone = np.flatnonzero(has_controls), np.flatnonzero(~has_controls)
    answers: dict[int, Sum] = {}
    if len(alone):
        answers |= zip(alone.tolist(), without_controls(question.patterns[alone]), strict=True)
    is_planned = len(asked) and n_parts > 1
    sample = has_item() if is_planned else np.empty((0, question.controls.shape[1]), np.bool_)
    planned = plan_rounds(question.controls[asked], sample, n_parts, fitting)
    rounds = [replace(one, rules=asked[one.rules]) for one in planned]
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
    for n_with, n_without in counts.to_array().T.tolist():
        yield histogram_of_one(n_with, n_without, engine.n_with, engine.n_without)


def matched_in_one_stratum(
    engine: Engine, patterns: NDArray[np.intp], with_item: NDArray[np.int64]
) -> Iterator[MatchedItems]:
    """Who has each item, for each rule without controls.

    Parameters
    ----------
    with_item : int64[n_patterns, number of items]
        Records that have the pattern and the item.
    """
    supports = engine.pattern_counts(patterns).support
    everybody, n_records = engine.item_counts().support, engine.n_with + engine.n_without
    for n_exposed, exposed in zip(supports.tolist(), with_item, strict=True):
        yield matched_in_one(exposed, everybody, n_exposed, n_records)

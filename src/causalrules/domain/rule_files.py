"""How rules stand in result files: about the outcome itself, with controls by name or by number.

In memory a rule's numbers are in its direction's sense: what lowers has odds
ratios above 1, of being without the outcome. Readers of files compare rules
of both directions, so there every number speaks of the outcome.
"""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from causalrules.domain.evidence import NO_RISKS
from causalrules.domain.file_layout import Entry, from_entry, to_entry
from causalrules.domain.pairs import PairCounts
from causalrules.domain.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain.item import Item


class ItemNumbers:
    """The items that some rules hold fixed, each once, and the controls of every rule by number.

    Many rules of a wide table share one tuple of controls: it is looked
    through once for all of them.

    Parameters
    ----------
    rules : sequence of Rule
        All rules of a file.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        held = {id(rule.controls): rule.controls for rule in rules}
        self.items = sorted({item for controls in held.values() for item in controls})
        number_of = {item: number for number, item in enumerate(self.items)}
        self._numbers = {key: [number_of[item] for item in controls] for key, controls in held.items()}

    def of(self, rule: Rule) -> list[int]:
        """Places of the rule's controls among the items."""
        return self._numbers[id(rule.controls)].copy()


def to_file(rule: Rule, numbers: ItemNumbers) -> Entry:
    """A rule as an entry of a result file.

    Parameters
    ----------
    rule : Rule
        As it is in memory.
    numbers : ItemNumbers
        Those of the file.
    """
    entry = to_entry(rule.of_the_outcome(), {"controls": numbers.of(rule)})
    names = entry.pop("held")
    if rule.design:
        entry["controls"] = names
    return entry


def from_file(entry: Entry, items: Sequence[Item]) -> Rule:
    """Read back what `to_file` wrote, given the file's list of items."""
    controls = entry["controls"]
    is_by_name = entry["estimand"] is not None
    held = () if is_by_name else tuple([items[number] for number in controls])
    rule = from_entry(Rule, entry | {"held": controls if is_by_name else None}, {"controls": held})
    if not isfinite(rule.pairs.n_pairs):
        raise ValueError("a number of pairs is missing")
    if rule.design is not None and rule.design.gathered_by_outcome:  # null is read as infinite
        rule = replace(rule, effects=NO_RISKS)
    return rule.of_the_outcome()


def from_first_schema(entry: Entry, confidence: float) -> Rule:
    """Read a rule of a ``causalrules/1`` file, which is in its direction's sense and names controls in full.

    Such files hold one risk ratio. The other follows from the matched pairs,
    since all studies then were of pairs; the crude one from the four cells.

    Parameters
    ----------
    entry : dict
        The rule in the file.
    confidence : float
        Of the file's intervals.
    """
    from causalrules.assess.effects import effects_of

    pairs = PairCounts(**{name: entry[name] for name in ("n11", "n12", "n21", "n22")})
    exposed, unexposed, exposed_with = entry["exposed"], entry["unexposed"], entry["support"]
    unexposed_share = exposed_with / max(exposed, 1) - entry["crude_risk_difference"]
    n_with = exposed_with + round(unexposed_share * unexposed)
    n_without = exposed + unexposed - n_with
    effects = effects_of(pairs, exposed_with, exposed - exposed_with, n_with, n_without, confidence)
    return from_entry(Rule, to_entry(effects) | entry)

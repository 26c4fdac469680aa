"""How rules stand in result files: about the outcome itself, with controls by name or by number.

In memory a rule's numbers are in its direction's sense: what lowers has odds
ratios above 1, of being without the outcome. Readers of files compare rules
of both directions, so there every number speaks of the outcome.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.domain.file_layout import Entry, from_entry, to_entry
from causalrules.domain.pairs import PairCounts
from causalrules.domain.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from causalrules.domain.item import Item


def to_file(rule: Rule, number_of: Mapping[Item, int]) -> Entry:
    """A rule as an entry of a result file.

    Parameters
    ----------
    rule : Rule
        As it is in memory.
    number_of : mapping
        Places of items in the file's list, for those held fixed.
    """
    entry = to_entry(rule.of_the_outcome())
    names = entry.pop("held")
    entry["controls"] = names if rule.design else [number_of[item] for item in rule.controls]
    return entry


def from_file(entry: Entry, items: Sequence[Item]) -> Rule:
    """Read back what `to_file` wrote, given the file's list of items."""
    controls = entry["controls"]
    is_by_name = entry["estimand"] is not None
    held: Entry = {"held": controls if is_by_name else None, "controls": []}
    if not is_by_name:
        held["controls"] = [to_entry(items[number]) for number in controls]
    return from_entry(Rule, entry | held).of_the_outcome()


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

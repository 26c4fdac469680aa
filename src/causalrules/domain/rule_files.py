"""How rules stand in result files: about the outcome itself, with controls by name or by numbers.

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
    entry["controls"] = names if rule.design else in_runs([number_of[item] for item in rule.controls])
    return entry


def in_runs(numbers: Sequence[int]) -> list[int | list[int]]:
    """Numbers with those that follow one another told by the first and the last.

    In a table of thousands of columns a rule holds nearly all items, and each rule nearly the same.

    Examples
    --------
    >>> in_runs([3, 4, 5, 6, 9, 1, 2])
    [[3, 6], 9, 1, 2]
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    told: list[int | list[int]] = []
    for first, last in runs:
        told += [[first, last]] if last > first + 1 else range(first, last + 1)
    return told


def out_of_runs(told: Sequence[int | Sequence[int]], n_items: int) -> list[int]:
    """Read back what `in_runs` made; a damaged file may ask for more numbers than there are items.

    Examples
    --------
    >>> out_of_runs([[3, 6], 9, 1, 2], 10)
    [3, 4, 5, 6, 9, 1, 2]
    """
    numbers: list[int] = []
    for one in told:
        first, last = (one, one) if isinstance(one, int) else one
        if not 0 <= first <= last < n_items:
            raise IndexError(f"there is no item {first} or {last}")
        numbers += range(first, last + 1)
    return numbers


def from_file(entry: Entry, items: Sequence[Item]) -> Rule:
    """Read back what `to_file` wrote, given the file's list of items."""
    controls = entry["controls"]
    is_by_name = entry["estimand"] is not None
    held: Entry = {"held": controls if is_by_name else None, "controls": []}
    if not is_by_name:
        held["controls"] = [to_entry(items[number]) for number in out_of_runs(controls, len(items))]
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

"""How rules stand in result files: about the outcome itself.

In memory a rule's numbers are in its direction's sense: what lowers has odds
ratios above 1, of being without the outcome. Readers of files compare rules
of both directions, so there every number speaks of the outcome.
"""

from __future__ import annotations

from dataclasses import replace
from math import isfinite

from causalrules.domain.evidence import NO_RISKS
from causalrules.domain.file_layout import Entry, from_entry, to_entry
from causalrules.domain.rule import Rule


def to_file(rule: Rule) -> Entry:
    """A rule as an entry of a result file."""
    entry = to_entry(rule.of_the_outcome())
    return {"controls" if name == "held" else name: value for name, value in entry.items()}


def from_file(entry: Entry) -> Rule:
    """Read back what `to_file` wrote."""
    rule = from_entry(Rule, entry | {"held": entry["controls"]})
    if not isfinite(rule.pairs.n_pairs):
        raise ValueError("a number of pairs is missing")
    if rule.design.gathered_by_outcome:  # null is read as infinite
        rule = replace(rule, effects=NO_RISKS)
    return rule.of_the_outcome()

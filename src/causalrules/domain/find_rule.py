"""A rule of a result, by its text or its place."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

from causalrules.domain.notation import find_pattern
from causalrules.errors import CausalRulesError, SettingsError, UnknownRuleError

if TYPE_CHECKING:
    from collections.abc import Sequence


def find_rule(tested: Sequence[Any], wanted: Any) -> Any:
    """The rule that is meant: itself, its place, or its text, with items in any order."""
    if hasattr(wanted, "pattern"):
        return wanted
    if isinstance(wanted, Integral):
        wanted = int(wanted)
        if -len(tested) <= wanted < len(tested):
            return tested[wanted]
        raise UnknownRuleError(wanted, [rule.name for rule in tested])
    if not isinstance(wanted, str):
        raise SettingsError("rule", "a rule, its text or its place", wanted)
    for rule in tested:
        if rule.name == wanted:
            return rule
    items = list(dict.fromkeys(item for rule in tested for item in rule.pattern))
    try:
        pattern = set(find_pattern(wanted, items))
    except CausalRulesError:
        pattern = set()
    for rule in tested:
        if set(rule.pattern) == pattern:
            return rule
    raise UnknownRuleError(wanted, [rule.name for rule in tested])

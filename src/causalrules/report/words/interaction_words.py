"""What the parts of a combined cause do together, in words: adjusted risks, and whether they add up."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from causalrules.report.words.contrast_words import listed
from causalrules.report.words.formatting import interval, number, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from causalrules.domain import Estimate, Rule
    from causalrules.domain.interaction import Interaction

RERI = (
    "RERI: relative excess risk due to interaction; above 0 the parts do more together than the sum of what "
    "each does alone (more than additive), below 0 less."
)


_WIDEST = 100
"""Times the lower limit of a synergy index that the upper one may be."""


class CombinationRisk(NamedTuple):
    """One combination of parts: which, how many records and cases, and their adjusted risk."""

    label: str
    records: int
    cases: int
    risk: Estimate
    exposed: tuple[bool, ...]


def additivity(interaction: Interaction) -> str:
    """Whether the parts do more or less together than the sum of what each does alone."""
    if not isfinite(interaction.reri.value):
        return "not to be compared with a sum"
    if interaction.reri.low > 0:
        return "more than additive"
    return "less than additive" if interaction.reri.high < 0 else "not clearly different from additive"


def together_line(rule: Rule) -> str:
    """A rule's interaction in one line; empty for a rule of one part."""
    found = rule.interaction
    if found is None:
        return ""
    without = " (of being without them)" if rule.direction == "lowers" else ""
    if not isfinite(found.reri.value):
        return f"together{without}: {additivity(found)}, since no record without the parts has the outcome"
    return f"together{without}: {additivity(found)}, RERI {_with_interval(found.reri)}"


def _with_interval(estimate: Estimate) -> str:
    return f"{number(estimate.value)} ({interval(estimate)})".replace("-", "−")


def together_lines(rules: Sequence[Rule]) -> list[str]:
    """The lines below a table of rules: what parts do together, and what holds only because of a rule."""
    lines = [
        f"– {printable(rule.name)}, {together_line(rule)}" for rule in rules if rule.interaction is not None
    ]
    lines += [
        f"– {said_the_same(rule)} {_looks(rule)} by {printable(rule.name)}"
        for rule in rules
        if rule.says_the_same
    ]
    return lines


def _looks(rule: Rule) -> str:
    """What is said of patterns that hold only because of a rule."""
    one = "looks like a combined cause, but is explained"
    return one if len(rule.says_the_same) == 1 else "look like combined causes, but are explained"


def said_the_same(rule: Rule, show: Callable[[str], str] = printable, most: int = 3) -> str:
    """Patterns that hold only because of a rule, as one writes them in a sentence; empty without any."""
    return listed(rule.says_the_same, show, most) if rule.says_the_same else ""


def other_measures(rule: Rule) -> str:
    """Attributable proportion and synergy index, as far as they are defined."""
    found = rule.interaction
    if found is None:
        return ""
    named = {"attributable proportion": found.attributable_proportion, "synergy index": found.synergy}
    told = [
        f"{name} {_with_interval(one)}"
        for name, one in named.items()
        if isfinite(one.value) and not (name == "synergy index" and _tells_nothing(one))
    ]
    return "; ".join(told)


def _tells_nothing(ratio: Estimate) -> bool:
    """Whether the limits of a ratio are so far apart that no reader learns from it."""
    return not 0 < ratio.high < _WIDEST * ratio.low


def risk_rows(rule: Rule, show: Callable[[str], str] = printable) -> list[CombinationRisk]:
    """The adjusted risk of every combination of parts, from none to all."""
    if rule.interaction is None:
        return []
    names = [show(item.name) for item in rule.pattern]
    return [
        CombinationRisk(_label(one.exposed, names), one.records, one.cases, one.risk, one.exposed)
        for one in rule.interaction.risks
    ]


def _label(exposed: tuple[bool, ...], names: list[str]) -> str:
    """Which parts there are.

    Examples
    --------
    >>> [_label(parts, ["a=1", "b=1"]) for parts in ((False, False), (True, False), (True, True))]
    ['neither', 'a=1 only', 'both']
    >>> _label((True, False, True), ["a=1", "b=1", "c=1"])
    'a=1 & c=1 only'
    """
    if not any(exposed):
        return "neither" if len(exposed) == 2 else "none"
    if all(exposed):
        return "both" if len(exposed) == 2 else "all"
    return f"{' & '.join(name for name, is_there in zip(names, exposed, strict=True) if is_there)} only"

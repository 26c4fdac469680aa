"""Two results side by side, in words: how an effect changed, and how to read that."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from causalrules.report.changes import GROUPS
from causalrules.report.words.formatting import interval, number, printable
from causalrules.report.words.measure import measure_of, signed, signed_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Result, Rule
    from causalrules.report.changes import Change

OTHERWISE = "†"
"""The mark of a change between effects that were adjusted for different columns."""

KEEP_CUTS = "To compare the same intervals, mine again with --cuts-from and the file of the first."

SHOWN = tuple(name for name in GROUPS if name != "neither")
"""The groups that people look for."""


def change_text(one: Change) -> str:
    """How the effect differs: a factor, of means a difference, with its interval where there is one."""
    first, second = one.first, one.second
    if first is None:
        return "not tested in the first"
    if second is None:
        return "not tested in the second"
    if "untestable" in (first.verdict, second.verdict):
        return "" if first.verdict == second.verdict else "untestable in one"
    if (first.mean is None) != (second.mean is None):
        return "measured otherwise"
    if one.effect is None:
        return ""
    is_ratio = first.mean is None
    shown = f"× {number(one.effect.value)}" if is_ratio else signed(one.effect.value)
    if not isnan(one.effect.low):
        return f"{shown} ({interval(one.effect) if is_ratio else signed_interval(one.effect)})"
    if first.direction != second.direction:
        return "the other way"
    if one.is_adjusted_otherwise:
        return f"{shown} {OTHERWISE}"
    if shown in ("× 1.00", "0.00"):
        return "the same"
    before, after = measure_of(first).adjusted, measure_of(second).adjusted
    overlap = after.low <= before.high and before.low <= after.high
    return shown + ("" if overlap else ", intervals apart")


def counted_changes(found: Sequence[Change], first: str, second: str) -> str:
    """How many rules are causal where, in a sentence."""
    n_in = {name: sum(one.where == name for one in found) for name in ("both", "first", "second")}
    recut = [one for one in found if one.where == "recut"]
    alone = f"{n_in['first']} only in {first}, {n_in['second']} only in {second}"
    told = f"{_rules(n_in['both'])} causal in both, {alone}"
    if not recut:
        return f"{told}."
    columns = {item.column for one in recut for item in one.rule.pattern}
    return f"{told}; {', '.join(sorted(columns))}: causal in both, cut at other points."


def _rules(n: int) -> str:
    return "1 rule is" if n == 1 else f"{n} rules are"


def settings_that_differ(first: Result, second: Result) -> list[tuple[str, str, str]]:
    """Names of settings, and their values in each result as people read them."""
    differing = first.diff(second).settings.items()
    return [(name, _shown(before), _shown(after)) for name, (before, after) in differing]


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "by itself" if value is None else str(value)


def how_to_read_changes(found: Sequence[Change]) -> list[str]:
    """What the numbers mean; of intervals of changes only where there are any."""
    of_means = any(one.rule.mean is not None for one in found)
    effect = "Differences of means" if of_means else "Odds ratios"
    how = "the second less the first" if of_means else "the second divided by the first"
    lines = [f"{effect} are adjusted, with their intervals. Change: {how}."]
    found = [one for one in found if one.where == "both"]
    if any(one.effect is not None and not isnan(one.effect.low) for one in found):
        lines.append(
            f"An interval of a change that leaves out {0 if of_means else 1} says that the effect differs; "
            "of twenty effects that stay the same about one does so by chance. It takes the records of the "
            "two for different ones, and is too wide where some are in both."
        )
    if any(one.is_adjusted_otherwise for one in found):
        lines.append(
            f"{OTHERWISE} Adjusted for different columns, which alone may change an odds ratio; such a "
            "change has no interval. --adjust COLUMN,COLUMN adjusts for the same in both."
        )
    return lines


def title_of(name: str, names: tuple[str, str]) -> str:
    """The heading of a group, with what the two results are called."""
    return GROUPS[name].replace("the first", names[0]).replace("the second", names[1])


def asked_differently(first: Result, second: Result) -> list[str]:
    """What else differs: the records, and the settings."""
    told = first.diff(second).tables
    settings = [f"{name}: {before} → {after}" for name, before, after in settings_that_differ(first, second)]
    lines = [told[0].upper() + told[1:] + ("" if told.endswith(".") else ".")] if told else []
    return [
        printable(one) for one in (*lines, *(["Settings: " + "; ".join(settings) + "."] if settings else []))
    ]


def sides_of(one: Change) -> tuple[str, str]:
    """The effect in each result, and what it is called if not causal."""
    return _side(one.first), _side(one.second)


def _side(rule: Rule | None) -> str:
    if rule is None:
        return "not tested"
    if rule.verdict == "untestable":
        return rule.verdict
    effect = measure_of(rule).with_limits(measure_of(rule).adjusted)
    return effect if rule.verdict == "causal" else f"{effect}, {rule.verdict}"

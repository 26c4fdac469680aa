"""Effects in subgroups, in words: whether they differ, and the rows of a table or a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from causalrules.report.words.formatting import p_text, printable
from causalrules.report.words.measure import measure_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from causalrules.domain import Estimate, Result, Rule
    from causalrules.domain.subgroups import Subgroups

_CAUTION = (
    "A subgroup's own interval does not tell whether it differs from the others, the test of interaction "
    "does; that it finds nothing does not prove them equal."
)


class EstimateRow(NamedTuple):
    """One line of a table of effects: its name, the effect if there is one, and who was compared."""

    name: str
    effect: Estimate | None
    exposed: str
    unexposed: str


def subgroups_caution(result: Result) -> str:
    """How to read effects in subgroups."""
    counted = "records compared" if result.data.outcome.is_mean else "cases/records compared"
    return f"Exposed, unexposed: {counted}. {_CAUTION}"


def subgroup_rows(rule: Rule) -> list[EstimateRow]:
    """The whole study, then every subgroup of every column."""
    rows = [EstimateRow("all compared", measure_of(rule).adjusted, "", "")]
    for one in rule.subgroups:
        rows += rows_of_column(one)
    return rows


def rows_of_column(found: Subgroups) -> Iterator[EstimateRow]:
    """Every subgroup of one column."""
    for group in found.groups:
        effect, exposed, unexposed = group.mean_difference, f"{group.exposed:,}", f"{group.unexposed:,}"
        if effect is None:
            effect = group.odds_ratio
            exposed, unexposed = (
                f"{group.exposed_cases:,}/{exposed}",
                f"{group.unexposed_cases:,}/{unexposed}",
            )
        known = effect if group.is_informative else None
        yield EstimateRow(printable(group.name), known, exposed, unexposed)


def worth_showing(rules: Sequence[Rule], alpha: float) -> list[Rule]:
    """The rules whose subgroups are shown: all of a few, of many those whose effect differs between them."""
    divided = [rule for rule in rules if rule.subgroups]
    if len(divided) <= MOST_DIVIDED:
        return divided
    return [rule for rule in divided if differs(rule, alpha)][:MOST_DIVIDED]


def differs(rule: Rule, alpha: float) -> bool:
    """Whether some test of interaction finds a difference between subgroups."""
    found = (one.interaction_q for one in rule.subgroups)
    return any(q_value is not None and q_value <= alpha for q_value in found)


def left_out_line(rules: Sequence[Rule], alpha: float) -> str:
    """What is said of the subgroups that are not shown; empty if all are."""
    shown = {rule.name for rule in worth_showing(rules, alpha)}
    others = [rule for rule in rules if rule.subgroups and rule.name not in shown]
    if not others:
        return ""
    n_differ = sum(differs(rule, alpha) for rule in others)
    told = f"in {n_differ} of them the effect differs too" if n_differ else "no sign that an effect differs"
    return f"Subgroups of {len(others)} more rules: {told}; --html FILE shows them."


MOST_DIVIDED = 4
"""Rules whose subgroups a terminal shows one by one."""


def interaction_lines(rule: Rule, alpha: float) -> list[str]:
    """One sentence for each column: whether the effect differs between its values."""
    n_tests = sum(one.interaction_p is not None for one in rule.subgroups)
    return [_interaction_line(one, alpha, n_tests) for one in rule.subgroups]


def _interaction_line(found: Subgroups, alpha: float, n_tests: int) -> str:
    name = printable(found.column)
    left_out = f" {found.left_out:,} records without a value are left out." if found.left_out else ""
    if found.interaction_p is None or found.interaction_q is None:
        return (
            f"{name}: fewer than two of its subgroups can tell, so there is no test of interaction.{left_out}"
        )
    p_values = f"interaction {p_text(found.interaction_p)}"
    if n_tests > 1:
        p_values += f", {found.interaction_q:.2g} corrected"
    differs = "the effect differs" if found.interaction_q <= alpha else "no sign that the effect differs"
    return f"{name}: {differs} between its values ({p_values}).{left_out}"

"""A result as Markdown, to be pasted where people write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from causalrules.report.words.formatting import interval, number, printable
from causalrules.report.words.sentences import sentence, tag_meanings, tags_of
from causalrules.report.words.summary import INTERRUPTED, causes_by_direction, columns_left_out, remarks_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Result, Rule

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~])")


def mining_markdown(result: Result) -> str:
    """The causal rules by direction as tables, and what to know about them as a list."""
    parts = [escaped(result.summary())]
    if result.interrupted:
        parts.append(f"**{INTERRUPTED}**")
    for heading, rules in causes_by_direction(result):
        parts += [f"### {escaped(heading)}", _table(rules, result)]
    remarks = [*remarks_on(result), *(f"Left out: {line}" for line in columns_left_out(result.data))]
    parts.append("\n".join(f"- {escaped(line)}" for line in remarks))
    return "\n\n".join(parts)


def study_markdown(result: Result) -> str:
    """The verdict on one hypothesis, and its row."""
    rule = result.tested[0]
    meanings = "\n".join(f"- {escaped(meaning)}" for meaning in tag_meanings([rule]))
    parts = [escaped(sentence(rule, result.data.outcome)), _table([rule], result), meanings]
    return "\n\n".join(part for part in parts if part)


def _table(rules: Sequence[Rule], result: Result) -> str:
    sign = "×" if rules[0].direction == "raises" else "÷"
    confidence = f"{100 * result.settings.interval_confidence:g}"
    headings = ("rule", "verdict", f"odds {sign}", f"{confidence} % interval", "crude", "pairs", "Γ", "mind")
    lines = [_line(headings), "|---|---|--:|--:|--:|--:|--:|---|"]
    for rule in rules:
        odds = rule.adjusted_odds_ratio
        numbers = (number(odds.value), interval(odds), number(rule.odds_ratio.value))
        more = (f"{rule.pairs.n_pairs:,.0f}", number(rule.doubts.gamma))
        tags = escaped("; ".join(tags_of(rule)))
        lines.append(_line((as_code(rule.name), rule.verdict, *numbers, *more, tags)))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    r"""Text that Markdown shows as it is, also in a table.

    Examples
    --------
    >>> print(escaped("a|b=*c* <d>"))
    a\|b=\*c\* \<d\>
    """
    return _SPECIAL.sub(r"\\\1", printable(text))


def as_code(name: str) -> str:
    r"""A name as a code span that may stand in a table.

    Examples
    --------
    >>> print(as_code("drug_a=yes"), as_code("a|b=`c"))
    `drug_a=yes` ``a\|b=`c``
    """
    shown = printable(name)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    edge = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{edge}{shown.replace('|', chr(92) + '|')}{edge}{fence}"

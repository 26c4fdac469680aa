"""A result as Markdown, to be pasted where people write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from causalrules.report.words.answer_words import answer_line, rejections, why_nothing
from causalrules.report.words.contrast_words import (
    contrast_sentence,
    contrast_tags,
    headline,
    listed,
    n_matched,
)
from causalrules.report.words.dose_words import dose_caution, dose_counts, dose_rows, trend_line
from causalrules.report.words.falsification_words import falsification_lines
from causalrules.report.words.findings import sections_of
from causalrules.report.words.formatting import number, printable, printable_text
from causalrules.report.words.grade_words import GRADE_HEADINGS, grade_criteria
from causalrules.report.words.interaction_words import risk_rows, together_lines
from causalrules.report.words.measure import measure_of
from causalrules.report.words.read_first import Notice, notices, said_first
from causalrules.report.words.reading_aids import CAUTION, WHAT_TO_ADJUST_FOR, reading_aids
from causalrules.report.words.study_facts import study_facts
from causalrules.report.words.subgroup_words import interaction_lines, subgroup_rows, subgroups_caution
from causalrules.report.words.summary import CHOSEN_BEFOREHAND, describe_correction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from causalrules.domain import Result, Rule
    from causalrules.domain.answers import Answers
    from causalrules.report.words.subgroup_words import EstimateRow

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~])")


def answers_markdown(answers: Answers, as_markdown: Callable[[Result], str]) -> str:
    """The answer of each outcome below its name."""
    named = (f"## {escaped(str(one.data.outcome))}\n\n{as_markdown(one)}" for one in answers)
    return "\n\n".join(named) + "\n"


def mining_markdown(result: Result) -> str:
    """What to know first, the rules by verdict, and what was rejected."""
    parts = [f"**{text_escaped(answer_line(result))}**"]
    first = [_with_advice(notice) for notice in notices(result)]
    if first:
        parts += ["### Read this first", "\n".join(first)]
    for section in sections_of(result):
        rules = [rule for finding in section.findings for rule in finding.rules_of(result)]
        rules = (
            rules if section.kind == "groups" else sorted(rules, key=lambda rule: rule.direction == "lowers")
        )
        parts += [f"### {text_escaped(section.title)}", text_escaped(section.note)]
        parts.append(_contrast_table(rules, result))
        together = [text_escaped(line.removeprefix("– ")) for line in together_lines(rules)]
        parts += [_list(together)] if together else []
        for rule in rules:
            parts += _dose(rule, result)
        for rule in (one for one in rules if one.subgroups):
            parts += [f"**{text_escaped(rule.name)}** in subgroups", *_subgroups(rule, result)]
    if not result.causal and not result.interrupted:
        parts.append(text_escaped(why_nothing(result)))
    rejected = [text_escaped(line.removeprefix("– ")) for line in rejections(result)]
    parts += [_list(rejected)] if rejected else []
    parts += _checks(result)
    aids = [*reading_aids(result), describe_correction(result.settings)]
    return "\n\n".join([*parts, _list([text_escaped(line) for line in aids])])


def study_markdown(result: Result) -> str:
    """The verdict, its row, how the study was done, and what the grade rests on."""
    rule, outcome = result.tested[0], result.data.outcome
    parts = [text_escaped(line) for line in said_first(result)]
    parts += [f"**{text_escaped(headline(rule, outcome))}**", text_escaped(contrast_sentence(rule, outcome))]
    parts.append(_contrast_table([rule], result))
    facts = [f"**{fact.name}**: {text_escaped('; '.join(fact.lines))}" for fact in study_facts(rule)]
    parts.append(_list(facts))
    parts += [_risk_table(rule, result)] if rule.interaction is not None else []
    parts += [*_dose(rule, result), *_subgroups(rule, result), *_checks(result)]
    criteria = [_line([text_escaped(cell) for cell in criterion]) for criterion in grade_criteria(rule)]
    if criteria:
        parts.append(f"Grade: {rule.grade}, the weakest of these")
        parts.append("\n".join([_line(GRADE_HEADINGS), "|---|---|---|---|", *criteria]))
    caution = [CAUTION] if rule.verdict == "causal" else []
    return "\n\n".join([*parts, _list([*caution, WHAT_TO_ADJUST_FOR, CHOSEN_BEFOREHAND])])


def _contrast_table(rules: Sequence[Rule], result: Result) -> str:
    """Rules with numbers about the outcome itself."""
    confidence = f"{100 * result.settings.confidence:g}"
    effect = (measure_of(rules[0]).name, f"{confidence} % interval", "crude", "matched", "Γ")
    lines = [
        _line(("rule", "verdict", *effect, "grade", "adjusted for", "mind")),
        "|---|---|--:|--:|--:|--:|--:|---|---|---|",
    ]
    for rule in rules:
        design, measure = rule.design, measure_of(rule)
        crude, adjusted = measure.shown(measure.crude.value), measure.adjusted
        matched = f"{n_matched(rule):,} ({design.share_matched:.0%})"
        values = measure.shown(adjusted.value), measure.limits(adjusted)
        numbers = [*values, crude, matched, number(rule.doubts.gamma)]
        if rule.compares_nothing:
            numbers = ["–"] * len(numbers)
        held = text_escaped(listed(design.held) or "nothing")
        tags = text_escaped("; ".join(tag.text for tag in contrast_tags(rule)))
        does = f"{rule.verdict}, {rule.direction}" if rule.verdict in ("causal", "possible") else rule.verdict
        lines.append(_line((as_code(rule.name), does, *numbers, rule.grade or "–", held, tags)))
    return "\n".join(lines)


def _risk_table(rule: Rule, result: Result) -> str:
    """The adjusted risk of every combination of the pattern's parts."""
    confidence = f"{100 * result.settings.confidence:g}"
    lines = [_line(("parts", "records", "cases", "adjusted risk", f"{confidence} % interval"))]
    lines.append("|---|--:|--:|--:|--:|")
    for row in risk_rows(rule):
        limits = f"{row.risk.low:.1%} – {row.risk.high:.1%}"
        counts = (f"{row.records:,}", f"{row.cases:,}")
        lines.append(_line((text_escaped(row.label), *counts, f"{row.risk.value:.1%}", limits)))
    return "\n".join(lines)


def _dose(rule: Rule, result: Result) -> list[str]:
    """All levels of an ordered column against the reference."""
    if rule.dose is None:
        return []
    rows = _estimate_rows(("level", *dose_counts(rule.dose)), dose_rows(rule.dose), rule, result)
    return [rows, _list([text_escaped(trend_line(rule.dose)), dose_caution(result)])]


def _estimate_rows(
    headings: tuple[str, str, str], rows: Sequence[EstimateRow], rule: Rule, result: Result
) -> str:
    """A table of effects with their intervals and counts; counts without a heading are left out."""
    measure, (first, *counts) = measure_of(rule), headings
    level, told = f"{100 * result.settings.confidence:g} % interval", [name for name in counts if name]
    lines = [_line((first, measure.name, level, *told)), "|---|--:|--:|" + len(told) * "--:|"]
    for row in rows:
        effect = row.effect
        numbers = (measure.shown(effect.value), measure.limits(effect)) if effect else ("–", "cannot tell")
        records = [text for text, name in zip((row.exposed, row.unexposed), counts, strict=True) if name]
        lines.append(_line((text_escaped(row.name), *numbers, *records)))
    return "\n".join(lines)


def _checks(result: Result) -> list[str]:
    """What was tried to catch the run out."""
    lines = [text_escaped(line.removeprefix("– ")) for line in falsification_lines(result)]
    return ["### Checks of the run", _list(lines)] if lines else []


def _subgroups(rule: Rule, result: Result) -> list[str]:
    """The effect in each subgroup, and whether it differs between them."""
    if not rule.subgroups:
        return []
    rows = _estimate_rows(("subgroup", "exposed", "unexposed"), subgroup_rows(rule), rule, result)
    told = [text_escaped(line) for line in interaction_lines(rule, result.settings.alpha)]
    return [rows, _list([*told, subgroups_caution(result)])]


def _with_advice(notice: Notice) -> str:
    """A notice with what to do about it; what belongs to the one before stands below it."""
    below = "  - " if notice.text.startswith("– ") else "- "
    text = below + text_escaped(notice.text.removeprefix("– "))
    return f"{text} ({text_escaped(notice.advice)})" if notice.advice else text


def _list(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


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


def text_escaped(text: str) -> str:
    """A text of any length that Markdown shows as it is, also in a table."""
    return _SPECIAL.sub(r"\\\1", printable_text(text))


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

"""A result in a notebook: the answer in a sentence, what to know first, the findings and their picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.report.notebook.forest_svg import forest_svg
from causalrules.report.notebook.html_of_rule import card
from causalrules.report.notebook.markup import block, bullets, folded, in_python, paragraph, table
from causalrules.report.words.answer_words import answer_line, why_nothing
from causalrules.report.words.contrast_words import contrast_tag_meanings, contrast_tags, n_matched
from causalrules.report.words.formatting import printable_text
from causalrules.report.words.measure import measure_of, name_of_measure
from causalrules.report.words.read_first import notices
from causalrules.report.words.reading_aids import CAUTION
from causalrules.report.words.result_kinds import is_single_study
from causalrules.report.words.summary import describe_correction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Result, Rule, Verdict

MOST_ROWS = 30
_BESIDES: dict[Verdict, str] = {
    "possible": "Possible, but not shown",
    "consequence": "Consequences",
    "rejected": "Rejected",
}
"""Verdicts that are listed below the findings."""


def result_html(result: Result) -> str:
    """The report's answer; of one hypothesis its card, and why it was rejected."""
    if is_single_study(result):
        notes = bullets(result.data.notes)
        return block(notes, card(result.tested[0], result.data.outcome, result.settings.confidence))
    parts = [paragraph(answer_line(result), strong=True)]
    first = [notice.text for notice in notices(result)]
    if first:
        n_first = sum(not line.startswith("– ") for line in first)
        parts.append(folded(f"Read this first ({n_first})", bullets(first), is_open=True))
    if result.causal:
        parts += [_findings(result), forest_svg(_members(result), str(result.data.outcome), _level(result))]
    elif not result.interrupted:
        parts.append(paragraph(why_nothing(result)))
    for verdict, heading in _BESIDES.items():
        others = result.with_verdict(verdict)
        if others:
            parts.append(folded(f"{heading} ({len(others)})", _rules(others, result)))
    untestable = result.with_verdict("untestable")
    if untestable:
        parts.append(folded(f"Could not be tested ({len(untestable)})", _reasons(untestable)))
    if result.causal:
        parts.append(paragraph(f"{CAUTION} {describe_correction(result.settings)}", quiet=True))
    alone = [finding.rule for finding in result.findings if finding.kind != "group"]
    parts += [paragraph(meaning, quiet=True) for meaning in contrast_tag_meanings(alone)]
    return block(*parts)


def _level(result: Result) -> float:
    return result.settings.confidence


def _members(result: Result) -> list[Rule]:
    return [rule for finding in result.findings for rule in finding.rules]


def _findings(result: Result) -> str:
    """One row a finding; a group is named by all its members."""
    rows = [
        (finding.name, *_cells(finding.rule, is_group=finding.kind == "group"))
        for finding in result.findings[:MOST_ROWS]
    ]
    more = len(result.findings) - len(rows)
    rest = paragraph(f"… and {more} more in .findings", quiet=True) if more else ""
    return table(_headings(result, "cause"), rows, numbers=(1, 2, 3, 4)) + rest


def _rules(rules: Sequence[Rule], result: Result) -> str:
    rows = [(rule.name, *_cells(rule)) for rule in rules[:MOST_ROWS]]
    more = len(rules) - len(rows)
    rest = paragraph(f"… and {more} more in .rules", quiet=True) if more else ""
    return table(_headings(result, "rule"), rows, numbers=(1, 2, 3, 4)) + rest


def _reasons(rules: Sequence[Rule]) -> str:
    """Rules without an answer: what they would have been crudely, and why there is none."""
    rows = []
    for rule in rules[:MOST_ROWS]:
        measure = measure_of(rule)
        rows.append((rule.name, measure.shown(measure.crude.value), in_python(printable_text(rule.reason))))
    more = len(rules) - len(rows)
    rest = paragraph(f"… and {more} more in .rules", quiet=True) if more else ""
    return table(("rule", "crude", "why not"), rows, numbers=(1,)) + rest


def _headings(result: Result, first: str) -> tuple[str, ...]:
    name = name_of_measure(result.data.outcome)
    return (first, name, f"{100 * _level(result):g} % interval", "crude", "matched", "grade", "mind")


def _cells(rule: Rule, *, is_group: bool = False) -> tuple[str, ...]:
    measure = measure_of(rule)
    effect = measure.shown(measure.adjusted.value), measure.limits(measure.adjusted)
    crude = measure.shown(measure.crude.value)
    tags = [tag.text for tag in contrast_tags(rule) if not (is_group and tag.text.startswith("≈"))]
    comes_first = rule.verdict == "causal" and rule.arrow == "undecided"
    tags = [*(["if it comes before the outcome"] if comes_first else []), *tags]
    mind = "; ".join([*(["cannot be told apart"] if is_group else []), *tags])
    return *effect, crude, f"{n_matched(rule):,}", rule.grade or "", mind

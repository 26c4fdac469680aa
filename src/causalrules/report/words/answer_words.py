"""The answer of the default search in words: how much was found, why nothing was, and what was rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.domain.marker_phrases import DECIMAL_COMMA, NOT_SIGNIFICANT
from causalrules.domain.progress import unfinished
from causalrules.domain.sentences import counted
from causalrules.report.words.column_answers import has_no_cut
from causalrules.report.words.contrast_words import (
    adjusted_for,
    is_explained_away,
    is_explained_by_values,
    listed,
    steps_held,
    what_went_with,
    why_explained,
)
from causalrules.report.words.formatting import printable, printable_text
from causalrules.report.words.measure import measure_of, records_of
from causalrules.report.words.read_first import RULES_NAMED, typed
from causalrules.report.words.result_kinds import hypotheses

if TYPE_CHECKING:
    from causalrules.domain import Result, Rule, Verdict


def answer_line(result: Result) -> str:
    """How much was found, in what."""
    outcome = result.data.outcome
    n_causal = len(result.causal)
    found = {0: "No causal rule", 1: "1 causal rule"}.get(n_causal, f"{n_causal} causal rules")
    n_findings = len(result.findings)
    if n_findings < n_causal:
        found += f" ({n_findings} finding{'' if n_findings == 1 else 's'})"
    target = f"the mean of {outcome}" if outcome.is_mean else str(outcome)
    tried = f"{hypotheses(result)}{_pairs(result)}".removeprefix("0 hypotheses and ")
    looked = f"{tried} ({records_of(outcome)})"
    begins = unfinished(result)
    if begins:
        found = f"{begins}{found[0].lower()}{found[1:]} so far"
    return printable_text(f"{found} for {target} among {looked}.")


def _pairs(result: Result) -> str:
    """Pairs that were looked at for an interaction."""
    n_pairs = sum(counts.get("candidates", 0) for length, counts in result.by_length.items() if length > 1)
    return f" and {counted(n_pairs, 'pair')}" if n_pairs else ""


def why_nothing(result: Result) -> str:
    """Why nothing was found, as an answer."""
    outcome = printable(str(result.data.outcome))
    counts = result.by_length.get(1, {})
    n_frequent, n_associated = counts.get("frequent", 0), counts.get("associations", len(result.tested))
    n_without_cut = sum(has_no_cut(entry.reason) for entry in result.data.left_out)
    if not n_frequent and not result.tested and n_without_cut:
        numbers = (
            "the number has no cut" if n_without_cut == 1 else f"none of {n_without_cut} numbers has a cut"
        )
        return f"Nothing found: {numbers} that tells about {outcome}."
    if not n_frequent and not result.tested and any(DECIMAL_COMMA in note for note in result.data.notes):
        return f"Nothing found: {DECIMAL_COMMA} count as texts; see above."
    if not n_frequent and not result.tested:
        return "Nothing found: no value of a column is frequent enough; try a smaller --min-support."
    if not n_associated:
        none = f"none of {hypotheses(result)} is associated with {outcome}, even before adjustment"
        return f"Nothing found: {none}."
    counts_of = result.n_by_verdict
    parts = [f"{counts_of[verdict]} {words}" for verdict, words in _WHY_NOT.items() if counts_of[verdict]]
    looked = "1 hypothesis" if n_associated == 1 else f"{n_associated} hypotheses"
    are = "is" if n_associated == 1 else "are"
    associated = f"{looked} {are} associated with {outcome} before adjustment"
    if result.settings.cluster is not None:  # records settle which are studied
        associated = f"{looked} would be associated with {outcome} if every record stood for itself"
    return f"Nothing found: {associated}; of these, {listed(parts, str)}."


_WHY_NOT: dict[Verdict, str] = {
    "rejected": "rejected",
    "untestable": "not testable",
    "possible": "only possible",
    "consequence": "rather its consequence",
}


def rejections(result: Result) -> list[str]:
    """What was rejected, the strongest before adjustment first, and how to ask why."""
    rules = sorted(result.with_verdict("rejected"), key=_crude_strength, reverse=True)
    if not rules:
        return []
    count = "1 association was rejected" if len(rules) == 1 else f"{len(rules)} associations were rejected"
    lines = [f"{count}:"]
    lines += [f"– {_rejected(rule)}" for rule in rules[:RULES_NAMED]]
    if len(rules) > RULES_NAMED:
        lines.append(f"– and {len(rules) - RULES_NAMED} more; --csv FILE or --html FILE lists all")
    # A test compares a value with all others, as the user asks; it would not show what is said here.
    names = [rule.name for rule in rules if not is_explained_by_values(rule)]
    if names:
        lines.append(f"To see one in full: causalrules test … --exposure {typed(names[0])}")
    return lines


def _rejected(rule: Rule) -> str:
    measure = measure_of(rule)
    found = f"{measure.with_limits(measure.adjusted)} {adjusted_for(rule, most=4)}"
    away = what_went_with(rule)
    if is_explained_away(rule) or rule.reason.startswith(NOT_SIGNIFICANT):
        away = why_explained(rule)
    crude = f"{measure.name} {measure.shown(measure.crude.value)} crude"
    steps = f"; adjusting for one more at a time: {'; '.join(path)}" if (path := steps_held(rule)) else ""
    return f"{printable(rule.name)}: {crude}, {found}{f'; {away}' if away else ''}{steps}"


def _crude_strength(rule: Rule) -> float:
    return max(rule.odds_ratio.low, 1 / rule.odds_ratio.high if rule.odds_ratio.high > 0 else 0.0)

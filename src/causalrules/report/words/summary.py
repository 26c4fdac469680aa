"""What is said of a whole result: the answer in words, how it was judged, and what to bear in mind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.domain.progress import how_far
from causalrules.domain.sentences import counted
from causalrules.report.words.answer_words import why_nothing
from causalrules.report.words.contrast_words import contrast_sentence
from causalrules.report.words.findings import next_steps
from causalrules.report.words.formatting import isolated, number
from causalrules.report.words.read_first import notices, said_first
from causalrules.report.words.reading_aids import CAUTION, WHAT_TO_ADJUST_FOR
from causalrules.report.words.result_kinds import is_single_study, n_hypotheses

if TYPE_CHECKING:
    from causalrules.domain import Result, Settings

CHOSEN_BEFOREHAND = (
    "The p-value is for one hypothesis, chosen before looking at this table; mine corrects for many."
)


def describe_answer(result: Result) -> dict[str, Any]:
    """Title, lead, and what to bear in mind."""
    outcome, is_mean = isolated(str(result.data.outcome)), result.data.outcome.is_mean
    if is_single_study(result):
        rule = result.tested[0]
        return {
            "title": f"Does {isolated(rule.name)} {'change' if is_mean else 'cause'} {outcome}?",
            "lead": contrast_sentence(rule, result.data.outcome, isolated),
            "first": [[line, ""] for line in said_first(result)],
            "next": [],
            "cautions": [*_cautions(result), WHAT_TO_ADJUST_FOR, CHOSEN_BEFOREHAND],
        }
    return {
        "title": f"What {'changes' if is_mean else 'causes'} {outcome}?",
        "lead": _lead(result, outcome),
        "first": [list(notice) for notice in notices(result, isolated)],
        "next": [list(step) for step in next_steps(result)],
        "cautions": [*_cautions(result), describe_correction(result.settings)],
    }


def _lead(result: Result, outcome: str) -> str:
    n_raise = len(result.with_verdict("causal", "raises"))
    n_lower = len(result.with_verdict("causal", "lowers"))
    asked = result.data.outcome
    records = f"{asked.n_records:,} records ({asked.n_with:,} with the outcome)"
    if asked.mean is not None:
        records = f"{asked.n_records:,} records (mean {number(asked.mean)})"
    among = f"Among {n_hypotheses(result):,} hypotheses about {records}"
    so_far = ""
    if result.interrupted:
        among, so_far = f"Unfinished: {how_far(result)}. {among}", " so far"
    if not n_raise + n_lower:
        return f"{among}, none was shown to {'change' if asked.is_mean else 'cause'} {outcome}{so_far}."
    target = f"the {'mean' if asked.is_mean else 'odds'} of {outcome}"
    found = [f"{counted(n_raise, 'contrast')} {_verb('raise', n_raise)} {target}"] if n_raise else []
    if n_lower:
        rest = (
            f"{n_lower:,} {_verb('lower', n_lower)} {'it' if asked.is_mean else 'them'}"
            if found
            else f"{counted(n_lower, 'contrast')} {_verb('lower', n_lower)} {target}"
        )
        found.append(rest)
    return f"{among}, {' and '.join(found)}, as far as the recorded columns can tell{so_far}."


def _verb(stem: str, count: int) -> str:
    return f"{stem}s" if count == 1 else stem


def _cautions(result: Result) -> list[str]:
    lines = []
    if result.causal:
        lines.append(CAUTION)
    elif not result.interrupted and not is_single_study(result):
        lines.append(why_nothing(result))
    return lines


def describe_correction(settings: Settings) -> str:
    """Whether the verdicts account for the number of rules tried."""
    if settings.correction != "none":
        return f"Corrected for many tests ({settings.correction}, level {settings.alpha:g})."
    if settings.min_odds_ratio is not None:
        return "Judged by the size of the odds ratio alone; intervals may hold 1."
    return "Each rule was judged alone, without correction for many tests: expect some false ones."

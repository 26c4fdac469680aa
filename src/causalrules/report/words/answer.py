"""The answer that a page opens with, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.report.words.sentences import isolated, sentence
from causalrules.report.words.warnings import (
    CHOSEN_BEFOREHAND,
    INTERRUPTED,
    NOTHING_FOUND,
    about_records,
    caution,
    judged_how,
)

if TYPE_CHECKING:
    from causalrules.domain import Direction, Result

STRONGEST_NAMED = 3
_LEADS: dict[Direction, str] = {
    "raises": "What raises the odds most:",
    "lowers": "What lowers the odds most:",
}


def answer_of(result: Result) -> dict[str, Any]:
    """Title, lead, the strongest rules by direction, and what to bear in mind."""
    outcome = isolated(str(result.data.outcome))
    if is_single_study(result):
        rule = result.tested[0]
        return {
            "title": f"Does {isolated(rule.name)} cause {outcome}?",
            "lead": sentence(rule, result.data.outcome, isolated),
            "strongest": [],
            "cautions": [*_cautions(result), CHOSEN_BEFOREHAND],
        }
    return {
        "title": f"What causes {outcome}?",
        "lead": _lead(result, outcome),
        "strongest": [
            {"lead": lead, "rules": [place for place, _ in ranked[:STRONGEST_NAMED]]}
            for direction, lead in _LEADS.items()
            if (ranked := _places(result, direction))
        ],
        "cautions": [*_cautions(result), judged_how(result.settings), *about_records(result)],
    }


def is_single_study(result: Result) -> bool:
    """Whether one hypothesis was tested rather than a table mined."""
    return not result.by_length and len(result.tested) == 1


def _places(result: Result, direction: Direction) -> list[tuple[int, Any]]:
    causal = [
        (place, rule)
        for place, rule in enumerate(result.tested, start=1)
        if rule.verdict == "causal" and rule.direction == direction
    ]
    return sorted(causal, key=lambda entry: -entry[1].adjusted_odds_ratio.low)


def _lead(result: Result, outcome: str) -> str:
    n_raise = len(result.with_verdict("causal", "raises"))
    n_lower = len(result.with_verdict("causal", "lowers"))
    n_records, n_with = result.data.outcome.n_records, result.data.outcome.n_with
    records = f"{n_records:,} records ({n_with:,} with the outcome)"
    among = f"Among {len(result.tested):,} associations tested in {records}"
    if not n_raise + n_lower:
        return f"{among}, none was shown to cause {outcome}."
    target = f"the odds of {outcome}"
    found = [f"{_patterns(n_raise)} {_verb('raise', n_raise)} {target}"] if n_raise else []
    if n_lower:
        rest = (
            f"{n_lower:,} {_verb('lower', n_lower)} them"
            if found
            else f"{_patterns(n_lower)} {_verb('lower', n_lower)} {target}"
        )
        found.append(rest)
    return f"{among}, {' and '.join(found)}, as far as the recorded columns can tell."


def _patterns(count: int) -> str:
    return f"{count:,} {'pattern' if count == 1 else 'patterns'}"


def _verb(stem: str, count: int) -> str:
    return f"{stem}s" if count == 1 else stem


def _cautions(result: Result) -> list[str]:
    lines = [INTERRUPTED] if result.interrupted else []
    if result.causal:
        lines.append(caution(result.settings))
    elif not result.interrupted and not is_single_study(result):
        lines.append(NOTHING_FOUND)
    return lines

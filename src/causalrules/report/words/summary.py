"""What is said of a whole result: the answer in words, how it was judged, and what to bear in mind."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from causalrules.domain.progress import how_far
from causalrules.report.words.answer_words import why_nothing
from causalrules.report.words.column_answers import cut_anyway, has_no_cut
from causalrules.report.words.findings import next_steps
from causalrules.report.words.formatting import isolated, number, printable
from causalrules.report.words.read_first import interruption, notices, said_first
from causalrules.report.words.reading_aids import CAUTION, WHAT_TO_ADJUST_FOR
from causalrules.report.words.result_kinds import is_of_contrasts, is_single_study, n_hypotheses
from causalrules.report.words.verdict_sentences import sentence, tag_meanings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from causalrules.domain import DataSummary, Direction, Result, Rule, Settings

NOTHING_FOUND = (
    "No association held up. Longer patterns (--max-length) or a smaller --min-support may show more; "
    "numbers can be cut differently (--bins quantile:4)."
)
GAMMA = (
    "Γ: how much a hidden confounder would have to multiply the odds of exposure to explain the rule away."
)
HOW_TO_EXPLAIN = (
    "Which controls explain it away was not asked for in this run; mine with --explain tells it for every "
    "rejected rule, causalrules test … --exposure … --explain for one."
)
CHOSEN_BEFOREHAND = (
    "The p-value is for one hypothesis, chosen before looking at this table; mine corrects for many."
)

STRONGEST_NAMED = 3
_LEADS: dict[Direction, str] = {
    "raises": "What raises the odds most:",
    "lowers": "What lowers the odds most:",
}
_PHRASES: dict[Direction, tuple[str, str]] = {
    "raises": ("cause that raises the odds of", "causes that raise the odds of"),
    "lowers": ("cause that lowers the odds of", "causes that lower the odds of"),
}
_SHORT_NAME = 40


def describe_answer(result: Result) -> dict[str, Any]:
    """Title, lead, the strongest rules by direction, and what to bear in mind."""
    outcome, is_mean = isolated(str(result.data.outcome)), result.data.outcome.is_mean
    if is_single_study(result):
        rule = result.tested[0]
        return {
            "title": f"Does {isolated(rule.name)} {'change' if is_mean else 'cause'} {outcome}?",
            "lead": sentence(rule, result.data.outcome, isolated),
            "first": [[line, ""] for line in said_first(result)],
            "next": [],
            "strongest": [],
            "cautions": [
                *_cautions(result),
                *([WHAT_TO_ADJUST_FOR] if is_of_contrasts(result) else []),
                CHOSEN_BEFOREHAND,
            ],
        }
    are_contrasts = is_of_contrasts(result)
    first = [[note, ""] for note in (*interruption(result), *result.data.notes)]
    if are_contrasts:
        first = [list(notice) for notice in notices(result, isolated)]
    return {
        "title": f"What {'changes' if is_mean else 'causes'} {outcome}?",
        "lead": _lead(result, outcome),
        "first": first,
        "next": [list(step) for step in next_steps(result)] if are_contrasts else [],
        "strongest": [
            {"lead": lead, "rules": [place for place, _ in ranked[:STRONGEST_NAMED]]}
            for direction, lead in _LEADS.items()
            if (ranked := _ranked(result, direction)) and not are_contrasts
        ],
        "cautions": [
            *_cautions(result),
            describe_correction(result.settings),
            *([] if are_contrasts and first else describe_records(result)),
        ],
    }


def _ranked(result: Result, direction: Direction) -> list[tuple[int, Any]]:
    causal = [
        (place, rule)
        for place, rule in enumerate(result.tested, start=1)
        if rule.verdict == "causal" and rule.direction == direction
    ]
    return sorted(causal, key=lambda entry: -entry[1].strength.low)


def _lead(result: Result, outcome: str) -> str:
    n_raise = len(result.with_verdict("causal", "raises"))
    n_lower = len(result.with_verdict("causal", "lowers"))
    asked = result.data.outcome
    records = f"{asked.n_records:,} records ({asked.n_with:,} with the outcome)"
    if asked.mean is not None:
        records = f"{asked.n_records:,} records (mean {number(asked.mean)})"
    are_contrasts = is_of_contrasts(result)
    among = (
        f"Among {n_hypotheses(result):,} hypotheses about {records}"
        if are_contrasts
        else f"Among {len(result.tested):,} associations tested in {records}"
    )
    so_far = ""
    if result.interrupted:
        among, so_far = f"Unfinished: {how_far(result)}. {among}", " so far"
    if not n_raise + n_lower:
        return f"{among}, none was shown to {'change' if asked.is_mean else 'cause'} {outcome}{so_far}."
    target = f"the {'mean' if asked.is_mean else 'odds'} of {outcome}"
    what = "contrast" if are_contrasts else "pattern"
    found = [f"{_patterns(n_raise, what)} {_verb('raise', n_raise)} {target}"] if n_raise else []
    if n_lower:
        rest = (
            f"{n_lower:,} {_verb('lower', n_lower)} {'it' if asked.is_mean else 'them'}"
            if found
            else f"{_patterns(n_lower, what)} {_verb('lower', n_lower)} {target}"
        )
        found.append(rest)
    return f"{among}, {' and '.join(found)}, as far as the recorded columns can tell{so_far}."


def _patterns(count: int, what: str) -> str:
    return f"{count:,} {what if count == 1 else f'{what}s'}"


def _verb(stem: str, count: int) -> str:
    return f"{stem}s" if count == 1 else stem


def _cautions(result: Result) -> list[str]:
    lines = []
    if result.causal:
        lines.append(CAUTION if is_of_contrasts(result) else causal_caution(result.settings))
    elif not result.interrupted and not is_single_study(result):
        lines.append(why_nothing(result) if is_of_contrasts(result) else NOTHING_FOUND)
    return lines


def causes_by_direction(result: Result) -> Iterator[tuple[str, tuple[Rule, ...]]]:
    """Headings with their causal rules, by direction."""
    for direction, (one, several) in _PHRASES.items():
        rules = result.with_verdict("causal", direction)
        if rules:
            phrase = one if len(rules) == 1 else several
            yield printable(f"{len(rules)} {phrase} {result.data.outcome}"), rules


def remarks_on(result: Result) -> list[str]:
    """What to know about the rules, the test, and what is not shown."""
    lines = [causal_caution(result.settings)] if result.causal else []
    if not result.causal and not result.interrupted:
        lines.append(NOTHING_FOUND)
    if result.causal:
        lines += [GAMMA, *tag_meanings(result.causal)]
    return [*lines, describe_correction(result.settings), *_rejections(result), *describe_records(result)]


def _rejections(result: Result) -> list[str]:
    """How many rules are not shown, and how to see them and the reasons."""
    verdicts = result.n_by_verdict
    n_rejected, n_untestable = verdicts["rejected"], verdicts["untestable"]
    if not n_rejected + n_untestable:
        return []
    associations = "association was" if n_rejected == 1 else "associations were"
    untestable = f", {n_untestable} could not be tested" if n_untestable else ""
    lines = [f"{n_rejected} {associations} rejected{untestable}; --csv FILE lists all with their numbers."]
    if n_rejected:
        how = "read --html FILE" if result.settings.explain else "add --explain and read --html FILE"
        lines += [
            f"Why: {how}; or ask about one of them:",
            f"causalrules test … --exposure {_strongest_rejected(result)} --explain",
        ]
    return lines


def _strongest_rejected(result: Result) -> str:
    """The rejected rule that looks strongest before matching, as one types it."""
    rejected = sorted(result.with_verdict("rejected"), key=lambda rule: -rule.odds_ratio.low)
    names = (rule.name for rule in rejected if len(rule.name) <= _SHORT_NAME)
    return next((shlex.quote(name) for name in names if name == printable(name)), "'…'")


def columns_left_out(data: DataSummary) -> list[str]:
    """Columns that take no part, by the reason."""
    by_reason: dict[str, list[str]] = {}
    for entry in data.left_out:
        by_reason.setdefault(entry.reason, []).append(entry.column)
    return [
        f"{', '.join(map(printable, columns))}: {printable(reason)}"
        + (f"; to test anyway: {cut_anyway(columns)}" if has_no_cut(reason) else "")
        for reason, columns in by_reason.items()
    ]


def causal_caution(settings: Settings) -> str:
    """What a causal rule rests on, and what it cannot know."""
    alike = (
        "that agree on its controls"
        if settings.matching == "exact"
        else f"that are alike in its controls, by {settings.matching} matching"
    )
    return (
        f"A causal rule held up among records {alike} (listed in the result). "
        "A confounder that is not in the table could still explain it."
    )


def describe_correction(settings: Settings) -> str:
    """Whether the verdicts account for the number of rules tried."""
    if settings.correction != "none":
        return f"Corrected for many tests ({settings.correction}, level {settings.alpha:g})."
    if settings.min_odds_ratio is not None:
        return "Judged by the size of the odds ratio alone; intervals may hold 1."
    return "Each rule was judged alone, without correction for many tests: expect some false ones."


def describe_records(result: Result) -> list[str]:
    """What was done with the records before any rule was judged."""
    settings, data, lines = result.settings, result.data, []
    if settings.holdout and not is_of_contrasts(result):  # whose notes tell how many
        lines.append(
            f"Hypotheses came from about {1 - settings.holdout:.0%} of the records and were tested on the "
            "rest."
        )
    if data.rows_without_outcome:
        lines.append(f"{data.rows_without_outcome:,} records without a known outcome were left out.")
    return lines

"""The notices under *Read this first*, and what to do about each."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from causalrules.domain.marker_phrases import (
    ALL_OR_NONE_EXPOSED,
    BESIDE_LEAKS,
    DOES_NOT_VARY,
    LOOKS_LIKE_A_WEIGHT,
    NEARLY_DECIDES,
    NO_PARTNERS,
    NOT_ASKED_FOR,
    NOT_TOLD_APART,
    REPEATS,
    SEARCH_DISAGREES,
    TOO_FEW_RECORDS,
)
from causalrules.domain.progress import how_far
from causalrules.domain.quoted_names import typed_list
from causalrules.domain.sentences import counted
from causalrules.report.words.column_answers import cut_anyway, has_no_cut
from causalrules.report.words.contrast_words import listed
from causalrules.report.words.formatting import printable, printable_text
from causalrules.report.words.result_kinds import hypotheses

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from causalrules.domain import Result, Rule

RULES_NAMED = 3
SUSPICIOUS_ODDS = 10
"""From here on the limit of a rule's interval is pointed out; few causes change the odds that much."""


class Notice(NamedTuple):
    """Something to know first: a sentence, and what to do about it (a command, or nothing)."""

    text: str
    advice: str = ""


class _Kind(NamedTuple):
    """A kind of reasons why hypotheses could not be tested, how it begins or what it says, and what helps."""

    sign: str
    text: str
    advice: str


_KINDS = (
    _Kind(
        BESIDE_LEAKS,
        "would be significant, but would have no place beside what nearly decides the outcome",
        "to ask again without it: --drop {leaks}",
    ),
    _Kind(
        SEARCH_DISAGREES,
        "would be significant, but other columns account for the outcome better (P below 0.1)",
        "to test one alone: causalrules test … --exposure {exposure}",
    ),
    _Kind(NEARLY_DECIDES, "nearly decides the outcome", "--drop {columns}"),
    _Kind(
        TOO_FEW_RECORDS,
        "would be significant alone, but not after correction for {hypotheses}: too few records to tell",
        "to test one alone: causalrules test … --exposure {exposure}",
    ),
    _Kind(
        NO_PARTNERS,
        "found no partners: hardly any record is alike in all that was adjusted for",
        "to adjust for less: --adjust COLUMN,COLUMN",
    ),
    _Kind(
        NOT_TOLD_APART,
        "cannot be told apart from columns that are too closely associated with the exposure",
        "to leave out what is a copy, or comes after the exposure: --drop {others}",
    ),
    _Kind(DOES_NOT_VARY, "leaves no comparable records that differ in the outcome", ""),
    _Kind(ALL_OR_NONE_EXPOSED, "has no comparison group", ""),
)


def notices(result: Result, show: Callable[[str], str] = printable) -> list[Notice]:
    """What a person must know first: leaks, columns without a part, and what could not be tested."""
    found = [Notice(line) for line in (*interruption(result), *said_first(result))]
    found += _suspiciously_close(result, show)
    found += _left_out(result, show)
    return found + _untestable(result, show)


def interruption(result: Result) -> list[str]:
    """That a run was interrupted, and what this means for its answer."""
    if not result.interrupted:
        return []
    return [
        f"The run was interrupted: {how_far(result)}. What was not studied may be a cause as well; run it "
        "again to know."
    ]


def said_first(result: Result) -> list[str]:
    """What the run remarked, and what the user said that decided something."""
    said = [f"You said: {decision}." for decision in result.decisions]
    return [printable_text(line) for line in (*result.data.notes, *said)]


def _suspiciously_close(result: Result, show: Callable[[str], str]) -> list[Notice]:
    """Causal rules so strong that they may be consequences or definitions, unless known to come first."""
    rules = [
        rule
        for rule in result.causal
        if rule.length == 1
        and rule.adjusted_odds_ratio.low >= SUSPICIOUS_ODDS
        and rule.arrow != "cause"
        and not any(f"{rule.name} (" in note for note in result.data.notes)  # asked about already
    ]
    if not rules:
        return []
    columns = list(dict.fromkeys(rule.pattern[0].column for rule in rules))
    names = listed([rule.name for rule in rules], show, 6)
    are, it, comes = ("is", "it", "comes") if len(rules) == 1 else ("are", "they", "come")
    of_what = "of being in its upper half " if rules[0].mean is not None else ""
    text = (
        f"{names} {are} more closely associated with the outcome than causes usually are (the odds "
        f"{of_what}change by a factor of {SUSPICIOUS_ODDS} or more). Check that {it} {comes} before the "
        "outcome: what comes after must not be adjusted for."
    )
    return [Notice(text, f"if {it} {comes} after: --after {_as_list(columns)}")]


def _left_out(result: Result, show: Callable[[str], str]) -> list[Notice]:
    """Columns that take no part, by the reason; numbers without a cut are still adjusted for."""
    roles = result.settings.knowledge.about(result.data.outcome.column)
    found = []
    for reason, columns in _by_reason(result).items():
        if has_no_cut(reason):  # what comes after the outcome is no cause, cut or not
            columns = [name for name in columns if not roles.is_after(name)]
            if not columns:
                continue
        names = listed(columns, show, 12)
        if has_no_cut(reason):
            are, them = (
                ("was not tested as a cause", "it")
                if len(columns) == 1
                else ("were not tested as causes", "them")
            )
            text = f"{names} {are}: no cut point separates records by outcome"
            found.append(
                Notice(
                    f"{text}; studies may still adjust for {them}.",
                    f"to test {them} anyway: {cut_anyway(columns)}",
                )
            )
        else:
            why = printable_text(reason).removeprefix("it ").removeprefix("is ")
            found.append(Notice(f"Left out: {names} ({why})."))
    missing = result.data.rows_without_outcome
    if missing:
        found.append(Notice(f"Left out: {counted(missing, 'record')} without a known outcome."))
    return found


_DIFFERENT_VALUES = re.compile(r"has [\d,]+ different values, more than ([\d,]+)")
_IDENTIFIER = re.compile(r"looks like an identifier: .*")
_CONSTANT = re.compile(r"is constant: .*")


def _by_reason(result: Result) -> dict[str, list[str]]:
    """Columns by why they were left out; reasons that differ only in a number or a value are one."""
    entries = [entry for entry in result.data.left_out if entry.reason != NOT_ASKED_FOR]
    reasons_of_kind: dict[str, set[str]] = {}
    for entry in entries:
        reasons_of_kind.setdefault(_kind_of(entry.reason), set()).add(entry.reason)
    found: dict[str, list[str]] = {}
    for entry in entries:
        kind = _kind_of(entry.reason)
        is_alone = len(reasons_of_kind[kind]) == 1
        found.setdefault(entry.reason if is_alone else kind, []).append(entry.column)
    return found


def _kind_of(reason: str) -> str:
    """A reason without what differs from column to column.

    Examples
    --------
    >>> _kind_of("it has 4,009 different values, more than 1,000")
    'it has more than 1,000 different values'
    """
    reason = _DIFFERENT_VALUES.sub(r"has more than \1 different values", reason)
    return _CONSTANT.sub("is constant", _IDENTIFIER.sub("looks like an identifier", reason))


def _untestable(result: Result, show: Callable[[str], str]) -> list[Notice]:
    """How many hypotheses could not be tested, by the reason, and what to do about it."""
    rules = [rule for rule in result.with_verdict("untestable") if not _is_noted(rule, result)]
    if not rules:
        return []
    count = "1 hypothesis" if len(rules) == 1 else f"{len(rules)} hypotheses"
    found = [Notice(f"{count} could not be tested:")]
    known: set[str] = set()
    for kind in _KINDS:
        alike = [rule for rule in rules if kind.sign in rule.reason and rule.name not in known]
        known |= {rule.name for rule in alike}
        if alike:
            found.append(_notice_of(kind, alike, result, show))
    rest = [rule for rule in rules if rule.name not in known]
    found += [
        Notice(f"– {show(rule.name)}: {printable_text(rule.reason) or 'no reason given'}") for rule in rest
    ]
    return found


def _is_noted(rule: Rule, result: Result) -> bool:
    """Whether a note says already that its column is a leak."""
    return any(
        note.startswith(f"{item.column}{NEARLY_DECIDES}")
        for item in rule.pattern
        for note in result.data.notes
    )


def _notice_of(kind: _Kind, rules: Sequence[Rule], result: Result, show: Callable[[str], str]) -> Notice:
    columns = list(dict.fromkeys(item.column for rule in rules for item in rule.pattern))
    others = list(dict.fromkeys(name for rule in rules for name in _others_of(rule)))
    text = kind.text.format(hypotheses=hypotheses(result))
    persons = [
        name for name in others if any(note.startswith(f"{name}{REPEATS}") for note in result.data.notes)
    ]
    weights = [
        name
        for name in (*columns, *others)
        if any(note.startswith(f"{name}{LOOKS_LIKE_A_WEIGHT}") for note in result.data.notes)
    ]
    template = kind.advice
    if weights:  # never what stands beside it, which may be a cause
        template = "if it is the weight of a survey: --weights {weights} --weights-are sampling"
    elif persons:
        template = "if its equal values mean records that belong together: --cluster {cluster}"
    advice = template.format(
        weights=typed(weights[0]) if weights else "",
        cluster=_as_list(persons[:1]),
        columns=_as_list(columns),
        others=_as_list(others) if len(others) == 1 else "COLUMN",
        exposure=typed(rules[0].name),
        leaks=_as_list(_leaks_of(result)),
    )
    return Notice(
        f"– {len(rules)} {text}: {listed([_with_others(rule, show) for rule in rules], str)}.", advice
    )


def _with_others(rule: Rule, show: Callable[[str], str]) -> str:
    """A rule's name, with the columns that it cannot be told apart from."""
    others = _others_of(rule)
    return f"{show(rule.name)} (from {listed(others, show, 3)})" if others else show(rule.name)


def _others_of(rule: Rule) -> list[str]:
    """The columns that a reason says a rule cannot be told apart from."""
    named = rule.reason.partition(NOT_TOLD_APART)[2].partition(":")[0]
    held = (*rule.design.held, *rule.design.near_copies)
    return [name for name in held if name in named.split(", ")]


def _leaks_of(result: Result) -> list[str]:
    """The columns that the notes call leaks."""
    notes = (note.partition(f"{NEARLY_DECIDES} (") for note in result.data.notes)
    return [name for name, sign, _ in notes if sign]


def _as_list(columns: Sequence[str]) -> str:
    plain = [name for name in columns if name == printable(name)]
    return typed_list(plain) if plain and len(plain) <= 8 else "COLUMN"


def typed(name: str) -> str:
    """A name as it is typed into a shell; dots where signs in it cannot be shown."""
    return shlex.quote(name) if name == printable(name) else "'…'"

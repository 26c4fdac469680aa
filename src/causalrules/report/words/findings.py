"""The findings of the default search in the order in which they are read: each contrast once.

A finding is what the data say about one column, about columns that act
together, or about columns that cannot be told apart; its contrasts stand below
it. What comes first and what comes after, and for which findings the data do
not tell, is the order of the sections.
"""

from __future__ import annotations

import re
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from causalrules.report.words.contrast_words import inseparable, listed
from causalrules.report.words.formatting import isolated
from causalrules.report.words.result_kinds import is_single_study
from causalrules.report.words.study_facts import way_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from causalrules.domain import Result, Rule

MUST_COME_FIRST = (
    "The data do not show which came first. Each of these is a cause if it comes before the outcome, which "
    "you may know; otherwise it may be a consequence."
)


_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"


class _Heading(NamedTuple):
    """How a section begins: its title, and what is said below it."""

    title: str
    note: str


_SECTIONS = {
    "causes": _Heading(
        "Causes",
        "The difference remains among comparable records, and the column is no consequence of the outcome, "
        "as shown by the data or declared by you.",
    ),
    "undecided": _Heading("Causes, if they come before the outcome", MUST_COME_FIRST),
    "groups": _Heading(
        "Columns that cannot be told apart",
        "These columns carry nearly the same information. One of them may be the cause, or all of them; "
        "the table cannot tell.",
    ),
    "possible": _Heading(
        "Possible, but not shown",
        "Comparable records differ, but not clearly enough for so many hypotheses, or another column may be "
        "the one that is directly linked to the outcome.",
    ),
    "consequences": _Heading(
        "Consequences",
        "They do not cause the outcome, as shown by the data or declared by you.",
    ),
}

_NO_CAUSES = {
    True: "No finding is shown to come before the outcome; what may be a cause follows below.",
    False: "None was found.",
}

_NONE_SO_FAR = "None so far: the run was interrupted."


class ShownFinding(NamedTuple):
    """Rules about the same columns, by their places in the result."""

    kind: str
    columns: tuple[str, ...]
    places: list[int]

    def rules_of(self, result: Result) -> list[Rule]:
        """The rules themselves, in the order in which they are read."""
        return [result.tested[place - 1] for place in self.places]


class Section(NamedTuple):
    """Findings of which the same can be said: what comes first, what after, what nobody can tell."""

    kind: str
    title: str
    note: str
    findings: list[ShownFinding]


def sections_of(result: Result) -> list[Section]:
    """The sections that have findings, in the order in which they are read."""
    found = _findings(result)
    by_kind = {kind: [one for one in found if one.kind == kind] for kind in _SECTIONS}
    return [
        Section(kind, heading.title, heading.note, by_kind[kind])
        for kind, heading in _SECTIONS.items()
        if by_kind[kind]
    ]


def findings_of(result: Result) -> list[dict[str, Any]]:
    """Sections with their findings, as the page draws them; those without any are absent, but for causes."""
    if is_single_study(result):
        entry = _entry(ShownFinding("study", _columns_of(result.tested[0]), [1]), result)
        return [{"kind": "study", "title": "The study", "note": "", "findings": [entry]}]
    sections = sections_of(result)
    if not any(section.kind == "causes" for section in sections):
        may_be_causes = any(section.kind in ("undecided", "groups") for section in sections)
        note = _NONE_SO_FAR if result.interrupted else _NO_CAUSES[may_be_causes]
        sections.insert(0, Section("causes", _SECTIONS["causes"].title, note, []))
    return [
        {**section._asdict(), "findings": [_entry(finding, result) for finding in section.findings]}
        for section in sections
    ]


def _findings(result: Result) -> list[ShownFinding]:
    """Every rule that is shown as a finding, put together by what it is about, in the result's order."""
    by_key: dict[tuple[str, frozenset[str]], ShownFinding] = {}
    shown = [
        (place, rule)
        for place, rule in enumerate(result.tested, start=1)
        if rule.verdict in ("causal", "consequence", "possible")
    ]
    group_of = _groups(rule for _, rule in shown if rule.verdict == "causal")
    for place, rule in shown:
        columns = _columns_of(rule)
        kind = _kind_of(rule)
        if rule.verdict == "causal" and columns in group_of:
            kind, columns = "groups", group_of[columns]
        finding = by_key.setdefault((kind, frozenset(columns)), ShownFinding(kind, columns, []))
        finding.places.append(place)
    return [one._replace(places=_in_order(one.places, result)) for one in by_key.values()]


def _in_order(places: list[int], result: Result) -> list[int]:
    """Intervals of a number in its order, so that a trend can be seen; others by direction and strength."""
    rules = {place: result.tested[place - 1] for place in places}
    limits = {place: lower_limit(rule.pattern[0].value) for place, rule in rules.items()}
    is_number = len({_columns_of(rule) for rule in rules.values()}) == 1 and None not in limits.values()
    if is_number and all(rule.length == 1 for rule in rules.values()):
        return sorted(places, key=lambda place: limits[place] or 0.0)
    return sorted(places, key=lambda place: (rules[place].direction == "lowers", -rules[place].strength.low))


def lower_limit(value: str) -> float | None:
    """Where an interval of numbers begins; None for any other value.

    Examples
    --------
    >>> lower_limit("<=21.5"), lower_limit("(21.5, 23.5]"), lower_limit(">61.5"), lower_limit("Masters")
    (-inf, 21.5, 61.5, None)
    """
    if re.fullmatch(f"<={_NUMBER}", value):
        return -inf
    found = re.fullmatch(rf">({_NUMBER})|\(({_NUMBER}), {_NUMBER}\]", value)
    return float(found[1] or found[2]) if found else None


def _columns_of(rule: Rule) -> tuple[str, ...]:
    return tuple(item.column for item in rule.pattern)


def _kind_of(rule: Rule) -> str:
    if rule.verdict == "consequence":
        return "consequences"
    if rule.verdict == "possible":
        return "possible"
    return "causes" if rule.arrow == "cause" else "undecided"


def _groups(rules: Iterable[Rule]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """For the columns of each rule that cannot be told apart from others: all columns of the group, in order.

    Being inseparable need not be mutual, nor hold for every value of a column:
    a group is what hangs together.
    """
    groups: list[dict[str, None]] = []
    own = []
    for rule in rules:
        own.append(_columns_of(rule))
        others = inseparable(rule)
        if not others:
            continue
        joined = dict.fromkeys((*_columns_of(rule), *others))
        touching = [group for group in groups if not joined.keys().isdisjoint(group)]
        groups = [group for group in groups if group not in touching]
        groups.append(dict.fromkeys(name for group in (*touching, joined) for name in group))
    return {
        columns: tuple(group) for columns in own for group in groups if all(name in group for name in columns)
    }


def _entry(finding: ShownFinding, result: Result) -> dict[str, Any]:
    first = finding.rules_of(result)[0]
    between = " & " if first.length > 1 and finding.kind != "groups" else " or "
    return {
        "columns": list(finding.columns),
        "between": between,
        "rules": finding.places,
        # Parts that matter only together need not stand next to the outcome one by one.
        "p_next": first.p_next if first.length == 1 else None,
        "arrow": first.arrow,
        # Of what is undecided the section says it already, unless there is more to say.
        "why": isolated(way_of(first)) if first.arrow != "undecided" or first.witness else "",
    }


class NextStep(NamedTuple):
    """What would settle an open question, and what to write for it."""

    text: str
    advice: str


def next_steps(result: Result) -> list[NextStep]:
    """What the reader can do about findings that the data leave open."""
    found = _findings(result)
    steps = []
    # A part of a combined cause may have its own direction.
    decided = {name for one in found if one.kind == "causes" for name in one.columns}
    undecided = [
        name for one in found if one.kind == "undecided" for name in one.columns if name not in decided
    ]
    if undecided:
        names = list(dict.fromkeys(undecided))
        count = "1 column has" if len(names) == 1 else f"{len(names)} columns have"
        steps.append(
            NextStep(
                f"{count} no direction: {listed(names, isolated, 12)}. Say what comes before the outcome, "
                "and what after it.",
                "--before COLUMN,COLUMN --after COLUMN",
            )
        )
    steps += [
        NextStep(
            f"{listed(one.columns, isolated, 12)} say nearly the same: keep the one that you mean, and leave "
            "out the others.",
            "--drop COLUMN",
        )
        for one in found
        if one.kind == "groups"
    ]
    return steps

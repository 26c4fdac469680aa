"""Why is my variable not here? An answer for every column of the table, whatever became of it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from causalrules.domain.marker_phrases import WITHOUT_A_CUT
from causalrules.report.words.contrast_words import excludes_one, inseparable, listed, probability
from causalrules.report.words.formatting import isolated, printable, printable_text
from causalrules.report.words.measure import measure_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Result, Rule, Verdict
    from causalrules.domain.data_summary import LeftOut

_MOST_CUT_ALONE = 3
"""Columns that get an option each; of more, one option cuts all numbers."""

_STATUS: dict[Verdict, str] = {
    "causal": "cause",
    "possible": "possible",
    "consequence": "consequence",
    "rejected": "rejected",
    "untestable": "not testable",
}
"""What became of a column, the strongest of its rules deciding; in this order."""


_FOUND = ("cause", "part of a cause", "cause or consequence", "consequence", "possible")


class ColumnAnswer(NamedTuple):
    """What became of one column: in a word, in a sentence, and the places of the rules that tell more."""

    column: str
    status: str
    text: str
    rules: tuple[int, ...] = ()


def column_answers(result: Result) -> list[ColumnAnswer]:
    """One answer a column: first those that are not among the findings, then the others, by name.

    Results of earlier versions do not know the columns without a study; those are absent then.
    """
    outcome = result.data.outcome
    answers = {outcome.column: ColumnAnswer(outcome.column, "outcome", "It is the outcome.")}
    alone = {one.column: one.reason for one in result.not_studied}
    for one in result.data.left_out:
        answers[one.column] = ColumnAnswer(one.column, _in_a_word(one.reason), why_left_out(one))
    for column, reason in alone.items():
        answers[column] = ColumnAnswer(column, "not studied", _sentence(reason))
    rules: dict[str, list[tuple[int, Rule]]] = {}
    for place, rule in enumerate(result.tested, start=1):
        for item in rule.pattern:
            rules.setdefault(item.column, []).append((place, rule))
    for column, mine in rules.items():
        answers[column] = _by_rules(column, mine, alone.get(column, ""))
    return sorted(answers.values(), key=lambda answer: (answer.status in _FOUND, answer.column.casefold()))


def why_left_out(one: LeftOut) -> str:
    """Why a column takes no part, and how it would."""
    anyway = f" To test it anyway: {cut_anyway([one.column])}" if has_no_cut(one.reason) else ""
    return _sentence(one.reason) + anyway


def _in_a_word(reason: str) -> str:
    """In a word; numbers without a cut are no hypotheses, but may be adjusted for."""
    for sign, status in (
        (WITHOUT_A_CUT, "not studied"),
        ("part of the outcome", "outcome"),
        ("identif", "identifier"),
        ("is constant", "constant"),
        ("never has a value", "constant"),
    ):
        if sign in reason:
            return status
    return "left out"


def _by_rules(column: str, places: Sequence[tuple[int, Rule]], alone: str) -> ColumnAnswer:
    order = list(_STATUS)
    verdict = min((rule.verdict for _, rule in places), key=order.index)
    chosen = [(place, rule) for place, rule in places if rule.verdict == verdict]
    is_only_combined = all(rule.length > 1 for _, rule in chosen)
    status = _STATUS[verdict]
    if verdict == "causal" and is_only_combined:
        status = "part of a cause"
    elif verdict == "causal" and chosen[0][1].arrow == "undecided":
        status = "cause or consequence"
    parts = _comes_after(chosen) or dict.fromkeys(_in_words(rule) for _, rule in chosen)
    most = 1 if verdict == "causal" else 3  # what was found stands above; the links lead there
    text = " ".join(f"{part}." for part in list(parts)[:most])
    if len(parts) > most:
        text += f" And {len(parts) - most} more."
    if is_only_combined:
        by_itself = alone or _alone(places)
        text += f" By itself: {by_itself.removesuffix('.')}." if by_itself else ""
    return ColumnAnswer(column, status, text, tuple(place for place, _ in chosen))


def _comes_after(rules: Sequence[tuple[int, Rule]]) -> list[str]:
    """What is said of all values of a consequence at once; empty for any other column."""
    reasons = {_reason(rule) for _, rule in rules}
    if rules[0][1].verdict != "consequence" or len(reasons) > 1:
        return []
    (reason,) = reasons
    return [reason or f"{listed([rule.name for _, rule in rules], isolated, 3)}: taken for consequences"]


def _alone(places: Sequence[tuple[int, Rule]]) -> str:
    """What was said of a column that matters only together with others."""
    return next((_in_words(rule) for _, rule in places if rule.length == 1), "")


def _in_words(rule: Rule) -> str:
    """A rule in a few words."""
    name = isolated(rule.name)
    if rule.verdict == "untestable":
        return f"{name} could not be tested: {_reason(rule)}"
    if rule.verdict == "consequence":
        return f"{name} is taken for a consequence: {_reason(rule)}"
    measure = measure_of(rule)
    found = f"{measure.name} {measure.with_limits(measure.adjusted)}"
    if rule.verdict == "rejected":
        why = _reason(rule) or "comparable records show no clear difference"
        doubt = (
            f"; unlikely to be directly linked to the outcome ({probability(rule.p_next)})"
            if rule.p_next is not None and excludes_one(rule) and why.startswith("explained away")
            else ""
        )
        return f"{name}: {why}{'' if measure.name in why else f'; {found}'}{doubt}"
    if rule.verdict == "possible":
        return f"{name} may {rule.direction.removesuffix('s')} the {measure.moves}, {found}: {_reason(rule)}"
    grade = f", {rule.grade} evidence" if rule.grade else ""
    others = inseparable(rule)
    apart = f", but {listed(others, isolated, 3)} may be the cause instead" if others else ""
    return f"{name} {rule.direction} the {measure.moves}, {found}{grade}{apart}"


def _reason(rule: Rule) -> str:
    return printable_text(rule.reason).removesuffix(".")


def _sentence(text: str) -> str:
    plain = printable_text(text).strip().removesuffix(".")
    return f"{plain[:1].upper()}{plain[1:]}." if plain else ""


def has_no_cut(reason: str) -> bool:
    """Whether a column was left out as a number without a cut point."""
    return WITHOUT_A_CUT in reason


def cut_anyway(columns: Sequence[str]) -> str:
    """The options that cut these numbers and no other; one for all where they are many.

    Examples
    --------
    >>> cut_anyway(["bmi", "blood pressure"])
    "--cut bmi=quantile:4 --cut 'blood pressure=quantile:4'"
    """
    if len(columns) > _MOST_CUT_ALONE or any(name != printable(name) for name in columns):
        return "--bins quantile:4, which cuts all numbers"
    return " ".join(f"--cut {shlex.quote(f'{name}=quantile:4')}" for name in columns)

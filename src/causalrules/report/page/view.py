"""A result as the page needs it: numbers to draw, and every text that is read."""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import TYPE_CHECKING, Any

from causalrules.domain.estimate import Estimate
from causalrules.report.words.column_answers import column_answers
from causalrules.report.words.contrast_words import contrast_sentence, contrast_tags, estimator_of, n_matched
from causalrules.report.words.dose_words import dose_rows, trend_line
from causalrules.report.words.findings import findings_of
from causalrules.report.words.formatting import isolated, number
from causalrules.report.words.grade_words import grade_criteria
from causalrules.report.words.interaction_words import RERI, other_measures, risk_rows, together_line
from causalrules.report.words.measure import means_of, name_of_measure
from causalrules.report.words.provenance import describe_run
from causalrules.report.words.reading_aids import CAUTION, reading_aids
from causalrules.report.words.result_kinds import is_single_study
from causalrules.report.words.risk_words import number_needed_row, risk_ratio_row
from causalrules.report.words.study_facts import contrast_readings, study_facts
from causalrules.report.words.subgroup_words import interaction_lines, subgroup_rows
from causalrules.report.words.summary import describe_answer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from causalrules.domain import Item, Outcome, Result, Rule
    from causalrules.domain.mean_effect import MeanEffect
    from causalrules.report.words.subgroup_words import EstimateRow

_DIGITS = 6
"""Significant digits of numbers on the page: more than are ever shown, fewer than are stored."""


def view_of(result: Result) -> dict[str, Any]:
    """Everything the page shows, as values that JSON can hold; infinite numbers are null."""
    items = ItemNumbers()
    outcome = result.data.outcome
    alpha = result.settings.alpha
    rules = [_rule(place, rule, outcome, items, alpha) for place, rule in enumerate(result.tested, start=1)]
    view = {
        "answer": describe_answer(result),
        "outcome": isolated(str(outcome)),
        "is_single": is_single_study(result),
        "interval": f"{100 * result.settings.confidence:g}\u00a0%",
        "legend": [line for line in reading_aids(result) if line != CAUTION],
        "measure": {"name": name_of_measure(outcome), "moves": "mean" if outcome.is_mean else "odds"},
        "findings": findings_of(result),
        "columns": [] if is_single_study(result) else [list(one) for one in column_answers(result)],
        "rules": rules,
        "items": items.entries,
        "funnel": [{"length": length, **counts} for length, counts in sorted(result.by_length.items())],
        "about": describe_run(result),
    }
    plain: dict[str, Any] = _plain(view)
    return plain


def _rule(place: int, rule: Rule, outcome: Outcome, items: ItemNumbers, alpha: float) -> dict[str, Any]:
    """One rule's numbers and texts, how it was studied, its grade, a second opinion; its items by number."""
    effects, doubts, design = rule.effects, rule.doubts, rule.design
    opinion, is_measured = design.second_opinion, rule.has_risks and not rule.compares_nothing
    view = {
        "id": place,
        "pattern": items.numbers(rule.pattern),
        "direction": rule.direction,
        "verdict": rule.verdict,
        "sentence": contrast_sentence(rule, outcome, isolated),
        "tags": [[tag.text, tag.meaning.partition(": ")[2]] for tag in contrast_tags(rule)],
        "readings": contrast_readings(rule, isolated(str(outcome)), isolated),
        "nothing": rule.compares_nothing or None,
        "crude": rule.odds_ratio,
        "adjusted": rule.adjusted_odds_ratio,
        "p": rule.p_value,
        "q": rule.q_value,
        "risk_difference": effects.risk_difference if is_measured else None,
        "crude_risk_difference": effects.crude_risk_difference if is_measured else None,
        "hidden": [doubts.gamma, doubts.e_value, doubts.e_value_limit] if rule.verdict == "causal" else None,
        "balance": _balance(rule, items) if rule.n_pairs else None,
        "unmatched": [
            [items.number(one.item), one.matched_share, one.unmatched_share]
            for one in (rule.balance.unmatched if rule.balance else ())
        ],
        "matched": n_matched(rule),
        "share_matched": design.share_matched,
        "estimator": estimator_of(rule),
        "risk_rows": _risk_rows(rule) if is_measured else None,
        "grade": rule.grade,
        "criteria": [list(criterion) for criterion in grade_criteria(rule)],
        "facts": [[fact.name, list(fact.lines)] for fact in study_facts(rule, isolated)],
        "opinion": None
        if not opinion.is_made or rule.compares_nothing
        else [Estimate(opinion.estimate, opinion.low, opinion.high), design.opinions_agree],
        "reason": isolated(rule.reason)
        if rule.reason and (rule.verdict != "causal" or rule.depends_on is not None)
        else None,
        "together": _together(rule),
        "dose": _dose(rule),
        "subgroups": _subgroups(rule, alpha),
    }
    if rule.mean is not None:
        view |= {"crude": rule.mean.crude, "adjusted": rule.mean.difference, "mean": _mean(rule.mean)}
    return {name: value for name, value in view.items() if value not in (None, [])}


def _risk_rows(rule: Rule) -> list[list[str]]:
    """Risk ratio and number needed, about the outcome itself, as rows of the effects table."""
    ratio, needed = risk_ratio_row(rule), number_needed_row(rule)
    rows = [[*ratio[:3], ratio.remark.removeprefix("crude ")]]
    return rows if needed is None else [*rows, [f"{needed.name}, {needed.remark}", *needed[1:3], ""]]


def _mean(mean: MeanEffect) -> list[str]:
    """Means of the matched exposed with and without exposure, and the outcome's standard deviation."""
    return [*means_of(mean), number(mean.spread)]


def _together(rule: Rule) -> dict[str, Any] | None:
    """Of a combined cause: the adjusted risks of its combinations, and what they say in words."""
    if rule.interaction is None:
        return None
    line, others = together_line(rule), other_measures(rule)
    return {
        "reading": f"{line[0].upper()}{line[1:]}{f'; {others}' if others else ''}.",
        "aid": RERI,
        "risks": [
            [row.label, row.risk, row.cases, row.records, list(row.exposed)]
            for row in risk_rows(rule, isolated)
        ],
        "standardised_to": rule.interaction.standardised_to,
    }


def _dose(rule: Rule) -> dict[str, Any] | None:
    """The levels of the exposure's column against the reference."""
    if rule.dose is None:
        return None
    return {
        "reading": trend_line(rule.dose),
        "rows": [_row(row) for row in dose_rows(rule.dose)],
        "reference": rule.dose.reference,
    }


def _subgroups(rule: Rule, alpha: float) -> dict[str, Any] | None:
    """The effect in each subgroup, and whether it differs between them."""
    if not rule.subgroups:
        return None
    return {
        "readings": interaction_lines(rule, alpha),
        "rows": [_row(row) for row in subgroup_rows(rule)],
    }


def _row(row: EstimateRow) -> list[Any]:
    return [isolated(row.name), row.effect, row.exposed, row.unexposed]


def _balance(rule: Rule, items: ItemNumbers) -> list[list[Any]] | None:
    """Items that differ most between exposed and unexposed: number, before, after.

    Near copies of the exposure always differ, and would hide the others.
    """
    if rule.balance is None:
        return None
    shown = (one for one in rule.balance.items if one.item.column not in rule.design.near_copies)
    return [[items.number(one.item), one.before, one.after] for one in shown]


class ItemNumbers:
    """Gives each item a number when it is first named, so that a name stands once in a page.

    Examples
    --------
    >>> from causalrules.domain import Item
    >>> known = ItemNumbers()
    >>> known.numbers([Item("sex", "male"), Item("smoker", "yes"), Item("sex", "male")])
    [0, 1, 0]
    >>> known.entries
    [['sex', 'male'], ['smoker', 'yes']]
    """

    def __init__(self) -> None:
        self._numbers: dict[Item, int] = {}

    def number(self, item: Item) -> int:
        """The item's number."""
        return self._numbers.setdefault(item, len(self._numbers))

    def numbers(self, items: Iterable[Item]) -> list[int]:
        """Several items' numbers, in their order."""
        return [self.number(item) for item in items]

    @property
    def entries(self) -> list[list[str]]:
        """Column and value of every item, by number."""
        return [[item.column, item.value] for item in self._numbers]


def _plain(value: Any) -> Any:
    """The value with estimates as lists and every number finite and short."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Estimate):
        return [_short(value.value), _short(value.low), _short(value.high)]
    return _short(value) if isinstance(value, float) else value


def _short(value: float) -> float | int | None:
    """A number with six significant digits, or None if it has none.

    Examples
    --------
    >>> _short(1234.56789), _short(2.0), _short(5.6e-07), _short(float("nan"))
    (1234.57, 2, 5.6e-07, None)
    """
    if not isfinite(value):
        return None
    if value == 0:
        return 0
    rounded = round(value, _DIGITS - 1 - floor(log10(abs(value))))
    return int(rounded) if rounded.is_integer() else rounded

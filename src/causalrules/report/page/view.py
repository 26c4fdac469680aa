"""A result as the page needs it: numbers to draw, and every text that is read."""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import TYPE_CHECKING, Any

from causalrules.domain.estimate import Estimate
from causalrules.report.words.column_answers import column_answers
from causalrules.report.words.contrast_words import contrast_tags, estimator_of, n_matched
from causalrules.report.words.dose_words import dose_rows, trend_line
from causalrules.report.words.explanations import explain_numbers, why_rejected
from causalrules.report.words.findings import findings_of
from causalrules.report.words.formatting import isolated, number
from causalrules.report.words.grade_words import grade_criteria
from causalrules.report.words.interaction_words import RERI, other_measures, risk_rows, together_line
from causalrules.report.words.measure import means_of, name_of_measure
from causalrules.report.words.provenance import describe_run
from causalrules.report.words.reading_aids import CAUTION, reading_aids
from causalrules.report.words.result_kinds import is_of_contrasts, is_single_study
from causalrules.report.words.risk_words import number_needed_row, risk_ratio_row
from causalrules.report.words.study_facts import study_facts
from causalrules.report.words.subgroup_words import interaction_lines, subgroup_rows
from causalrules.report.words.summary import GAMMA, HOW_TO_EXPLAIN, describe_answer
from causalrules.report.words.verdict_sentences import TAGS, sentence, tag_meanings, tags_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from causalrules.domain import Effects, Item, Outcome, Result, Rule
    from causalrules.domain.evidence import Design
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
        "contrasts": is_of_contrasts(result),
        "interval": f"{100 * result.settings.confidence:g}\u00a0%",
        "test": result.settings.test,
        "legend": _legend(result),
        "how_to_explain": HOW_TO_EXPLAIN,
        "measure": {"name": name_of_measure(outcome), "moves": "mean" if outcome.is_mean else "odds"},
        "findings": findings_of(result) if is_of_contrasts(result) else None,
        "columns": [] if is_single_study(result) else [list(one) for one in column_answers(result)],
        "rules": rules,
        "items": items.entries,
        "funnel": [{"length": length, **counts} for length, counts in sorted(result.by_length.items())],
        "about": describe_run(result),
    }
    plain: dict[str, Any] = _plain(view)
    return plain


def _rule(place: int, rule: Rule, outcome: Outcome, items: ItemNumbers, alpha: float) -> dict[str, Any]:
    """One rule's numbers and texts; its items by number."""
    effects, doubts, pairs = rule.effects, rule.doubts, rule.pairs
    is_measured = rule.has_risks and not rule.compares_nothing
    view = {
        "id": place,
        "pattern": items.numbers(rule.pattern),
        "direction": rule.direction,
        "verdict": rule.verdict,
        "sentence": sentence(rule, outcome, isolated),
        "tags": [_tag(text) for text in tags_of(rule)] if rule.design is None else None,
        "readings": explain_numbers(rule, outcome),
        "nothing": rule.compares_nothing or None,
        "crude": rule.odds_ratio,
        "adjusted": rule.adjusted_odds_ratio,
        "p": rule.p_value,
        "q": rule.q_value,
        "pairs": [pairs.n11, pairs.n12, pairs.n21, pairs.n22],
        "n_pairs": pairs.n_pairs,
        **(_risks(effects) if rule.design is None or is_measured else {}),
        "exposed": [rule.exposed, doubts.unmatched_exposed],
        "unexposed": [rule.unexposed, doubts.unmatched_unexposed],
        "hidden": [doubts.gamma, doubts.e_value, doubts.e_value_limit] if rule.verdict == "causal" else None,
        "stability": doubts.stability,
        "bootstrap": doubts.bootstrap,
        "balance": _balance(rule, items) if pairs.n_pairs else None,
        "unmatched": [
            [items.number(one.item), one.matched_share, one.unmatched_share]
            for one in (rule.balance.unmatched if rule.balance else ())
        ],
        "controls": items.numbers(rule.controls),
        "not_held": items.numbers(rule.not_held),
        "columns_dropped": list(rule.columns_dropped),
        "entangled": [[items.number(other.item), other.overlap] for other in rule.entangled],
        "same_records_as": list(rule.same_records_as),
        "why_not": _why_not(rule, items),
    }
    if rule.design is not None:
        view |= _study(rule, rule.design, alpha)
    if rule.mean is not None:
        view |= {"crude": rule.mean.crude, "adjusted": rule.mean.difference, "mean": _mean(rule.mean)}
    return {name: value for name, value in view.items() if value not in (None, [])}


def _risks(effects: Effects) -> dict[str, Any]:
    return {
        "risk_ratio": effects.risk_ratio,
        "crude_risk_ratio": effects.crude_risk_ratio,
        "risk_difference": effects.risk_difference,
        "crude_risk_difference": effects.crude_risk_difference,
    }


def _risk_rows(rule: Rule) -> list[list[str]]:
    """Risk ratio and number needed, about the outcome itself, as rows of the effects table."""
    ratio, needed = risk_ratio_row(rule), number_needed_row(rule)
    rows = [[*ratio[:3], ratio.remark.removeprefix("crude ")]]
    return rows if needed is None else [*rows, [f"{needed.name}, {needed.remark}", *needed[1:3], ""]]


def _mean(mean: MeanEffect) -> list[str]:
    """Means of the matched exposed with and without exposure, and the outcome's standard deviation."""
    return [*means_of(mean), number(mean.spread)]


def _study(rule: Rule, design: Design, alpha: float) -> dict[str, Any]:
    """What only rules of the default search have: how the study was done, its grade, a second opinion."""
    opinion = design.second_opinion
    return {
        "tags": [[tag.text, tag.meaning.partition(": ")[2]] for tag in contrast_tags(rule)],
        "matched": n_matched(rule),
        "share_matched": design.share_matched,
        "estimator": estimator_of(rule),
        "risk_rows": _risk_rows(rule) if rule.has_risks and not rule.compares_nothing else None,
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
        "stability": None,
        "pairs": None,
        "why_not": None,
    }


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


def _legend(result: Result) -> list[str]:
    if not is_of_contrasts(result):
        return [GAMMA, *tag_meanings(result.tested)]
    return [line for line in reading_aids(result) if line != CAUTION]


def _tag(text: str) -> list[str]:
    """The tag and what it means."""
    return [text, TAGS[text.split(" ")[0]].partition(": ")[2]]


def _balance(rule: Rule, items: ItemNumbers) -> list[list[Any]] | None:
    """Items that differ most between exposed and unexposed: number, before, after.

    Near copies of the exposure always differ, and would hide the others.
    """
    if rule.balance is None:
        return None
    copies = rule.design.near_copies if rule.design is not None else ()
    shown = (one for one in rule.balance.items if one.item.column not in copies)
    return [[items.number(one.item), one.before, one.after] for one in shown]


def _why_not(rule: Rule, items: ItemNumbers) -> dict[str, Any] | None:
    """The path from the crude odds ratio to the adjusted one, with the strongest confounder's two tables."""
    if rule.verdict != "rejected":
        return None
    explanation = rule.explanation
    view: dict[str, Any] = {"reading": why_rejected(rule)}
    if explanation is None:
        view["missing"] = True
        return view
    if rule.odds_ratio.low > 1 and explanation.steps:
        view["steps"] = [
            [items.number(step.control), step.odds_ratio, step.pairs] for step in explanation.steps
        ]
        view["tables"] = [
            [
                items.number(table.item),
                table.is_present,
                [
                    table.exposed_with,
                    table.exposed_without,
                    table.unexposed_with,
                    table.unexposed_without,
                ],
                table.odds_ratio,
            ]
            for table in explanation.tables
        ]
    return view


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

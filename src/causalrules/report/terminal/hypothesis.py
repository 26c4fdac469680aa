"""The cohort study of one hypothesis in full, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from causalrules.report.terminal.study_report import contrast_report
from causalrules.report.words.explanations import describe_closeness, what_remains, why_no_controls
from causalrules.report.words.formatting import interval, number, p_text, printable
from causalrules.report.words.summary import CHOSEN_BEFOREHAND, causal_caution
from causalrules.report.words.verdict_sentences import sentence, tag_meanings, tags_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from causalrules.domain import Explanation, Result, Rule

_CONTROLS_SHOWN = 40


def study_report(result: Result) -> RenderableType:
    """Verdict, effect, pairs, what could undo it, and why a rejected rule was rejected."""
    rule = result.tested[0]
    if rule.design is not None:
        return contrast_report(result)
    parts: list[RenderableType] = [
        Text(f"{printable(rule.name)}: {rule.verdict}", style="bold"),
        Text(sentence(rule, result.data.outcome)),
        Text(),
        _numbers(rule, result.settings.confidence),
        Text(),
        _pair_table(rule),
        Text(),
        _doubts(rule),
        Text(),
        Text(_controls(rule)),
    ]
    if rule.explanation is not None:
        parts += [Text(), *_why_not(rule, rule.explanation)]
    if rule.verdict == "causal":
        parts.append(Text(causal_caution(result.settings), style="dim"))
    parts.append(Text(CHOSEN_BEFOREHAND, style="dim"))
    return Group(*parts)


def _numbers(rule: Rule, confidence: float) -> Table:
    table = _plain_table("", "estimate", f"{100 * confidence:g} % interval", "")
    effects = rule.effects
    groups = f"{rule.exposed:,} exposed, {rule.unexposed:,} not"
    pairs = f"{rule.pairs.n_pairs:,.0f} matched pairs"
    table.add_row("crude odds ratio", number(rule.odds_ratio.value), interval(rule.odds_ratio), groups)
    adjusted = rule.adjusted_odds_ratio
    test = f"{rule.test}, {p_text(rule.p_value)}"
    table.add_row("adjusted odds ratio", number(adjusted.value), interval(adjusted), test)
    table.add_row("risk ratio", number(effects.risk_ratio.value), interval(effects.risk_ratio), pairs)
    difference = effects.risk_difference
    limits = f"{difference.low:+.1%} – {difference.high:+.1%}"
    crude = f"crude {effects.crude_risk_difference:+.1%}"
    table.add_row("risk difference", f"{difference.value:+.1%}", limits, crude)
    if rule.direction == "lowers":
        table.caption = "odds and risks of not having the outcome"
        table.caption_justify = "left"
    return table


def _pair_table(rule: Rule) -> Table:
    """The four kinds of pairs, in the direction's sense of the outcome."""
    has, has_not = ("with outcome", "without outcome")
    if rule.direction == "lowers":
        has, has_not = has_not, has
    table = _plain_table("matched pairs", f"unexposed {has}", f"unexposed {has_not}")
    table.add_row(f"exposed {has}", f"{rule.pairs.n11:,.1f}", f"{rule.pairs.n12:,.1f}")
    table.add_row(f"exposed {has_not}", f"{rule.pairs.n21:,.1f}", f"{rule.pairs.n22:,.1f}")
    return table


def _doubts(rule: Rule) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    doubts = rule.doubts
    e_values = f"E-value {number(doubts.e_value)}, of the limit {number(doubts.e_value_limit)}"
    table.add_row("sensitivity", f"Γ* {number(doubts.gamma)}; {e_values}")
    if doubts.heterogeneity_p is not None:
        table.add_row("same in all strata?", f"{p_text(doubts.heterogeneity_p)}")
    share = f"causal in {doubts.stability:.0%} of random pairings"
    if doubts.bootstrap is not None:
        share += f", in {doubts.bootstrap:.0%} of resampled tables"
    table.add_row("stability", share)
    if rule.balance is not None and rule.pairs.n_pairs > 0:
        balance = rule.balance
        table.add_row(
            "balance",
            f"worst standardised difference {number(balance.worst_before)} before matching, "
            f"{number(balance.worst_after)} after; mean {number(balance.mean_before)}, "
            f"{number(balance.mean_after)}",
        )
    if rule.closeness is not None and rule.pairs.n_pairs > 0:
        table.add_row("partners", describe_closeness(rule.closeness))
    losses = f"{doubts.unmatched_exposed:,} exposed, {doubts.unmatched_unexposed:,} unexposed"
    table.add_row("unmatched", losses)
    if rule.balance is not None:
        for one in rule.balance.unmatched[:3]:
            shares = f"{one.unmatched_share:.0%} of them, {one.matched_share:.0%} of the matched"
            table.add_row("", f"{printable(one.item.name)}: {shares}")
    if tags_of(rule):
        table.add_row("mind", Text("; ".join(tags_of(rule)), style="yellow"))
        for meaning in tag_meanings([rule]):
            table.add_row("", Text(meaning, style="dim"))
    return table


def _controls(rule: Rule) -> str:
    if not rule.controls:
        return why_no_controls(rule, _CONTROLS_SHOWN)
    names = "; ".join(printable(item.name) for item in rule.controls[:_CONTROLS_SHOWN])
    n_more = max(0, len(rule.controls) - _CONTROLS_SHOWN)
    more = f"; and {n_more} more" if n_more else ""
    not_held = "; ".join(printable(item.name) for item in rule.not_held[:_CONTROLS_SHOWN])
    left = (
        f" Associated with the outcome but too rare with or without the exposure to hold fixed: {not_held}."
    )
    dropped = (
        f" Not held fixed, because too few records could be compared: {', '.join(rule.columns_dropped)}."
        if rule.columns_dropped
        else ""
    )
    how = "Held fixed" if rule.closeness is None else "Matched on"
    return f"{how}: {names}{more}.{left if rule.not_held else ''}{dropped}"


def _why_not(rule: Rule, explanation: Explanation) -> list[RenderableType]:
    """The path from the crude odds ratio to the adjusted one, and the strongest confounder's two tables."""
    if rule.odds_ratio.low <= 1:
        return [Text("Why not: there is no association to begin with.")]
    left = [Text(f"Why not: {what_remains(rule)}"), Text()] if rule.adjusted_odds_ratio.low > 1 else []
    if left and not explanation.steps:
        return list(left)
    if not explanation.steps:
        return [Text("Why not: no single control lowers the odds ratio; there is too little to compare.")]
    path = _plain_table("Why not: held fixed, one more at a time", "odds ratio", "interval", "pairs")
    path.add_row("nothing (crude)", number(rule.odds_ratio.value), interval(rule.odds_ratio), "")
    for step in explanation.steps:
        odds = step.odds_ratio
        name = f"+ {printable(step.control.name)}"
        path.add_row(name, number(odds.value), interval(odds), f"{step.pairs:,.0f}")
    adjusted = rule.adjusted_odds_ratio
    every = f"all {len(rule.controls)} controls"
    path.add_row(every, number(adjusted.value), interval(adjusted), f"{rule.pairs.n_pairs:,.0f}")
    tables = _plain_table("", "exposed with", "without", "unexposed with", "without", "odds ratio")
    for one in explanation.tables:
        tables.add_row(
            f"{'' if one.is_present else 'not '}{printable(one.item.name)}",
            f"{one.exposed_with:,}",
            f"{one.exposed_without:,}",
            f"{one.unexposed_with:,}",
            f"{one.unexposed_without:,}",
            number(one.odds_ratio),
        )
    return [*left, path, Text(), Text("The strongest of them, as two tables:"), tables, Text()]


def _plain_table(first: str, *others: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")
    return table

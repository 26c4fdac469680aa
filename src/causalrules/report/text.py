"""A result in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from causalrules.domain import Direction, Estimate, Result, Rule

LONGEST_NAME = 200
_PHRASES: dict[Direction, str] = {"raises": "raise the odds of", "lowers": "lower the odds of"}
_CAUTION = (
    "A causal rule held up when records were matched on the controls listed in the result. "
    "Causes that are not in the table can still stand behind it."
)


def printable(text: str) -> str:
    r"""Text that cannot disturb a terminal: control characters are shown, very long names cut.

    Examples
    --------
    >>> printable("two\nlines")
    'two\\nlines'
    """
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"


def mining_report(result: Result) -> RenderableType:
    """The causal rules by direction, then what was rejected and left out."""
    parts: list[RenderableType] = [Text(printable(result.summary()), style="bold")]
    for direction, phrase in _PHRASES.items():
        rules = result.with_verdict("causal", direction)
        if rules:
            heading = (
                f"{len(rules)} {'causes' if len(rules) > 1 else 'cause'} that {phrase} {result.data.outcome}"
            )
            if len(rules) == 1:
                heading = heading.replace("raise the", "raises the").replace("lower the", "lowers the")
            parts += [Text(), Text(printable(heading), style="bold cyan"), _rule_table(rules, result)]
    parts += [Text(), *_remarks(result)]
    return Group(*parts)


def study_report(result: Result) -> RenderableType:
    """One cohort study in full."""
    rule = result.tested[0]
    outcome = result.data.outcome
    meaning = {
        "causal": f"{rule.direction} the odds of {outcome}",
        "rejected": f"is not shown to {rule.direction.removesuffix('s')} the odds of {outcome}",
        "untestable": f"cannot be tested: {rule.pairs.n_discordant:.3g} discordant pairs are too few",
    }[rule.verdict]
    numbers = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    numbers.add_row(
        "crude odds ratio", _interval(rule.odds_ratio), f"{rule.exposed:,} exposed, {rule.unexposed:,} not"
    )
    numbers.add_row(
        "fair odds ratio", _interval(rule.fair_odds_ratio), f"{rule.pairs.n_pairs:,.0f} matched pairs"
    )
    whose_odds = "having" if rule.direction == "raises" else "not having"
    return Group(
        Text(printable(f"{rule.name}: {rule.verdict}"), style="bold"),
        Text(printable(f"{rule.name} {meaning}.")),
        Text(),
        numbers,
        Text(
            f"odds of {whose_odds} the outcome, {100 * result.settings.interval_confidence:g} % intervals",
            style="dim",
        ),
        Text(),
        _pair_table(rule),
        Text(),
        Text(printable(_controls_sentence(rule))),
        Text(_CAUTION, style="dim"),
    )


def _pair_table(rule: Rule) -> Table:
    """The four kinds of pairs, in the direction's sense of the outcome."""
    has, has_not = ("with outcome", "without outcome")
    if rule.direction == "lowers":
        has, has_not = has_not, has
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("matched pairs")
    table.add_column(f"unexposed {has}", justify="right")
    table.add_column(f"unexposed {has_not}", justify="right")
    table.add_row(f"exposed {has}", f"{rule.pairs.n11:,.1f}", f"{rule.pairs.n12:,.1f}")
    table.add_row(f"exposed {has_not}", f"{rule.pairs.n21:,.1f}", f"{rule.pairs.n22:,.1f}")
    return table


def _rule_table(rules: tuple[Rule, ...], result: Result) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim", expand=False)
    table.add_column("rule", overflow="fold", ratio=1)
    table.add_column("odds ×" if rules[0].direction == "raises" else "odds ÷", justify="right", no_wrap=True)
    table.add_column(
        f"{100 * result.settings.interval_confidence:g} % interval", justify="right", no_wrap=True
    )
    table.add_column("crude", justify="right", no_wrap=True)
    table.add_column("pairs", justify="right", no_wrap=True)
    for rule in rules:
        fair = rule.fair_odds_ratio
        table.add_row(
            Text(printable(rule.name)),
            _number(fair.value),
            f"{_number(fair.low)} – {_number(fair.high)}",
            _number(rule.odds_ratio.value),
            f"{rule.pairs.n_pairs:,.0f}",
        )
    return table


def _remarks(result: Result) -> list[RenderableType]:
    verdicts = result.n_by_verdict
    lines = [_CAUTION]
    if verdicts["rejected"] or verdicts["untestable"]:
        lines.append(
            f"{verdicts['rejected']} associations were rejected, {verdicts['untestable']} were untestable; "
            "--csv FILE or --json FILE lists them with their numbers."
        )
    if result.data.rows_without_outcome:
        lines.append(f"{result.data.rows_without_outcome:,} records without a known outcome were left out.")
    if result.data.left_out:
        lines.append("Columns left out:")
    remarks: list[RenderableType] = [Text(printable(line), style="dim") for line in lines]
    by_reason: dict[str, list[str]] = {}
    for entry in result.data.left_out:
        by_reason.setdefault(entry.reason, []).append(entry.column)
    for reason, columns in by_reason.items():
        names = ", ".join(map(printable, columns))
        remarks.append(Padding(Text(f"{names}: {printable(reason)}", style="dim"), (0, 0, 0, 2)))
    return remarks


def _controls_sentence(rule: Rule) -> str:
    if not rule.controls:
        return (
            "No item was held fixed: nothing else in the table is associated with the outcome and comparable."
        )
    dropped = f" Not held fixed: {', '.join(rule.columns_dropped)}." if rule.columns_dropped else ""
    names = "; ".join(map(str, rule.controls))
    return f"Records of a pair agree on {len(rule.controls)} items: {names}.{dropped}"[: LONGEST_NAME * 20]


def _interval(odds: Estimate) -> str:
    return f"{_number(odds.value)} ({_number(odds.low)} – {_number(odds.high)})"


def _number(value: float) -> str:
    """Three significant digits, without exponents where people read none."""
    if value >= 1000 or 0 < value < 0.001:
        return f"{value:.3g}" if value >= 1e6 or value < 0.001 else f"{value:,.0f}"
    return f"{value:.3g}" if value >= 100 else f"{value:.2f}"

"""Forest plot: all effects below one another, adjusted beside crude."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.report.pictures.drawing import GREY, INK, Rows, altair, message, picture
from causalrules.report.pictures.odds_axis import (
    CRUDE,
    kind_of,
    odds_channel,
    odds_domain,
    shape_and_colour,
    sorted_by_kind,
)
from causalrules.report.words.contrast_words import n_matched
from causalrules.report.words.formatting import interval, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Estimate, Result, Rule

_WIDTH = 340
_ESTIMATES, _PAIRS = _WIDTH + 14, _WIDTH + 220
_OFFSET = 4
"""Pixels by which the adjusted estimate stands above the middle of its row, and the crude one below."""


def forest_chart(result: Result, rules: Sequence[Rule] | None, most: int) -> Any:
    """Odds ratios of the outcome with their intervals, one row a rule.

    Parameters
    ----------
    result : Result
        Where the rules come from.
    rules : sequence of Rule, optional
        Those to draw; the causal ones if None.
    most : int
        Rows at most.
    """
    title = f"What raises and what lowers the odds of {result.data.outcome.had}"
    chosen = result.causal if rules is None else tuple(rules)
    testable = [rule for rule in chosen if rule.verdict != "untestable"]
    drawn = sorted_by_kind(testable[:most])
    if not drawn:
        return message(title, _why_nothing(result, chosen))
    confidence = f"{100 * result.settings.confidence:g} %"
    notes = [
        f"Among {_compared(drawn)}, with {confidence} intervals. A line that crosses 1 can be chance; "
        "arrows lead off the axis."
    ]
    if len(drawn) < len(chosen):
        left_out = f"; {len(chosen) - len(testable)} cannot be tested" if len(testable) < len(chosen) else ""
        notes.append(f"{len(drawn)} of {len(chosen)} rules are drawn, the first of the result{left_out}.")
    return picture(_panel(drawn, confidence), title=title, notes=notes)


def _are_contrasts(rules: Sequence[Rule]) -> bool:
    return all(rule.design is not None for rule in rules)


def _compared(rules: Sequence[Rule]) -> str:
    return "records that are alike in what was adjusted for" if _are_contrasts(rules) else "matched pairs"


def _n_compared(rule: Rule) -> str:
    """Exposed records that found partners; of the paper's protocol, pairs."""
    return f"{rule.pairs.n_pairs if rule.design is None else n_matched(rule):,.0f}"


def _panel(drawn: list[Rule], confidence: str) -> Any:
    alt = altair()
    rows = Rows.of([rule.name for rule in drawn])
    entries = [entry for rule, y in zip(drawn, rows.centres, strict=True) for entry in _entries(rule, y)]
    domain = _domain(entries)
    ends = [end for entry in entries for end in _open_ends(entry, domain)]
    spans = [entry | _within(entry, domain) for entry in entries]
    shown = [entry for entry in spans if entry["is_within"]]
    looks = shape_and_colour(alt, [entry["kind"] for entry in entries])
    texts = [entry | {"y": entry["middle"]} for entry in spans if entry["kind"] != CRUDE]
    tips = [alt.Tooltip(f"{name}:N") for name in ("rule", "kind", "estimate", "pairs")]
    no_effect = alt.Chart(alt.Data(values=[{"odds": 1}])).mark_rule(color=GREY, strokeDash=[4, 3])
    intervals = alt.Chart(alt.Data(values=spans)).mark_rule(strokeWidth=1.5)
    points = alt.Chart(alt.Data(values=shown)).mark_point(filled=True, size=60, opacity=1)
    arrows = alt.Chart(alt.Data(values=ends)).mark_text(fontSize=13, baseline="middle", color=INK)
    return alt.layer(
        rows.stripes(alt),
        no_effect.encode(x=odds_channel(alt, "odds", domain)),
        intervals.encode(
            x=odds_channel(alt, "low", domain), x2="high:Q", y=rows.y(alt), color=looks["color"]
        ),
        points.encode(x=odds_channel(alt, "odds", domain), y=rows.y(alt), tooltip=tips, **looks),
        arrows.encode(x=odds_channel(alt, "odds", domain), y=rows.y(alt), text="arrow:N"),
        rows.names(alt),
        rows.heading(alt, f"odds ratio ({confidence} interval)", x=_ESTIMATES, align="left"),
        rows.texts(alt, texts, "estimate", x=_ESTIMATES, align="left", color=INK),
        rows.heading(alt, "matched" if _are_contrasts(drawn) else "pairs", x=_PAIRS, align="right"),
        rows.texts(alt, texts, "pairs", x=_PAIRS, align="right", color=INK),
    ).properties(width=_WIDTH, height=rows.height)


def _entries(rule: Rule, y: float) -> list[dict[str, Any]]:
    """The adjusted estimate and the crude one, both of the outcome itself."""
    own = rule.of_the_outcome()
    estimates = ((kind_of(rule), own.adjusted_odds_ratio, -_OFFSET), (CRUDE, own.odds_ratio, _OFFSET))
    return [
        {"rule": rule.name, "kind": kind, "y": y + offset, "middle": y, "pairs": _n_compared(rule)}
        | _numbers(estimate)
        for kind, estimate, offset in estimates
    ]


def _numbers(odds: Estimate) -> dict[str, Any]:
    text = f"{number(odds.value)} ({interval(odds)})"
    return {"odds": odds.value, "low": odds.low, "high": odds.high, "estimate": text}


def _domain(entries: list[dict[str, Any]]) -> tuple[float, float]:
    """An axis made for the adjusted estimates; crude ones far off are told by arrows."""
    adjusted = [entry["odds"] for entry in entries if entry["kind"] != CRUDE]
    return odds_domain(adjusted, [entry[name] for entry in entries for name in ("odds", "low", "high")])


def _within(entry: dict[str, Any], domain: tuple[float, float]) -> dict[str, Any]:
    """Numbers cut to the axis, for JSON knows no infinite ones, and whether the estimate is on it."""
    least, most = domain
    numbers = {name: min(max(entry[name], least), most) for name in ("odds", "low", "high")}
    return numbers | {"is_within": numbers["odds"] == entry["odds"]}


def _open_ends(entry: dict[str, Any], domain: tuple[float, float]) -> list[dict[str, Any]]:
    """Arrows where an interval, or all of it, lies beyond the axis."""
    least, most = domain
    ends = (("←", least, entry["low"] < least), ("→", most, entry["high"] > most))
    return [{"arrow": arrow, "odds": edge, "y": entry["y"]} for arrow, edge, is_open in ends if is_open]


def _why_nothing(result: Result, chosen: Sequence[Rule]) -> str:
    if chosen:
        return "None of these rules could be tested: too few matched pairs differ in the outcome."
    verdicts = result.n_by_verdict
    tested = f"{verdicts['rejected']} associations were rejected and {verdicts['untestable']} untestable"
    return f"There is no causal rule to draw; {tested}. forest(rules=result.tested) draws those instead."

"""Ways of matching beside each other: odds ratios, the imbalance that is left, the records that are lost."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from causalrules.report.pictures.drawing import BLUE, FAINT, GREY, INK, ORANGE, Rows, altair, message, picture
from causalrules.report.pictures.odds_axis import odds_channel, odds_domain
from causalrules.report.words.formatting import interval, number

if TYPE_CHECKING:
    from causalrules.paper.matching_comparison import MatchingComparison

_WIDTH, _BARS = 240, 120
_ALIKE = 0.1
_LEAST_IMBALANCE, _LEAST_LOST = 0.25, 0.1
"""Axes reach at least so far: bars of nothing are drawn as nothing, not blown up."""


def matching_chart(comparison: MatchingComparison) -> Any:
    """One row a way of matching, the crude odds ratio above them."""
    title = f"{comparison.exposure} → {comparison.data.outcome}: by every way of matching"
    entries = matching_rows(comparison)
    if not entries:
        return message(title, "No way of matching could be tried; the table in the terminal says why.")
    rows = Rows.of([entry["matching"] for entry in entries])
    entries = [entry | {"y": y} for entry, y in zip(entries, rows.centres, strict=True)]
    confidence = f"{100 * comparison.settings.confidence:g} %"
    notes = [
        f"Odds ratios with {confidence} intervals; the largest standardised difference that is left (up to "
        f"{_ALIKE:g}, dotted, counts as alike)."
    ]
    panels = [
        _odds_panel(rows, entries),
        _bars_panel(rows, entries, "imbalance", "largest difference left", _LEAST_IMBALANCE, line=_ALIKE),
    ]
    if any(entry["lost"] for entry in entries):
        panels.append(_bars_panel(rows, entries, "lost", "without a partner", _LEAST_LOST, is_share=True))
    else:  # an empty panel would say less
        notes.append("By every way, every record found a partner.")
    return picture(*panels, title=title, notes=notes)


def _colour(alt: Any) -> Any:
    scale = alt.Scale(domain=["crude", "matched"], range=[ORANGE, BLUE])
    return alt.Color("kind:N", scale=scale, legend=None)


def _odds_panel(rows: Rows, entries: list[dict[str, Any]]) -> Any:
    alt = altair()
    drawn = [entry for entry in entries if "odds" in entry]
    limits = [entry[end] for entry in drawn for end in ("low", "high")]
    domain = odds_domain([entry["odds"] for entry in drawn], limits)
    cut = [
        entry | {end: min(max(entry[end], domain[0]), domain[1]) for end in ("low", "high")}
        for entry in drawn
    ]
    base = alt.Chart(alt.Data(values=cut)).encode(y=rows.y(alt), color=_colour(alt))
    no_effect = alt.Chart(alt.Data(values=[{"odds": 1}])).mark_rule(color=GREY, strokeDash=[4, 3])
    return alt.layer(
        rows.stripes(alt),
        no_effect.encode(x=odds_channel(alt, "odds", domain)),
        base.mark_rule(strokeWidth=2).encode(x=odds_channel(alt, "low", domain), x2="high:Q"),
        base.mark_point(filled=True, size=70, opacity=1).encode(x=odds_channel(alt, "odds", domain)),
        rows.names(alt),
        rows.heading(alt, "odds ratio", x=_WIDTH + 14, align="left"),
        rows.texts(alt, entries, "estimate", x=_WIDTH + 14, align="left", color=INK),
    ).properties(width=_WIDTH, height=rows.height)


def _bars_panel(
    rows: Rows,
    entries: list[dict[str, Any]],
    field: str,
    title: str,
    least: float,
    *,
    line: float | None = None,
    is_share: bool = False,
) -> Any:
    """Bars with their numbers; a number stands there also where there is nothing to draw."""
    alt = altair()
    drawn = [entry for entry in entries if field in entry]
    texts = [entry | {"told": f"{entry[field]:.0%}" if is_share else number(entry[field])} for entry in drawn]
    scale = alt.Scale(domain=[0, max([least, *(entry[field] for entry in drawn)])], nice=False)
    axis = alt.Axis(tickCount=3, format="%") if is_share else alt.Axis(tickCount=3)
    x = alt.X(f"{field}:Q", title=title, scale=scale, axis=axis)
    base = alt.Chart(alt.Data(values=drawn)).encode(x=x, y=rows.y(alt))
    layers = [
        rows.stripes(alt),
        base.mark_bar(size=10).encode(x2=alt.datum(0), color=_colour(alt)),
        rows.texts(alt, texts, "told", x=_BARS + 10, align="left", color=INK),
    ]
    if line is not None:
        mark = alt.Chart(alt.Data(values=[{field: line}])).mark_rule(color=FAINT, strokeDash=[1, 3])
        layers.append(mark.encode(x=x))
    return alt.layer(*layers).properties(width=_BARS, height=rows.height)


def matching_rows(comparison: MatchingComparison) -> list[dict[str, Any]]:
    """What is drawn: the crude odds ratio, and every way that was tried; some have no answer."""
    entries: list[dict[str, Any]] = []
    for study in comparison.studies:
        rule, odds = study.rule, study.odds_ratio
        if rule is None:
            continue
        balance = rule.balance
        assert balance is not None
        if not entries:
            crude = rule.odds_ratio
            entries.append(
                {"matching": "crude", "kind": "crude", "imbalance": balance.worst_before, "lost": 0.0}
                | {"odds": crude.value, "low": crude.low, "high": crude.high}
                | {"estimate": f"{number(crude.value)} ({interval(crude)})"}
            )
        n_lost = rule.doubts.unmatched_exposed + rule.doubts.unmatched_unexposed
        entry: dict[str, Any] = {
            "matching": study.method,
            "kind": "matched",
            "lost": n_lost / max(rule.exposed + rule.unexposed, 1),
            "estimate": "not testable",
        }
        if odds is not None and isfinite(odds.high) and odds.low > 0:
            entry |= {"odds": odds.value, "low": odds.low, "high": odds.high}
            entry |= {
                "estimate": f"{number(odds.value)} ({interval(odds)})",
                "imbalance": balance.worst_after,
            }
        entries.append(entry)
    return entries

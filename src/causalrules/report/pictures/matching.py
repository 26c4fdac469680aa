"""Ways of matching side by side, as a picture."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from causalrules.domain.matching_comparison import of_the_outcome
from causalrules.report.pictures.drawing import BLUE, GREY, ORANGE, altair

if TYPE_CHECKING:
    from causalrules.domain.matching_comparison import MatchingComparison


def matching_chart(comparison: MatchingComparison) -> Any:
    """Odds ratios with intervals, the imbalance that is left, and the records that are lost."""
    alt = altair()
    rows = _rows(comparison)
    order = [row["matching"] for row in rows]
    y = alt.Y("matching:N", sort=order, title=None)
    base = alt.Chart(alt.Data(values=rows), height=24 * len(rows)).encode(y=y)
    odds = alt.X("odds_ratio:Q", title="odds ratio", scale=alt.Scale(type="log", nice=False, padding=12))
    no_effect = (
        alt.Chart(alt.Data(values=[{"odds_ratio": 1}]))
        .mark_rule(color=GREY, strokeDash=[4, 3])
        .encode(x=odds)
    )
    estimates = (
        no_effect
        + base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q"), x2="high:Q", color=_colour(alt))
        + base.mark_point(filled=True, size=70, opacity=1).encode(x=odds, color=_colour(alt))
    )
    imbalance = base.mark_bar(size=12).encode(
        x=alt.X("worst_imbalance:Q", title="worst standardised difference"), color=_colour(alt)
    )
    lost = base.mark_bar(size=12).encode(
        x=alt.X("unmatched:Q", title="records without a partner", axis=alt.Axis(format="%")),
        color=_colour(alt),
    )
    title = f"{comparison.exposure} → {comparison.data.outcome}"
    return (
        alt.hconcat(
            estimates.properties(width=260),
            imbalance.encode(y=y.axis(None)).properties(width=150),
            lost.encode(y=y.axis(None)).properties(width=150),
        )
        .properties(title=title)
        .configure_view(stroke=None)
        .configure_axis(grid=False)
    )


def _colour(alt: Any) -> Any:
    scale = alt.Scale(domain=["crude", "matched"], range=[ORANGE, BLUE])
    return alt.Color("kind:N", scale=scale, legend=None)


def _rows(comparison: MatchingComparison) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for study in comparison.studies:
        rule, odds = study.rule, study.odds_ratio
        if rule is None:
            continue
        balance = rule.balance
        assert balance is not None
        if not rows:
            crude = of_the_outcome(rule.odds_ratio, rule.direction)
            rows.append(
                {"matching": "(crude)", "kind": "crude", "worst_imbalance": balance.worst_before}
                | {"odds_ratio": crude.value, "low": crude.low, "high": crude.high, "unmatched": 0}
            )
        n_lost = rule.doubts.unmatched_exposed + rule.doubts.unmatched_unexposed
        row = {
            "matching": study.method,
            "kind": "matched",
            "unmatched": n_lost / max(rule.exposed + rule.unexposed, 1),
        }
        if odds is not None and rule.verdict != "untestable" and isfinite(odds.high) and odds.low > 0:
            row |= {"odds_ratio": odds.value, "low": odds.low, "high": odds.high}
            row["worst_imbalance"] = balance.worst_after
        rows.append(row)
    return rows

"""Balance: how alike exposed and unexposed records are, item by item (love plot) and by way of matching."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from causalrules.errors import PictureError
from causalrules.report.pictures.drawing import BLUE, FAINT, GREY, ORANGE, Rows, altair, message, picture
from causalrules.report.words.formatting import number
from causalrules.report.words.sentences import UNBALANCED_FROM

if TYPE_CHECKING:
    from causalrules.domain import Balance, Rule
    from causalrules.domain.matching_comparison import MatchingComparison

_WIDTH = 340
_SMALL = 0.1
_BEFORE, _AFTER = "before matching", "after matching"


def love_chart(rule: Rule) -> Any:
    """Standardised differences of the items that differ most, the largest first."""
    balance = rule.balance
    if balance is None:
        raise PictureError(
            "a love plot",
            rule.name,
            "its balance was not counted, which is done for causal rules and for single studies",
            "Put it to a study of its own: causalrules test … --exposure … --json FILE, or causalrules.study",
        )
    title = f"Are records with and without {rule.name} alike?"
    if not balance.items:
        return message(title, "The table has no other items in which they could differ.")
    notes = [
        "Standardised difference of each item between exposed and unexposed; 0 is alike, "
        f"above {_SMALL:g} (dotted) worth a look, above {UNBALANCED_FROM:g} (dashed) much.",
        f"The {len(balance.items)} items that differ most; over all items the worst is "
        f"{number(balance.worst_before)} before and {number(balance.worst_after)} after, "
        f"the mean {number(balance.mean_before)} and {number(balance.mean_after)}.",
    ]
    return picture(_panel(balance), title=title, notes=notes)


def _panel(balance: Balance) -> Any:
    alt = altair()
    ordered = sorted(balance.items, key=lambda one: -abs(one.before))
    rows = Rows.of([one.item.name for one in ordered], headed=False)
    spans, marks = [], []
    for one, y in zip(ordered, rows.centres, strict=True):
        before, after = abs(one.before), abs(one.after)
        spans.append({"y": y, "before": before, "after": after})
        marks += [
            {"item": one.item.name, "y": y, "when": when, "difference": size}
            for when, size in ((_BEFORE, before), (_AFTER, after))
        ]
    largest = max([UNBALANCED_FROM, *(max(abs(one.before), abs(one.after)) for one in ordered)])
    scale = alt.Scale(domain=[0, 1.05 * largest], nice=False)

    def x(field: str) -> Any:
        title = "standardised difference, without its sign"
        return alt.X(f"{field}:Q", title=title, scale=scale, axis=alt.Axis(tickCount=6))

    looks = {
        "shape": alt.Shape("when:N", scale=alt.Scale(domain=[_BEFORE, _AFTER], range=["circle", "square"])),
        "color": alt.Color("when:N", scale=alt.Scale(domain=[_BEFORE, _AFTER], range=[ORANGE, BLUE])),
    }
    points = alt.Chart(alt.Data(values=marks)).mark_point(filled=True, size=60, opacity=1)
    joined = alt.Chart(alt.Data(values=spans)).mark_rule(color=GREY, strokeWidth=1)
    return alt.layer(
        rows.stripes(alt),
        _line_at(alt, x, _SMALL, [1, 3]),
        _line_at(alt, x, UNBALANCED_FROM, [4, 3]),
        joined.encode(x=x("before"), x2="after:Q", y=rows.y(alt)),
        points.encode(
            x=x("difference"), y=rows.y(alt), tooltip=["item:N", "when:N", "difference:Q"], **looks
        ),
        rows.names(alt),
    ).properties(width=_WIDTH, height=rows.height)


def _line_at(alt: Any, x: Any, difference: float, dash: list[int]) -> Any:
    line = alt.Chart(alt.Data(values=[{"difference": difference}])).mark_rule(color=FAINT, strokeDash=dash)
    return line.encode(x=x("difference"))


def matching_chart(comparison: MatchingComparison) -> Any:
    """Odds ratios with intervals, the imbalance that is left, and the records that are lost."""
    alt = altair()
    rows = _matching_rows(comparison)
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


def _matching_rows(comparison: MatchingComparison) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for study in comparison.studies:
        rule, odds = study.rule, study.odds_ratio
        if rule is None:
            continue
        balance = rule.balance
        assert balance is not None
        if not rows:
            crude = rule.of_the_outcome().odds_ratio
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

"""Bias and coverage of every way of matching, in one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt

from causalrules.report.pictures import save
from experiments.charts import COLOURS, IMAGES, rows_of

if TYPE_CHECKING:
    from pathlib import Path


def effects_chart(path: Path) -> None:
    """Rows: bias and coverage; columns: number of confounders."""
    rows = [row for row in rows_of(path) if row["tested"] >= 10]
    order = list(dict.fromkeys(row["matching"] for row in rows_of(path)))
    for row in rows:
        row["true odds ratio"] = f"{row['effect']:g}"
        row["low"], row["high"] = row["bias"] - 2 * row["error"], row["bias"] + 2 * row["error"]
    parts = [
        alt.hconcat(*(_panel(rows, order, n, field) for n in (2, 10, 30)), spacing=24)
        for field in ("bias", "coverage")
    ]
    chart = alt.vconcat(*parts, spacing=24).configure_view(stroke="#dddddd").configure_axis(grid=False)
    save(chart.properties(background="white"), IMAGES / "matching-effects.svg")


def _panel(rows: list[dict[str, Any]], order: list[str], n_controls: int, field: str) -> Any:
    base = alt.Chart(
        alt.Data(values=[row for row in rows if row["controls"] == n_controls]), width=210, height=150
    ).encode(
        y=alt.Y(
            "matching:N",
            title=None,
            scale=alt.Scale(domain=order),
            axis=alt.Axis(labels=n_controls == 2, ticks=False),
        ),
        yOffset=alt.YOffset("true odds ratio:N"),
        color=alt.Color("true odds ratio:N", scale=alt.Scale(range=COLOURS), legend=alt.Legend(orient="top")),
    )
    domain, target = ([-0.25, 0.25], 0.0) if field == "bias" else ([0.0, 1.0], 0.95)
    title = "bias of the log odds ratio" if field == "bias" else "intervals that cover the truth"
    if field == "bias":
        title += f", {n_controls} confounders"
    x = alt.X(f"{field}:Q", title=title, scale=alt.Scale(domain=domain, clamp=True))
    aim = alt.Chart(alt.Data(values=[{field: target}])).mark_rule(color="#8c8c8c", strokeDash=[4, 3])
    points = base.mark_point(filled=True, size=45, opacity=1).encode(
        x=x, shape=alt.Shape("true odds ratio:N", legend=None)
    )
    layers = aim.encode(x=x) + points
    if field == "bias":
        layers += base.mark_rule().encode(x=alt.X("low:Q"), x2="high:Q")
    return layers

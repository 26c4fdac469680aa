"""Pictures of the experiments, without a browser."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import altair as alt

from causalrules_lab.reproduction.charts import COLOURS
from experiments import ROOT

if TYPE_CHECKING:
    from pathlib import Path

IMAGES = ROOT / "docs" / "images"


def rows_of(path: Path) -> list[dict[str, Any]]:
    """A CSV file as Altair takes it, numbers as numbers."""
    with path.open(newline="") as file:
        return [{key: _number(value) for key, value in row.items()} for row in csv.DictReader(file)]


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def scaling_chart(path: Path) -> None:
    """Two lines that should be straight."""
    rows = rows_of(path)
    parts = []
    for grows, title in (("records", "records"), ("rules", "rules tested (200,000 records)")):
        data = alt.Data(values=[row for row in rows if row["grows"] == grows])
        encoding = {
            "x": alt.X("size:Q", title=title, axis=alt.Axis(format="~s")),
            "y": alt.Y("seconds:Q", title="mining and cohort studies, seconds"),
        }
        base = alt.Chart(data, width=300, height=220).encode(**encoding)
        parts.append(
            base.mark_line(color=COLOURS[0]) + base.mark_point(color=COLOURS[0], filled=True, size=50)
        )
    _save(alt.hconcat(*parts), "scaling")


def calibration_chart(path: Path) -> None:
    """False alarms, power and coverage side by side."""
    rows = rows_of(path)
    _save(
        alt.hconcat(
            _alarms([row for row in rows if row["experiment"] == "false alarm"]),
            _curves(
                [row for row in rows if row["experiment"] == "power"],
                "share of tables with the effect found",
                [0, 1],
            ),
            _curves(
                [row for row in rows if row["experiment"] == "coverage"],
                "share of intervals that cover",
                [0.9, 1],
            ),
        ).resolve_scale(color="independent", shape="independent"),
        "calibration",
    )


def _alarms(rows: list[dict[str, Any]]) -> Any:
    data = alt.Data(values=rows)
    bars = (
        alt.Chart(data, width=260, height=240)
        .mark_bar()
        .encode(
            y=alt.Y("protocol:N", title=None, sort=None),
            x=alt.X("share:Q", title="share of tables with a false alarm", axis=alt.Axis(format="%")),
            yOffset=alt.YOffset("setting:N", sort=None),
            color=alt.Color(
                "setting:N", scale=alt.Scale(range=COLOURS), title=None, legend=alt.Legend(orient="top")
            ),
        )
    )
    limit = alt.Chart(alt.Data(values=[{"x": 0.05}])).mark_rule(strokeDash=[4, 3]).encode(x="x:Q")
    return bars + limit


def _curves(rows: list[dict[str, Any]], title: str, domain: list[float]) -> Any:
    values = [{**row, "odds ratio": float(row["setting"].removeprefix("odds ratio "))} for row in rows]
    return (
        alt.Chart(alt.Data(values=values), width=240, height=240)
        .mark_line(point=alt.OverlayMarkDef(size=50))
        .encode(
            x=alt.X("odds ratio:Q", title="planted odds ratio", scale=alt.Scale(zero=False)),
            y=alt.Y("share:Q", title=title, scale=alt.Scale(domain=domain), axis=alt.Axis(format="%")),
            color=alt.Color(
                "protocol:N",
                scale=alt.Scale(range=COLOURS),
                title=None,
                sort=None,
                legend=alt.Legend(orient="top", columns=2, labelLimit=220),
            ),
            shape=alt.Shape("protocol:N", legend=None, sort=None),
        )
    )


def neighbours_chart(rows: list[dict[str, Any]]) -> Any:
    """F1 of each method in each cell, with its interval: against all neighbours, and against parents."""
    methods = list(dict.fromkeys(row["method"] for row in rows))
    panels = []
    for name, title in (("F1", "F1, parents and children"), ("F1 causes", "F1, parents alone")):
        values = [
            {"cell": row["cell"], "method": row["method"], "value": row[name]}
            | {"low": max(0, row[name] - half), "high": min(1, row[name] + half)}
            for row in rows
            if row[name] != ""
            for half in [row[f"{name} ±"] or 0]
        ]
        base = alt.Chart(alt.Data(values=values), width=260, height=alt.Step(7)).encode(
            y=alt.Y("cell:N", sort=None, title=None),
            yOffset=alt.YOffset("method:N", sort=methods),
            color=alt.Color(
                "method:N", scale=alt.Scale(domain=methods, range=COLOURS), title=None, sort=methods
            ),
        )
        scale = alt.Scale(domain=[0, 1])
        points = base.mark_point(filled=True, size=28).encode(x=alt.X("value:Q", title=title, scale=scale))
        panels.append(base.mark_rule().encode(x=alt.X("low:Q", scale=scale), x2="high:Q") + points)
    return alt.hconcat(*panels)


def _save(chart: Any, name: str) -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    styled = chart.configure_view(stroke=None).configure_axis(labelFontSize=11, titleFontSize=11)
    styled.properties(background="white").save(IMAGES / f"{name}.svg")

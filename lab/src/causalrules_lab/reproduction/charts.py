"""The figures of the paper's experiments, drawn without a browser."""

from __future__ import annotations

from typing import Any

from causalrules.report.pictures.drawing import altair

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
"""Okabe and Ito's: the colour-blind can tell them apart."""


def f1_chart(rows: list[dict[str, Any]], truth: str) -> Any:
    """F1 against the number of variables: ours in the first row of panels, the paper's in the second."""
    alt = altair()
    values = []
    for row in rows:
        variables, records = row["setting"].removeprefix("V").split("-")
        place = {"method": row["method"], "variables": int(variables), "records": f"{records} records"}
        values.append(
            {**place, "F1": row["F1"], "low": row["F1"] - row["F1 ±"], "high": row["F1"] + row["F1 ±"]}
            | {"whose": "here"}
        )
        if row["paper: F1"] != "":
            values.append({**place, "F1": row["paper: F1"], "whose": "paper"})
    methods = list(dict.fromkeys(value["method"] for value in values))
    panels = [
        alt.hconcat(
            *(
                _f1_panel(
                    [v for v in values if v["whose"] == whose and v["records"] == records], methods, whose
                )
                for records in ("2K records", "5K records", "10K records")
            )
        )
        for whose in ("here", "paper")
    ]
    return alt.vconcat(*panels, title=f"F1 against {truth}")


def _f1_panel(values: list[dict[str, Any]], methods: list[str], whose: str) -> Any:
    alt = altair()
    base = alt.Chart(
        alt.Data(values=values), width=210, height=170, title=f"{whose}, {values[0]['records']}"
    ).encode(
        x=alt.X("variables:Q", title="variables", axis=alt.Axis(values=[20, 40, 60, 80, 100])),
        color=alt.Color("method:N", scale=alt.Scale(domain=methods, range=COLOURS), title=None),
    )
    points = base.mark_line(point=alt.OverlayMarkDef(size=40)).encode(
        y=alt.Y("F1:Q", title="F1", scale=alt.Scale(domain=[0, 1]))
    )
    if whose == "paper":
        return points
    return points + base.mark_rule().encode(y="low:Q", y2="high:Q")


def time_chart(rows: list[dict[str, Any]], size: str, limit: float) -> Any:
    """Seconds by method, on a logarithmic scale; a triangle where a method was stopped."""
    alt = altair()
    base = alt.Chart(alt.Data(values=rows), width=420, height=260).encode(
        x=alt.X(f"{size}:Q", title=size, axis=alt.Axis(format=",d", tickCount=6)),
        y=alt.Y("seconds:Q", title=f"seconds (stopped after {limit:g})", scale=alt.Scale(type="log")),
        color=alt.Color("method:N", sort=None, scale=alt.Scale(range=COLOURS), title=None),
    )
    marks = base.mark_point(size=60, filled=True).encode(
        shape=alt.Shape(
            "stopped:N",
            scale=alt.Scale(domain=["no", "yes"], range=["circle", "triangle-up"]),
            title="stopped",
        )
    )
    return base.mark_line() + marks

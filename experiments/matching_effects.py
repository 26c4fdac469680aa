"""Bias and coverage of every way of matching where the true effect is known.

Run ``python -m experiments.matching_effects``; it writes matching_effects.csv
and docs/images/matching-effects.svg. Tables have 2, 10 or 30 confounders whose
joint strength is the same, 5,000 records, and an exposure without any effect
or with an odds ratio of 2 at fixed confounders.
"""

from __future__ import annotations

import csv
from math import exp, log, sqrt
from typing import TYPE_CHECKING, Any, get_args

import altair as alt
import numpy as np

import causalrules
from causalrules.paper.settings import MatchingChoice
from causalrules.report.pictures import save
from causalrules_lab.reproduction.charts import COLOURS
from causalrules_lab.simulate.confounded import confounded_table
from experiments import RESULTS
from experiments.charts import IMAGES, rows_of

if TYPE_CHECKING:
    from pathlib import Path

N_TABLES = 100
CONTROLS = (2, 10, 30)
EFFECTS = (1.0, 2.0)


def main() -> None:
    """Simulate, match, compare with the truth."""
    rows = [row for n in CONTROLS for effect in EFFECTS for row in _setting(n, effect)]
    path = RESULTS / "matching_effects.csv"
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    _draw(path)


def _setting(n_controls: int, effect: float) -> list[dict[str, Any]]:
    confounding = exp(sqrt(2 / n_controls))
    tables = [
        confounded_table(5000, n_controls, effect, confounding, seed=seed).table for seed in range(N_TABLES)
    ]
    rows = []
    for matching in get_args(MatchingChoice):
        studies = [_study(table, matching) for table in tables]
        tested = [rule for rule in studies if rule.pairs.n_discordant >= 10]
        logs = [log(rule.adjusted_odds_ratio.value / effect) for rule in tested]
        covered = [rule.adjusted_odds_ratio.low <= effect <= rule.adjusted_odds_ratio.high for rule in tested]
        rows.append(
            {
                "controls": n_controls,
                "effect": effect,
                "matching": matching,
                "tested": len(tested),
                "bias": f"{np.mean(logs):.4f}" if tested else "",
                "error": f"{np.std(logs, ddof=1) / sqrt(len(logs)):.4f}" if len(tested) > 1 else "",
                "coverage": f"{np.mean(covered):.3f}" if tested else "",
                "pairs": f"{np.mean([rule.pairs.n_pairs for rule in studies]):.0f}",
                "imbalance": f"{np.mean([rule.balance.worst_after for rule in studies]):.3f}",
            }
        )
        print(rows[-1], flush=True)
    return rows


def _study(table: Any, matching: str) -> Any:
    result = causalrules.test(
        table, "z=yes", "x=yes", matching=matching, direction="raises", min_support=0.01
    )
    return result.tested[0]


def _draw(path: Path) -> None:
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


if __name__ == "__main__":
    main()

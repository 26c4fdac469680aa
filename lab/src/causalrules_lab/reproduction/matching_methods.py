"""The paper's table of matching methods: causal rules by exact and by Jaccard matching."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from causalrules_lab.reproduction.paper_data import load, mined
from causalrules_lab.reproduction.rule_counts import ABOUT_PROTOCOLS, OF_THE_PAPER, PROTOCOLS
from causalrules_lab.reproduction.sheet import Sheet

if TYPE_CHECKING:
    from pathlib import Path

LENGTH = 4
PAPER = {"adult": (46, 46), "hypothyroid": (30, 31), "sick": (21, 22)}


def run(folder: Path | None) -> list[Sheet]:
    """Mine the three sets in both ways."""
    rows: list[dict[str, Any]] = []
    for name, paper in PAPER.items():
        data = load(name, folder)
        for protocol in OF_THE_PAPER:
            counts, seconds = {}, {}
            for matching in ("exact", "jaccard"):
                started = perf_counter()
                result = mined(data, **PROTOCOLS[protocol], matching=matching, max_length=LENGTH)
                seconds[matching] = perf_counter() - started
                counts[matching] = {rule.name + rule.direction for rule in result.causal}
            rows.append(
                {
                    "data set": name,
                    "protocol": protocol,
                    "exact": len(counts["exact"]),
                    "jaccard": len(counts["jaccard"]),
                    "in both": len(counts["exact"] & counts["jaccard"]),
                    "paper, exact": paper[0],
                    "paper, jaccard": paper[1],
                    "seconds, exact": f"{seconds['exact']:.2f}",
                    "seconds, jaccard": f"{seconds['jaccard']:.2f}",
                }
            )
    return [
        Sheet(
            name="matching_methods",
            title="Causal rules by exact and by Jaccard matching",
            rows=rows,
            remarks=(
                f"Up to length {LENGTH}, minimum local support 0.01 for Adult and 0.05 for the others.",
                ABOUT_PROTOCOLS,
            ),
        )
    ]

"""The paper's numbers of association, non-redundant, optimal and causal rules, beside ours."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import causalrules
from causalrules.lab.baselines import association_rules, non_redundant_rules, optimal_rules
from experiments import paper
from experiments.place import load, paper_settings
from experiments.sheet import Sheet

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {
    "AR": association_rules,
    "NRR": non_redundant_rules,
    "OR by odds ratio": optimal_rules,
    "OR by confidence": partial(optimal_rules, strength="confidence"),
}
LENGTH = 4
PROTOCOLS: dict[str, dict[str, Any]] = {
    "items": {"pairs": "random", "judge": "interval"},
    "columns": {"pairs": "random", "judge": "interval", "controls": "columns"},
    "columns averaged": {"judge": "interval", "controls": "columns"},
    "default": {},
}
"""The paper's protocol in both modes of control; the second without chance; and what users get."""


def run(folder: Path | None) -> list[Sheet]:
    """Count the rules of the three sets."""
    rows = []
    for name, theirs in paper.RULES.items():
        data = load(name, folder)
        options: dict[str, Any] = {**paper_settings(data), "max_length": LENGTH}
        row: dict[str, Any] = {"data": name}
        for kind, find in KINDS.items():
            row[kind] = len(find(data.table, data.outcome, min_odds_ratio=1.5, **options).findings)
        for label, protocol in PROTOCOLS.items():
            row[f"CR, {label}"] = len(
                causalrules.mine(data.table, data.outcome, **options, **protocol).causal
            )
        labels = ("paper: AR", "paper: NRR", "paper: OR", "paper: CR")
        rows.append(row | dict(zip(labels, theirs, strict=True)))
    return [
        Sheet(
            name="rule_counts",
            title="Numbers of association (AR), non-redundant (NRR), optimal (OR) and causal rules (CR)",
            rows=rows,
            remarks=(
                f"Both directions, up to length {LENGTH}, minimum local support 0.01 (Adult) and 0.05; "
                "AR, NRR and OR with an odds ratio above 1.5.",
                "CR, items and columns: the paper's protocol (seed 0) at 95 % in our two modes of control; "
                "averaged: the mean over all pairings instead of random ones; default: items, averaged, "
                "Benjamini–Hochberg at 5 %.",
            ),
        )
    ]

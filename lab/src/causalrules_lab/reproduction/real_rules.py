"""Causal rules of the paper's real data sets by method and by length, and its mushroom examples."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from causalrules_lab.baselines import ccc, ccu, pc_select, pc_select_by_correlation
from causalrules_lab.reproduction import paper_numbers as paper
from causalrules_lab.reproduction.paper_data import load, mined, paper_settings, tested
from causalrules_lab.reproduction.rule_counts import ABOUT_PROTOCOLS, OF_THE_PAPER, PROTOCOLS
from causalrules_lab.reproduction.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from causalrules_lab.baselines import Findings

LIMIT = 120.0
"""Seconds after which a method is stopped; what is left by then counts."""

BASELINES: dict[str, Callable[..., Findings]] = {
    "CCC": ccc,
    "CCC, outcome anywhere": partial(ccc, outcome_place="anywhere"),
    "CCU": ccu,
    "PC-select": pc_select,
    "PC-select, correlations": partial(pc_select_by_correlation, max_seconds=LIMIT),
}
LENGTH = 4
MUSHROOMS = {  # the paper's examples, direction towards poisonous
    "ring-type=e & stalk-color-below-ring=p": "raises",
    "spore-print-color=w & stalk-color-below-ring=p": "raises",
    "odor=n & stalk-shape=t": "lowers",
    "cap-color=g & odor=n": "lowers",
}


def by_method(folder: Path | None) -> list[Sheet]:
    """Numbers of causes by CR-CS, CCC, CCU and PC-select."""
    rows = []
    for name, theirs in paper.BY_METHOD.items():
        data = load(name, folder)
        options = paper_settings(data)
        row: dict[str, Any] = {"data": name}
        for protocol in ("items", "columns"):
            found = mined(data, **PROTOCOLS[protocol], max_length=LENGTH)
            row[f"CR-CS, {protocol}"] = len(found.causal)
        row |= {
            method: _number(find(data.table, data.outcome, **options)) for method, find in BASELINES.items()
        }
        labels = ("paper: CR-CS", "paper: CCC", "paper: CCU", "paper: PC-select")
        rows.append(row | dict(zip(labels, theirs, strict=True)))
    return [
        Sheet(
            name="rules_by_method",
            title="Causes in real data by method",
            rows=rows,
            remarks=(
                f"CR-CS: the paper's protocol (seed 0) at 95 %, up to length {LENGTH}; the others at "
                "95 %, single items.",
                "Minimum local support 0.01 for Adult, else 0.05; the baselines know no minimum support.",
                "PC-select by G² with up to three conditions; correlations: partial ones with any number, "
                f"as R's pcSelect, which the paper ran, stopped after {LIMIT:g} s.",
            ),
        )
    ]


def _number(found: Findings) -> int | str:
    """How many causes were found; what was left where the method was stopped."""
    left = sum(one.verdict in ("causal", "undecided") for one in found.findings)
    return f"at most {left}" if found.stopped else len(found.causal)


def by_length(folder: Path | None) -> list[Sheet]:
    """Numbers of causal rules of each length, in both modes of control and by default."""
    rows = []
    for name, theirs in paper.BY_LEVEL.items():
        data = load(name, folder)
        row: dict[str, Any] = {"data": name}
        for label, protocol in PROTOCOLS.items():
            result = mined(data, **protocol, max_length=LENGTH)
            row.setdefault("number of items", result.data.items)
            row.setdefault("associations of length 1", result.by_length[1]["associations"])
            for length in range(1, LENGTH + 1):
                row[f"{label}: {length}"] = result.by_length.get(length, {}).get("causal", 0)
        row |= {f"paper: {length}": number for length, number in enumerate(theirs, start=1)}
        rows.append(row | {"program: 1": paper.PROGRAM.get(name, "")})
    return [
        Sheet(
            name="rules_by_length",
            title="Causal rules of real data by length",
            rows=rows,
            shown=[_together(row) for row in rows],
            remarks=(
                "Numbers of rules of length 1, 2, 3 and 4; program: the authors' released one, length 1.",
                f"{ABOUT_PROTOCOLS} Minimum local support 0.01 for Adult, else 0.05.",
                "The released program draws pairs without a seed, so its numbers vary from run to run; of "
                "Adult's 50 and Census Income's 88 associations of length 1 it calls 44–47 and 84 causal.",
            ),
        )
    ]


def _together(row: dict[str, Any]) -> dict[str, Any]:
    """The lengths of each protocol in one cell."""
    shown: dict[str, Any] = {}
    for name, value in row.items():
        label, colon, _ = name.partition(": ")
        shown[label] = f"{shown[label]}, {value}" if colon and label in shown else value
    return shown


def mushrooms(folder: Path | None) -> list[Sheet]:
    """The paper's four combined rules, as found here and as tested alone."""
    data = load("mushroom", folder)
    rows = []
    for protocol in OF_THE_PAPER:
        options = PROTOCOLS[protocol]
        result = mined(data, **options, max_length=2)
        rules = {frozenset(map(str, rule.pattern)): rule for rule in result.tested}
        causes = {str(rule.pattern[0]) for rule in result.causal if rule.length == 1}
        for name, direction in MUSHROOMS.items():
            parts = frozenset(name.split(" & "))
            rule = rules.get(parts)
            known = ", ".join(sorted(parts & causes))
            alone = tested(data, name, **options, direction=direction).as_printed
            odds = alone.adjusted_odds_ratio
            has_odds = alone.verdict != "untestable"
            not_asked = f"not asked, causal already: {known}" if known else "not asked"
            rows.append(
                {
                    "rule": f"{name} → {'poisonous' if direction == 'raises' else 'edible'}",
                    "protocol": protocol,
                    "mined": rule.verdict if rule else not_asked,
                    "tested alone": alone.verdict,
                    "odds ratio": f"{odds.value:.3g} ({odds.low:.3g}–{odds.high:.3g})" if has_odds else "",
                    "pairs": round(alone.pairs.n_pairs),
                    "n12": round(alone.pairs.n12, 1),
                    "n21": round(alone.pairs.n21, 1),
                    "paper": "causal",
                }
            )
    return [
        Sheet(
            name="mushroom_examples",
            title="The paper's combined rules in Mushroom",
            rows=rows,
            remarks=(
                "Minimum local support 0.05, length 2. A pattern is not asked about when a part of it "
                "is causal already, it is not frequent, or it covers the same records as a part.",
                ABOUT_PROTOCOLS,
                "n12, n21: pairs in which only the exposed, or only the unexposed, record has the "
                "direction's outcome.",
            ),
        )
    ]

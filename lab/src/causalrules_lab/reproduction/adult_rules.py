"""The paper's Adult rule table, beside ours by the primary protocol and by two others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from causalrules_lab.baselines import ccc, ccu, pc_select
from causalrules_lab.reproduction.paper_data import load, mined, paper_settings, tested
from causalrules_lab.reproduction.rule_counts import ABOUT_PROTOCOLS, OF_THE_PAPER, PROTOCOLS
from causalrules_lab.reproduction.sheet import Sheet

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules.paper import PaperResult, PaperRule
    from causalrules_lab.datasets import DataSet

PAPER = {  # item: direction, and the methods that the paper ticks: cR-cs, CCC, ccU, PC-select
    "education=Doctorate": ("raises", "RCUP"),
    "education=Masters": ("raises", "RCUP"),
    "education=Bachelors": ("raises", "RCUP"),
    "education=Prof-school": ("raises", "RCUP"),
    "education=Some-college": ("lowers", "CU"),
    "education=HS-grad": ("lowers", "RCU"),
    "education=12th": ("lowers", "RCU"),
    "education=11th": ("lowers", "RCUP"),
    "education=10th": ("lowers", "RCUP"),
    "education=9th": ("lowers", "RCUP"),
    "education=7th-8th": ("lowers", "RCUP"),
    "education=5th-6th": ("lowers", "RCU"),
    "education=1st-4th": ("lowers", "CU"),
    "education=Preschool": ("lowers", "C"),
    "occupation=Exec-managerial": ("raises", "RP"),
    "occupation=Prof-specialty": ("raises", "R"),
    "occupation=Tech-support": ("raises", "RCU"),
    "occupation=Sales": ("raises", "R"),
    "occupation=Handlers-cleaners": ("lowers", "RP"),
    "occupation=Machine-op-inspct": ("lowers", "R"),
    "occupation=Adm-clerical": ("lowers", "R"),
    "occupation=Other-service": ("lowers", "RP"),
    "occupation=Farming-fishing": ("lowers", "RP"),
    "occupation=Transport-moving": ("lowers", "R"),
    "occupation=Craft-repair": ("lowers", "R"),
    "workclass=Self-emp-inc": ("raises", "RCP"),
    "workclass=Self-emp-not-inc": ("raises", "CU"),
    "workclass=Federal-gov": ("raises", "RCUP"),
    "workclass=State-gov": ("raises", "R"),
    "workclass=Local-gov": ("raises", "RCU"),
    "workclass=Private": ("lowers", "CU"),
    "native-country=United-States": ("raises", "RCU"),
}
COUNTRIES = {"R": 1, "C": 22, "U": 17, "P": 2}
"""Countries other than the United States that the paper's methods call causes."""

COMBINED = "education=Some-college & workclass=Private"
METHODS = {"R": "CR-CS", "C": "CCC", "U": "CCU", "P": "PC-select"}


def run(folder: Path | None) -> list[Sheet]:
    """The paper's table, all its methods beside ours."""
    data = load("adult", folder)
    options = paper_settings(data)
    ours = {name: _rules(data, name) for name in OF_THE_PAPER}
    found: dict[str, set[tuple[str, str]]] = {
        letter: {
            (finding.name, finding.direction) for finding in find(data.table, data.outcome, **options).causal
        }
        for letter, find in {"C": ccc, "U": ccu, "P": pc_select}.items()
    }
    rows: list[dict[str, Any]] = []
    for name, (direction, ticked) in PAPER.items():
        row = {"rule": f"{name} → {'>50K' if direction == 'raises' else '≤50K'}"}
        row |= {f"CR-CS, {asked}": _cell(ours[asked].get((name, direction))) for asked in OF_THE_PAPER}
        row |= {METHODS[letter]: _tick((name, direction) in found[letter]) for letter in found}
        rows.append(row | {f"paper: {METHODS[letter]}": _tick(letter in ticked) for letter in METHODS})
    countries: dict[str, Any] = {"rule": "native-country, others"} | {
        f"CR-CS, {asked}": _countries(_causal(ours[asked])) for asked in OF_THE_PAPER
    }
    countries |= {METHODS[letter]: _countries(found[letter]) for letter in found}
    rows.append(countries | {f"paper: {METHODS[letter]}": n for letter, n in COUNTRIES.items()})
    together = {"rule": f"{COMBINED} → ≤50K"} | {
        f"CR-CS, {asked}": _cell(tested(data, COMBINED, **PROTOCOLS[asked], direction="lowers"))
        for asked in OF_THE_PAPER
    }
    together |= {METHODS[letter]: "" for letter in found}
    rows.append(together | {f"paper: {METHODS[letter]}": _tick(letter == "R") for letter in METHODS})
    return [
        Sheet(
            name="adult_rules",
            title="Adult: similar and dissimilar rules",
            rows=rows,
            remarks=(
                "CR-CS: the fair odds ratio with its 95 % interval, of drawn pairs that of the decisive run; "
                "✓ causal, ? untestable; minimum local support 0.01. The others at 95 %.",
                ABOUT_PROTOCOLS,
                "The last row was tested alone, whether or not mining would have asked about it.",
            ),
        )
    ]


def _rules(data: DataSet, asked: str) -> dict[tuple[str, str], PaperRule]:
    result = cast("PaperResult", mined(data, **PROTOCOLS[asked], max_length=1))
    return {(rule.name, rule.direction): rule for rule in result.tested}


def _causal(rules: dict[tuple[str, str], PaperRule]) -> set[tuple[str, str]]:
    return {key for key, rule in rules.items() if rule.verdict == "causal"}


def _countries(found: set[tuple[str, str]]) -> int:
    return sum(name.startswith("native-country=") and "United-States" not in name for name, _ in found)


def _tick(is_so: bool) -> str:
    return "✓" if is_so else ""


def _cell(rule: PaperRule | None) -> str:
    if rule is None:
        return "no association"
    fair = rule.as_printed.fair_odds_ratio
    mark = "✓" if rule.verdict == "causal" else ("" if rule.verdict == "rejected" else "?")
    return f"{mark} {fair.value:.2f} ({fair.low:.2f}–{fair.high:.2f})".strip()

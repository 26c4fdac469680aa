"""The paper's Adult rule table, its CR-CS column beside ours in both modes of control.

Run ``python -m experiments.adult_table FOLDER`` with a folder that holds
``adult.data`` and ``adult.test``; it prints the Markdown table of docs/adult.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

import causalrules

COLUMNS = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "income",
]
NUMBERS = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]

PAPER = {  # item: (direction, does the paper's CR-CS column tick it)
    "education=Doctorate": ("raises", True),
    "education=Masters": ("raises", True),
    "education=Bachelors": ("raises", True),
    "education=Prof-school": ("raises", True),
    "education=Some-college": ("lowers", False),
    "education=HS-grad": ("lowers", True),
    "education=12th": ("lowers", True),
    "education=11th": ("lowers", True),
    "education=10th": ("lowers", True),
    "education=9th": ("lowers", True),
    "education=7th-8th": ("lowers", True),
    "education=5th-6th": ("lowers", True),
    "education=1st-4th": ("lowers", False),
    "education=Preschool": ("lowers", False),
    "occupation=Exec-managerial": ("raises", True),
    "occupation=Prof-specialty": ("raises", True),
    "occupation=Tech-support": ("raises", True),
    "occupation=Sales": ("raises", True),
    "occupation=Handlers-cleaners": ("lowers", True),
    "occupation=Machine-op-inspct": ("lowers", True),
    "occupation=Adm-clerical": ("lowers", True),
    "occupation=Other-service": ("lowers", True),
    "occupation=Farming-fishing": ("lowers", True),
    "occupation=Transport-moving": ("lowers", True),
    "occupation=Craft-repair": ("lowers", True),
    "workclass=Self-emp-inc": ("raises", True),
    "workclass=Self-emp-not-inc": ("raises", False),
    "workclass=Federal-gov": ("raises", True),
    "workclass=State-gov": ("raises", True),
    "workclass=Local-gov": ("raises", True),
    "workclass=Private": ("lowers", False),
    "native-country=United-States": ("raises", True),
}


def adult(folder: Path) -> pd.DataFrame:
    """Both files as one table; the class of the second ends with a full stop."""
    parts = [
        pd.read_csv(folder / name, names=COLUMNS, sep=", ", engine="python", comment="|", dtype=str)
        for name in ("adult.data", "adult.test")
    ]
    table = pd.concat(parts)
    return table.assign(income=table["income"].str.rstrip("."))


def main(folder: Path) -> None:
    table = adult(folder)
    found = {
        mode: {
            (rule.name, rule.direction): rule
            for rule in causalrules.mine(
                table,
                "income=>50K",
                drop=NUMBERS,
                min_support=0.01,
                confidence=0.95,
                max_length=1,
                controls=mode,
            ).tested
        }
        for mode in ("items", "columns")
    }
    print("| rule | paper | items | columns |\n|---|---|---|---|")
    for name, (direction, is_ticked) in PAPER.items():
        cells = [_cell(found[mode].get((name, direction))) for mode in found]
        arrow = ">50K" if direction == "raises" else "≤50K"
        print(f"| {name} → {arrow} | {'✓' if is_ticked else ''} | {cells[0]} | {cells[1]} |")


def _cell(rule: causalrules.Rule | None) -> str:
    if rule is None:
        return "no association"
    fair = rule.fair_odds_ratio
    mark = "✓" if rule.verdict == "causal" else ("" if rule.verdict == "rejected" else "?")
    return f"{mark} {fair.value:.2f} ({fair.low:.2f}–{fair.high:.2f})".strip()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Where the paper's data sets come from: a folder, the environment, or the web."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from causalrules.lab import datasets

if TYPE_CHECKING:
    from pathlib import Path

VARIABLE = "CAUSALRULES_DATA"
REAL = ("adult", "census-income", "german", "hypothyroid", "kr-vs-kp", "mushroom", "sick", "tic-tac-toe")


def load(name: str, folder: Path | None) -> datasets.DataSet:
    """One of the paper's data sets, from a folder, from ``$CAUSALRULES_DATA``, or fetched once."""
    return datasets.get(name, folder or os.environ.get(VARIABLE))


def paper_settings(data: datasets.DataSet) -> dict[str, Any]:
    """Columns as the paper treats them, and its minimum support: 0.01 for Adult, 0.05 elsewhere."""
    return {**data.as_the_paper, "min_support": 0.01 if data.info.name == "adult" else 0.05}

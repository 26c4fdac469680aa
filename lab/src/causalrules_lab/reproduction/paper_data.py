"""The paper's data sets, from a folder, the environment or the web, and questions asked of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

import causalrules
from causalrules_lab import datasets

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules import Result
    from causalrules.paper import PaperResult, PaperRule

VARIABLE = "CAUSALRULES_DATA"
REAL = ("adult", "census-income", "german", "hypothyroid", "kr-vs-kp", "mushroom", "sick", "tic-tac-toe")


def load(name: str, folder: Path | None) -> datasets.DataSet:
    """One of the paper's data sets, from a folder, from ``$CAUSALRULES_DATA``, or fetched once."""
    return datasets.get(name, folder or os.environ.get(VARIABLE))


def paper_settings(data: datasets.DataSet) -> dict[str, Any]:
    """Columns as the paper treats them, and its minimum support: 0.01 for Adult, 0.05 elsewhere."""
    return {**data.as_the_paper, "min_support": 0.01 if data.info.name == "adult" else 0.05}


def mined(data: datasets.DataSet, **options: Any) -> PaperResult | Result:
    """The rules of a data set; columns and minimum support as in the paper unless `options` say otherwise.

    With `controls` by the paper's procedure, without by the default.
    """
    return causalrules.mine(data.table, data.outcome, **{**paper_settings(data), **options})


def tested(data: datasets.DataSet, exposure: str, **options: Any) -> PaperRule:
    """One rule of a data set, tested alone, with `controls`; columns and minimum support as in the paper."""
    study = causalrules.test(data.table, data.outcome, exposure, **{**paper_settings(data), **options})
    return cast("PaperRule", study.tested[0])

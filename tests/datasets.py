"""The paper's eight real data sets, where they are at hand, read with nothing but the standard library."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"

OUTCOMES = {
    "adult": "income=>50K",
    "german": "class=2",
    "kr-vs-kp": "class=won",
    "mushroom": "class=p",
    "tic-tac-toe": "class=positive",
    "hypothyroid": "class=hypothyroid",
    "sick": "class=sick",
    "census-income": "class=50000+",
}
_FILES = {
    "adult": ["adult.data", "adult.test"],
    "census-income": ["census-income.data.gz", "census-income.test.gz"],
    "mushroom": ["agaricus-lepiota.data"],
}


@dataclass(frozen=True)
class DataSet:
    name: str
    columns: list[str]
    numbers: list[str]
    rows: list[dict[str, str | None]]

    @property
    def outcome(self) -> str:
        return OUTCOMES[self.name]

    @property
    def outcome_column(self) -> str:
        return self.outcome.partition("=")[0]

    @property
    def nominal(self) -> list[str]:
        return [c for c in self.columns if c not in self.numbers and c != self.outcome_column]

    def has_outcome(self) -> list[bool]:
        column, _, value = self.outcome.partition("=")
        return [row[column] == value for row in self.rows]

    def every(self, n: int) -> DataSet:
        """Every n-th record."""
        return replace(self, rows=self.rows[::n])

    def arrow(self, columns=None):
        import pyarrow as pa

        names = columns or self.columns
        return pa.table(
            {
                name: pa.array([row[name] for row in self.rows], pa.string()).dictionary_encode()
                for name in names
            }
        )


def require(name: str) -> DataSet:
    """The data set, or a skip with the reason; in CI the absence is a failure."""
    folder_of_data()
    return load(name)


def folder_of_data() -> Path:
    """Where the data sets are, or a skip with the reason; in CI the absence is a failure."""
    if not FOLDER.is_dir():
        reason = f"the paper's data sets are not at {FOLDER}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return FOLDER


@lru_cache(maxsize=1)  # a worker that keeps them all spends minutes collecting garbage
def load(name: str) -> DataSet:
    about = json.loads((FOLDER / "columns.json").read_text())[name]
    separator = {"adult": ", ", "census-income": ", ", "german": " "}.get(name, ",")
    rows = []
    for file in _FILES.get(name, [f"{name}.data"]):
        path = FOLDER / name / file
        text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
        for line in text.splitlines():
            if not line.strip() or line.startswith("|"):
                continue
            values = [v.strip() for v in line.partition("|")[0].split(separator)]
            values[-1] = values[-1].rstrip(".")
            assert len(values) == len(about["columns"])
            rows.append({c: None if v == "?" else v for c, v in zip(about["columns"], values, strict=True)})
    assert len(rows) == about["rows"]
    return DataSet(name, about["columns"], about["continuous"], rows)

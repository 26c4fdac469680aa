"""Tables to measure with: the paper's where they are at hand, else generated ones of the same shape."""

from __future__ import annotations

import csv
import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True)
class Table:
    """A CSV file and how to mine it."""

    path: Path
    outcome: str
    options: tuple[str, ...]
    is_real: bool


def census(folder: Path) -> Table:
    """Census Income: 299,285 records, 33 nominal columns, as one CSV file with header."""
    path = folder / "census.csv"
    if not SHARED.is_dir():
        return generated(path, n_records=299_285, n_columns=33)
    about = json.loads((SHARED / "columns.json").read_text())["census-income"]
    lines = []
    for name in ("census-income.data.gz", "census-income.test.gz"):
        lines += gzip.decompress((SHARED / "census-income" / name).read_bytes()).decode().splitlines()
    rows = [[value.strip() for value in line.rstrip(".").split(", ")] for line in lines if line.strip()]
    _write(path, about["columns"], rows)
    nominal = [c for c in about["columns"][:-1] if c not in about["continuous"]]
    options = ("--only", ",".join(nominal), "--categorical", ",".join(nominal), "--missing", "?")
    return Table(path, "class=50000+", options, is_real=True)


def adult(folder: Path) -> Table:
    """Adult: 48,842 records, 8 nominal columns."""
    path = folder / "adult.csv"
    if not SHARED.is_dir():
        return generated(path, n_records=48_842, n_columns=8)
    about = json.loads((SHARED / "columns.json").read_text())["adult"]
    lines = [
        line
        for name in ("adult.data", "adult.test")
        for line in (SHARED / "adult" / name).read_text().splitlines()
    ]
    rows = [line.rstrip(".").split(", ") for line in lines if line and not line.startswith("|")]
    _write(path, about["columns"], rows)
    return Table(path, "income=>50K", ("--drop", ",".join(about["continuous"])), is_real=True)


def wide(folder: Path, n_columns: int = 1000) -> Table:
    """Columns of two values, 20 of which each move the outcome; 10,000 records."""
    path = folder / f"wide-{n_columns}.csv"
    chance = np.random.default_rng(7)
    has = chance.random((10_000, n_columns)) < chance.uniform(0.2, 0.8, n_columns)
    effect = np.where(np.arange(20) % 2, 0.7, -0.7)
    outcome = chance.random(10_000) < 1 / (1 + np.exp(1 - (has[:, :20] - 0.5) @ effect))
    rows = np.column_stack([np.where(has, "a", "b"), np.where(outcome, "yes", "no")])
    _write(path, [*(f"c{number:03}" for number in range(n_columns)), "z"], rows.tolist())
    return Table(path, "z=yes", (), is_real=False)


def generated(path: Path, n_records: int, n_columns: int, seed: int = 0) -> Table:
    """Columns of a few uneven values, half of them tied to a hidden class that moves the outcome."""
    chance = np.random.default_rng(seed)
    hidden = chance.random(n_records)
    columns = {}
    for number in range(n_columns):
        n_values = int(chance.integers(2, 12))
        signal = (hidden if number % 2 else 0) + chance.random(n_records) ** 2
        codes = np.minimum((signal * n_values / 2).astype(int), n_values - 1)
        columns[f"c{number}"] = np.char.add("value_", codes.astype(str))
    outcome = chance.random(n_records) < 0.02 + 0.2 * hidden
    rows = np.column_stack([*columns.values(), np.where(outcome, "yes", "no")])
    _write(path, [*columns, "z"], rows.tolist())
    return Table(path, "z=yes", (), is_real=False)


def _write(path: Path, header: list[str], rows: list[list[str]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)

"""The default (`controls="auto"`), and the next method beside it: how long they take, and how much memory.

By itself: ``python -m benchmarks.default``; only the next method: ``python -m benchmarks.default plain``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from benchmarks import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = [sys.executable, "-m", "causalrules"]


def main() -> None:
    asked = plain_figures if sys.argv[1:] == ["plain"] else figures
    with tempfile.TemporaryDirectory() as name:
        for what, value in asked(Path(name)):
            print(f"{what:70} {value}", flush=True)


def measured(folder: Path) -> dict[str, Any]:
    """All figures, by what they are."""
    return dict(figures(folder))


def figures(folder: Path) -> Iterator[tuple[str, Any]]:
    """Seconds after reading, also as multiples of what DuckDB takes to read the same file right before."""
    with ProcessPoolExecutor(1) as pool:  # a child's peak memory counts what its parent held
        adult, census, wide = pool.map(_make, ("adult", "census", "wide"), [folder] * 3)
    whole_adult = replace(adult, options=())  # with its numbers
    runs = {
        "hospital": (hospital(folder), 2),
        "Adult": (whole_adult, 1),
        "Census Income": (census, 1),
        "Census Income, pairs": (census, 2),
        "1,000 columns, pairs": (wide, 2),
    }
    for name, (table, length) in runs.items():
        duckdb = duckdb_reads(table.path)
        found = mine(table, folder, length)
        after = found["timings"]["total"] - found["timings"]["read"] - found["timings"]["warm_up"]
        yield f"default, {name}: DuckDB reads the CSV, s", round(duckdb, 3)
        yield f"default, {name}: all but reading, s", round(after, 2)
        yield f"default, {name}: the same / DuckDB's reading", round(after / duckdb, 2)
        yield f"default, {name}: whole command, s", round(found["wall"], 2)
        yield f"default, {name}: CPU of the whole command, s", round(found["cpu"], 2)
        yield f"default, {name}: peak memory, MiB", round(found["peak"])
    yield from plain_figures(folder)


def plain_figures(folder: Path) -> Iterator[tuple[str, Any]]:
    """CPU seconds of whole commands of ``--method plain``, beside DuckDB's reading; the second run counts."""
    with ProcessPoolExecutor(1) as pool:
        adult, census = pool.map(_make, ("adult", "census"), [folder] * 2)
        wide, tall = pool.map(mixed, [folder] * 2, (200, 100_000), (3_000, 20))
    runs = {
        "hospital": (hospital(folder), ()),
        "Adult with numbers": (replace(adult, options=()), ()),
        "Adult, test of one column": (replace(adult, options=()), ("--exposure", "sex")),
        "wide mixed 200 x 3,000": (wide, ()),
        "100,000 x 20 mixed": (tall, ()),
        "Census Income": (census, ()),
    }
    for name, (table, exposure) in runs.items():
        duckdb = duckdb_reads(table.path)
        for _ in range(2):
            found = run("test" if exposure else "mine", table, folder, "--method", "plain", *exposure)
        yield f"plain, {name}: DuckDB reads the CSV, s", round(duckdb, 3)
        yield f"plain, {name}: CPU of the whole command, s", round(found["cpu"], 2)
        yield f"plain, {name}: the same / DuckDB's reading", round(found["cpu"] / duckdb, 1)
        yield f"plain, {name}: peak memory, MiB", round(found["peak"])


def mixed(folder: Path, n_records: int, n_columns: int) -> tables.Table:
    """Half of the columns numbers, half categories of five; three of each kind act on an event."""
    draw = np.random.default_rng(n_columns)
    numbers = draw.normal(size=(n_columns // 2, n_records)).round(3)
    codes = draw.integers(0, 5, (n_columns - n_columns // 2, n_records))
    score = numbers[:3].sum(axis=0) / 2 + (codes[:3] == 2).sum(axis=0) - 1
    named = {f"number{place}": column for place, column in enumerate(numbers)}
    named |= {f"code{place}": np.array(list("abcde"))[column] for place, column in enumerate(codes)}
    named["y"] = np.where(draw.random(n_records) < 1 / (1 + np.exp(-score)), "yes", "no")
    path = folder / f"mixed-{n_records}-{n_columns}.csv"
    csv.write_csv(pa.table(named), path)
    return tables.Table(path, "y=yes", (), is_real=False)


def duckdb_reads(path: Path) -> float:
    """Seconds that DuckDB takes to read a file into a table, in a process of its own."""
    program = (
        "import sys, time, duckdb; c = duckdb.connect(); c.execute('set enable_progress_bar = false'); "
        "s = time.perf_counter(); c.execute(f\"create table t as from read_csv('{sys.argv[1]}')\"); "
        "print(time.perf_counter() - s)"
    )
    command = [sys.executable, "-c", program, str(path)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _make(name: str, folder: Path) -> tables.Table:
    made: tables.Table = getattr(tables, name)(folder)
    return made


def hospital(folder: Path) -> tables.Table:
    """The table of the demonstration."""
    path = folder / "hospital.csv"
    subprocess.run([*COMMAND, "simulate", "hospital", "-o", str(path)], check=True, stdout=subprocess.DEVNULL)
    return tables.Table(path, "ill=yes", (), is_real=False)


def mine(table: tables.Table, folder: Path, length: int) -> dict[str, Any]:
    """One whole `mine` of rules up to a length."""
    return run("mine", table, folder, "--max-length", str(length))


def run(verb: str, table: tables.Table, folder: Path, *more: str) -> dict[str, Any]:
    """One whole command in a process of its own, with its processor time and peak memory."""
    result = folder / "result.json"
    command = [*COMMAND, verb, str(table.path), "--outcome", table.outcome, *table.options]
    command += [*more, "--json", str(result), "--quiet"]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"the command failed with status {status}")
    return {
        "wall": time.perf_counter() - start,
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak": usage.ru_maxrss / 1024,
        "timings": json.loads(result.read_text())["timings"],
    }


if __name__ == "__main__":
    main()

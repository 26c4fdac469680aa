"""Measure everything the README speaks of: ``make bench``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks import default, tables, wide

if TYPE_CHECKING:
    from collections.abc import Callable

REPEATS = 3
RESULTS = Path(__file__).parent / "results.json"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = {"cores": os.cpu_count()} | start_up() | on_census(folder) | on_adult(folder)
        results |= default.measured(folder) | dict(wide.figures(folder))
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    for what, value in results.items():
        print(f"{what:60} {value}")


def start_up() -> dict[str, Any]:
    help_command = [sys.executable, "-m", "causalrules", "--help"]
    import_command = [sys.executable, "-c", "import causalrules"]
    return {
        "causalrules --help, s": seconds(lambda: run(help_command)),
        "import causalrules, s (with the interpreter's own start)": seconds(lambda: run(import_command)),
    }


def on_census(folder: Path) -> dict[str, Any]:
    table = in_own_process(tables.census, folder)
    reading = {name: seconds(partial(in_new_process, code, table.path)) for name, code in READERS.items()}
    cold_cache = folder / "empty-cache"
    cold = mine(table, folder, NUMBA_CACHE_DIR=str(cold_cache))
    warm = [mine(table, folder, NUMBA_CACHE_DIR=str(cold_cache)) for _ in range(REPEATS)]
    best = min(warm, key=lambda one: one["wall"])
    judged_alone = [
        mine(table, folder, "--judge", "interval", NUMBA_CACHE_DIR=str(cold_cache)) for _ in range(REPEATS)
    ]
    alone = min(judged_alone, key=lambda one: one["wall"])
    duckdb = reading["DuckDB"]
    counting = best["timings"]["mine"] + best["timings"]["cohort"]
    without = best["timings"]["total"] - best["timings"]["assess"]
    return {
        "census: real data": table.is_real,
        **{f"census: {name} reads the CSV, s": value for name, value in reading.items()},
        "census: rules tested": best["rules"],
        "census: mining and cohort studies, s": round(counting, 3),
        "census: the same / DuckDB's reading (at most 1.0)": round(counting / duckdb, 2),
        "census: the same with --judge interval / DuckDB's reading": round(
            (alone["timings"]["mine"] + alone["timings"]["cohort"]) / duckdb, 2
        ),
        "census: statistics, s": round(best["timings"]["assess"], 3),
        "census: statistics / all the rest (at most 0.2)": round(best["timings"]["assess"] / without, 2),
        "census: whole command, s": round(best["wall"], 3),
        "census: whole command / DuckDB's reading (at most 3)": round(best["wall"] / duckdb, 2),
        "census: first run with an empty Numba cache, s more (at most 6)": round(
            cold["wall"] - best["wall"], 2
        ),
        "census: peak memory, MiB (at most 1024)": round(best["peak"]),
    }


def on_adult(folder: Path) -> dict[str, Any]:
    table = in_own_process(tables.adult, folder)
    runs = [mine(table, folder, "--min-support", "0.01") for _ in range(REPEATS + 1)]
    after_reading = median(one["timings"]["total"] - one["timings"]["read"] for one in runs[1:])
    return {
        "adult: rules tested": runs[-1]["rules"],
        "adult: all but reading, first in a new process, s": round(after_reading, 3),
        "adult: all but reading, again in the same process, s": round(adult_again(table), 3),
    }


def adult_again(table: tables.Table) -> float:
    """A second run in one process: nothing is loaded any more."""
    import causalrules

    drop = table.options[1].split(",") if table.options else []
    timings = [
        causalrules.mine(table.path, table.outcome, controls="items", min_support=0.01, drop=drop).timings
        for _ in range(5)
    ]
    return min(one["total"] - one["read"] for one in timings[1:])


def mine(table: tables.Table, folder: Path, *more: str, **environment: str) -> dict[str, Any]:
    """One whole command in a process of its own, with its peak memory."""
    result = folder / "result.json"
    command = [sys.executable, "-m", "causalrules", "mine", str(table.path), "--outcome", table.outcome]
    command += ["--controls", "items"]
    start = time.perf_counter()
    process = subprocess.Popen(
        [*command, *table.options, *more, "--json", str(result), "--quiet"],
        stdout=subprocess.DEVNULL,
        env=os.environ | environment,
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"the command failed with status {status}")
    content = json.loads(result.read_text())
    return {
        "wall": wall,
        "peak": usage.ru_maxrss / 1024,
        "timings": content["timings"],
        "rules": len(content["rules"]),
    }


READERS = {
    "DuckDB": "import duckdb; c = duckdb.connect(); "
    "c.execute('set enable_progress_bar = false'); "  # it writes to the standard output
    "t(lambda: c.execute(f\"create table t as from read_csv('{p}')\"))",
    "Polars": "import polars as pl; t(lambda: pl.read_csv(p, infer_schema=False).cast(pl.Categorical))",
    "causalrules (Arrow)": "from causalrules.read import read_table; import causalrules.read.delimited; "
    "t(lambda: read_table(p))",
}


def in_own_process(make: Callable[[Path], tables.Table], folder: Path) -> tables.Table:
    """Make a table elsewhere: a child's peak memory counts what its parent held when it was started."""
    with ProcessPoolExecutor(1) as pool:
        return pool.submit(make, folder).result()


def in_new_process(code: str, path: Path) -> float:
    """Seconds that `t(...)` takes in a new interpreter, imports apart."""
    program = (
        "import sys, time\np = sys.argv[1]\n"
        "def t(f):\n    start = time.perf_counter(); f(); print(time.perf_counter() - start)\n" + code
    )
    output = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    return float(output.stdout)


def seconds(measure: Callable[[], float | None]) -> float:
    """The best of a few; what the callable returns, or how long it took."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        reported = measure()
        best = min(best, reported if reported is not None else time.perf_counter() - start)
    return round(best, 3)


def run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()

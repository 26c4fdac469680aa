"""How time and memory grow with the records, on one machine: ``python -m benchmarks.scale 1 5 20``.

Census Income with all its columns, repeated so many times, as Parquet and as
CSV. Every engine must give the same rules; processor times are told as ratios
to the memory engine in the same run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import csv, parquet

from benchmarks import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RESULTS = Path(__file__).parent / "scale.json"
ENGINES = {
    "memory": ("--engine", "memory"),
    "streaming, 512 MiB": ("--engine", "streaming", "--memory", "512MiB"),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        census = elsewhere(tables.census, folder)
        rows = [
            row
            for times in map(int, sys.argv[1:] or ("1", "5", "20"))
            for path in elsewhere(repeated, census.path, folder, times)
            for row in on_every_engine(path, census.outcome, times, folder)
        ]
    RESULTS.write_text(json.dumps(rows, indent=1) + "\n")


def elsewhere(make: Callable[..., Any], *words: Any) -> Any:
    """In a process of its own: a child's peak memory counts what its parent held when it was started."""
    with ProcessPoolExecutor(1) as pool:
        return pool.submit(make, *words).result()


def repeated(path: Path, folder: Path, times: int) -> Sequence[Path]:
    """The table so many times over, as Parquet and as CSV."""
    names = path.open().readline().strip().replace('"', "").split(",")
    as_text = csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))
    table = csv.read_csv(path, convert_options=as_text)
    files = folder / f"{times}.parquet", folder / f"{times}.csv"
    with parquet.ParquetWriter(files[0], table.schema) as writer:
        for _ in range(times):
            writer.write_table(table, row_group_size=1 << 17)
    header, _, records = path.read_bytes().partition(b"\n")
    with files[1].open("wb") as file:
        file.write(header + b"\n")
        for _ in range(times):
            file.write(records)
    return files


def on_every_engine(path: Path, outcome: str, times: int, folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    rules = None
    for name, options in ENGINES.items():
        found = command(path, outcome, options, folder)
        assert rules in (None, found["rules"]), f"{name} found other rules"
        rules = found.pop("rules")
        ratio = found["processor"] / rows[0]["processor"] if rows else 1.0
        row = {"times": times, "kind": path.suffix, "engine": name, **found, "ratio": round(ratio, 2)}
        print("  ".join(f"{what} {value}" for what, value in row.items()), flush=True)
        rows.append(row)
    path.unlink()
    return rows


def command(path: Path, outcome: str, options: Sequence[str], folder: Path) -> dict[str, Any]:
    """One whole command in a process of its own."""
    result = folder / "result.json"
    words = ["-m", "causalrules", "mine", str(path), "--outcome", outcome, "--controls", "items", *options]
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *words, "--json", str(result), "--quiet"], stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"the command failed with status {status}")
    content = json.loads(result.read_text())
    return {
        "rules": content["rules"],
        "records": content["data"]["rows"],
        "tested": len(content["rules"]),
        "seconds": round(seconds, 1),
        "processor": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_mib": round(usage.ru_maxrss / 1024),
        **{name: round(spent, 1) for name, spent in content["timings"].items() if name in ("read", "encode")},
    }


if __name__ == "__main__":
    main()

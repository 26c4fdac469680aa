"""Spark beside memory on Census Income many times over: ``python -m benchmarks.spark [copies]``.

Prints the ratio of times, and for each length of patterns the jobs and the bytes that Spark shuffled.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import csv, parquet

from benchmarks import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

MASTER = "local[2]"
ROWS_A_GROUP = 1 << 18
NOT_COMPARED = ("timings", "created", "settings")


def main() -> None:
    copies = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, outcome, n_records = repeated(folder, copies)
        in_memory, seconds = mined(path, outcome, "memory", folder)
        on_spark, spark_seconds = mined(path, outcome, "spark", folder)
        same = all(in_memory[part] == on_spark[part] for part in in_memory if part not in NOT_COMPARED)
        print(f"{n_records:,} records, {len(in_memory['rules'])} rules; the same result: {same}")
        ratio = spark_seconds / seconds
        print(f"memory {seconds:.1f} s; Spark {MASTER} {spark_seconds:.1f} s; {ratio:.1f} x (at most 6)")
        print(json.dumps({"memory": in_memory["timings"], "spark": on_spark["timings"]}))
        report(events(folder))


def repeated(folder: Path, copies: int) -> tuple[Path, str, int]:
    """The table so many times over, as one Parquet file of texts."""
    table = tables.census(folder)
    with table.path.open() as file:
        names = next(iter(file)).rstrip("\n").split(",")
    texts = csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))
    once = csv.read_csv(table.path, convert_options=texts)
    path = folder / "repeated.parquet"
    with parquet.ParquetWriter(path, once.schema) as writer:
        for _ in range(copies):
            writer.write_table(once, row_group_size=ROWS_A_GROUP)
    return path, table.outcome, copies * once.num_rows


def mined(path: Path, outcome: str, engine: str, folder: Path) -> tuple[dict[str, Any], float]:
    """The result of a whole command, and how long it took."""
    result = folder / f"{engine}.json"
    settings = {
        "spark.driver.memory": "4g",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": folder.as_uri(),
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
    }
    options = " ".join(f"--conf {name}={value}" for name, value in settings.items())
    command = [sys.executable, "-m", "causalrules", "mine", str(path), "--outcome", outcome]
    command += ["--controls", "items"]
    start = time.perf_counter()
    subprocess.run(
        [*command, "--engine", engine, "--json", str(result), "--quiet"],
        check=True,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PYSPARK_SUBMIT_ARGS": f"--master {MASTER} {options} pyspark-shell"},
    )
    return json.loads(result.read_text()), time.perf_counter() - start


def events(folder: Path) -> Iterator[dict[str, Any]]:
    (log,) = (path for path in folder.iterdir() if path.name.startswith("local-"))
    with log.open() as lines:
        yield from map(json.loads, lines)


def report(happened: Iterator[dict[str, Any]]) -> None:
    """Jobs, bytes shuffled and bytes sent to the driver, for each length of patterns."""
    what_of_stage: dict[int, str] = {}
    started: dict[int, tuple[str, int]] = {}
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    for event in happened:
        if event["Event"] == "SparkListenerJobStart":
            what = kind_of(event["Properties"].get("spark.job.description", ""))
            sums[what][0] += 1
            what_of_stage |= dict.fromkeys(event["Stage IDs"], what)
            started[event["Job ID"]] = what, event["Submission Time"]
        elif event["Event"] == "SparkListenerJobEnd":
            what, start = started[event["Job ID"]]
            sums[what][4] += event["Completion Time"] - start
        elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            metrics = event["Task Metrics"]
            found = sums[what_of_stage[event["Stage ID"]]]
            found[1] += 1
            found[2] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            found[3] += metrics["Result Size"]
    print(f"{'':52}{'jobs':>6}{'tasks':>8}{'shuffled, MB':>14}{'to the driver, MB':>19}{'seconds':>10}")
    for what, (jobs, tasks, shuffled, sent, spent) in sorted(sums.items()):
        print(f"{what:52}{jobs:>6}{tasks:>8}{shuffled / 1e6:>14.1f}{sent / 1e6:>19.1f}{spent / 1e3:>10.1f}")


def kind_of(description: str) -> str:
    length = re.search(r"of length (\d+)", description)
    if length is None:
        return description.removeprefix("causalrules: ")
    kinds = {"strata": "strata", "items of the matched": "matched items", "": "counts"}
    kind = next(name for start, name in kinds.items() if description.startswith(f"causalrules: {start}"))
    return f"length {length[1]}: {kind}"


if __name__ == "__main__":
    main()

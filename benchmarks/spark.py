"""Spark beside memory: ``python -m benchmarks.spark [copies]`` or ``… distinct 1000000``, both ``[spread]``.

On Census Income many times over, or on records of 30 columns of which no two are alike. Prints the ratio of
processor times, and for each length of patterns the jobs and the bytes that Spark shuffled. With ``spread``
the table is treated like one that lives on a cluster: Spark reads it, and its records stay there.
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
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from benchmarks import tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MASTER = "local[2]"
ROWS_A_GROUP = 1 << 18
NOT_COMPARED = ("timings", "created", "settings")
SPREAD = """
import runpy
from causalrules.engines.spark import driver_engine, parquet_files
driver_engine.MOST_BYTES = parquet_files.MOST_FILES = 0
runpy.run_module("causalrules", run_name="__main__", alter_sys=True)
"""
SECONDS_A_LOOK = 0.1


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "spread"]
    program = ("-c", SPREAD) if "spread" in sys.argv[1:] else ("-m", "causalrules")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if words[:1] == ["distinct"]:
            path, outcome, n_records, options = distinct(folder, int(words[1]))
        else:
            path, outcome, n_records, options = repeated(folder, int(words[0]) if words else 20)
        asked = ("mine", str(path), "--outcome", outcome, "--controls", "items", *options)
        in_memory, seconds = mined(("-m", "causalrules"), asked, "memory", folder)
        on_spark, spark_seconds = mined(program, asked, "spark", folder)
        same = all(in_memory[part] == on_spark[part] for part in in_memory if part not in NOT_COMPARED)
        print(f"{n_records:,} records, {len(in_memory['rules'])} rules; the same result: {same}")
        ratio = spark_seconds / seconds
        print(f"processor seconds: memory {seconds:.1f}; Spark {MASTER} {spark_seconds:.1f}; {ratio:.1f} x")
        print(json.dumps({"memory": in_memory["timings"], "spark": on_spark["timings"]}))
        report(events(folder))


def repeated(folder: Path, copies: int) -> tuple[Path, str, int, tuple[str, ...]]:
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
    return path, table.outcome, copies * once.num_rows, ()


def distinct(folder: Path, n_records: int) -> tuple[Path, str, int, tuple[str, ...]]:
    """Records of 30 columns of 8 values, three of which move the outcome."""
    chance = np.random.default_rng(1)
    codes = chance.integers(0, 8, (30, n_records)).astype(np.int8)
    names = pa.array([f"v{number}" for number in range(8)])
    risk = 0.15 + 0.1 * (codes[0] == 1) + 0.1 * (codes[1] > 4) + 0.05 * (codes[2] == 3)
    ill = pa.array(["no", "yes"]).take(pa.array((chance.random(n_records) < risk).astype(np.int8)))
    columns = {f"c{number:02}": names.take(pa.array(codes[number])) for number in range(30)}
    path = folder / "distinct.parquet"
    parquet.write_table(pa.table(columns | {"ill": ill}), path, row_group_size=1 << 17)
    return path, "ill=yes", n_records, ("--max-length", "1")


def mined(
    program: Sequence[str], asked: Sequence[str], engine: str, folder: Path
) -> tuple[dict[str, Any], float]:
    """The result of a whole command, and its processor seconds with those of Java and of Spark's workers."""
    result = folder / f"{engine}.json"
    settings = {
        "spark.driver.memory": "2g",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": folder.as_uri(),
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
    }
    configured = " ".join(f"--conf {name}={value}" for name, value in settings.items())
    process = subprocess.Popen(
        [sys.executable, *program, *asked, "--engine", engine, "--json", str(result), "--quiet"],
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PYSPARK_SUBMIT_ARGS": f"--master {MASTER} {configured} pyspark-shell"},
    )
    seconds: dict[int, float] = {}
    ended = 0
    while not ended:
        seconds |= _processor_seconds(process.pid)
        time.sleep(SECONDS_A_LOOK)
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
    if status:
        raise SystemExit(f"the command failed with status {status}")
    return json.loads(result.read_text()), max(sum(seconds.values()), usage.ru_utime + usage.ru_stime)


def _processor_seconds(root: int) -> dict[int, float]:
    """Those of a process and all that come from it, so far; of workers no parent ever tells (Linux)."""
    parent, seconds = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = path.read_text().rpartition(")")[2].split()
            parent[int(path.parent.name)] = int(words[1])
            seconds[int(path.parent.name)] = sum(map(int, words[11:13])) / os.sysconf("SC_CLK_TCK")
    family = {root}
    while more := {child for child, of in parent.items() if of in family} - family:
        family |= more
    return {one: seconds[one] for one in family & seconds.keys()}


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

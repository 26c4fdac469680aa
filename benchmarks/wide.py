"""Wide tables by the paper's protocol (`controls="items"`), with pairs: ``python -m benchmarks.wide``.

The rules grow with the square of the columns, and nearly all of them cannot be tested: no two records
agree on so many controls. Numbers of columns may be given.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COLUMNS = (100, 200, 400, 1000)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        for what, value in figures(Path(name), map(int, sys.argv[1:] or COLUMNS)):
            print(f"{what:70} {value}", flush=True)


def figures(folder: Path, numbers: Iterable[int] = COLUMNS) -> Iterator[tuple[str, Any]]:
    """Processor seconds and peak memory of the whole command, and the size of its result."""
    for n_columns in numbers:
        with ProcessPoolExecutor(1) as pool:  # a child's peak memory counts what its parent held
            table = pool.submit(tables.wide, folder, n_columns).result()
        result = folder / "result.json"
        for what, output in (("", ()), (" with --json", ("--json", str(result)))):
            usage = mine(table, output)
            name = f"items, {n_columns:,} columns{what}"
            yield f"{name}: CPU of the whole command, s", round(usage.ru_utime + usage.ru_stime, 1)
            yield f"{name}: peak memory, MiB", round(usage.ru_maxrss / 1024)
        yield f"items, {n_columns:,} columns: rules tested", n_rules_in(result)
        yield f"items, {n_columns:,} columns: result file, MB", round(result.stat().st_size / 1e6)


def mine(table: tables.Table, output: tuple[str, ...]) -> Any:
    """What one whole command used, in a process of its own."""
    command = [sys.executable, "-m", "causalrules", "mine", str(table.path), "--outcome", table.outcome]
    process = subprocess.Popen(
        [*command, "--controls", "items", *output, "--quiet"], stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"the command failed with status {status}")
    return usage


def n_rules_in(result: Path) -> int:
    """Rules of a result file, which may be too large to be read by this process as well."""
    return result.read_bytes().count(b'"pattern": [')


if __name__ == "__main__":
    main()

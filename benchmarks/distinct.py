"""What records cost where no two are alike: ``python -m benchmarks.distinct 1 2``, in millions.

30 columns of 8 values, some of them rare; ten move the outcome. Every engine must give the same rules.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from benchmarks.scale import command, elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULTS = Path(__file__).parent / "distinct.json"
ENGINES = {
    "memory": ("--engine", "memory"),
    "streaming, 1 GiB": ("--engine", "streaming", "--memory", "1GiB"),
    "streaming, 512 MiB": ("--engine", "streaming", "--memory", "512MiB"),
}
MOST_MILLIONS = {"memory": 6, "streaming, 1 GiB": 50, "streaming, 512 MiB": 2}
"""That an engine is asked about: more would take a machine's whole memory, or an hour."""

N_COLUMNS, N_CAUSES = 30, 10
TWENTIETHS = [6, 4, 3, 2, 2, 1, 1, 1]
EFFECTS = np.array([0, 0.4, 0, -0.4, 0, 0.4, 0, 0])
_ROWS_A_GROUP = 1 << 17


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "distinct.parquet"
        for millions in map(float, sys.argv[1:] or ("1", "2")):
            elsewhere(write, path, int(millions * 1e6))
            rules = None
            for engine, options in ENGINES.items():
                if millions > MOST_MILLIONS[engine]:
                    continue
                found = command(path, "ill=yes", (*options, "--max-length", "1"), folder)
                assert rules in (None, found["rules"]), f"{engine} found other rules"
                rules = found.pop("rules")
                rows.append({"millions": millions, "engine": engine, **found})
                print("  ".join(f"{what} {value}" for what, value in rows[-1].items()), flush=True)
    RESULTS.write_text(json.dumps(rows, indent=1) + "\n")


def write(path: Path, n_records: int) -> None:
    """The table as a Parquet file, a row group at a time."""
    with parquet.ParquetWriter(path, next(_groups(1)).schema) as writer:
        for group in _groups(n_records):
            writer.write_table(group)


def _groups(n_records: int) -> Iterator[pa.Table]:
    random = np.random.default_rng(0)
    letters = pa.array(list("abcdefgh"))
    value_of = np.repeat(np.arange(len(TWENTIETHS), dtype=np.int8), TWENTIETHS)
    for start in range(0, n_records, _ROWS_A_GROUP):
        n = min(_ROWS_A_GROUP, n_records - start)
        values = value_of[random.integers(0, len(value_of), (N_COLUMNS, n), dtype=np.int8)]
        logit = EFFECTS[values[:N_CAUSES]].sum(axis=0) - 1
        is_ill = random.random(n) < 1 / (1 + np.exp(-logit))
        columns = {f"v{i}": pa.DictionaryArray.from_arrays(one, letters) for i, one in enumerate(values)}
        yield pa.table(columns | {"ill": pa.array(np.where(is_ill, "yes", "no"))})


if __name__ == "__main__":
    main()

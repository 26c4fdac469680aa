"""All tested rules as one flat table: CSV or Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.domain import Rule
from causalrules.whole_file import whole_file

if TYPE_CHECKING:
    import os

    from causalrules.domain import Result

_TEXTS = ("rule", "direction", "verdict", "controls", "columns_dropped")
_WHOLE = ("length", "support", "n_controls", "exposed", "unexposed", "causal_runs")


def rule_table(result: Result) -> pa.Table:
    """One row a rule, the columns always of the same types."""
    fields = [
        pa.field(name, pa.string() if name in _TEXTS else pa.int64() if name in _WHOLE else pa.float64())
        for name in Rule.ROW_NAMES
    ]
    return pa.Table.from_pylist([rule.to_row() for rule in result.tested], schema=pa.schema(fields))


def write_csv(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the rules as CSV with a header."""
    from pyarrow import csv

    with whole_file(path) as unfinished:
        csv.write_csv(rule_table(result), str(unfinished))


def write_parquet(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the rules as Parquet."""
    from pyarrow import parquet

    with whole_file(path) as unfinished:
        parquet.write_table(rule_table(result), str(unfinished))

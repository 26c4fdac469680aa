"""All tested rules as one flat table: CSV or Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.domain import Rule
from causalrules.domain.rule_file import rule_to_row
from causalrules.whole_file import whole_file

if TYPE_CHECKING:
    import os

    from causalrules.domain import Result

_TEXTS = ("rule", "direction", "verdict", "test", "controls", "columns_dropped")
_WHOLE = (
    "length",
    "support",
    "exposed",
    "unexposed",
    "unmatched_exposed",
    "unmatched_unexposed",
    "causal_runs",
    "n_controls",
)


def rule_table(result: Result) -> pa.Table:
    """One row a rule, the columns always of the same types."""
    kinds = dict.fromkeys(_TEXTS, pa.string()) | dict.fromkeys(_WHOLE, pa.int64()) | {"mixed": pa.bool_()}
    fields = [pa.field(name, kinds.get(name, pa.float64())) for name in Rule.ROW_NAMES]
    return pa.Table.from_pylist(list(map(rule_to_row, result.tested)), schema=pa.schema(fields))


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

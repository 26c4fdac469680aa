"""All tested rules as one flat table, with numbers that speak of the outcome itself: CSV or Parquet."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.domain import Rule
from causalrules.domain.answers import Answers
from causalrules.domain.file_layout import columns_of, to_row
from causalrules.errors import OutputNameError
from causalrules.files.whole_file import is_device, whole_file
from causalrules.words.result import Result as PlainResult

if TYPE_CHECKING:
    import os

    from causalrules.domain import Result

_PARQUET = (".parquet", ".pq")
_SPREADSHEETS = (".xlsx", ".xls", ".ods")


def rule_table(result: Any) -> pa.Table:
    """One row a rule, or a level; the columns always of the same types. Of several outcomes each is named."""
    if isinstance(result, Answers):
        named = [
            one.flat_table().add_column(0, "outcome", pa.array([outcome] * len(one.tested), pa.string()))
            for one, outcome in zip(result, result.outcomes, strict=True)
        ]
        return pa.concat_tables(named)
    if isinstance(result, PlainResult):
        return result.to_frame("arrow")
    return result.flat_table()


def flat_table(result: Result) -> pa.Table:
    """One row a rule, with all that is known of it."""
    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    fields = [pa.field(column.name, kinds[column.type]) for column in columns_of(Rule)]
    return pa.Table.from_pylist(list(map(_row, result.tested)), schema=pa.schema(fields))


_EFFECTS = ("odds_ratio", "adjusted", "fair", "risk", "opposite", "crude")


def _row(rule: Rule) -> dict[str, Any]:
    """A rule's row with infinite odds ratios as such; of one that compares nothing, without effects."""
    own = rule.of_the_outcome()
    row = to_row(own)
    for name, ratio in (("odds_ratio", own.odds_ratio), ("adjusted", own.adjusted_odds_ratio)):
        limits = {f"{name}_low": ratio.low, f"{name}_high": ratio.high}
        ratios = {name if name == "odds_ratio" else "adjusted_odds_ratio": ratio.value, **limits}
        row |= {place: inf for place, value in ratios.items() if value == inf}
    if rule.compares_nothing:
        row |= {name: None for name in row if name.startswith(_EFFECTS) and isinstance(row[name], float)}
    return row


def write_csv(result: Any, path: str | os.PathLike[str], *, for_spreadsheets: bool = True) -> None:
    """Write the rules as CSV with a header.

    Parameters
    ----------
    for_spreadsheets : bool
        Whether a text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    table = rule_table(result)
    _write(without_formulas(table) if for_spreadsheets else table, path, as_parquet=False)


def csv_bytes(result: Any, *, for_spreadsheets: bool = True) -> bytes:
    """What `write_csv` writes."""
    table = rule_table(result)
    return csv_of(without_formulas(table) if for_spreadsheets else table)


def csv_of(table: pa.Table) -> bytes:
    """Any table as CSV with a header."""
    from pyarrow import csv

    written = pa.BufferOutputStream()
    csv.write_csv(table, written)
    return bytes(written.getvalue())


def without_formulas(table: pa.Table) -> pa.Table:
    """Texts that begin like a formula (``=``, ``+``, ``-``, ``@``, a tab or a line end), made harmless."""
    import pyarrow.compute as pc

    for place, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            guarded = pc.replace_substring_regex(table.column(place), r"^([=+\-@\t\r\n])", r"'\1")
            table = table.set_column(place, field, guarded)
    return table


def write_parquet(result: Any, path: str | os.PathLike[str]) -> None:
    """Write the rules as Parquet."""
    _write(rule_table(result), path, as_parquet=True)


def check_table_name(path: str | os.PathLike[str]) -> None:
    """Raise now, before any work, if the name asks for another kind of table than CSV or Parquet."""
    if Path(path).suffix.lower() not in (".csv", *_PARQUET) and not is_device(Path(path)):
        raise OutputNameError(path, "a table", (".csv", ".parquet"))


def check_csv_name(path: str | os.PathLike[str]) -> None:
    """Raise now, before any work, if CSV would get the name of a spreadsheet, which could not be opened."""
    if Path(path).suffix.lower() in _SPREADSHEETS:
        raise OutputNameError(path, "a table in CSV", (".csv",))


def write_table(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write any table, as Parquet if the name ends so, else as CSV."""
    _write(table, path, as_parquet=Path(path).suffix.lower() in _PARQUET)


def _write(table: pa.Table, path: str | os.PathLike[str], *, as_parquet: bool) -> None:
    with whole_file(path) as unfinished:
        if as_parquet:
            from pyarrow import parquet

            parquet.write_table(table, str(unfinished))
        else:
            from pyarrow import csv

            csv.write_csv(table, str(unfinished))

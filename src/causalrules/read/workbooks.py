"""Workbooks of Excel and OpenDocument, through fastexcel."""

from __future__ import annotations

import io
import logging
import re
import zipfile
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from causalrules.domain import Declared
from causalrules.errors import MissingPackageError, SourceError, one_line, quoted
from causalrules.files.available_memory import available_memory
from causalrules.read.table import SourceTable, check_names

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST_REASON = 120
_MOST_TITLES = 20
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def read_workbook(name: Path | str, content: pa.Buffer, sheet: str | None, skip_rows: int = 0) -> SourceTable:
    """Read one sheet, whose first row, after those to be skipped, has the names of the columns.

    A column of numbers or dates keeps them; one in which cells are of
    several kinds is text. Empty rows and columns at the end are left out.
    """
    try:
        import fastexcel
    except ImportError as error:
        raise MissingPackageError("an Excel or OpenDocument file", "fastexcel", "files") from error

    # It warns of columns without values, which Python would print where nobody listens.
    listening = logging.getLogger("fastexcel")
    if not listening.handlers:
        listening.addHandler(logging.NullHandler())
    raw = content.to_pybytes()
    if raw.startswith(_OLD_OFFICE) and _ENCRYPTED in raw:
        raise SourceError(name, "it is a workbook with a password", "Save it without one.")
    _refuse_more_than_memory(name, content)
    try:
        workbook = fastexcel.read_excel(raw)
        chosen = _chosen(name, workbook.sheet_names, sheet)
        read = workbook.load_sheet(
            chosen, header_row=skip_rows, schema_sample_rows=None, skip_whitespace_tail_rows=True
        )
        table = pa.table(read.to_arrow())
    except (fastexcel.FastExcelError, ValueError, pa.ArrowException) as error:
        if isinstance(error, SourceError):
            raise
        reason = quoted(str(error).partition("\n")[0][:_LONGEST_REASON])
        raise SourceError(name, f"it is not a sound workbook ({reason})", "Save it again.") from error
    table = _without_empty(table)
    check_names(name, table.column_names)
    notes = () if sheet is not None else _remark(workbook.sheet_names, chosen)
    others = () if sheet is not None else tuple(one for one in workbook.sheet_names if one != chosen)
    n_titles = _n_titles(table)
    declared = Declared(
        source=one_line(str(name)),
        notes=notes,
        other_tables=others,
        n_titles=skip_rows + n_titles if n_titles else 0,
        is_workbook=True,
    )
    return SourceTable.in_memory(table, declared)


def _refuse_more_than_memory(name: Path | str, content: pa.Buffer) -> None:
    """A workbook is a zip archive, whose content may be a thousand times larger than its file."""
    most = available_memory() // 2
    try:
        with zipfile.ZipFile(io.BufferedReader(pa.BufferReader(content))) as archive:
            size = sum(one.file_size for one in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return  # an old workbook, or a damaged one, of which its reader will complain
    if size > most:
        problem = f"unpacked it has {size >> 20:,} MiB, more than half of the memory that is left"
        raise SourceError(name, problem, "Save the sheet as CSV.")


def _chosen(name: Path | str, sheets: list[str], asked: str | None) -> str:
    """The sheet that is asked for, by its name or number, or the first."""
    if not sheets:
        raise SourceError(name, "it is a workbook without sheets", "Give one with a table.")
    if asked is None or asked in sheets:
        return asked or sheets[0]
    if asked.isdecimal() and 1 <= int(asked) <= len(sheets):
        return sheets[int(asked) - 1]
    listed = ", ".join(map(quoted, sheets[:8]))
    raise SourceError(name, f"it has no sheet {quoted(asked)}", f"Its sheets are {listed}.")


def _remark(sheets: list[str], chosen: str) -> tuple[str, ...]:
    if len(sheets) == 1:
        return ()
    others = ", ".join(map(quoted, sheets[1:6]))
    return (
        f"The workbook has {len(sheets)} sheets; {quoted(chosen)} was read. "
        f"--sheet chooses another: {others}{', …' if len(sheets) > 6 else ''}.",
    )


def _without_empty(table: pa.Table) -> pa.Table:
    """Without columns that have neither name nor value, and without empty rows at the end."""
    unnamed = [
        name
        for name in table.column_names
        if name.startswith("__UNNAMED__") and table.column(name).null_count == table.num_rows
    ]
    table = table.drop_columns(unnamed)
    names = [
        f"column_{number}" if name.startswith("__UNNAMED__") else name.strip()
        for number, name in enumerate(table.column_names, 1)
    ]
    columns = [_plain(column) for column in table.columns]
    table = pa.table(columns, names=names) if names else table
    last = max((_last_value(column) for column in table.columns), default=0)
    return table.slice(0, last)


def _n_titles(table: pa.Table) -> int:
    """Rows above the first one that looks like names, where most columns have none; 0 if none does."""
    n_nameless = sum(re.fullmatch(r"column_\d+", name) is not None for name in table.column_names)
    if 2 * n_nameless < table.num_columns:
        return 0
    for place, row in enumerate(table.slice(0, _MOST_TITLES).to_pylist(), 1):
        texts = {value.strip() for value in row.values() if isinstance(value, str)}
        if len(texts - {""}) == table.num_columns > 1:
            return place
    return 0


def _plain(column: pa.ChunkedArray) -> Any:
    """Texts as dictionaries, as other readers give them; a column without values as text."""
    if pa.types.is_null(column.type):
        return column.cast(pa.string())
    return column.dictionary_encode() if pa.types.is_string(column.type) else column


def _last_value(column: pa.ChunkedArray) -> int:
    """The number of rows up to the last one that has a value."""
    places = pc.indices_nonzero(pc.is_valid(column))
    return places[-1].as_py() + 1 if len(places) else 0

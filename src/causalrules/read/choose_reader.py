"""Recognise what the bytes of a file are, and read them into memory; readers are imported when needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from causalrules.domain import Declared
from causalrules.errors import one_line
from causalrules.files.scratch_folder import scratch_folder
from causalrules.read import compressed, file_kinds
from causalrules.read.file_kinds import FileContent, sample_of
from causalrules.read.table import SourceTable
from causalrules.read.text import as_utf8

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from causalrules.read.table_at import TableAt


def read_content(
    name: Path | str,
    content: pa.Buffer,
    suffix: str,
    at: TableAt,
    is_needed: Callable[[str], bool] | None = None,
) -> SourceTable:
    """Read a file by the reader of its kind, which its first bytes tell, or the end of its name."""
    if compressed.packing_of(content) and not file_kinds.is_workbook(b"", str(name).lower()):
        content, inside = compressed.unpacked(name, content)
        suffix = inside or suffix
    sample = sample_of(name, content)
    if file_kinds.is_parquet(sample, suffix):
        from causalrules.read.columnar import read_parquet

        at.refuse_all_but("a Parquet file")
        return read_parquet(name, content)
    if file_kinds.is_arrow(sample, suffix):
        from causalrules.read.columnar import read_arrow_file

        at.refuse_all_but("an Arrow file")
        return read_arrow_file(name, content)
    if file_kinds.is_workbook(sample, suffix) or sample.startswith(b"PK\x03\x04"):
        from causalrules.read.dirty_text import rewritten
        from causalrules.read.workbooks import read_workbook

        at.refuse_all_but("a workbook", "sheet", "skip_rows", "decimal", "thousands", "day_first")
        return rewritten(read_workbook(name, content, at.sheet, at.skip_rows), at)
    if file_kinds.is_labelled(sample, suffix):
        from causalrules.read.labelled_files import read_labelled

        at.refuse_all_but("a file with names of its own", "labels")
        return read_labelled(name, content, suffix, at.labels)
    if file_kinds.is_database(sample, suffix):
        return _read_database(name, content, at)
    file_kinds.refuse_other_binary(name, sample)
    return _read_text(name, as_utf8(name, content), suffix, at, is_needed)


def _read_database(name: Path | str, content: pa.Buffer, at: TableAt) -> SourceTable:
    """A database from a file; one that came another way is written to a file first."""
    from causalrules.read.databases import open_database_file

    at.refuse_all_but("a database", "query", "table")
    with scratch_folder() as folder:
        path = Path(name)
        if not path.is_file() or compressed.packing_of(FileContent(path)):
            path = folder / "database"
            path.write_bytes(content)
        with open_database_file(path, replace(at, location=name)) as records:
            return SourceTable.in_memory(records.read_all(), Declared(source=one_line(str(name))))


def _read_text(
    name: Path | str,
    content: pa.Buffer,
    suffix: str,
    at: TableAt,
    is_needed: Callable[[str], bool] | None,
) -> SourceTable:
    """Choose the reader for a text, now that it is UTF-8."""
    sample = sample_of(name, content)
    if file_kinds.is_json(sample, suffix):
        from causalrules.read.columnar import read_json_array, read_json_lines

        at.refuse_all_but("a JSON file")
        is_array = sample.lstrip().startswith(b"[")
        return read_json_array(name, content) if is_array else read_json_lines(name, content)
    if file_kinds.is_arff(sample, suffix):
        from causalrules.read.arff import read_arff

        at.refuse_all_but("an ARFF file")
        return read_arff(name, content)
    if file_kinds.is_c45(suffix):
        from causalrules.read.c45 import read_c45

        at.refuse_all_but("a C4.5 file", "columns")
        return read_c45(name, content, at.columns, at.delimiter)
    from causalrules.read.delimited import read_delimited
    from causalrules.read.dirty_text import DIRTY, is_dirty, read_dirty

    at.refuse_all_but("a text file", "columns", *DIRTY)
    delimiter = at.delimiter or file_kinds.usual_delimiter(suffix)
    if is_dirty(at):
        return read_dirty(name, content, at, delimiter, in_batches=False)
    return read_delimited(
        name,
        content,
        names=at.columns,
        delimiter=delimiter,
        skip_rows=at.skip_rows,
        is_needed=is_needed,
    )

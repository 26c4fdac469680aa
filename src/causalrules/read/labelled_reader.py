"""pyreadstat in a process of its own, which runs this file alone and imports nothing else of ours.

Its parsers are written in C, and a damaged or hostile file can end their process: one byte
of an SPSS file was enough. Here that ends the reading, not the program; it costs a quarter of a second.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

REFUSED = 3
"""The exit code of a reader that said what is wrong."""

_ABOUT = b"labels"
_WESTERN = "WINDOWS-1252"
_ENDED_BY_THE_SYSTEM = -9
_LONGEST_REASON = 200


class UnreadableError(Exception):
    """What is wrong with a file, in the words of its reader."""


class Labelled(NamedTuple):
    """Columns with their codes, and what the file says about them."""

    table: pa.Table
    column_labels: dict[str, str | None]
    value_labels: dict[str, dict[Any, str]]
    measures: dict[str, str]
    is_recoded: bool
    """Texts were not in the encoding that the file declares, and were read as Windows' western one."""


def read_apart(reader: str, content: pa.Buffer, folder: Path) -> Labelled:
    """Let another process read; where there is no Python to start, this one does.

    Parameters
    ----------
    reader : str
        A function of pyreadstat.
    content : pyarrow.Buffer
        The file.
    folder : Path
        Where the other process may write what it read.
    """
    if not sys.executable or getattr(sys, "frozen", False) or not Path(__file__).is_file():
        return _labelled(_read(reader, content.to_pybytes()))
    path = folder / "labelled.arrow"
    found = subprocess.run(  # noqa: S603 - this Python, with this file
        [sys.executable, "-P", __file__, reader, str(path)],
        input=memoryview(content),
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    if found.returncode == REFUSED:
        raise UnreadableError(found.stdout.decode("utf-8", "replace"))
    if found.returncode == _ENDED_BY_THE_SYSTEM:
        raise UnreadableError("the system ended its reader, perhaps for lack of memory")
    if found.returncode or not path.exists():
        raise UnreadableError(f"its reader broke off with exit code {found.returncode}")
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as opened:
        table = opened.read_all()
    path.unlink()
    return _labelled(table)


def _labelled(table: pa.Table) -> Labelled:
    """The table without what was noted beside it, and the notes."""
    columns, values, measures, is_recoded = json.loads(table.schema.metadata[_ABOUT])
    codes = {column: {code: str(label) for code, label in pairs} for column, pairs in values.items()}
    return Labelled(table.replace_schema_metadata(), columns, codes, measures, is_recoded)


def _read(reader: str, content: bytes) -> pa.Table:
    """What pyreadstat finds, with labels as JSON beside the columns."""
    import pyreadstat

    read, is_recoded = getattr(pyreadstat, reader), False
    try:
        values, about = read(io.BytesIO(content), output_format="dict")
    except (UnicodeDecodeError, pyreadstat.ReadstatError) as error:
        if reader == "read_por" or not (isinstance(error, UnicodeDecodeError) or "encoding" in str(error)):
            raise
        values, about = read(io.BytesIO(content), output_format="dict", encoding=_WESTERN)
        is_recoded = True
    columns = {name: pa.array(column, from_pandas=True) for name, column in values.items()}
    noted = [
        about.column_names_to_labels,
        {name: list(codes.items()) for name, codes in about.variable_value_labels.items()},
        about.variable_measure,
        is_recoded,
    ]
    return pa.table(columns).replace_schema_metadata({_ABOUT: json.dumps(noted)})


def _main(reader: str, path: str) -> int:
    try:
        table = _read(reader, sys.stdin.buffer.read())
        with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    except Exception as error:  # pyreadstat raises many kinds, also plain exceptions
        said = str(error).partition("\n")[0] or type(error).__name__
        sys.stdout.buffer.write(said[:_LONGEST_REASON].encode("utf-8", "replace"))
        return REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))

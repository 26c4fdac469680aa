"""What the commands about the paper's data sets do."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from causalrules.errors import OutputError
from causalrules.files.whole_file import check_writable
from causalrules.report.table_files import check_table_name, write_table
from causalrules.report.words.formatting import printable
from causalrules_lab import datasets

if TYPE_CHECKING:
    import pyarrow as pa


def list_data_sets() -> None:
    """Print the catalogue."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("name", no_wrap=True)
    table.add_column("records", justify="right", no_wrap=True)
    table.add_column("columns", justify="right", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    table.add_column("what it is", overflow="fold")
    for about in datasets.catalogue().values():
        n_columns = len(about.columns) - 1
        table.add_row(about.name, f"{about.rows:,}", str(n_columns), about.outcome, about.about)
    Console(highlight=False, emoji=False).print(table)


def get_data_set(name: str, output: Path | None, from_dir: Path | None) -> None:
    """Write a data set as a table, and print how to mine it as the paper did."""
    about = datasets.info(name)
    path = output or Path(f"{about.name}.csv")
    if output is None and path.exists():
        raise OutputError(path, "it is there already; -o FILE says where else, or that it may be replaced")
    check_table_name(path)
    check_writable(path)
    data = datasets.get(name, from_dir)
    write_table(data.table, path)
    print(f"{data.table.num_rows:,} records in {printable(str(path))}. To mine it with the paper's columns:")
    command = ["causalrules", "mine", str(path), "--outcome", data.outcome]
    for option, columns in data.as_the_paper.items():
        unclear = [
            name for name in columns if option != "categorical" or _looks_like_numbers(data.table[name])
        ]
        if unclear:
            command += [f"--{option}", ",".join(unclear)]
    print(f"  {shlex.join(command)}")


def _looks_like_numbers(column: pa.ChunkedArray) -> bool:
    values = column.unique().drop_null().to_pylist()
    return all(value.replace(".", "", 1).isdecimal() for value in values)

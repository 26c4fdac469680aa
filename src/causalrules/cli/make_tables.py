"""Commands that make tables: simulated ones with a known truth, and the paper's data sets."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from causalrules.errors import OutputError, SettingsError
from causalrules.files.whole_file import check_writable, whole_file
from causalrules.lab import datasets
from causalrules.lab.simulate import KINDS, PAPER_TABLES, simulate
from causalrules.report.table_files import check_table_name, write_table
from causalrules.report.words.formatting import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from rich.console import RenderableType

_WHOLE_WORDS: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}


def run_simulate(
    kind: str,
    output: Path | None,
    n_records: int | None,
    seed: int,
    parameters: Sequence[str],
    truth: Path | None,
) -> None:
    """Write a simulated table, and its truth if asked for; print what was planted."""
    if not kind:
        known = f"{', '.join(KINDS)} or a table of the paper (see --list)"
        raise SettingsError.saying("kind", f"say what to simulate: {known}")
    if output is None:
        raise SettingsError.saying("output", "say where to write it: -o FILE.csv or -o FILE.parquet")
    check_table_name(output)
    chosen = dict(map(_parameter, parameters))
    if n_records is not None:
        chosen["n_records"] = str(n_records)
    for path in (output, truth):
        if path is not None:
            check_writable(path)
    simulated = simulate(kind, seed=seed, **chosen)
    write_table(simulated.table, output)
    if truth is not None:
        text = json.dumps(simulated.truth.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)
        with whole_file(truth) as unfinished:
            unfinished.write_text(text + "\n", encoding="utf-8")
    records = KINDS[kind].records if kind in KINDS else "records"
    print(
        f"{simulated.table.num_rows:,} {records} in {printable(str(output))}. "
        f"What was planted (outcome: {printable(simulated.truth.outcome)}):"
    )
    width = Console().width
    for line in simulated.truth.in_words():
        print(fill(printable(line), width, initial_indent="  ", subsequent_indent="    ", **_WHOLE_WORDS))


def list_kinds() -> None:
    """Print the kinds with their parameters, and the paper's tables."""
    parts: list[RenderableType] = []
    for name, kind in KINDS.items():
        settings = ", ".join(
            f"{parameter} (must be given)" if default is None else f"{parameter}={default}"
            for parameter, (_, default) in kind.parameters.items()
        )
        parts += [Text(f"{name}: {kind.about}"), Padding(Text(settings, style="dim"), (0, 0, 0, 2))]
    names = ", ".join(PAPER_TABLES)
    tables = "The paper's tables (networks, logistic models and combined causes with its sizes):"
    Console(highlight=False, emoji=False).print(
        *parts, Text(tables), Padding(Text(names), (0, 0, 0, 2)), sep="\n"
    )


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


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise SettingsError("set", "written as name=value, such as --set n_nodes=40", text)
    if name.strip() == "seed":
        raise SettingsError("set", "a parameter of the kind; the seed has its own option --seed", text)
    return name.strip(), value.strip()

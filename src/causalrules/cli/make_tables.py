"""The command that simulates tables with a known truth."""

from __future__ import annotations

import json
from textwrap import fill
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from causalrules.errors import SettingsError
from causalrules.files.whole_file import check_writable, whole_file
from causalrules.lab_parts import LAB
from causalrules.report.table_files import check_table_name, write_table
from causalrules.report.words.formatting import printable
from causalrules.simulation.kinds import all_kinds, paper_tables, simulate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

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
        known = ", ".join(all_kinds())
        raise SettingsError.saying("kind", f"say what to simulate: {known}; --list shows all")
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
    records = "patients" if kind == "hospital" else "records"
    print(
        f"{simulated.table.num_rows:,} {records} in {printable(str(output))}. "
        f"What was planted (outcome: {printable(simulated.truth.outcome)}):"
    )
    width = Console().width
    for line in simulated.truth.in_words():
        print(fill(printable(line), width, initial_indent="  ", subsequent_indent="    ", **_WHOLE_WORDS))


def list_kinds() -> None:
    """Print the kinds with their parameters, and the paper's tables, or what brings further ones."""
    parts: list[RenderableType] = []
    for name, kind in all_kinds().items():
        settings = ", ".join(
            f"{parameter} (must be given)" if default is None else f"{parameter}={default}"
            for parameter, (_, default) in kind.parameters.items()
        )
        parts += [Text(f"{name}: {kind.about}"), Padding(Text(settings, style="dim"), (0, 0, 0, 2))]
    if names := ", ".join(paper_tables()):
        tables = "The paper's tables (networks, logistic models and combined causes with its sizes):"
        parts += [Text(tables), Padding(Text(names), (0, 0, 0, 2))]
    else:
        parts.append(Text(f"Further kinds come with the package {LAB}: pip install {LAB}"))
    Console(highlight=False, emoji=False).print(*parts, sep="\n")


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise SettingsError("set", "written as name=value, such as --set n_nodes=40", text)
    if name.strip() == "seed":
        raise SettingsError("set", "a parameter of the kind; the seed has its own option --seed", text)
    return name.strip(), value.strip()

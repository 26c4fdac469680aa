"""The command that makes the paper's tables again."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from causalrules.errors import OutputError
from causalrules.files.whole_file import check_writable
from causalrules.report.pictures.drawing import altair
from causalrules_lab.reproduction import EXPERIMENTS, chosen_experiments

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def list_experiments() -> None:
    """Print what can be reproduced, and how long it takes."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("name", no_wrap=True)
    table.add_column("minutes", justify="right", no_wrap=True)
    table.add_column("what it shows", overflow="fold")
    for name, experiment in EXPERIMENTS.items():
        table.add_row(name, f"{experiment.minutes:g}", experiment.about)
    Console(highlight=False, emoji=False).print(table)


def run_reproduce(names: Sequence[str], from_dir: Path | None, to: Path | None) -> None:
    """Make the tables that are asked for, one after the other, and print or write each when it is done."""
    chosen = chosen_experiments(names)
    if to is not None:
        altair()  # figures are drawn at the end: a missing package is reported now
        _make_folder(to)
    talk = Console(stderr=True, highlight=False, emoji=False)
    minutes = max(1, round(sum(experiment.minutes for experiment in chosen.values())))
    time = f"{minutes} minutes" if minutes > 1 else "a minute"
    talk.print(f"The paper's experiments: {', '.join(chosen)}. About {time} on two cores.")
    for name, experiment in chosen.items():
        start = perf_counter()
        sheets = experiment.run(from_dir)
        seconds = perf_counter() - start
        for sheet in sheets:
            if to is None:
                print(sheet.text(seconds))
            else:
                sheet.write(to, seconds)
        talk.print(f"{name}: {seconds:.0f} s")


def _make_folder(path: Path) -> None:
    """Make the folder now, so that one that cannot be written is reported before long work."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(path, error.strerror or str(error)) from error
    check_writable(path / "table.md")

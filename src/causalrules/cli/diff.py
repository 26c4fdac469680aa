"""``causalrules diff``: what changed from one saved result to another."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, Any

from rich.console import Console

from causalrules.cli.output import FORMATS, print_data
from causalrules.cli.views import load_result
from causalrules.errors import ResultFileError, SettingsError, one_line

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules.domain import Result

SAME, DIFFERENT = 0, 1


def run_diff(first: Path, second: Path, shown: str, outcome: str) -> int:
    """Compare two saved results; the exit code says whether the same rules are causal."""
    if shown not in FORMATS:
        raise SettingsError.choice("format", FORMATS, shown)
    old, new = (_loaded(path, outcome) for path in (first, second))
    if old.diff(new).has_nothing_in_common:
        raise SettingsError.saying("result", f"{one_line(old.diff(new).tables)}.")
    _show(old, new, _names(first, second), shown)
    return DIFFERENT if old.diff(new) else SAME


def _loaded(path: Path, outcome: str) -> Result:
    """A saved result; one that cannot be read is no difference, and must not end with that code."""
    try:
        return load_result(path, outcome)
    except ResultFileError as error:
        raise SettingsError.saying("result", str(error)) from error


def _names(first: Path, second: Path) -> tuple[str, str]:
    """What the results are called: their files' names, as far as these tell them apart."""
    for shorter in (lambda path: path.stem, lambda path: path.name, str):
        if shorter(first) != shorter(second):
            return shorter(first), shorter(second)
    return "the first", "the second"


def _show(old: Result, new: Result, names: tuple[str, str], shown: str) -> None:
    from causalrules.report.changes import changes_table
    from causalrules.report.changes_markdown import changes_markdown
    from causalrules.report.table_files import csv_of
    from causalrules.report.terminal.changes_report import changes_report

    if shown == "table":
        Console(highlight=False, emoji=False).print(changes_report(old, new, names))
    elif shown == "markdown":
        print_data(changes_markdown(old, new, names))
    elif shown == "csv":
        print_data(csv_of(changes_table(old, new)).decode())
    else:
        print_data(json.dumps(_entry(old, new), ensure_ascii=False, allow_nan=False) + "\n")


def _entry(old: Result, new: Result) -> dict[str, Any]:
    from causalrules.report.changes import changes_table

    diff = old.diff(new)
    rows = changes_table(old, new).to_pylist()
    return {
        "differs": bool(diff),
        "records": diff.tables,
        "settings": {name: {"first": one, "second": other} for name, (one, other) in diff.settings.items()},
        "rules": [{name: _plain(value) for name, value in row.items()} for row in rows],
    }


def _plain(value: Any) -> Any:
    """JSON has no infinite numbers."""
    return None if isinstance(value, float) and not isfinite(value) else value

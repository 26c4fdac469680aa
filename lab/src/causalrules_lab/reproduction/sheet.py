"""One table of results: CSV for machines, Markdown for people, and where its numbers come from."""

from __future__ import annotations

import csv
import os
import platform
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from causalrules.files.whole_file import whole_file
from causalrules.report.pictures import save

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

PACKAGES = ("causalrules", "numpy", "numba", "scipy")


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Results to be written down.

    Parameters
    ----------
    name : str
        Of the files.
    title : str
        What the table shows.
    rows : list of dict
        As they go into the CSV file.
    shown : list of dict, optional
        The same for people; not given, the rows themselves.
    remarks : tuple of str
        How the numbers were made, seeds included, and how to read them.
    chart : callable, optional
        Makes the Altair chart, drawn as PNG and SVG where files are written.
    """

    name: str
    title: str
    rows: list[dict[str, Any]]
    shown: list[dict[str, Any]] = field(default_factory=list)
    remarks: tuple[str, ...] = ()
    chart: Callable[[], Any] | None = None

    def text(self, seconds: float, *, with_picture: bool = False) -> str:
        """The sheet for people, as Markdown; `seconds` is what its experiment took."""
        lines = [f"# {self.title}", "", *markdown(self.shown or self.rows), ""]
        if with_picture:
            lines += [f"![{self.title}]({self.name}.svg)", ""]
        lines += [f"- {remark}" for remark in (*self.remarks, stamp(seconds))]
        return "\n".join(lines) + "\n"

    def write(self, folder: Path, seconds: float) -> None:
        """Write all files of the sheet; `seconds` is what its experiment took."""
        folder.mkdir(parents=True, exist_ok=True)
        rows = [{name: _plain(value) for name, value in row.items()} for row in self.rows]
        with whole_file(folder / f"{self.name}.csv") as path:
            _write_csv(path, rows)
        if self.chart is not None:
            styled = self.chart().configure_axis(labelFontSize=11, titleFontSize=11)
            for kind in ("svg", "png"):
                save(styled.properties(background="white"), folder / f"{self.name}.{kind}")
        text = self.text(seconds, with_picture=self.chart is not None)
        with whole_file(folder / f"{self.name}.md") as path:
            path.write_text(text, encoding="utf-8")


def _write_csv(path: Path, rows: list[dict[str, object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def markdown(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Lines of a Markdown table.

    Examples
    --------
    >>> markdown([{"name": "adult", "rules": 1234, "share": 0.12345}])
    ['| name | rules | share |', '|---|---|---|', '| adult | 1,234 | 0.123 |']
    """
    rows = list(rows)
    lines = [" | ".join(rows[0]), "|".join("---" for _ in rows[0])]
    lines += [" | ".join(map(_shown, row.values())) for row in rows]
    return [f"| {line} |" if place != 1 else f"|{line}|" for place, line in enumerate(lines)]


def stamp(seconds: float) -> str:
    """Versions, machine, day and time."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    python = platform.python_version()
    machine = f"Python {python}, {os.cpu_count()} cores"
    return f"{versions}, {machine}, {date.today().isoformat()}; the experiment took {seconds:.0f} s."


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value).replace("|", "\\|")


def _plain(value: object) -> object:
    return round(value, 6) if isinstance(value, float) else value

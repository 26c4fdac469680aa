"""What was typed, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.cli.options import make_settings
from causalrules.errors import SettingsError
from causalrules.files.whole_file import check_writable

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules.domain.settings import Settings


FORMATS = ("table", "json", "csv", "markdown")


@dataclass(frozen=True, slots=True)
class Files:
    """Files asked for, and what standard output gets; ``-`` as JSON file means JSON there."""

    json: str | None
    csv: Path | None
    parquet: Path | None
    html: Path | None
    format: str | None

    @property
    def shown(self) -> str:
        """What standard output gets."""
        return self.format or ("json" if self.json == "-" else "table")

    def check(self) -> None:
        """Fail before the work if a file could not be written after it."""
        if self.shown not in FORMATS:
            raise SettingsError.choice("format", FORMATS, self.format)
        if self.json == "-" and self.shown != "json":
            raise SettingsError.saying(
                "format", f"--json - and --format {self.shown} both want standard output; give --json a file"
            )
        if self.csv is not None:
            from causalrules.report.table_files import check_csv_name

            check_csv_name(self.csv)
        for path in (None if self.json == "-" else self.json, self.csv, self.parquet, self.html):
            if path is not None:
                check_writable(path)


@dataclass(frozen=True, slots=True)
class Request:
    """A source, an outcome, how to judge, and where the answer goes."""

    source: str
    outcome: str
    settings: Settings
    columns: Path | None
    delimiter: str | None
    files: Files
    quiet: bool
    checkpoint: Path | None = None

    @classmethod
    def of(cls, source: str, outcome: str, options: dict[str, Any]) -> Request:
        """From the options of a command."""
        return cls(
            source=source,
            outcome=outcome,
            settings=make_settings(options),
            columns=options["columns"],
            delimiter=options["delimiter"],
            files=Files(*(options.get(name) for name in ("json", "csv", "parquet", "html", "format"))),
            quiet=options["quiet"],
            checkpoint=options.get("checkpoint"),
        )

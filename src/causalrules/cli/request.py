"""What was typed, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.cli.options import make_settings
from causalrules.whole_file import check_writable

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules.domain.settings import Settings


@dataclass(frozen=True, slots=True)
class Files:
    """Files asked for; ``-`` as JSON file means standard output instead of the table."""

    json: str | None
    csv: Path | None
    parquet: Path | None
    html: Path | None

    def check(self) -> None:
        """Fail before the work if a file could not be written after it."""
        if self.csv is not None:
            from causalrules.report.tables import check_csv_name

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
            files=Files(*(options.get(name) for name in ("json", "csv", "parquet", "html"))),
            quiet=options["quiet"],
            checkpoint=options.get("checkpoint"),
        )

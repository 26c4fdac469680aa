"""A result as a file to keep: the same that the terminal writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from causalrules.report.page.html import render
from causalrules.report.table_files import csv_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Result


def _html(result: Result) -> tuple[bytes, str]:
    return render(result).encode(), "text/html; charset=utf-8"


def _json(result: Result) -> tuple[bytes, str]:
    text = json.dumps(result.to_dict(), ensure_ascii=False, allow_nan=False)
    return text.encode(), "application/json"


def _csv(result: Result) -> tuple[bytes, str]:
    return csv_bytes(result), "text/csv; charset=utf-8"


DOWNLOADS: dict[str, Callable[[Result], tuple[bytes, str]]] = {
    "report.html": _html,
    "result.json": _json,
    "rules.csv": _csv,
}

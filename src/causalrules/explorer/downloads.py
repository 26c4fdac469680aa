"""Results to keep: the report, what a paper needs, data for other programs; and the records of a study."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from pyarrow import csv

from causalrules.errors import CausalRulesError, UnknownRunError
from causalrules.explorer.open_tables import Recent
from causalrules.publish import DescribedTable
from causalrules.publish.matched_frame import matched_table
from causalrules.publish.result_page import page_text, table_one_view
from causalrules.report.table_files import csv_bytes, without_formulas

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Result, Rule
    from causalrules.explorer.open_tables import OpenTables
    from causalrules.explorer.runs import Run
    from causalrules.read import SourceTable

_OFFICE = "application/vnd.openxmlformats-officedocument."


class Download(NamedTuple):
    """A kind of file: how it is made of a result and, where it is at hand, its table."""

    media_type: str
    make: Callable[[Result, SourceTable | None], bytes]


def _csv(result: Result, _: SourceTable | None) -> bytes:
    return csv_bytes(result)


def _json(result: Result, _: SourceTable | None) -> bytes:
    return json.dumps(result.to_dict(), ensure_ascii=False, allow_nan=False).encode()


def _document(ending: str) -> Callable[[Result, SourceTable | None], bytes]:
    def make(result: Result, table: SourceTable | None) -> bytes:
        with TemporaryDirectory(prefix="causalrules-") as folder:
            path = Path(folder) / f"paper{ending}"
            result.article(table).save(path)
            return path.read_bytes()

    return make


DOWNLOADS = {
    "report.html": Download(
        "text/html; charset=utf-8", lambda result, table: page_text(result, table).encode()
    ),
    "paper.docx": Download(_OFFICE + "wordprocessingml.document", _document(".docx")),
    "tables.xlsx": Download(_OFFICE + "spreadsheetml.sheet", _document(".xlsx")),
    "paper.tex": Download("application/x-tex", _document(".tex")),
    "rules.csv": Download("text/csv; charset=utf-8", _csv),
    "result.json": Download("application/json", _json),
}
"""By the name they are saved under: what the command line writes as well."""


class StudiedRuns:
    """The records behind a rule of a run: described, or as they were matched.

    Coding a table takes longer than describing one rule, so the codes of the
    runs that were asked about last are kept.
    """

    def __init__(self, tables: OpenTables, most: int = 2) -> None:
        self._tables = tables
        self._described: Recent[DescribedTable] = Recent(most)
        self._lock = Lock()

    def table_if_at_hand(self, run: Run) -> SourceTable | None:
        """The table of a run; None if it is gone, as after reopening a session elsewhere."""
        try:
            return self._tables.read(run.question.file)
        except CausalRulesError:
            return None

    def table_one(self, run: Run, rule: str) -> dict[str, Any]:
        """Table 1 of a rule, by its number on the page."""
        found = _rule(run, rule)
        table = self._tables.read(run.question.file)
        with self._lock:
            described = self._described.get((run.id, id(table)), lambda: DescribedTable(_result(run), table))
            return table_one_view(described.table_one(found))

    def matched_csv(self, run: Run, rule: str) -> bytes:
        """The records that were compared, with arm, stratum and weight; no text of it is a formula."""
        table = matched_table(_result(run), _rule(run, rule), self._tables.read(run.question.file))
        written = BytesIO()
        csv.write_csv(without_formulas(table), written)
        return written.getvalue()


def _result(run: Run) -> Result:
    if run.result is None:
        raise UnknownRunError
    return run.result


def _rule(run: Run, number: str) -> Rule:
    tested = _result(run).tested
    if not number.isdecimal() or len(number) > 9 or not 1 <= int(number) <= len(tested):
        raise UnknownRunError
    return tested[int(number) - 1]

"""The page of a result with what a paper needs: flow and Table 1 on the cards, methods to copy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from causalrules.errors import OtherTableError, OutputNameError
from causalrules.files.whole_file import whole_file
from causalrules.publish.methods_text import methods_paragraphs
from causalrules.publish.participant_flow import participant_flow
from causalrules.publish.references import numbered
from causalrules.publish.results_text import results_paragraphs
from causalrules.publish.strobe import strobe_items
from causalrules.publish.table_one import DescribedTable
from causalrules.report.markdown import mining_markdown, study_markdown
from causalrules.report.page.html import render, write_html
from causalrules.report.page.view import view_of
from causalrules.report.words.formatting import isolated
from causalrules.report.words.result_kinds import is_single_study

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from causalrules.domain import Result
    from causalrules.publish.participant_flow import Flow
    from causalrules.publish.table_one import TableOne

MOST_DESCRIBED = 40
"""Rules whose Table 1 stands in a page; the cards of the others say how to get it."""

_HOW_TO_DESCRIBE = (
    "Table 1 needs the records: causalrules report RESULT.json --table TABLE --output PAGE.html puts it on "
    f"the cards of the first {MOST_DESCRIBED} causal rules, causalrules table1 makes it for any hypothesis."
)


def write_page(result: Result, path: str | os.PathLike[str], table: Any = None, y: Any = None) -> None:
    """Write the page of a result as one file.

    Parameters
    ----------
    result : Result
        What to show.
    path : path
        The file.
    table : SourceTable, path or data frame, optional
        The table that the result was made from; with it cards have Table 1.
    y : series, array or mask, optional
        The outcome's values, if the result was made of values.
    """
    write_html(page_view(result, table, y), path)


def write_report(result: Result, path: str | os.PathLike[str], table: Any = None, y: Any = None) -> None:
    """Write a result as its file is named: the page in HTML, or Markdown as the terminal prints it."""
    ending = Path(path).suffix.lower()
    if ending in (".html", ".htm"):
        write_page(result, path, table, y)
    elif ending == ".md":
        with whole_file(path) as unfinished:
            unfinished.write_text(markdown_text(result), encoding="utf-8")
    else:
        raise OutputNameError(path, "a report", (".html", ".md"))


def markdown_text(result: Result) -> str:
    """A result in Markdown, as the terminal prints it."""
    return study_markdown(result) if is_single_study(result) else mining_markdown(result)


def page_text(result: Result, table: Any = None) -> str:
    """The page of a result as text; see `write_page`."""
    return render(page_view(result, table))


def page_view(result: Result, table: Any = None, y: Any = None) -> dict[str, Any]:
    """The view of a result with flows, Table 1 where the table is given, methods, results and checklist."""
    view = view_of(result)
    for rule, shown in zip(result.tested, view["rules"], strict=True):
        shown["flow"] = flow_numbers(participant_flow(result, rule))
    if table is not None:
        for place, described in _tables(result, DescribedTable(result, table, y)):
            view["rules"][place]["table_one"] = table_one_view(described)
    view["how_to_describe"] = _HOW_TO_DESCRIBE
    view["paper"] = _paper(result, has_table_one=any("table_one" in shown for shown in view["rules"]))
    return view


def flow_numbers(flow: Flow) -> list[float | None]:
    """The flow as the page draws it: its numbers in the order of their steps."""
    return [
        flow.read,
        flow.outcome_known,
        flow.kept_aside,
        flow.exposure_unknown,
        flow.exposed,
        flow.unexposed,
        flow.missing,
        flow.missing_exposed,
        flow.missing_unexposed,
        flow.unmatched_exposed,
        flow.unmatched_unexposed,
        flow.matched_exposed,
        flow.matched_unexposed,
        round(flow.pairs, 1),
        None if flow.discordant is None else round(flow.discordant, 1),
    ]


def table_one_view(table: TableOne) -> dict[str, Any]:
    """Table 1 as the page draws it: headings, lines that begin with their name, and notes."""
    sheet = table.sheet
    return {
        "sizes": list(table.sizes),
        "worst": _cell(table.worst_after),
        "has_later": bool(table.later),
        "left_unlike": isolated(table.left_unlike[0]) if table.left_unlike else None,
        "lines": [
            [isolated(line.name), int(line.is_part), *(_cell(cell) for cell in line.cells)]
            for line in sheet.lines
        ],
        "notes": list(sheet.notes),
    }


def _cell(cell: Any) -> str | None:
    """Standardised differences with two digits; everything else is a text already."""
    if isinstance(cell, float):
        return "∞" if cell == float("inf") else f"{cell:.2f}"
    return None if cell is None or cell == "" else str(cell)


def _tables(result: Result, described: DescribedTable) -> Iterator[tuple[int, TableOne]]:
    """Table 1 of the rules that are shown as findings.

    A table on which no study gives the numbers of its rule is another one, and refused.
    """
    wanted = result.tested if is_single_study(result) else result.causal[:MOST_DESCRIBED]
    n_found, refused = 0, None
    for place, rule in enumerate(result.tested):
        if any(rule is one for one in wanted):
            try:
                yield place, described.table_one(rule)
                n_found += 1
            except OtherTableError as error:
                refused = refused or error
    if refused is not None and not n_found:
        raise refused


def _paper(result: Result, *, has_table_one: bool) -> dict[str, Any]:
    """Methods and results with their references, and the checklist."""
    methods, results = methods_paragraphs(result), results_paragraphs(result)
    texts, references = numbered([*methods, *results])
    return {
        "methods": texts[: len(methods)],
        "results": texts[len(methods) :],
        "references": references,
        "strobe": [list(item) for item in strobe_items(result, has_table_one=has_table_one)],
    }

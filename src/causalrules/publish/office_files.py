"""Documents as Word and Excel files: tables that paste well, and no text that becomes a formula."""

from __future__ import annotations

import re
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any

from causalrules.errors import MissingPackageError
from causalrules.publish.document import Heading, Listing, Paragraph, Sheet, column_widths, shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import ModuleType

    from causalrules.publish.document import Cell, Document, Line, Picture

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_CELL = 32_767
_LONGEST_SHEET_NAME = 31
_WIDE = 7


def _package(name: str, what: str, package: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingPackageError(what, package, "publish") from error


def check_office(ending: str) -> None:
    """Raise now, before any work, if the package for this kind of file is not installed."""
    if ending == ".docx":
        _package("docx", "writing a Word file", "python-docx")
    elif ending == ".xlsx":
        _package("xlsxwriter", "writing an Excel file", "XlsxWriter")


def _plain(text: str) -> str:
    """Text without the characters that these files cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", text)


def write_word(document: Document, path: Path) -> None:
    """Write a Word file with its own styles for headings, captions and tables.

    Pictures need the converter of the extra `publish`; without it their numbers stand in a table alone.
    """
    docx = _package("docx", "writing a Word file", "python-docx")
    shared = import_module("docx.shared")
    file = docx.Document()
    style = file.styles["Normal"]
    style.font.name, style.font.size = "Calibri", shared.Pt(11)
    section = file.sections[0]
    section.left_margin = section.right_margin = shared.Cm(2)
    # The same document gives the same file: the clock is not part of it.
    file.core_properties.title, file.core_properties.author = _plain(document.title), "causalrules"
    if document.title:
        file.add_heading(_plain(document.title), 0)
    for block in document.blocks:
        if isinstance(block, Heading):
            file.add_heading(_plain(block.text), block.level)
        elif isinstance(block, Paragraph):
            file.add_paragraph(_plain(block.text))
        elif isinstance(block, Listing):
            for text in block.points:
                file.add_paragraph(_plain(text), "List Number" if block.is_numbered else "List Bullet")
        elif isinstance(block, Sheet):
            _word_table(file, block, shared)
        else:
            _word_picture(file, block, shared)
    file.save(path)


def _word_table(file: Any, sheet: Sheet, shared: Any) -> None:
    """A table as journals set it: three rules, no other lines, headings repeated on every page."""
    caption = file.add_paragraph(_plain(sheet.title), "Caption")
    caption.paragraph_format.keep_with_next = True
    n_above, width = 1 if sheet.groups else 0, len(sheet.columns)
    table = file.add_table(n_above + 1 + len(sheet.lines), width)
    table.autofit = False
    small = shared.Pt(8 if width >= _WIDE else 9)
    # A number of records stays on one line.
    heads = [name.replace("(n = ", "(n\u00a0=\u00a0") for name in sheet.columns]
    texts = [heads, *map(_texts, sheet.lines)]
    widths = [shared.Cm(one) for one in column_widths(texts)]
    for column, own in zip(table.columns, widths, strict=True):
        column.width = own
    # Asking a row for its cells looks at the whole table: once for all of them.
    cells = table._cells
    for number, row in enumerate(texts):
        line = sheet.lines[number - 1] if number else None
        for place, text in enumerate(row):
            cell = cells[(n_above + number) * width + place]
            cell.width = widths[place]
            is_part = line is not None and line.is_part and place == 0
            _fill(cell, text, small, bold=line is None, indent=shared.Cm(0.4) if is_part else None)
    _rule_below(cells[n_above * width : (n_above + 1) * width], 4)
    _rule_below(cells[-width:], 8)
    _rule_below(cells[:width], 8, "top")
    if sheet.groups:
        _fill(cells[0], "", small)
        place = 1
        for title, n_columns in sheet.groups:
            merged = cells[place].merge(cells[place + n_columns - 1])
            for empty in merged.paragraphs[1:]:  # one for each cell that was merged
                empty._p.getparent().remove(empty._p)
            _fill(merged, title, small, centred=True, bold=True)
            _rule_below([merged], 4)
            place += n_columns
    _repeat_on_every_page(table.rows[: n_above + 1])
    for note in sheet.notes:
        file.add_paragraph(_plain(note)).runs[0].font.size = small
    file.add_paragraph()


def _rule_below(cells: Sequence[Any], eighths: int, side: str = "bottom") -> None:
    """A line at one side of some cells, in eighths of a point."""
    oxml, namespaces = import_module("docx.oxml"), import_module("docx.oxml.ns")
    for cell in cells:
        properties = cell._tc.get_or_add_tcPr()
        borders = properties.find(namespaces.qn("w:tcBorders"))
        if borders is None:
            borders = oxml.OxmlElement("w:tcBorders")
            properties.append(borders)
        line = oxml.OxmlElement(f"w:{side}")
        for name, value in (("val", "single"), ("sz", str(eighths)), ("color", "222222")):
            line.set(namespaces.qn(f"w:{name}"), value)
        borders.append(line)


def _texts(line: Line) -> list[str]:
    return [line.name, *map(shown, line.cells)]


def _fill(
    cell: Any, text: str, size: Any, *, centred: bool = False, bold: bool = False, indent: Any = None
) -> None:
    paragraph = cell.paragraphs[0]
    run = paragraph.add_run(_plain(text))
    run.font.size, run.bold = size, bold
    paragraph.paragraph_format.space_before = paragraph.paragraph_format.space_after = 0
    paragraph.paragraph_format.line_spacing = 1.0
    if indent is not None:
        paragraph.paragraph_format.left_indent = indent
    if centred:
        paragraph.alignment = 1


def _repeat_on_every_page(rows: Sequence[Any]) -> None:
    oxml, namespaces = import_module("docx.oxml"), import_module("docx.oxml.ns")
    for row in rows:
        mark = oxml.OxmlElement("w:tblHeader")
        mark.set(namespaces.qn("w:val"), "true")
        row._tr.get_or_add_trPr().append(mark)


def _word_picture(file: Any, picture: Picture, shared: Any) -> None:
    try:
        converter = import_module("vl_convert")
    except ImportError:
        return
    drawn = converter.svg_to_png(picture.svg, scale=2.5)
    file.add_picture(BytesIO(drawn), width=shared.Cm(15))
    file.add_paragraph(_plain(picture.caption), "Caption")


def write_excel(sheets: Sequence[Sheet], path: Path) -> None:
    """Write an Excel file with one sheet for each table; no text of the data becomes a formula or a link."""
    xlsxwriter = _package("xlsxwriter", "writing an Excel file", "XlsxWriter")
    options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(str(path), options) as book:
        formats = {
            "title": book.add_format({"bold": True}),
            "head": book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"}),
            "group": book.add_format({"bold": True, "align": "center", "bottom": 1}),
            "number": book.add_format({"num_format": "0.00"}),
            "count": book.add_format({"num_format": "#,##0"}),
            "part": book.add_format({"indent": 1}),
            "note": book.add_format({"italic": True}),
        }
        taken: set[str] = set()
        for sheet in sheets:
            _excel_sheet(book.add_worksheet(_sheet_name(sheet.name, taken)), sheet, formats)


def _sheet_name(name: str, taken: set[str]) -> str:
    """A name that Excel takes: short, unique, without its special signs."""
    clean = re.sub(r"[\[\]:*?/\\']", " ", _plain(name)).strip()[:_LONGEST_SHEET_NAME] or "Table"
    number, unique = 1, clean
    while unique.lower() in taken:
        number += 1
        ending = f" {number}"
        unique = clean[: _LONGEST_SHEET_NAME - len(ending)] + ending
    taken.add(unique.lower())
    return unique


def _excel_sheet(page: Any, sheet: Sheet, formats: dict[str, Any]) -> None:
    page.write_string(0, 0, _cut(sheet.title), formats["title"])
    row = 2
    if sheet.groups:
        place = 1
        for title, n_columns in sheet.groups:
            if n_columns > 1:
                page.merge_range(row, place, row, place + n_columns - 1, _cut(title), formats["group"])
            else:
                page.write_string(row, place, _cut(title), formats["group"])
            place += n_columns
        row += 1
    for place, name in enumerate(sheet.columns):
        page.write_string(row, place, _cut(name), formats["head"])
    page.freeze_panes(row + 1, 1)
    for line in sheet.lines:
        row += 1
        page.write_string(row, 0, _cut(line.name), formats["part"] if line.is_part else None)
        for place, cell in enumerate(line.cells, 1):
            _excel_cell(page, row, place, cell, formats)
    for note in sheet.notes:
        row += 1
        page.write_string(row + 1, 0, _cut(note), formats["note"])
    longest = max([len(line.name) for line in sheet.lines], default=10)
    page.set_column(0, 0, min(max(longest + 2, 12), 60))
    page.set_column(1, max(len(sheet.columns) - 1, 1), 18)


def _excel_cell(page: Any, row: int, place: int, cell: Cell, formats: dict[str, Any]) -> None:
    if isinstance(cell, str):
        page.write_string(row, place, _cut(cell))
    elif isinstance(cell, int):
        page.write_number(row, place, cell, formats["count"])
    elif cell is not None and abs(cell) != float("inf") and cell == cell:
        page.write_number(row, place, cell, formats["number"])
    elif cell is not None:
        page.write_string(row, place, shown(cell))


def _cut(text: str) -> str:
    return _plain(text)[:_LONGEST_CELL]

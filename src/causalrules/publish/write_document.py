"""Documents into files, by the ending of their names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from causalrules.errors import OutputNameError
from causalrules.files.whole_file import check_writable, whole_file
from causalrules.publish.office_files import check_office, write_excel, write_word
from causalrules.publish.text_formats import as_html, as_latex, as_markdown

if TYPE_CHECKING:
    import os

    from causalrules.publish.document import Document

ENDINGS = (".docx", ".xlsx", ".tex", ".md", ".html")

_AS_TEXT = {".tex": as_latex, ".md": as_markdown, ".html": as_html}


def check_document_name(path: str | os.PathLike[str]) -> None:
    """Raise now, before any work, if such a file is not written, or could not be."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise OutputNameError(path, "a document", ENDINGS)
    check_office(ending)
    check_writable(path)


def write_document(document: Document, path: str | os.PathLike[str]) -> None:
    """Write a document as Word, Excel (its tables), LaTeX, Markdown or HTML; whole or not at all."""
    check_document_name(path)
    ending = Path(path).suffix.lower()
    with whole_file(path) as unfinished:
        if ending == ".docx":
            write_word(document, unfinished)
        elif ending == ".xlsx":
            write_excel(document.sheets, unfinished)
        else:
            unfinished.write_text(_AS_TEXT[ending](document), encoding="utf-8")

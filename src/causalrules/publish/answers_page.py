"""The report of several outcomes: a page for each behind an overview, or all of them in one Markdown file."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from causalrules.errors import OutputNameError
from causalrules.files.whole_file import whole_file
from causalrules.publish.result_page import markdown_text, write_page
from causalrules.report.markdown import answers_markdown
from causalrules.report.page.html import page_file
from causalrules.report.words.formatting import isolated

if TYPE_CHECKING:
    import os

    from causalrules.domain.answers import Answers


def write_answers(answers: Answers, path: str | os.PathLike[str], table: Any = None) -> None:
    """Write answers as their file is named; beside an HTML file stand the pages that it links to."""
    overview = Path(path)
    ending = overview.suffix.lower()
    if ending == ".md":
        text = answers_markdown(answers, markdown_text)
    elif ending in (".html", ".htm"):
        pages = [overview.with_stem(f"{overview.stem}-{place}") for place in range(1, len(answers) + 1)]
        for result, page in zip(answers, pages, strict=True):
            write_page(result, page, table)
        text = _overview(answers, [page.name for page in pages])
    else:
        raise OutputNameError(path, "a report", (".html", ".md"))
    with whole_file(overview) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def _overview(answers: Answers, pages: list[str]) -> str:
    """A page with a line for each outcome; whatever the data say is escaped."""
    lines = "\n".join(
        f'<li><a href="{escape(quote(page))}">{escape(isolated(outcome))}</a>: '
        f"{escape(isolated(result.summary()))}</li>"
        for outcome, result, page in zip(answers.outcomes, answers, pages, strict=True)
    )
    title = f"{len(answers)} outcomes"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{title}</title>\n'
        f"<style>{page_file('base.css')}</style>\n</head>\n<body>\n"
        f'<main class="page">\n<h1>{title}</h1>\n<ul>\n{lines}\n</ul>\n'
        "<p>Each outcome is corrected for its own hypotheses, not for the number of outcomes.</p>\n"
        "</main>\n</body>\n</html>\n"
    )

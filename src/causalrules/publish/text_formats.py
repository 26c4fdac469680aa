"""Documents as Markdown, HTML and LaTeX: text that nothing in the data can turn into a command."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from causalrules.publish.document import (
    PAGE_WIDTH,
    Heading,
    Listing,
    Paragraph,
    Picture,
    Sheet,
    column_widths,
    fits_a_page,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from causalrules.publish.document import Block, Document, Line


def as_markdown(document: Document) -> str:
    """A document in Markdown, tables with pipes; pictures are left out, their numbers stand in a table."""
    parts = [f"# {_markdown(document.title)}"] if document.title else []
    for block in document.blocks:
        if isinstance(block, Heading):
            parts.append(f"{'#' * (block.level + 1)} {_markdown(block.text)}")
        elif isinstance(block, Paragraph):
            parts.append(_markdown(block.text))
        elif isinstance(block, Listing):
            parts.append("\n".join(f"{sign} {_markdown(text)}" for sign, text in _signed(block)))
        elif isinstance(block, Sheet):
            parts.append(_markdown_table(block))
    return "\n\n".join(parts) + "\n"


def _markdown(text: str) -> str:
    r"""Text that Markdown takes as it is.

    Examples
    --------
    >>> print(_markdown("a|b *c* <i>"))
    a\|b \*c\* &lt;i&gt;
    """
    marked = re.sub(r"([\\`*_\[\]|#])", r"\\\1", text.replace("&", "&amp;"))
    return marked.replace("<", "&lt;").replace(">", "&gt;")


def _markdown_table(sheet: Sheet) -> str:
    lines = [
        f"**{_markdown(sheet.title)}**\n",
        _row(map(_markdown, sheet.full_headings)),
        _row(["---", *("---:" for _ in sheet.columns[1:])]),
    ]
    for line in sheet.lines:
        indent = "&emsp;" if line.is_part else ""
        lines.append(_row([indent + _markdown(line.name), *(_markdown(shown(cell)) for cell in line.cells)]))
    notes = "".join(f"\n\n{_markdown(note)}" for note in sheet.notes)
    return "\n".join(lines) + notes


def _row(cells: Sequence[str] | map[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _signed(listing: Listing) -> list[tuple[str, str]]:
    return [(f"{i}." if listing.is_numbered else "-", text) for i, text in enumerate(listing.points, 1)]


_STYLE = (
    "body{font:16px/1.5 Georgia,serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;"
    "background:#fff}"
    "table{border-collapse:collapse;font-size:.9em;margin:.5em 0}caption{text-align:left;font-weight:bold;"
    "padding:.3em 0}th,td{padding:.2em .7em;text-align:right;vertical-align:top}"
    "th:first-child,td:first-child{text-align:left}thead tr:first-child th{border-top:2px solid #222}"
    "thead tr:last-child th{border-bottom:1px solid #222}tbody tr:last-child td{border-bottom:2px solid #222}"
    "td.part{padding-left:2em}th.group{border-bottom:1px solid #999;text-align:center}"
    ".note{font-size:.85em;margin:.2em 0}svg{max-width:100%;height:auto}"
)


def as_html(document: Document) -> str:
    """A page without scripts and without network."""
    title = escape(document.title)
    head = f'<meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    body = (f"<h1>{title}</h1>" if title else "") + html_of(document.blocks)
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def html_of(blocks: Sequence[Block]) -> str:
    """The blocks as HTML, to stand in a page or a notebook."""
    parts = []
    for block in blocks:
        if isinstance(block, Heading):
            parts.append(f"<h{block.level + 1}>{escape(block.text)}</h{block.level + 1}>")
        elif isinstance(block, Paragraph):
            parts.append(f"<p>{escape(block.text)}</p>")
        elif isinstance(block, Listing):
            tag = "ol" if block.is_numbered else "ul"
            parts.append(f"<{tag}>{''.join(f'<li>{escape(text)}</li>' for text in block.points)}</{tag}>")
        elif isinstance(block, Sheet):
            parts.append(_html_table(block))
        else:
            parts.append(f"<figure>{block.svg}<figcaption>{escape(block.caption)}</figcaption></figure>")
    return "\n".join(parts)


def _html_table(sheet: Sheet) -> str:
    above = ""
    if sheet.groups:
        spans = (
            f'<th class="group" scope="colgroup" colspan="{n}">{escape(title)}</th>'
            for title, n in sheet.groups
        )
        above = f"<tr><th></th>{''.join(spans)}</tr>"
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in sheet.columns)
    body = "".join(_html_line(line) for line in sheet.lines)
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in sheet.notes)
    return (
        f"<table><caption>{escape(sheet.title)}</caption><thead>{above}<tr>{heads}</tr></thead>"
        f"<tbody>{body}</tbody></table>{notes}"
    )


def _html_line(line: Line) -> str:
    part = ' class="part"' if line.is_part else ""
    cells = "".join(f"<td>{escape(shown(cell))}</td>" for cell in line.cells)
    return f"<tr><td{part}>{escape(line.name)}</td>{cells}</tr>"


_LATEX_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "−": r"$-$",
    "×": r"$\times$",
    "Γ": r"$\Gamma$",
    "∞": r"$\infty$",
    "–": r"\textendash{}",
    "…": r"\ldots{}",
}


def in_latex(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    Examples
    --------
    >>> print(in_latex(r"50% \input{x} a_b"))
    50\% \textbackslash{}input\{x\} a\_b
    """
    # Two hyphens would become a dash, which nobody could type into a terminal.
    return "".join(_LATEX_SIGNS.get(sign, sign) for sign in text).replace("--", "-{}-")


def as_latex(document: Document) -> str:
    """A document for LaTeX with booktabs; pictures are left out, their numbers stand in a table."""
    parts = [
        r"\documentclass{article}",
        r"\usepackage[T1]{fontenc}" + "\n" + r"\usepackage[utf8]{inputenc}",
        r"\usepackage{array,booktabs,longtable,textcomp}" + "\n" + r"\usepackage[margin=2.5cm]{geometry}",
        r"\begin{document}",
    ]
    if document.title:
        parts.append(rf"\section*{{{in_latex(document.title)}}}")
    parts += [latex_of(block) for block in document.blocks if not isinstance(block, Picture)]
    return "\n\n".join([*parts, r"\end{document}"]) + "\n"


def latex_of(block: Block) -> str:
    """A block of a document in LaTeX, to stand in one of the author's own."""
    if isinstance(block, Heading):
        command = {1: "subsection*", 2: "subsubsection*"}.get(block.level, "paragraph*")
        return rf"\{command}{{{in_latex(block.text)}}}"
    if isinstance(block, Listing):
        kind = "enumerate" if block.is_numbered else "itemize"
        points = "\n".join(rf"\item {in_latex(text)}" for text in block.points)
        return f"\\begin{{{kind}}}\n{points}\n\\end{{{kind}}}"
    if isinstance(block, Sheet):
        return _latex_table(block)
    return in_latex(block.text) if isinstance(block, Paragraph) else ""


def _latex_table(sheet: Sheet) -> str:
    texts = [list(sheet.columns), *([line.name, *map(shown, line.cells)] for line in sheet.lines)]
    kinds = "l" + "r" * (len(sheet.columns) - 1)
    if not fits_a_page(texts):
        widths = (one / PAGE_WIDTH * _USED_WIDTH for one in column_widths(texts))
        kinds = "".join(rf">{{\raggedright\arraybackslash}}p{{{one:.3f}\linewidth}}" for one in widths)
    heads = _latex_row(map(in_latex, sheet.columns))
    if sheet.groups:
        spans = (rf"\multicolumn{{{n}}}{{c}}{{{in_latex(title)}}}" for title, n in sheet.groups)
        heads = _latex_row(["", *spans]) + "\n" + heads
    body = [_latex_line(line, in_latex) for line in sheet.lines]
    notes = [rf"\noindent{{\footnotesize {in_latex(note)}\par}}" for note in sheet.notes]
    return "\n".join(
        [
            r"{\footnotesize\setlength{\tabcolsep}{3pt}",
            rf"\begin{{longtable}}{{{kinds}}}",
            rf"\caption{{{in_latex(_NUMBERED.sub('', sheet.title))}}}\\",
            r"\toprule",
            heads,
            r"\midrule\endhead",
            *body,
            r"\bottomrule",
            r"\end{longtable}}",
            *notes,
        ]
    )


_NUMBERED = re.compile(r"^Table \d+\. ")
"""LaTeX numbers tables itself."""

_USED_WIDTH = 0.85
"""Of a line, for the texts of a table's columns; the rest is the space between them."""


def _latex_line(line: Line, write: Callable[[str], str]) -> str:
    indent = r"\quad " if line.is_part else ""
    # Names of items are long, and have no other place where they could be broken.
    name = write(line.name).replace("=", r"=\allowbreak{}")
    return _latex_row([indent + name, *(write(shown(cell)) for cell in line.cells)])


def _latex_row(cells: Sequence[str] | map[str]) -> str:
    # A line that begins with a bracket would be taken for an option of the line break before it.
    return " & ".join(f"{{}}{cell}" if cell.startswith("[") else cell for cell in cells) + r" \\"

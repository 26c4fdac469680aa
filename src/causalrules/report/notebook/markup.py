"""Pieces of HTML for notebooks; every text is escaped here, and nowhere else.

There is no style sheet and no script: viewers remove them, and a page of
many outputs would hold them many times. Colours are the page's own or such
as can be read on white and on black.
"""

from __future__ import annotations

import re
from dataclasses import fields
from html import escape
from typing import TYPE_CHECKING

from causalrules.domain import Settings
from causalrules.report.words.formatting import printable_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RAISES, LOWERS, NEITHER = "#d9642c", "#3f86c6", "#8a8a8a"
"""Contrast above 3 to 1 against white and against #111."""

_QUIET = "opacity:.75"
_SETTINGS = frozenset(field.name for field in fields(Settings))
_OPTION = re.compile(
    r"--(?P<name>[a-z][a-z-]*[a-z])(?P<rest> (?:(?P<word>too|or|and|may|for)\b|(?P<value>[^\s;]*[^\s;,.)])))?"
)


def text(value: str) -> str:
    """A text as it may stand anywhere in markup: no sign of it is markup, none is invisible."""
    return escape(printable_text(value), quote=True)


def in_python(sentence: str) -> str:
    """A sentence of ours, with settings as one writes them in Python instead of in the terminal.

    Examples
    --------
    >>> in_python("say --adjust +age or --never-adjust age; --min-support too")
    "say adjust='+age' or never_adjust='age'; min_support= too"
    >>> in_python("say --adjust +age,sex.")
    "say adjust=['+age', 'sex']."
    """

    def spelled(found: re.Match[str]) -> str:
        name, value = found["name"].replace("-", "_"), found["value"]
        if name not in _SETTINGS:
            return found[0]
        if not value:
            return f"{name}={found['rest'] or ''}"
        names = value.split(",")
        return f"{name}={names if len(names) > 1 else value!r}"

    return _OPTION.sub(spelled, sentence)


def paragraph(value: str, *, strong: bool = False, quiet: bool = False) -> str:
    """A paragraph of one text."""
    shown = text(in_python(value))
    inner = f"<strong>{shown}</strong>" if strong else shown
    return f'<p style="margin:.4em 0;max-width:60em{";" + _QUIET if quiet else ""}">{inner}</p>'


def bullets(lines: Iterable[str]) -> str:
    """A list of texts; empty for none. Those that begin with a dash stand below the one before.

    Examples
    --------
    >>> bullets(["2 could not be tested:", "– 1 found no partners", "– 1 does not vary"]).count("<ul")
    2
    """
    items: list[str] = []
    below: list[list[str]] = []
    for line in lines:
        part = line.removeprefix("– ")
        if part != line and items:
            below[-1].append(part)
        else:
            items.append(part)
            below.append([])
    told = (f"<li>{text(in_python(one))}{bullets(its)}</li>" for one, its in zip(items, below, strict=True))
    return f'<ul style="margin:.4em 0;max-width:60em">{"".join(told)}</ul>' if items else ""


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()) -> str:
    """A table of texts.

    Parameters
    ----------
    headings : sequence of str
        One for each column.
    rows : iterable of sequences of str
        The cells.
    numbers : sequence of int
        Columns that are aligned on the right.
    """

    def cell(tag: str, place: int, value: str) -> str:
        side = "right" if place in numbers else "left"
        whole = ";white-space:nowrap" if side == "right" and tag == "td" else ""
        return f'<{tag} style="text-align:{side};padding:.2em .7em .2em 0{whole}">{text(value)}</{tag}>'

    head = "".join(cell("th", place, value) for place, value in enumerate(headings))
    body = "".join(
        f"<tr>{''.join(cell('td', place, value) for place, value in enumerate(row))}</tr>" for row in rows
    )
    return (
        '<table style="border-collapse:collapse;margin:.4em 0">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def folded(summary: str, inner: str, *, is_open: bool = False) -> str:
    """Markup that is shown when its heading is clicked, or hidden if it was open."""
    opened = " open" if is_open else ""
    return f'<details{opened} style="margin:.4em 0"><summary>{text(summary)}</summary>{inner}</details>'


def block(*parts: str) -> str:
    """All of it."""
    return f"<div>{''.join(parts)}</div>"

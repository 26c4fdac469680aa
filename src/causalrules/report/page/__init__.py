"""The page's own files: a skeleton, styles and scripts, baked into a report or served by the explorer."""

from __future__ import annotations

from importlib.resources import files

SKELETON = "page.html"

STYLES = ("base.css", "plots.css", "table.css", "card.css", "print.css")
"""Styles, in the order they apply."""

SCRIPTS = (
    "dom.js",
    "numbers.js",
    "names.js",
    "plots.js",
    "small_table.js",
    "answer.js",
    "forest.js",
    "funnel.js",
    "pairs.js",
    "effects.js",
    "balance.js",
    "doubts.js",
    "why_not.js",
    "card.js",
    "filters.js",
    "rule_row.js",
    "table.js",
    "about.js",
    "paper.js",
    "show.js",
)
"""Scripts, in the order they lean on each other; the last gives `causalrules.showResult`."""

START = "start.js"
"""The script of a baked page: shows the result that stands in it."""


def page_file(name: str) -> str:
    """One of the files, as text."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")

"""The page's own files, and a result as one self-contained page that asks nothing of the network."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from causalrules.files.whole_file import whole_file

if TYPE_CHECKING:
    import os

SKELETON = "page.html"

STYLES = ("base.css", "plots.css", "table.css", "findings.css", "card.css", "write_up.css", "print.css")
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
    "effects.js",
    "together.js",
    "estimates.js",
    "flow.js",
    "table_one.js",
    "balance.js",
    "doubts.js",
    "card.js",
    "filters.js",
    "rule_row.js",
    "table.js",
    "findings.js",
    "graph.js",
    "variables.js",
    "write_up.js",
    "about.js",
    "paper.js",
    "show.js",
)
"""Scripts, each after those it needs; the last gives `causalrules.showResult`."""

START = "start.js"
"""The script of a baked page: shows the result that stands in it."""

_UNSAFE = {
    ord("<"): "\\u003c",
    ord(">"): "\\u003e",
    ord("&"): "\\u0026",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


def page_file(name: str) -> str:
    """The text of one of the page's own files."""
    return files("causalrules.report.page").joinpath(name).read_text(encoding="utf-8")


def write_html(view: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write the page of a view; whatever the data say is escaped."""
    page = render(view)
    with whole_file(path) as unfinished:
        unfinished.write_text(page, encoding="utf-8")


def render(view: dict[str, Any]) -> str:
    """The page of a view as text."""
    from jinja2 import Environment

    style = "\n".join(map(page_file, STYLES))
    script = "\n".join(map(page_file, (*SCRIPTS, START)))
    skeleton = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        page_file(SKELETON)
    )
    return skeleton.render(
        answer=view["answer"],
        sentences=[rule["sentence"] for rule in view["rules"] if rule["verdict"] == "causal"],
        policy=_policy(style, script),
        style=style,
        script=script,
        view=as_data(view),
    )


def as_data(view: dict[str, Any]) -> str:
    r"""JSON that may stand inside a script element: nothing in it can end the element or open another.

    Examples
    --------
    >>> as_data({"name": "</script>"})
    '{"name":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(view, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_UNSAFE)


def _policy(style: str, script: str) -> str:
    """Only these very styles and scripts, and nothing from anywhere else."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; base-uri 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()

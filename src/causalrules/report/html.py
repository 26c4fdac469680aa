"""The result as one self-contained page: no script, no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.report.text import caution
from causalrules.report.wording import interval, number, sentence, tag_meanings, tags_of
from causalrules.whole_file import whole_file

if TYPE_CHECKING:
    import os

    from causalrules.domain import Result


def write_html(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the page; whatever the data say is escaped."""
    page = render(result)
    with whole_file(path) as unfinished:
        unfinished.write_text(page, encoding="utf-8")


def render(result: Result) -> str:
    """The page as text."""
    from jinja2 import Environment, PackageLoader

    rooms = Environment(
        loader=PackageLoader("causalrules.report"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    rooms.filters |= {"number": number, "interval": interval, "tags": tags_of}
    return rooms.get_template("report.html").render(
        result=result,
        outcome=result.data.outcome,
        sections=[
            (f"What raises the odds of {result.data.outcome}", "×", result.with_verdict("causal", "raises")),
            (f"What lowers the odds of {result.data.outcome}", "÷", result.with_verdict("causal", "lowers")),
        ],
        others=[rule for rule in result.tested if rule.verdict != "causal"],
        sentence=sentence,
        meanings=tag_meanings(result.causal),
        caution=caution(result.settings),
    )

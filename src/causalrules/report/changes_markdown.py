"""Two results side by side as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.report.changes import changes
from causalrules.report.markdown import as_code, escaped
from causalrules.report.words.change_words import (
    SHOWN,
    asked_differently,
    change_text,
    counted_changes,
    how_to_read_changes,
    sides_of,
    title_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Result


def changes_markdown(first: Result, second: Result, names: tuple[str, str]) -> str:
    """What changed, to be pasted where people write; `names` are what the two results are called."""
    found = changes(first, second)
    shown = [one for one in found if one.where in SHOWN]
    parts = [escaped(line) for line in (counted_changes(found, *names), *asked_differently(first, second))]
    for name in SHOWN:
        group = [one for one in shown if one.where == name]
        if group:
            heads = ["rule", *map(escaped, names), "change"]
            rows = ([as_code(one.rule.name), *sides_of(one), change_text(one)] for one in group)
            table = [_line(heads), _line(["---", *["---:"] * 3]), *map(_line, rows)]
            parts += [f"### {escaped(title_of(name, names))}", "\n".join(table)]
    parts += how_to_read_changes(shown) if shown else []
    return "\n\n".join(parts) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"

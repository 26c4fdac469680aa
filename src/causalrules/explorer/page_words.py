"""A result as the explorer shows it: in the words of its own controls, not in those of the terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from causalrules.errors import Setting
from causalrules.explorer.form import ASKED, ROLES, on_the_page
from causalrules.publish.result_page import page_view

if TYPE_CHECKING:
    from causalrules.domain import Result

_SAYINGS = {
    r"^--before COLUMN,COLUMN --after COLUMN$": "choose “before the outcome” or “after the outcome” under "
    "Columns",
    r"^--drop COLUMN$": "choose “leave out” under Columns",
    r"--drop (?:'([^']*)'|(\S+)) leaves it out": r"“leave out” under Columns leaves \1\2 out",
    r"--adjust \+COLUMN or --never-adjust COLUMN": "under Columns what to adjust for",
    r"--adjust (?:'\+[^']*'|\+\S+), else --never-adjust (?:'[^']*'|\S+)": (
        "“adjust for it too”, else “never adjust for it”"
    ),
    r"--adjust COLUMN,COLUMN sets what is adjusted for": "set this under Columns",
    r"causalrules test … --exposure (?:'([^']*)'|(\S+))": r"choose \1\2 as your hypothesis, and test it",
    r"; --labels values keeps the names\.": ".",  # only the terminal can read the table otherwise
    r"^to adjust for less: .*": "to adjust for less: “never adjust for it” under Columns",
}
"""Sentences that would not read well with an option's label in it, and how the page says it."""

_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)")
_ARGUMENT = re.compile(r" COLUMN(?:,COLUMN)*")


def in_page_words(text: str) -> str:
    """A sentence with the names of controls in the place of the terminal's options.

    Examples
    --------
    >>> in_page_words("to test it anyway: --bins quantile:4")
    'to test it anyway: “Cut numbers by” quantile:4'
    >>> in_page_words("--before COLUMN,COLUMN --after COLUMN")
    'choose “before the outcome” or “after the outcome” under Columns'
    >>> in_page_words("Names and codes are understood too; --labels values keeps the names.")
    'Names and codes are understood too.'
    >>> in_page_words("to test one alone: causalrules test … --exposure 'age>61.5'")
    'to test one alone: choose age>61.5 as your hypothesis, and test it'
    """
    if "--" not in text:
        return text
    for saying, words in _SAYINGS.items():
        text = re.sub(saying, words, text)
    is_role = any(found[1].replace("-", "_") in ROLES for found in _OPTION.finditer(text))
    text = _OPTION.sub(_label, _ARGUMENT.sub("", text))
    return f"{text} under Columns" if is_role and "under Columns" not in text else text


def _label(found: re.Match[str]) -> str:
    name = found[1].replace("-", "_")
    return on_the_page(Setting(name)) if name in ASKED else found[0]


def explorer_view(result: Result) -> dict[str, Any]:
    """The view of a result for the explorer's page; names from the table are left as they are."""
    view = page_view(result)
    del view["how_to_describe"]  # the cards have buttons for it
    for name in ("answer", "legend", "paper"):
        view[name] = _translated(view[name])
    view["columns"] = [
        [column, status, in_page_words(text), rules] for column, status, text, rules in view["columns"]
    ]
    view["about"]["left_out"] = [[column, in_page_words(why)] for column, why in view["about"]["left_out"]]
    view["about"]["notes"] = _translated(view["about"]["notes"])
    view["about"]["repeat"]["note"] = ""  # it is about options of the terminal
    for rule in view["rules"]:
        for name in ("facts", "tags", "reason"):
            if name in rule:
                rule[name] = _translated(rule[name])
    return view


def _translated(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _translated(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_translated(part) for part in value]
    return in_page_words(value) if isinstance(value, str) else value

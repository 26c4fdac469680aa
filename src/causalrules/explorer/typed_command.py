"""The command that would do in the terminal what was asked on the page, to copy."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from causalrules.domain.pattern_grammar import Condition, written
from causalrules.domain.setting_fields import typed_option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from causalrules.domain import Item
    from causalrules.explorer.question import Question


def typed_command(question: Question, table: str, said: Mapping[str, str]) -> str:
    """The whole command.

    Parameters
    ----------
    question : Question
        What the page asks.
    table : str
        The table as people name it.
    said : mapping
        How its part is asked for: a sheet, or a table of a database.
    """
    outcome = question.outcome
    words = ["causalrules", "test" if question.hypothesis else "mine", table, "--outcome"]
    words.append(outcome if isinstance(outcome, str) else _typed([outcome]))
    if question.hypothesis:
        words += ["--exposure", _typed(question.hypothesis)]
    for name, value in said.items():
        words += typed_option(name, value)
    for name, value in question.changed.items():
        words += typed_option(name, value)
    return shlex.join(words)


def _typed(items: tuple[Item, ...] | list[Item]) -> str:
    return written([Condition(item.column, "is", (item.value,)) for item in items])

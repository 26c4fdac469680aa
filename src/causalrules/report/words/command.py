"""The command that repeats a run, as far as the result knows it."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

from causalrules.domain.settings import NAME_LISTS, Settings
from causalrules.report.words.answer import is_single_study

if TYPE_CHECKING:
    from causalrules.domain import Result

NO_FILE = "TABLE.csv"
"""Stands for a table that was no file."""


def repeating_command(result: Result) -> str:
    """The command line of this run."""
    changed = changed_settings(result.settings)
    source = result.data.source if is_file(result.data.source) else NO_FILE
    words = ["causalrules", "mine", source, "--outcome", str(result.data.outcome)]
    if is_single_study(result):
        words[1] = "test"
        words += ["--exposure", result.tested[0].name]
        changed.pop("max_length", None)  # a hypothesis has the length it has
    for name, value in changed.items():
        words += _option(name, value)
    return shlex.join(words)


def is_file(source: str) -> bool:
    """Whether a table came from a file, rather than from memory or standard input."""
    from_elsewhere = r"standard input|an Arrow table|a stream of Arrow batches|a \w+ data frame"
    return not re.fullmatch(from_elsewhere, source)


def changed_settings(settings: Settings) -> dict[str, Any]:
    """The settings that must be given to get these: all that differ from what they would be by default."""
    given = settings.to_dict()
    default = Settings().to_dict()
    changed = {name: value for name, value in given.items() if value != default[name]}
    if settings.judge == "interval":
        changed.pop("correction")  # there is none then
    matching_default = Settings(matching=settings.matching).caliper
    if settings.caliper == matching_default:
        changed.pop("caliper", None)
    return changed


def _option(name: str, value: Any) -> list[str]:
    option = f"--{name.replace('_', '-')}"
    if value is True:
        return [option]
    if name in NAME_LISTS:
        return [option, ",".join(map(_escaped, value))]
    if name == "ratio":
        return [option, f"1:{value}"]
    return [option, str(value)]


def _escaped(name: str) -> str:
    r"""A name in a list: commas and backslashes are marked, as `cli.options.split_list` reads them."""
    return name.replace("\\", "\\\\").replace(",", "\\,")

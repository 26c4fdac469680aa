"""The command that repeats a run, as far as the result knows it."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

from causalrules.domain.settings import NAME_LISTS, Settings
from causalrules.report.answer import is_single_study

if TYPE_CHECKING:
    from causalrules.domain import Result, Rule

NO_FILE = "TABLE.csv"
"""Stands for a table that was no file."""

_NOT_FOR_ONE = ("max_length",)


def repeating_command(result: Result) -> str:
    """The command line of this run."""
    if is_single_study(result):
        return studying_command(result, result.tested[0], result.settings.explain)
    return _command("mine", result, [])


def studying_command(result: Result, rule: Rule, explain: bool = True) -> str:
    """The command line that puts one rule to a cohort study of its own."""
    more = ["--exposure", rule.name]
    if explain and not result.settings.explain:
        more.append("--explain")
    if result.settings.direction == "both" and not is_single_study(result):
        more += ["--direction", rule.direction]
    return _command("test", result, more)


def is_file(source: str) -> bool:
    """Whether a table came from a file, rather than from memory or standard input."""
    return not re.fullmatch(r"standard input|an Arrow table|a \w+ data frame", source)


def _command(name: str, result: Result, more: list[str]) -> str:
    source = result.data.source if is_file(result.data.source) else NO_FILE
    words = ["causalrules", name, source, "--outcome", str(result.data.outcome), *more]
    skipped = _NOT_FOR_ONE if name == "test" else ()
    for option, value in changed_settings(result.settings).items():
        if option not in skipped:
            words += _option(option, value)
    return shlex.join(words)


def changed_settings(settings: Settings) -> dict[str, Any]:
    """The settings that must be given to get these: all that differ from what they would be by default."""
    given = settings.to_dict()
    default = Settings().to_dict()
    changed = {name: value for name, value in given.items() if value != default[name]}
    if "confidence" in changed or "min_odds_ratio" in changed:
        changed["correction"] = given["correction"]  # its default depends on these two
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

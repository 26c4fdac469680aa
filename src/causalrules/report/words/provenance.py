"""Where a result comes from and how to make it again: data, settings, times, versions, the command."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

from causalrules.domain.result_files import SCHEMA
from causalrules.domain.setting_fields import typed_option
from causalrules.domain.settings import Settings
from causalrules.report.words.formatting import isolated, number
from causalrules.report.words.result_kinds import is_single_study

if TYPE_CHECKING:
    from causalrules.domain import Outcome, Result

NO_FILE = "TABLE.csv"
"""Stands for a table that was no file."""

_MAY_BE_MISSING = (
    "The result does not know whether --columns, --delimiter, --sheet, --query or another word about the "
    "source was given; if so, add it."
)
_NOT_A_FILE = f"The table was {{source}}: save it as a file and name that instead of {NO_FILE}. "


def describe_run(result: Result) -> dict[str, Any]:
    """The end of the page."""
    return {
        "data": _data(result),
        "left_out": [[entry.column, entry.reason] for entry in result.data.left_out],
        "notes": list(result.data.notes),
        "settings": _settings(result.settings),
        "timings": [[name, f"{seconds:.2f} s"] for name, seconds in result.timings.items()],
        "run": [
            ["software", f"causalrules {result.version}"],
            ["made", result.created.replace("T", " ").replace("+00:00", " UTC")],
            ["seed", str(result.settings.seed)],
            ["result file", f"schema {SCHEMA}"],
        ],
        "repeat": _repeat(result),
    }


def _data(result: Result) -> list[list[str]]:
    data, outcome = result.data, result.data.outcome
    return [
        ["source", isolated(data.source)],
        ["outcome", isolated(str(outcome))],
        ["records", f"{data.rows:,}"],
        *_having(outcome),
        ["outcome not known, left out", f"{data.rows_without_outcome:,}"],
        ["columns that take part", f"{data.columns:,}"],
        ["items (column = value)", f"{data.items:,}"],
        *([["columns called by their labels", _labels(result)]] if data.labels else []),
    ]


def _having(outcome: Outcome) -> list[list[str]]:
    """How many records have the outcome; of a number its mean, and where the search cut it."""
    weighted = outcome.weighted_mean
    if outcome.mean is None or outcome.spread is None:
        share = _share(outcome.n_with, outcome.n_records)
        return [
            ["with the outcome", f"{outcome.n_with:,} ({share})"],
            ["without it", f"{outcome.n_without:,}"],
            *([] if weighted is None else [["with the outcome, weighted", f"{weighted:.1%}"]]),
        ]
    by_weight = []
    if weighted is not None and outcome.weighted_spread is not None:
        shown = f"{number(weighted)} ({number(outcome.weighted_spread)})"
        by_weight.append(["the same, weighted", shown])
    return [
        ["mean (standard deviation)", f"{number(outcome.mean)} ({number(outcome.spread)})"],
        *by_weight,
        ["in the upper half, by which the search goes", f"{outcome.n_with:,}, those {outcome.value}"],
    ]


def _labels(result: Result) -> str:
    """Each label with the name that its column has in the source."""
    return ", ".join(f"{isolated(one.label)} ({isolated(one.name)})" for one in result.data.labels)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


def _settings(settings: Settings) -> list[list[Any]]:
    """Name, value, and whether it differs from the default."""
    changed = changed_settings(settings)
    return [[name, _shown(value), name in changed] for name, value in settings.to_dict().items()]


def _shown(value: Any) -> str:
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(isolated, value)) or "none"
    return str(value)


def _repeat(result: Result) -> dict[str, str]:
    source = "" if is_file(result.data.source) else _NOT_A_FILE.format(source=result.data.source)
    return {"command": repeating_command(result), "note": source + _MAY_BE_MISSING}


def repeating_command(result: Result) -> str:
    """The command line of this run."""
    changed = changed_settings(result.settings)
    source = result.data.source if is_file(result.data.source) else NO_FILE
    words = ["causalrules", "mine", source, "--outcome", str(result.data.outcome)]
    if is_single_study(result):
        words[1] = "test"
        words += ["--exposure", result.tested[0].name]
        changed.pop("max_length", None)  # a hypothesis has the length it has
    for said in result.data.read_as:
        words += typed_option(said.name, True if said.value == "True" else said.value)
    for name, value in changed.items():
        words += typed_option(name, value)
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
    return changed

"""What is needed to audit a result and to make it again: data, settings, times, versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.domain.settings import Settings
from causalrules.report.words.command import NO_FILE, changed_settings, is_file, repeating_command
from causalrules.report.words.sentences import isolated

if TYPE_CHECKING:
    from causalrules.domain import Result

_MAY_BE_MISSING = "The result does not know whether --columns or --delimiter was given; if so, add them."
_NOT_A_FILE = f"The table was {{source}}: save it as a file and name that instead of {NO_FILE}. "


def about(result: Result) -> dict[str, Any]:
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
            ["result file", "schema causalrules/1"],
        ],
        "repeat": _repeat(result),
    }


def _data(result: Result) -> list[list[str]]:
    data, outcome = result.data, result.data.outcome
    return [
        ["source", isolated(data.source)],
        ["outcome", isolated(str(outcome))],
        ["records", f"{data.rows:,}"],
        ["with the outcome", f"{outcome.n_with:,} ({_share(outcome.n_with, outcome.n_records)})"],
        ["without it", f"{outcome.n_without:,}"],
        ["outcome not known, left out", f"{data.rows_without_outcome:,}"],
        ["columns that take part", f"{data.columns:,}"],
        ["items (column = value)", f"{data.items:,}"],
    ]


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

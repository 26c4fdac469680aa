"""From a table to an engine: the part that all methods share with `mine`."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from causalrules.domain import Settings
from causalrules.encode import CodedTable, encode
from causalrules.engines import MemoryEngine
from causalrules.errors import NothingToMineError
from causalrules.lab.baselines.budget import Budget
from causalrules.read import read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from causalrules.domain import Item
    from causalrules.lab.baselines.findings import Findings


def open_table(
    table: Any,
    outcome: str,
    columns: Sequence[str] | None,
    delimiter: str | None,
    options: dict[str, Any],
) -> tuple[CodedTable, Settings]:
    """Read and encode a table as `mine` does, with settings from options."""
    settings = Settings.from_options(**options)
    return code_table(table, outcome, columns, delimiter, settings), settings


def code_table(
    table: Any, outcome: str | Item, columns: Sequence[str] | None, delimiter: str | None, settings: Settings
) -> CodedTable:
    """Read and encode a table."""
    read = read_table(table, columns=columns, delimiter=delimiter)
    return encode(read.arrow, outcome, settings, read.declared)


def hypotheses_of(table: CodedTable) -> CodedTable:
    """The table as other people's methods see it: without the fine bins by which studies hold numbers."""
    n = table.n_item_columns
    if n == 0:
        reasons = {
            item.column: "it is a number without a cut point that separates records by outcome"
            for item in table.items
        }
        raise NothingToMineError(reasons)
    return replace(
        table,
        items=table.items[: table.n_items],
        first_item=table.first_item[: n + 1],
        codes=table.codes[:n],
        fine=(),
    )


def run_on(
    find: Callable[[MemoryEngine, Sequence[Item], Settings, Budget], Findings],
    table: Any,
    outcome: str,
    columns: Sequence[str] | None,
    delimiter: str | None,
    options: dict[str, Any],
    max_tests: int | None,
    max_seconds: float | None,
) -> Findings:
    """Open a table, let a method find what it can within its budget, and write down the time of both."""
    start = perf_counter()
    coded, settings = open_table(table, outcome, columns, delimiter, options)
    coded = hypotheses_of(coded)
    opened = perf_counter()
    budget = Budget(max_tests=max_tests, max_seconds=max_seconds)
    findings = find(MemoryEngine(coded, settings.threads), coded.items, settings, budget)
    done = perf_counter()
    timings = {"open": opened - start, "find": done - opened, "total": done - start}
    return replace(findings, timings={name: round(seconds, 6) for name, seconds in timings.items()})

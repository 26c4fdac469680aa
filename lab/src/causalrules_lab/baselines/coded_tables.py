"""From a table to an engine: the part that all methods share with `mine`."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from causalrules.asked_settings import asked_settings
from causalrules.domain.table_settings import TableSettings
from causalrules.encode import CodedTable, encode
from causalrules.engines import MemoryEngine
from causalrules.errors import NothingToMineError
from causalrules.read import read_table, source_at
from causalrules_lab.baselines.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Item
    from causalrules_lab.baselines.findings import Findings, Method


def code_table(table: Any, outcome: str | Item, settings: TableSettings) -> CodedTable:
    """Read and encode a table."""
    read = read_table(table)
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
        items=table.hypotheses,
        first_item=table.first_item[: n + 1],
        codes=table.codes[:n],
        fine=(),
    )


def run_on_table(
    method: Method,
    table: Any,
    outcome: str,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    max_tests: int | None = None,
    max_seconds: float | None = None,
    **options: Any,
) -> Findings:
    """Run a method on a table as a user has it, and write down what reading and finding took.

    Parameters
    ----------
    method : Method
        What to run.
    table, outcome, columns, delimiter, **options
        As in `causalrules.mine`.
    max_tests, max_seconds : optional
        See `Budget`; without them the method runs to its end.
    """
    start = perf_counter()
    settings = asked_settings(options)
    coded = hypotheses_of(code_table(source_at(table, columns, delimiter), outcome, settings))
    opened = perf_counter()
    budget = Budget(max_tests=max_tests, max_seconds=max_seconds)
    findings = method(MemoryEngine(coded, settings.threads), coded.items, settings, budget)
    done = perf_counter()
    timings = {"open": opened - start, "find": done - opened, "total": done - start}
    return replace(findings, timings={name: round(seconds, 6) for name, seconds in timings.items()})

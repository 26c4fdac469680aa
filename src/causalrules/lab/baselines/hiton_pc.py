"""HITON-PC (Aliferis et al. 2010): candidates enter one by one, the clearest first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from causalrules.lab.baselines.budget import Budget, BudgetSpentError
from causalrules.lab.baselines.findings import Findings
from causalrules.lab.baselines.opening import run_on
from causalrules.lab.baselines.pc_select import MOST_CONDITIONED, MOST_TESTS
from causalrules.lab.baselines.separation import Separation, separation_findings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Item, Settings
    from causalrules.engines.contract import Engine
    from causalrules.lab.baselines.independence import TestKind

_RECORDS_A_CELL = 5


def hiton_pc(
    table: Any,
    outcome: str,
    *,
    test: TestKind = "g2",
    max_conditioning: int = MOST_CONDITIONED,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    max_tests: int | None = MOST_TESTS,
    max_seconds: float | None = None,
    **settings: Any,
) -> Findings:
    """Find the neighbours (parents and children) of the outcome.

    The semi-interleaved variant: a candidate enters unless a set of those
    already in separates it from the outcome; at the end each of those in is
    tested once more against sets of the others.

    Parameters
    ----------
    table, outcome, columns, delimiter, **settings
        As in `causalrules.mine`; `alpha` is the level of every test.
    test : {'g2', 'chi2'}
        The test of independence.
    max_conditioning : int
        Most variables in a separating set.
    max_tests, max_seconds : optional
        Most tests, and most time, before the method is stopped.

    Notes
    -----
    A test needs five records for each cell of its table; without them it
    cannot separate anything. There is no symmetry correction: a variable is
    not asked whether the outcome would be among its own neighbours.
    """
    return run_on(
        partial(find, test=test, max_conditioning=max_conditioning),
        table,
        outcome,
        columns,
        delimiter,
        settings,
        max_tests,
        max_seconds,
    )


def find(
    engine: Engine,
    items: Sequence[Item],
    settings: Settings,
    budget: Budget,
    *,
    test: TestKind = "g2",
    max_conditioning: int = MOST_CONDITIONED,
) -> Findings:
    """Neighbours of the outcome from the counts of an engine."""
    separation = Separation(engine, settings.alpha, test, budget)
    candidates: list[int] = []
    kept: list[int] = []
    separated: dict[int, tuple[int, ...]] = {}
    stopped = ""

    def drop_if_separated(variable: int) -> None:
        for size in range(1, min(max_conditioning, len(kept) - 1) + 1):
            if separation.n_records < _RECORDS_A_CELL * 4 * 2**size:
                break
            found = separation.separated([variable], kept, size)
            if found:
                separated.update(found)
                kept.remove(variable)
                break

    try:
        candidates = separation.associated()
        for variable in candidates:
            kept.append(variable)
            drop_if_separated(variable)
        for variable in kept:
            drop_if_separated(variable)
    except BudgetSpentError as spent:
        stopped = str(spent)
        kept = [variable for variable in candidates if variable not in separated]
    findings = separation_findings(
        engine, items, settings, separation, kept, separated, stopped=bool(stopped)
    )
    return Findings(method="hiton-pc", findings=findings, n_tests=budget.n_tests, stopped=stopped)

"""PC-select: the PC algorithm around the outcome only."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from causalrules.lab.baselines.budget import Budget, BudgetSpentError
from causalrules.lab.baselines.findings import Findings
from causalrules.lab.baselines.opening import run_on
from causalrules.lab.baselines.separation import Separation, separation_findings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Item, Settings
    from causalrules.engines.contract import Engine
    from causalrules.lab.baselines.independence import TestKind

MOST_TESTS = 10_000_000
MOST_CONDITIONED = 3
_RECORDS_A_DEGREE = 10


def pc_select(
    table: Any,
    outcome: str,
    *,
    test: TestKind = "g2",
    max_conditioning: int | None = MOST_CONDITIONED,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    max_tests: int | None = MOST_TESTS,
    max_seconds: float | None = None,
    **settings: Any,
) -> Findings:
    """Find the neighbours (parents and children) of the outcome.

    Every variable that depends on the outcome is a candidate. For sets of
    1, 2, … other candidates, a candidate that is independent of the outcome
    given some set is dropped. What is dropped counts only from the next size
    on, so the order of columns does not matter.

    Parameters
    ----------
    table, outcome, columns, delimiter, **settings
        As in `causalrules.mine`; `alpha` is the level of every test.
    test : {'g2', 'chi2'}
        The test of independence.
    max_conditioning : int, optional
        Most variables in a separating set; None for any number. Three are
        usually enough, and what more would cost grows out of proportion.
    max_tests, max_seconds : optional
        Most tests, and most time, before the method is stopped; the number
        of sets grows exponentially with that of candidates.

    Notes
    -----
    A test needs ten records for each nominal degree of freedom, ``2**size``,
    as in pcalg's ``gSquareBin``. Where pcalg calls a pair without so many
    records independent, and would drop every candidate at the first size too
    large, such a test is not made here: it cannot separate anything.

    R's ``pcSelect``, which the paper ran, tests partial correlations
    (Fisher's z) and heeds drops at once; its findings can differ.
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
    max_conditioning: int | None = MOST_CONDITIONED,
) -> Findings:
    """Neighbours of the outcome from the counts of an engine."""
    separation = Separation(engine, settings.alpha, test, budget)
    kept: list[int] = []
    separated: dict[int, tuple[int, ...]] = {}
    stopped = ""
    try:
        kept = separation.associated()
        size = 1
        while (
            size < len(kept)
            and separation.n_records >= _RECORDS_A_DEGREE * 2**size
            and (max_conditioning is None or size <= max_conditioning)
        ):
            separated |= separation.separated(kept, kept, size)
            kept = [variable for variable in kept if variable not in separated]
            size += 1
    except BudgetSpentError as spent:
        stopped = str(spent)
    findings = separation_findings(
        engine, items, settings, separation, kept, separated, stopped=bool(stopped)
    )
    return Findings(method="pc-select", findings=findings, n_tests=budget.n_tests, stopped=stopped)

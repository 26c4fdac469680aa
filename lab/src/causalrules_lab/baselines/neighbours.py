"""The neighbours of the outcome (its parents and children) by PC-select and HITON-PC.

Both drop a candidate that some set of other candidates separates from the
outcome; they differ in which sets they try, and when.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from causalrules_lab.baselines.coded_tables import run_on_table
from causalrules_lab.baselines.findings import Findings
from causalrules_lab.baselines.separation import Separation, separation_findings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Item, Pattern
    from causalrules.domain.table_settings import TableSettings
    from causalrules.engines.contract import Engine
    from causalrules_lab.baselines.budget import Budget
    from causalrules_lab.baselines.independence import TestKind

MOST_TESTS = 10_000_000
MOST_CONDITIONED = 3
_RECORDS_A_DEGREE = 10
_RECORDS_A_CELL = 5


def pc_select(
    table: Any,
    outcome: str,
    *,
    test: TestKind = "g2",
    max_conditioning: int | None = MOST_CONDITIONED,
    max_tests: int | None = MOST_TESTS,
    **options: Any,
) -> Findings:
    """Find the neighbours of the outcome by the PC algorithm around the outcome only.

    Every variable that depends on the outcome is a candidate. For sets of
    1, 2, … other candidates, a candidate that is independent of the outcome
    given some set is dropped. What is dropped counts only from the next size
    on, so the order of columns does not matter.

    Parameters
    ----------
    table, outcome, **options
        As in `causalrules.mine`; `alpha` is the level of every test. Besides,
        `max_seconds`: most time before the method is stopped.
    test : {'g2', 'chi2'}
        The test of independence.
    max_conditioning : int, optional
        Most variables in a separating set; None for any number. Three are
        usually enough, and what more would cost grows out of proportion.
    max_tests : int, optional
        Most tests before the method is stopped; the number of sets grows
        exponentially with that of candidates.

    Notes
    -----
    A test needs ten records for each nominal degree of freedom, ``2**size``,
    as in pcalg's ``gSquareBin``. Where pcalg calls a pair without so many
    records independent, and would drop every candidate at the first size too
    large, such a test is not made here: it cannot separate anything.

    R's ``pcSelect``, which the paper ran, tests partial correlations
    (Fisher's z) and heeds drops at once; its findings can differ.
    """
    method = partial(find_pc_select, test=test, max_conditioning=max_conditioning)
    return run_on_table(method, table, outcome, max_tests=max_tests, **options)


def hiton_pc(
    table: Any,
    outcome: str,
    *,
    test: TestKind = "g2",
    max_conditioning: int = MOST_CONDITIONED,
    max_tests: int | None = MOST_TESTS,
    **options: Any,
) -> Findings:
    """Find the neighbours of the outcome by HITON-PC (Aliferis et al. 2010), the clearest candidate first.

    The semi-interleaved variant: a candidate enters unless a set of those
    already in separates it from the outcome; at the end each of those in is
    tested once more against sets of the others.

    Parameters
    ----------
    table, outcome, max_tests, **options
        As in `pc_select`.
    test : {'g2', 'chi2'}
        The test of independence.
    max_conditioning : int
        Most variables in a separating set.

    Notes
    -----
    A test needs five records for each cell of its table; without them it
    cannot separate anything. There is no symmetry correction: a variable is
    not asked whether the outcome would be among its own neighbours.
    """
    method = partial(find_hiton_pc, test=test, max_conditioning=max_conditioning)
    return run_on_table(method, table, outcome, max_tests=max_tests, **options)


def find_pc_select(
    engine: Engine,
    items: Sequence[Item],
    settings: TableSettings,
    budget: Budget,
    *,
    test: TestKind = "g2",
    max_conditioning: int | None = MOST_CONDITIONED,
) -> Findings:
    """Neighbours of the outcome by PC-select, from the counts of an engine."""
    separation = Separation(engine, settings.alpha, test, budget)
    kept: list[int] = []
    separated: dict[int, tuple[int, ...]] = {}
    with budget.until_spent():
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
    return separation_findings("pc-select", _alone(items), settings, separation, kept, separated)


def find_hiton_pc(
    engine: Engine,
    items: Sequence[Item],
    settings: TableSettings,
    budget: Budget,
    *,
    test: TestKind = "g2",
    max_conditioning: int = MOST_CONDITIONED,
) -> Findings:
    """Neighbours of the outcome by HITON-PC, from the counts of an engine."""
    separation = Separation(engine, settings.alpha, test, budget)
    candidates: list[int] = []
    kept: list[int] = []
    separated: dict[int, tuple[int, ...]] = {}
    with budget.until_spent():
        candidates = separation.associated()
        keep_neighbours(separation, candidates, kept, separated, max_conditioning)
    if budget.stopped:
        kept = [variable for variable in candidates if variable not in separated]
    return separation_findings("hiton-pc", _alone(items), settings, separation, kept, separated)


def keep_neighbours(
    separation: Separation,
    candidates: Sequence[int],
    kept: list[int],
    separated: dict[int, tuple[int, ...]],
    max_conditioning: int,
) -> None:
    """Let candidates in, one at a time, unless a set of those kept separates them from the outcome.

    At the end each that was let in is tested once more. `kept` may hold
    neighbours already, which stay; what is kept and what is separated is
    added to `kept` and `separated`.
    """

    def drop_if_separated(variable: int) -> None:
        for size in range(1, min(max_conditioning, len(kept) - 1) + 1):
            if separation.n_records < _RECORDS_A_CELL * 4 * 2**size:
                break
            found = separation.separated([variable], kept, size)
            if found:
                separated.update(found)
                kept.remove(variable)
                break

    n_before = len(kept)
    for variable in candidates:
        kept.append(variable)
        drop_if_separated(variable)
    for variable in kept[n_before:]:
        drop_if_separated(variable)


def _alone(items: Sequence[Item]) -> list[Pattern]:
    """Every item as a pattern by itself."""
    return [(item,) for item in items]

"""Association rules by odds ratio: every frequent pattern that goes with the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.lab.baselines.budget import Budget, BudgetSpentError
from causalrules.lab.baselines.findings import Finding, Findings
from causalrules.lab.baselines.levels import frequent_levels
from causalrules.lab.baselines.opening import run_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Direction, Item, Settings
    from causalrules.engines.contract import Engine
    from causalrules.lab.baselines.levels import Level


def association_rules(
    table: Any,
    outcome: str,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    max_tests: int | None = None,
    max_seconds: float | None = None,
    **settings: Any,
) -> Findings:
    """Find all association rules.

    A rule is frequent and its odds ratio is above 1 by the interval, or
    above `min_odds_ratio`. Unlike in the search for causes nothing is
    pruned: also a pattern that covers the records of a shorter one counts.

    Parameters
    ----------
    table, outcome, columns, delimiter, **settings
        As in `causalrules.mine`; `direction`, `max_length`, `min_support`,
        `confidence` and `min_odds_ratio` are heeded.
    max_tests : int, optional
        Most patterns to count before the method is stopped.
    max_seconds : float, optional
        Most time.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"wind": ["yes", "no"] * 50, "fire": (["yes"] * 3 + ["no"]) * 25})
    >>> association_rules(table, "fire=yes", direction="lowers").findings[0].name
    'wind=no'
    """
    return run_on(find, table, outcome, columns, delimiter, settings, max_tests, max_seconds)


def find(engine: Engine, items: Sequence[Item], settings: Settings, budget: Budget) -> Findings:
    """Association rules from the counts of an engine."""
    return rules_that("association", engine, items, settings, budget, keep=_keep_all)


def rules_that(
    method: str,
    engine: Engine,
    items: Sequence[Item],
    settings: Settings,
    budget: Budget,
    *,
    keep: Callable[[], Callable[[Level], NDArray[np.bool_]]],
) -> Findings:
    """Association rules that a judge of levels keeps; `keep` makes one judge for each direction."""
    findings: list[Finding] = []
    stopped = ""
    choice = settings.direction
    directions: tuple[Direction, ...] = ("raises", "lowers") if choice == "both" else (choice,)
    try:
        for direction in directions:
            is_kept = keep()
            for level in frequent_levels(
                engine,
                direction,
                min_support=settings.min_support,
                confidence=settings.interval_confidence,
                max_length=settings.max_length,
                budget=budget,
            ):
                kept = level.odds_ratios.are_above(settings.min_odds_ratio) & is_kept(level)
                findings += _findings(level, np.flatnonzero(kept), items, direction)
    except BudgetSpentError as spent:
        stopped = str(spent)
    return Findings(method=method, findings=tuple(findings), n_tests=budget.n_tests, stopped=stopped)


def _findings(
    level: Level, rows: NDArray[np.intp], items: Sequence[Item], direction: Direction
) -> list[Finding]:
    patterns, supports = level.patterns[rows].tolist(), level.counts.with_outcome[rows].tolist()
    return [
        Finding(
            pattern=tuple(items[item] for item in pattern),
            direction=direction,
            verdict="association",
            support=support,
            odds_ratio=level.odds_ratios[int(row)],
        )
        for row, pattern, support in zip(rows, patterns, supports, strict=True)
    ]


def _keep_all() -> Callable[[Level], NDArray[np.bool_]]:
    return lambda level: np.ones(len(level.patterns), np.bool_)

"""Optimal rules (Li 2006): no more general rule is at least as strong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.baselines.association import rules_that
from causalrules.baselines.budget import Budget
from causalrules.baselines.opening import run_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.baselines.findings import Findings
    from causalrules.baselines.levels import Level
    from causalrules.domain import Item, Settings
    from causalrules.engines.contract import Engine


def optimal_rules(
    table: Any,
    outcome: str,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    max_tests: int | None = None,
    max_seconds: float | None = None,
    **settings: Any,
) -> Findings:
    """Find the association rules that are stronger, by odds ratio, than every more general rule.

    Parameters
    ----------
    table, outcome, columns, delimiter, max_tests, max_seconds, **settings
        As in `association_rules`.
    """
    return run_on(
        table,
        outcome,
        columns,
        delimiter,
        settings,
        lambda engine, coded, chosen: find(
            engine, coded.items, chosen, Budget(max_tests=max_tests, max_seconds=max_seconds)
        ),
    )


def find(engine: Engine, items: Sequence[Item], settings: Settings, budget: Budget) -> Findings:
    """Optimal rules from the counts of an engine."""
    return rules_that("optimal", engine, items, settings, budget, keep=_stronger_than_parts)


def _stronger_than_parts() -> Callable[[Level], NDArray[np.bool_]]:
    """A judge that remembers, for each pattern, the strongest of it and all its parts."""
    strongest = np.empty(0)

    def is_kept(level: Level) -> NDArray[np.bool_]:
        nonlocal strongest
        of_parts = strongest[level.parents].max(axis=1, initial=-np.inf)
        strongest = np.maximum(of_parts, level.odds_ratios.value)
        kept: NDArray[np.bool_] = level.odds_ratios.value > of_parts
        return kept

    return is_kept

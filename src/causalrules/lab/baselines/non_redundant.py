"""Non-redundant rules (Zaki 2004): no shorter pattern covers the same records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.lab.baselines.association import rules_that
from causalrules.lab.baselines.budget import Budget
from causalrules.lab.baselines.opening import run_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Item, Settings
    from causalrules.engines.contract import Engine
    from causalrules.lab.baselines.findings import Findings
    from causalrules.lab.baselines.levels import Level


def non_redundant_rules(
    table: Any,
    outcome: str,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    max_tests: int | None = None,
    max_seconds: float | None = None,
    **settings: Any,
) -> Findings:
    """Find the association rules whose pattern has no part that covers the same records.

    Parameters
    ----------
    table, outcome, columns, delimiter, max_tests, max_seconds, **settings
        As in `association_rules`.
    """
    return run_on(find, table, outcome, columns, delimiter, settings, max_tests, max_seconds)


def find(engine: Engine, items: Sequence[Item], settings: Settings, budget: Budget) -> Findings:
    """Non-redundant rules from the counts of an engine."""
    return rules_that("non-redundant", engine, items, settings, budget, keep=_new_cover)


def _new_cover() -> Callable[[Level], NDArray[np.bool_]]:
    """A judge that keeps patterns rarer than each of their parts.

    A part has the same cover exactly if it has the same support, and it is
    enough to look at parts with one item less.
    """
    last_support = np.empty(0, np.int64)

    def is_kept(level: Level) -> NDArray[np.bool_]:
        nonlocal last_support
        support = level.counts.support
        kept: NDArray[np.bool_] = (last_support[level.parents] != support[:, None]).all(axis=1)
        last_support = support
        return kept

    return is_kept

"""CCU (Silverstein 2000): independent variables that become dependent given the outcome both cause it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from causalrules.lab.baselines.budget import Budget
from causalrules.lab.baselines.opening import run_on
from causalrules.lab.baselines.triplets import causes_by_triplets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Item, Settings
    from causalrules.engines.contract import Engine
    from causalrules.lab.baselines.findings import Findings
    from causalrules.lab.baselines.independence import TestKind
    from causalrules.lab.baselines.triplets import Pairs, Triplets


def ccu(
    table: Any,
    outcome: str,
    *,
    test: TestKind = "chi2",
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    max_tests: int | None = None,
    max_seconds: float | None = None,
    **settings: Any,
) -> Findings:
    """Find causes by colliders X → Z ← Y.

    X and Y each go with the outcome Z, are independent of each other, and
    are dependent among records with the same outcome. Triplets in which the
    outcome is at an end would say what it causes, not what causes it.

    Parameters
    ----------
    table, outcome, columns, delimiter, **settings
        As in `causalrules.mine`; `alpha` is the level of every test.
    test : {'chi2', 'g2'}
        The test of independence, also within the values of the outcome.
    max_tests, max_seconds : optional
        Most pairs of variables to look at, and most time, before the method is stopped.
    """
    return run_on(
        partial(find, test=test), table, outcome, columns, delimiter, settings, max_tests, max_seconds
    )


def find(
    engine: Engine, items: Sequence[Item], settings: Settings, budget: Budget, *, test: TestKind = "chi2"
) -> Findings:
    """Causes by CCU from the counts of an engine."""
    alpha = settings.alpha

    def note(pairs: Pairs, triplets: Triplets) -> None:
        within = pairs.first_and_second_given_outcome(test).p_value
        found = (pairs.first_and_second(test).p_value > alpha) & (within <= alpha)
        first, second, p_values = pairs.first[found], pairs.second[found], within[found]
        triplets.add(first, second, p_values, clarity=-p_values)
        triplets.add(second, first, p_values, clarity=-p_values)

    return causes_by_triplets("ccu", engine, items, settings, budget, test, note=note, says="collides with")

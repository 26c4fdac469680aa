"""CCC (Cooper's LCD, 1997): a variable that screens another off from the outcome is a cause of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.baselines.budget import Budget
from causalrules.baselines.opening import run_on
from causalrules.baselines.triplets import causes_by_triplets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.baselines.findings import Findings
    from causalrules.baselines.independence import TestKind
    from causalrules.baselines.triplets import Pairs, Triplets
    from causalrules.domain import Item, Settings
    from causalrules.engines.contract import Engine


def ccc(
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
    """Find causes by triplets X, Y, Z of which all are dependent, but X and Z independent given Y.

    Such a triplet is X → Y → Z, X ← Y → Z or X ← Y ← Z. Only triplets with
    the outcome as Z count, and the outcome has no effects, which leaves the
    first two: in both Y is a cause of Z.

    Parameters
    ----------
    table, outcome, columns, delimiter, **settings
        As in `causalrules.mine`; `alpha` is the level of every test.
    test : {'chi2', 'g2'}
        The test of independence, also within the values of Y.
    max_tests, max_seconds : optional
        Most pairs of variables to look at, and most time, before the method is stopped.

    Notes
    -----
    Independence is concluded from a p-value above `alpha`: in small tables
    from mere lack of records. The method assumes that there are no hidden causes.
    """
    return run_on(
        table,
        outcome,
        columns,
        delimiter,
        settings,
        lambda engine, coded, chosen: find(
            engine, coded.items, chosen, Budget(max_tests=max_tests, max_seconds=max_seconds), test=test
        ),
    )


def find(
    engine: Engine, items: Sequence[Item], settings: Settings, budget: Budget, *, test: TestKind = "chi2"
) -> Findings:
    """Causes by CCC from the counts of an engine."""
    alpha = settings.alpha

    def note(pairs: Pairs, triplets: Triplets) -> None:
        are_dependent = pairs.first_and_second(test).p_value <= alpha
        for screened, screen, made in (
            (pairs.first, pairs.second, pairs.first_and_outcome_given_second(test)),
            (pairs.second, pairs.first, pairs.second_and_outcome_given_first(test)),
        ):
            found = are_dependent & (made.p_value > alpha)
            p_values = made.p_value[found]
            triplets.add(screen[found], screened[found], p_values, clarity=p_values)

    return causes_by_triplets("ccc", engine, items, settings, budget, test, note=note, says="screens off")

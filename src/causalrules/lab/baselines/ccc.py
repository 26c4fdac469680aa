"""CCC (Cooper's LCD, 1997): a variable that screens another off from the outcome is a cause of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from causalrules.errors import SettingsError
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

OutcomePlace = Literal["end", "anywhere"]


def ccc(
    table: Any,
    outcome: str,
    *,
    test: TestKind = "chi2",
    outcome_place: OutcomePlace = "end",
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
    outcome_place : {'end', 'anywhere'}
        With ``anywhere``, triplets with the outcome as Y count as well, and
        both others are called causes, although they may be its effects.
    max_tests, max_seconds : optional
        Most pairs of variables to look at, and most time, before the method is stopped.

    Notes
    -----
    Independence is concluded from a p-value above `alpha`: in small tables
    from mere lack of records. The method assumes that there are no hidden causes.

    The paper says neither that the outcome has no effects nor where in a
    triplet it may stand; ``anywhere`` comes closest to its measurements on
    random networks, whose targets do have effects.
    """
    return run_on(
        partial(find, test=test, outcome_place=outcome_place),
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
    test: TestKind = "chi2",
    outcome_place: OutcomePlace = "end",
) -> Findings:
    """Causes by CCC from the counts of an engine."""
    if outcome_place not in get_args(OutcomePlace):
        demand = f"one of {', '.join(map(repr, get_args(OutcomePlace)))}"
        raise SettingsError("outcome_place", demand, outcome_place)
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
        if outcome_place == "anywhere":
            within = pairs.first_and_second_given_outcome(test).p_value
            found = are_dependent & (within > alpha)
            first, second, p_values = pairs.first[found], pairs.second[found], within[found]
            triplets.add(first, second, p_values, clarity=p_values)
            triplets.add(second, first, p_values, clarity=p_values)

    says = "screens off" if outcome_place == "end" else "makes a triplet with"
    return causes_by_triplets("ccc", engine, items, settings, budget, test, note=note, says=says)

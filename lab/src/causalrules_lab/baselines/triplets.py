"""Causes by triplets: CCC and CCU look at the outcome with two variables that go with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from causalrules.errors import SettingsError
from causalrules_lab.baselines.coded_tables import run_on_table
from causalrules_lab.baselines.findings import CrudeFindings, Findings
from causalrules_lab.baselines.independence import independence_tests, joint_counts
from causalrules_lab.baselines.variables import variables_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Item
    from causalrules.domain.table_settings import TableSettings
    from causalrules.engines.contract import Engine
    from causalrules_lab.baselines.budget import Budget
    from causalrules_lab.baselines.independence import TestKind, TestsMade

OutcomePlace = Literal["end", "anywhere"]

_PAIRS_A_BLOCK = 1 << 16


def ccc(
    table: Any,
    outcome: str,
    *,
    test: TestKind = "chi2",
    outcome_place: OutcomePlace = "end",
    **options: Any,
) -> Findings:
    """Find causes by triplets X, Y, Z of which all are dependent, but X and Z independent given Y.

    Such a triplet (Cooper's LCD, 1997) is X → Y → Z, X ← Y → Z or
    X ← Y ← Z. Only triplets with the outcome as Z count, and the outcome has
    no effects, which leaves the first two: in both Y is a cause of Z.

    Parameters
    ----------
    table, outcome, **options
        As in `causalrules.mine`; `alpha` is the level of every test. Besides,
        `max_tests` and `max_seconds`: most pairs of variables to look at, and
        most time, before the method is stopped.
    test : {'chi2', 'g2'}
        The test of independence, also within the values of Y.
    outcome_place : {'end', 'anywhere'}
        With ``anywhere``, triplets with the outcome as Y count as well, and
        both others are called causes, although they may be its effects.

    Notes
    -----
    Independence is concluded from a p-value above `alpha`: in small tables
    from mere lack of records. The method assumes that there are no hidden causes.

    The paper says neither that the outcome has no effects nor where in a
    triplet it may stand; ``anywhere`` comes closest to its measurements on
    random networks, whose targets do have effects.
    """
    method = partial(find_ccc, test=test, outcome_place=outcome_place)
    return run_on_table(method, table, outcome, **options)


def ccu(table: Any, outcome: str, *, test: TestKind = "chi2", **options: Any) -> Findings:
    """Find causes by colliders X → Z ← Y (Silverstein 2000).

    X and Y each go with the outcome Z, are independent of each other, and
    are dependent among records with the same outcome. Triplets in which the
    outcome is at an end would say what it causes, not what causes it.

    Parameters
    ----------
    table, outcome, **options
        As in `ccc`.
    test : {'chi2', 'g2'}
        The test of independence, also within the values of the outcome.
    """
    return run_on_table(partial(find_ccu, test=test), table, outcome, **options)


def find_ccc(
    engine: Engine,
    items: Sequence[Item],
    settings: TableSettings,
    budget: Budget,
    *,
    test: TestKind = "chi2",
    outcome_place: OutcomePlace = "end",
) -> Findings:
    """Causes by CCC, from the counts of an engine."""
    if outcome_place not in get_args(OutcomePlace):
        demand = f"one of {', '.join(map(repr, get_args(OutcomePlace)))}"
        raise SettingsError("outcome_place", demand, outcome_place)
    alpha = settings.alpha

    def note(pairs: _Pairs, triplets: _Triplets) -> None:
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
            triplets.add_both_ways(pairs, found, within, clarity=within)

    says = "screens off" if outcome_place == "end" else "makes a triplet with"
    return _causes_by_triplets("ccc", engine, items, settings, budget, test, note=note, says=says)


def find_ccu(
    engine: Engine, items: Sequence[Item], settings: TableSettings, budget: Budget, *, test: TestKind = "chi2"
) -> Findings:
    """Causes by CCU, from the counts of an engine."""
    alpha = settings.alpha

    def note(pairs: _Pairs, triplets: _Triplets) -> None:
        within = pairs.first_and_second_given_outcome(test).p_value
        found = (pairs.first_and_second(test).p_value > alpha) & (within <= alpha)
        triplets.add_both_ways(pairs, found, within, clarity=-within)

    return _causes_by_triplets("ccu", engine, items, settings, budget, test, note=note, says="collides with")


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """A block of pairs of variables with the tables of both and the outcome.

    Parameters
    ----------
    first, second : intp[n]
        Item numbers; each unordered pair comes once.
    tables : int64[n, 2, 2, 2]
        Records by the second, the first and the outcome.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    tables: NDArray[np.int64]

    def first_and_second(self, kind: TestKind) -> TestsMade:
        """Whether the two variables are independent."""
        return independence_tests(self.tables.sum(axis=3)[:, None], kind)

    def first_and_second_given_outcome(self, kind: TestKind) -> TestsMade:
        """Whether they are independent among records that agree on the outcome."""
        return independence_tests(np.moveaxis(self.tables, 3, 1), kind)

    def first_and_outcome_given_second(self, kind: TestKind) -> TestsMade:
        """Whether the second screens the first off from the outcome."""
        return independence_tests(self.tables, kind)

    def second_and_outcome_given_first(self, kind: TestKind) -> TestsMade:
        """Whether the first screens the second off from the outcome."""
        return independence_tests(np.swapaxes(self.tables, 1, 2), kind)


class _Triplets:
    """The triplets found so far: for each item how many, and the one that speaks most clearly."""

    def __init__(self, n_items: int) -> None:
        self.n_found = np.zeros(n_items, np.int64)
        self.partner = np.full(n_items, -1, np.intp)
        self.p_value = np.full(n_items, np.nan)
        self._clarity = np.full(n_items, -np.inf)

    def add(
        self,
        causes: NDArray[np.intp],
        partners: NDArray[np.intp],
        p_values: NDArray[np.float64],
        clarity: NDArray[np.float64],
    ) -> None:
        """Note triplets of a cause, a partner and the outcome."""
        np.add.at(self.n_found, causes, 1)
        clearest_first = np.lexsort((partners, -clarity, causes))
        cause, first = np.unique(causes[clearest_first], return_index=True)
        row = clearest_first[first]
        is_clearer = clarity[row] > self._clarity[cause]
        cause, row = cause[is_clearer], row[is_clearer]
        self._clarity[cause] = clarity[row]
        self.partner[cause], self.p_value[cause] = partners[row], p_values[row]

    def add_both_ways(
        self,
        pairs: _Pairs,
        found: NDArray[np.bool_],
        p_values: NDArray[np.float64],
        clarity: NDArray[np.float64],
    ) -> None:
        """Note, for the pairs found, a triplet for either of the two as the cause."""
        first, second = pairs.first[found], pairs.second[found]
        self.add(first, second, p_values[found], clarity[found])
        self.add(second, first, p_values[found], clarity[found])


def _causes_by_triplets(
    method: str,
    engine: Engine,
    items: Sequence[Item],
    settings: TableSettings,
    budget: Budget,
    test: TestKind,
    *,
    note: Callable[[_Pairs, _Triplets], None],
    says: str,
) -> Findings:
    """Findings about every variable that goes with the outcome.

    `note` adds the triplets among a block of pairs; `says` is what a cause does to its partner.
    """
    variables = variables_of(engine)
    alone = independence_tests(joint_counts(engine, variables[:, None])[:, None], test)
    associated = np.flatnonzero(alone.p_value <= settings.alpha)
    triplets = _Triplets(len(items))
    with budget.until_spent():
        budget.spend(len(variables))
        for pairs in _pairs_of(engine, variables[associated], budget):
            note(pairs, triplets)
    findings = CrudeFindings(engine, [(item,) for item in items], settings.confidence)
    for row in associated.tolist():
        variable = int(variables[row])
        n_found = int(triplets.n_found[variable])
        partner = f"{says} {items[triplets.partner[variable]]} (p = {triplets.p_value[variable]:.3g})"
        findings.add(
            variable,
            "causal" if n_found else "undecided" if budget.stopped else "rejected",
            f"{partner}; {n_found} such triplets" if n_found else "in no such triplet",
            statistic=float(alone.statistic[row]),
            p_value=float(alone.p_value[row]),
        )
    return findings.of(method, budget)


def _pairs_of(engine: Engine, variables: NDArray[np.intp], budget: Budget) -> Iterator[_Pairs]:
    """All pairs of variables, in blocks."""
    first, second = (variables[index] for index in np.triu_indices(len(variables), k=1))
    for start in range(0, len(first), _PAIRS_A_BLOCK):
        block = slice(start, start + _PAIRS_A_BLOCK)
        budget.spend(len(first[block]))
        counts = joint_counts(engine, np.column_stack([first[block], second[block]]))
        yield _Pairs(first[block], second[block], counts.reshape(-1, 2, 2, 2))

"""Triplets of the outcome and two variables that go with it: the ground of CCC and CCU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.network.variables import variables_of
from causalrules.lab.baselines.budget import BudgetSpentError
from causalrules.lab.baselines.cells import joint_counts
from causalrules.lab.baselines.findings import Findings, crude_finding
from causalrules.lab.baselines.independence import independence_tests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Item, Settings
    from causalrules.engines.contract import Engine
    from causalrules.lab.baselines.budget import Budget
    from causalrules.lab.baselines.independence import TestKind, TestsMade

_PAIRS_A_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
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


class Triplets:
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


def causes_by_triplets(
    method: str,
    engine: Engine,
    items: Sequence[Item],
    settings: Settings,
    budget: Budget,
    test: TestKind,
    *,
    note: Callable[[Pairs, Triplets], None],
    says: str,
) -> Findings:
    """Findings about every variable that goes with the outcome.

    `note` adds the triplets among a block of pairs; `says` is what a cause does to its partner.
    """
    variables = variables_of(engine)
    alone = independence_tests(joint_counts(engine, variables[:, None])[:, None], test)
    associated = np.flatnonzero(alone.p_value <= settings.alpha)
    triplets = Triplets(len(items))
    stopped = ""
    try:
        budget.spend(len(variables))
        for pairs in _pairs_of(engine, variables[associated], budget):
            note(pairs, triplets)
    except BudgetSpentError as spent:
        stopped = str(spent)
    counts = engine.item_counts()
    findings = []
    for row in associated.tolist():
        variable = int(variables[row])
        n_found = int(triplets.n_found[variable])
        partner = f"{says} {items[triplets.partner[variable]]} (p = {triplets.p_value[variable]:.3g})"
        findings.append(
            crude_finding(
                engine,
                items,
                counts,
                variable,
                verdict="causal" if n_found else "undecided" if stopped else "rejected",
                confidence=settings.interval_confidence,
                statistic=float(alone.statistic[row]),
                p_value=float(alone.p_value[row]),
                reason=f"{partner}; {n_found} such triplets" if n_found else "in no such triplet",
            )
        )
    return Findings(method=method, findings=tuple(findings), n_tests=budget.n_tests, stopped=stopped)


def _pairs_of(engine: Engine, variables: NDArray[np.intp], budget: Budget) -> Iterator[Pairs]:
    """All pairs of variables, in blocks."""
    first, second = (variables[index] for index in np.triu_indices(len(variables), k=1))
    for start in range(0, len(first), _PAIRS_A_BLOCK):
        block = slice(start, start + _PAIRS_A_BLOCK)
        budget.spend(len(first[block]))
        counts = joint_counts(engine, np.column_stack([first[block], second[block]]))
        yield Pairs(first[block], second[block], counts.reshape(-1, 2, 2, 2))

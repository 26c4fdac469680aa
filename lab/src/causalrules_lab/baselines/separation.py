"""Looking for sets that separate a variable from the outcome, in batches."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING

import numpy as np

from causalrules_lab.baselines.findings import CrudeFindings, Findings
from causalrules_lab.baselines.independence import independence_tests, joint_counts
from causalrules_lab.baselines.variables import variables_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Pattern
    from causalrules.domain.table_settings import TableSettings
    from causalrules.engines.contract import PatternCounts
    from causalrules_lab.baselines.budget import Budget
    from causalrules_lab.baselines.independence import TestKind, TestsMade

_FIRST_SETS = 16
_MOST_CELLS = 1 << 20


@dataclass(frozen=True, slots=True)
class Weakest:
    """Of all tests of one variable against the outcome the one nearest to independence."""

    statistic: float
    p_value: float
    given: tuple[int, ...] = ()


class Separation:
    """Tests variables against the outcome, given others.

    `weakest` holds for each variable tested its weakest test, or the one
    that separated it.
    """

    def __init__(self, engine: PatternCounts, alpha: float, kind: TestKind, budget: Budget) -> None:
        self.engine = engine
        self._alpha = alpha
        self._kind: TestKind = kind
        self.budget = budget
        self.weakest: dict[int, Weakest] = {}

    @property
    def n_records(self) -> int:
        """Records behind every test."""
        return self.engine.n_with + self.engine.n_without

    def associated(self, variables: NDArray[np.intp] | None = None) -> list[int]:
        """Variables that depend on the outcome, the clearest first; of all, or of some."""
        if variables is None:
            variables = variables_of(self.engine)
        self.budget.spend(len(variables))
        made = self._test(variables[:, None])
        self._note(variables[:, None], made)
        # Rounded, since equal tables may differ in the last digits of their statistic.
        rows = np.lexsort((variables, -made.statistic.round(9)))
        return [int(variables[row]) for row in rows if made.p_value[row] <= self._alpha]

    def separated(
        self, variables: Sequence[int], others: Sequence[int], size: int
    ) -> dict[int, tuple[int, ...]]:
        """Variables made independent of the outcome by a set of so many others, with the first such set.

        Sets are tried in the order of `others`, a few for every variable
        and then more, since a set that separates is often among the first.
        """
        waiting: dict[int, Iterator[tuple[int, ...]]] = {
            x: combinations([other for other in others if other != x], size) for x in variables
        }
        found: dict[int, tuple[int, ...]] = {}
        n_sets = _FIRST_SETS
        while waiting:
            for rows in self._batches(waiting, n_sets):
                self.budget.spend(len(rows))
                made = self._test(rows)
                self._note(rows, made)
                for row in np.flatnonzero(made.p_value > self._alpha).tolist():
                    x = int(rows[row, 0])
                    if x not in found:
                        found[x] = tuple(rows[row, 1:].tolist())
                        self._set_weakest(x, made, row, found[x])
                        waiting.pop(x, None)
            n_sets *= 8
        return found

    def _batches(
        self, waiting: dict[int, Iterator[tuple[int, ...]]], n_sets: int
    ) -> Iterator[NDArray[np.intp]]:
        """The next sets for each variable, as many rows at a time as memory allows; exhausted ones leave."""
        rows: list[tuple[int, ...]] = []
        for x in list(waiting):
            n_before = len(rows)
            rows += [(x, *given) for given in islice(waiting[x], n_sets)]
            if len(rows) - n_before < n_sets:
                del waiting[x]
            if rows and len(rows) << len(rows[0]) > _MOST_CELLS:
                yield np.array(rows, np.intp)
                rows = []
        if rows:
            yield np.array(rows, np.intp)

    def _test(self, rows: NDArray[np.intp]) -> TestsMade:
        """Tests of the first of each row against the outcome, given the rest."""
        n, m = rows.shape
        return independence_tests(joint_counts(self.engine, rows).reshape(n, 2 ** (m - 1), 2, 2), self._kind)

    def _note(self, rows: NDArray[np.intp], made: TestsMade) -> None:
        """Remember the weakest test of each variable."""
        order = np.lexsort((-made.p_value, rows[:, 0]))
        variables, first = np.unique(rows[order, 0], return_index=True)
        for x, row in zip(variables.tolist(), order[first].tolist(), strict=True):
            if x not in self.weakest or made.p_value[row] > self.weakest[x].p_value:
                self._set_weakest(x, made, row, tuple(rows[row, 1:].tolist()))

    def _set_weakest(self, x: int, made: TestsMade, row: int, given: tuple[int, ...]) -> None:
        self.weakest[x] = Weakest(float(made.statistic[row]), float(made.p_value[row]), given)


def separation_findings(
    method: str,
    patterns: Sequence[Pattern],
    settings: TableSettings,
    separation: Separation,
    kept: Sequence[int],
    separated: dict[int, tuple[int, ...]],
) -> Findings:
    """Findings about variables that go with the outcome: kept, or separated from it.

    `patterns` has for each variable what it stands for.
    """
    engine, budget = separation.engine, separation.budget
    findings = CrudeFindings(engine, patterns, settings.confidence)

    def names_of(numbers: Sequence[int]) -> str:
        return ", ".join(" & ".join(map(str, patterns[number])) for number in numbers)

    for variable in sorted([*kept, *separated]):
        weakest = separation.weakest[variable]
        if variable in separated:
            reason = f"independent given {names_of(separated[variable])}"
        elif weakest.given:
            reason = f"nothing separates it; weakest given {names_of(weakest.given)}"
        else:
            reason = "nothing separates it"
        is_kept = variable not in separated
        findings.add(
            variable,
            "rejected" if not is_kept else "undecided" if budget.stopped else "causal",
            f"{reason} so far" if is_kept and budget.stopped else reason,
            statistic=weakest.statistic,
            p_value=weakest.p_value,
        )
    return findings.of(method, budget)

"""Causal decision trees: at each node the variable with the clearest partial association."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain.unique_rows import number_combinations
from causalrules_lab.baselines.coded_tables import run_on_table
from causalrules_lab.baselines.findings import CrudeFindings, Findings
from causalrules_lab.baselines.independence import independence_tests
from causalrules_lab.baselines.partial_association import partial_association
from causalrules_lab.baselines.variables import variables_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from causalrules.domain import Item
    from causalrules.domain.table_settings import TableSettings
    from causalrules.engines.contract import Engine
    from causalrules_lab.baselines.budget import Budget
    from causalrules_lab.baselines.partial_association import PartialAssociation


DEEPEST = 10

Path = tuple[tuple[int, bool], ...]
"""The way from the root to a node: items, and whether the node's records have them."""


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A variable that the tree splits records by, where it stands, and the test that put it there."""

    path: Path
    variable: int
    test: PartialAssociation


def causal_decision_tree(table: Any, outcome: str, *, max_depth: int = DEEPEST, **options: Any) -> Findings:
    """Find causes as the nodes of a causal decision tree (Li et al. 2017).

    At each node, variables that go with the outcome among its records are
    tested within strata of the others that do; the one with the largest
    Mantel-Haenszel statistic splits the node, as long as it is significant.

    Parameters
    ----------
    table, outcome, **options
        As in `causalrules.mine`; `alpha` is the level of every test. Besides,
        `max_tests` and `max_seconds`: most tests, and most time, before the
        method is stopped.
    max_depth : int
        Most nodes on the way from the root.

    Notes
    -----
    A node below the root is a cause for the records of its path only; the
    reason of a finding says which. The paper merges leaves of equal majority
    afterwards; here they stay, since a cause may change the risk of a rare
    outcome without making it the rule.
    """
    return run_on_table(partial(find_causal_tree, max_depth=max_depth), table, outcome, **options)


def find_causal_tree(
    engine: Engine,
    items: Sequence[Item],
    settings: TableSettings,
    budget: Budget,
    *,
    max_depth: int = DEEPEST,
) -> Findings:
    """Causes as nodes of a causal decision tree, from the counts of an engine."""
    tree = _Tree(settings.alpha, max_depth, budget)
    variables = variables_of(engine)
    associated: NDArray[np.intp] = variables[:0]
    with budget.until_spent():
        rows = ItemRows.of(engine)
        associated = tree.relevant(rows, variables)
        tree.grow(rows, variables, ())
    nodes_of: dict[int, list[TreeNode]] = {}
    for node in tree.nodes:
        nodes_of.setdefault(node.variable, []).append(node)
    findings = CrudeFindings(engine, [(item,) for item in items], settings.confidence)
    for variable in sorted({*nodes_of, *associated.tolist()}):
        nodes = sorted(nodes_of.get(variable, []), key=lambda node: (len(node.path), node.test.p_value))
        findings.add(
            variable,
            "causal" if nodes else "undecided" if budget.stopped else "rejected",
            "; ".join(_place(node, items) for node in nodes) or "at no node of the tree",
            statistic=nodes[0].test.statistic if nodes else None,
            p_value=nodes[0].test.p_value if nodes else None,
        )
    return findings.of("cdt", budget)


@dataclass(frozen=True, slots=True, eq=False)
class ItemRows:
    """Distinct records, the items that each has, and how many records are like it.

    One question to the engine, `unique_rows` of all columns, gives them.

    Parameters
    ----------
    column_of_item : intp[n_items]
        For each item the number of its column.
    has : bool[n_items, n_rows]
        Whether the record has the item.
    counts : int64[n_rows, 2]
        Records without and with the outcome.
    """

    column_of_item: NDArray[np.intp]
    has: NDArray[np.bool_]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, engine: Engine) -> ItemRows:
        """The distinct records of an engine."""
        column = engine.column_of_item
        columns, first = np.unique(column, return_index=True)
        rows = engine.unique_rows(columns)
        # A column's values are numbered from 1, in the order of its items; 0 is missing.
        code = np.arange(len(column)) - first[column] + 1
        return cls(column, rows.codes[column] == code[:, None], rows.counts)

    def only(self, chosen: NDArray[np.bool_]) -> ItemRows:
        """Some of the records."""
        return ItemRows(self.column_of_item, self.has[:, chosen], self.counts[chosen])

    def crude_tables(self, items: NDArray[np.intp]) -> NDArray[np.int64]:
        """int64[n, 1, 2, 2]: for each item the records without and with it, without and with the outcome."""
        having = self.has[items].astype(np.int64) @ self.counts
        return np.stack([self.counts.sum(axis=0) - having, having], axis=1)[:, None]

    def strata_of(self, item: int, held: NDArray[np.intp]) -> NDArray[np.int64]:
        """The strata of records that agree on every held item.

        Returns
        -------
        int64[n_strata, 5]
            Records with the item and the outcome, with the item only, with
            the outcome only, with neither; and 1, the number of such strata.
        """
        number = number_combinations(self.has[held].astype(np.uint8), len(self.counts))
        n_strata = int(number.max(initial=-1)) + 1
        # Whole numbers below 2**53 are exact as floats, so bincount may add them up as weights.
        cells = [
            np.bincount(number, self.counts[:, outcome] * (self.has[item] == exposed), n_strata)
            for exposed in (True, False)
            for outcome in (1, 0)
        ]
        return np.stack([*cells, np.ones(n_strata)], axis=1).astype(np.int64)


@dataclass(slots=True)
class _Tree:
    """Grows a tree, nodes near the root first on every branch."""

    alpha: float
    max_depth: int
    budget: Budget
    nodes: list[TreeNode] = field(default_factory=list)

    def relevant(self, rows: ItemRows, variables: NDArray[np.intp]) -> NDArray[np.intp]:
        """Variables that go with the outcome among these records."""
        self.budget.spend(len(variables))
        p_value = independence_tests(rows.crude_tables(variables), "chi2").p_value
        return variables[p_value <= self.alpha]

    def grow(self, rows: ItemRows, variables: NDArray[np.intp], path: Path) -> None:
        """Split the records of a node, and then each part."""
        if len(path) == self.max_depth:
            return
        relevant = self.relevant(rows, variables)
        self.budget.spend(len(relevant))
        column = rows.column_of_item
        best: TreeNode | None = None
        for variable in relevant.tolist():
            held = relevant[column[relevant] != column[variable]]
            test = partial_association(rows.strata_of(variable, held))
            # Rounded, since equal tables may differ in the last digits of their statistic.
            if best is None or round(test.statistic, 9) > round(best.test.statistic, 9):
                best = TreeNode(path, variable, test)
        if best is None or best.test.p_value > self.alpha:
            return
        self.nodes.append(best)
        rest = variables[variables != best.variable]
        for is_present in (True, False):
            chosen = rows.has[best.variable] == is_present
            self.grow(rows.only(chosen), rest, (*path, (best.variable, is_present)))


def _place(node: TreeNode, items: Sequence[Item]) -> str:
    """Where a variable stands in the tree and what it does there."""
    does = "raises" if node.test.excess > 0 else "lowers"
    where = ", ".join(f"{'' if is_present else 'not '}{items[item]}" for item, is_present in node.path)
    return f"{does} it where {where}" if where else f"{does} it at the root"

"""Neighbours of the outcome in a network that another package learns: greedy hill climbing, and MIIC.

Both come from pyAgrum (the extra ``peers``) and see whole columns, every
value a value of its own and missing one more, where the other baselines see
items.
"""

from __future__ import annotations

import warnings
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from causalrules.errors import MissingPackageError, SettingsError
from causalrules_lab.baselines.coded_tables import run_on_table
from causalrules_lab.baselines.findings import CrudeFindings, Findings
from causalrules_lab.baselines.independence import independence_tests, joint_counts
from causalrules_lab.baselines.variables import variables_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from causalrules.domain import Item
    from causalrules.domain.table_settings import TableSettings
    from causalrules.engines.contract import Engine
    from causalrules_lab.baselines.budget import Budget

Learner = Literal["hill-climbing", "miic"]
Score = Literal["bic", "bdeu"]
Arrow = Literal["cause", "effect", "undecided"]

_OUTCOME = "outcome"
_SAYS: dict[Arrow, str] = {
    "cause": "an arrow points to the outcome",
    "effect": "an arrow points away from the outcome",
    "undecided": "directly linked to the outcome, by an edge without direction",
}


def hill_climbing(table: Any, outcome: str, *, score: Score = "bic", **options: Any) -> Findings:
    """Find what stands next to the outcome in a network learnt by greedy hill climbing.

    Parameters
    ----------
    table, outcome, **options
        As in `causalrules.mine`.
    score : {'bic', 'bdeu'}
        What is climbed: the Bayesian information criterion, or the marginal
        likelihood with a uniform prior.

    Notes
    -----
    Arrows that could be turned without changing what the network says about
    the data have no direction here (the essential graph, Chickering 1995). A
    column with an arrow away from the outcome is rejected as a cause.
    """
    return run_on_table(partial(find_hill_climbing, score=score), table, outcome, **options)


def miic(table: Any, outcome: str, **options: Any) -> Findings:
    """Find what stands next to the outcome in a network learnt by MIIC (Verny et al. 2017).

    Parameters
    ----------
    table, outcome, **options
        As in `causalrules.mine`.
    """
    return run_on_table(find_miic, table, outcome, **options)


def find_hill_climbing(
    engine: Engine, items: Sequence[Item], settings: TableSettings, budget: Budget, *, score: Score = "bic"
) -> Findings:
    """Neighbours of the outcome by greedy hill climbing, from the counts of an engine."""
    return _findings("hill-climbing", engine, items, settings, budget, score)


def find_miic(engine: Engine, items: Sequence[Item], settings: TableSettings, budget: Budget) -> Findings:
    """Neighbours of the outcome by MIIC, from the counts of an engine."""
    return _findings("miic", engine, items, settings, budget, "bic")


def learn_arrows(engine: Engine, learner: Learner, score: Score = "bic") -> dict[int, Arrow]:
    """The columns next to the outcome in a learnt network, and what each is to it.

    Parameters
    ----------
    engine : Engine
        Where records are counted.
    learner : {'hill-climbing', 'miic'}
        Who learns.
    score : {'bic', 'bdeu'}
        What hill climbing climbs.
    """
    if score not in get_args(Score):
        raise SettingsError.choice("score", get_args(Score), score)
    pyagrum = _load_pyagrum(learner)
    records = _records(engine)
    if len(records.columns) == 1:
        return {}
    learning = pyagrum.BNLearner(records)
    learning.setNumberOfThreads(1)  # never changes an answer
    if learner == "miic":
        learning.useMIIC()
        graph = learning.learnPDAG()
    else:
        learning.useGreedyHillClimbing()
        if score == "bic":
            learning.useScoreBIC()
        else:
            learning.useScoreBDeu()
        graph = _essential_graph(pyagrum, learning.learnDAG())
    names = list(records.columns)
    z = names.index(_OUTCOME)
    arrows: dict[int, Arrow] = {}
    for tail, head in graph.arcs():
        if z in (tail, head):
            arrows[int(names[tail if head == z else head])] = "cause" if head == z else "effect"
    for one, other in graph.edges():
        if z in (one, other):
            arrows[int(names[other if one == z else one])] = "undecided"
    return dict(sorted(arrows.items()))


def _load_pyagrum(learner: Learner) -> Any:
    """The package, or an error that tells how to get it."""
    try:
        # Its compiled types warn while they are made. Where warnings are errors, that ends the process.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pyagrum
    except ModuleNotFoundError as error:
        raise MissingPackageError(learner, "pyAgrum", "peers", of="causalrules-lab") from error
    return pyagrum


def _essential_graph(pyagrum: Any, dag: Any) -> Any:
    """The arrows of a network that cannot be turned, and the others as edges.

    pyAgrum asks for a network with probabilities, which it refuses to learn where a combination of causes
    never occurs. Directions do not depend on them, so any network with these arrows will do.
    """
    network = pyagrum.BayesNet()
    for node in sorted(dag.nodes()):
        network.add(pyagrum.LabelizedVariable(str(node), "", 2), node)
    for tail, head in dag.arcs():
        network.addArc(tail, head)
    return pyagrum.EssentialGraph(network)


def _records(engine: Engine) -> pd.DataFrame:
    """One row a record: the codes of its columns, named by their numbers, and the outcome.

    Columns that do not vary are left out; a learner has no use for them.
    """
    import pandas as pd

    columns = np.unique(engine.column_of_item)
    rows = engine.unique_rows(columns)
    n_rows = len(rows.counts)
    row = np.concatenate([np.repeat(np.arange(n_rows), rows.counts[:, z]) for z in (0, 1)])
    codes = {str(column): own[row] for column, own in zip(columns.tolist(), rows.codes, strict=True)}
    told = {name: values.astype(str) for name, values in codes.items() if values.min() != values.max()}
    outcome = np.repeat(["0", "1"], rows.counts.sum(axis=0))
    return pd.DataFrame({**told, _OUTCOME: outcome}, dtype=object)


def _findings(
    learner: Learner,
    engine: Engine,
    items: Sequence[Item],
    settings: TableSettings,
    budget: Budget,
    score: Score,
) -> Findings:
    """One finding for each column next to the outcome, and for each other that goes with it.

    A column is spoken for by the item that goes most clearly with the outcome.
    """
    arrows: dict[int, Arrow] = {}
    with budget.until_spent():
        budget.spend(len(np.unique(engine.column_of_item)))
        arrows = learn_arrows(engine, learner, score)
    variables = variables_of(engine)
    alone = independence_tests(joint_counts(engine, variables[:, None])[:, None], "g2")
    findings = CrudeFindings(engine, [(item,) for item in items], settings.confidence)
    clearest_first = np.lexsort((variables, -alone.statistic.round(9)))
    speaker: dict[int, int] = {}
    for row in clearest_first.tolist():
        speaker.setdefault(int(engine.column_of_item[variables[row]]), row)
    for column, row in sorted(speaker.items()):
        arrow = arrows.get(column)
        if arrow is None and alone.p_value[row] > settings.alpha:
            continue
        is_cause = arrow in ("cause", "undecided")
        findings.add(
            int(variables[row]),
            "causal" if is_cause else "undecided" if budget.stopped else "rejected",
            _SAYS[arrow] if arrow else "not directly linked to the outcome",
            statistic=float(alone.statistic[row]),
            p_value=float(alone.p_value[row]),
        )
    return findings.of(learner, budget)

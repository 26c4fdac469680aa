"""Algorithm 1 of the paper: causal rule mining with cohort studies (CR-CS)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from causalrules.paper.patterns import PatternTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from causalrules.paper.studies import Cohort, PaperStudies, Tested


@dataclass(slots=True)
class Run:
    """One run of Algorithm 1 in one direction.

    Parameters
    ----------
    number : int
        Which of the repeated runs: random pairs are drawn from it.
    tested : list of Tested
        The association rules that were put to their studies; the causal ones are the run's rule set.
    by_length : dict of int to Counter
        For each length: candidates, frequent patterns and associations.
    """

    number: int
    tested: list[Tested] = field(default_factory=list)
    by_length: dict[int, Counter[str]] = field(default_factory=dict)


def algorithm_1(
    studies: PaperStudies,
    is_asked: NDArray[np.bool_],
    run: Run,
    on_study: Callable[[int, int, int], None],
) -> None:
    """Find the causal rules of one direction in one run; at the right are lines of the paper's listing.

    What was tested is in `run`, also where the run is cut short.

    Parameters
    ----------
    studies : PaperStudies
        The data set D with its response Z, δ, k₀ and α; they find controls and fair data sets.
    is_asked : bool[n_items]
        Items that patterns are made of.
    run : Run
        Its number, and where its rules go.
    on_study : callable
        Called with the length, the studies done and those to do: before the first, and after each.
    """
    settings, watch = studies.settings, studies.watch
    tree = PatternTree(studies.engine, studies.associations.largest_rare_count, is_asked)  # 2
    for length in range(1, settings.max_length + 1):  # 7, 8, 19
        with watch("mine"):
            level = tree.grow()  # 2-4, later 20-23: nodes, supports, support pruning, Observation 2
        with watch("assess"):
            associations = np.flatnonzero(studies.associations.are_associations(level.counts))  # 9
        run.by_length[length] = Counter(
            candidates=level.n_candidates, frequent=level.n_frequent, associations=len(associations)
        )
        # Every pattern of the level was a hypothesis; records held out are new to those chosen.
        n_hypotheses = len(associations) if settings.holdout else len(level.patterns)
        on_study(length, 0, len(associations))
        cohorts: list[Cohort] = []
        tested: list[Tested] = []
        try:
            for cohort in studies.cohorts(level.patterns[associations]):  # 5, 6, 10-13: controls, Function 1
                cohorts.append(cohort)
                on_study(length, len(cohorts), len(associations))
        finally:
            tested = studies.judge(cohorts, n_hypotheses, run.number)  # 14: the odds ratio on D_f
            run.tested += tested  # 15
        is_causal = np.zeros(len(level.patterns), np.bool_)
        is_causal[associations] = [one.is_causal for one in tested]
        tree.remove(is_causal)  # 16: Observation 1
        if not len(level.patterns):
            break

"""Consistent rules of several runs: the whole search is repeated, and rules that enough runs found stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from causalrules.paper.judging import strength_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.paper.algorithm_1 import Run
    from causalrules.paper.studies import Tested


def vote(runs: Sequence[Run], votes: int) -> list[Tested]:
    """Every rule that some run tested, causal where at least so many runs found it causal.

    Each run prunes by its own causal rules, so a rule may have been tested in
    some runs only. Its numbers are those of its decisive run: with v votes
    needed the v-th best, or the last one where fewer tested it.
    """
    of_rule: dict[str, list[Tested]] = {}
    for run in runs:
        for one in run.tested:
            of_rule.setdefault(one.cohort.name, []).append(one)
    return [_decisive(found, votes) for found in of_rule.values()]


def _decisive(found: list[Tested], votes: int) -> Tested:
    best_first = sorted(found, key=lambda one: (one.is_causal, *strength_of(one.study)), reverse=True)
    n_causal = sum(one.is_causal for one in found)
    decisive = best_first[min(votes, len(best_first)) - 1]
    if decisive.is_causal and n_causal < votes:  # the other runs had found a part of it and did not ask
        decisive = replace(decisive, judgement=replace(decisive.judgement, verdict="rejected"))
    return replace(decisive, causal_runs=n_causal)

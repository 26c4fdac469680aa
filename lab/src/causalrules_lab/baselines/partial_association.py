"""Causal rules by partial association (CR-PA): a Mantel-Haenszel test within strata of all that matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.assess.odds import crude_odds_ratios
from causalrules.domain import largest_count_within
from causalrules.engines.opposite import OppositeOutcome
from causalrules.kernels.special_functions import chdtrc
from causalrules.paper.controls import hold_items
from causalrules.paper.patterns import PatternTree
from causalrules_lab.baselines.coded_tables import run_on_table
from causalrules_lab.baselines.findings import Finding, Findings
from causalrules_lab.baselines.independence import independence_tests, joint_counts
from causalrules_lab.baselines.variables import variables_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Direction, Item
    from causalrules.domain.table_settings import TableSettings
    from causalrules.engines.contract import Engine
    from causalrules.paper.patterns import Level
    from causalrules_lab.baselines.budget import Budget


@dataclass(frozen=True, slots=True)
class PartialAssociation:
    """The Mantel-Haenszel test of one exposure and the outcome within strata.

    Parameters
    ----------
    excess : float
        Exposed records with the outcome beyond what independence within
        strata would give.
    statistic : float
        With the continuity correction of one half.
    p_value : float
        Two-sided, from the chi-squared distribution with one degree of
        freedom; 1 where no stratum tells anything.
    """

    excess: float
    statistic: float
    p_value: float


def partial_association(strata: NDArray[np.int64]) -> PartialAssociation:
    """Test whether an exposure and the outcome are independent within every stratum.

    Parameters
    ----------
    strata : int64[k, 5]
        Exposed with the outcome, exposed without, unexposed with, unexposed
        without, and the number of such strata.

    Examples
    --------
    >>> made = partial_association(np.array([[12, 4, 6, 10, 1], [8, 8, 3, 13, 1]]))
    >>> round(made.excess, 3), round(made.statistic, 3), round(made.p_value, 4)
    (5.5, 6.418, 0.0113)
    """
    a, b, c, d, times = strata.T.astype(np.float64)
    total = a + b + c + d
    tells = total > 1
    a, b, c, d, times, total = (part[tells] for part in (a, b, c, d, times, total))
    excess = float((times * (a - (a + b) * (a + c) / total)).sum())
    variance = float((times * (a + b) * (c + d) * (a + c) * (b + d) / (total**2 * (total - 1))).sum())
    if variance == 0:
        return PartialAssociation(0.0, 0.0, 1.0)
    statistic = max(abs(excess) - 0.5, 0.0) ** 2 / variance
    return PartialAssociation(excess, statistic, float(chdtrc(1, statistic)))


def cr_pa(table: Any, outcome: str, **options: Any) -> Findings:
    """Find causal rules by partial association (Jin et al. 2012).

    Level by level, a frequent pattern that goes with the outcome is causal
    if it still does within strata of the other variables that go with the
    outcome. Patterns longer than a causal one are not looked at.

    Parameters
    ----------
    table, outcome, **options
        As in `causalrules.mine`; `alpha` is the level of every test,
        `min_support` and `max_length` say which patterns there are. Besides,
        `max_tests` and `max_seconds`: most patterns to look at, and most
        time, before the method is stopped.

    Notes
    -----
    Strata are of all controls at once, so that in wide tables few records
    find company; such a test tells nothing and the rule is rejected.
    """
    return run_on_table(find_cr_pa, table, outcome, **options)


def find_cr_pa(engine: Engine, items: Sequence[Item], settings: TableSettings, budget: Budget) -> Findings:
    """Causal rules by partial association, from the counts of an engine."""
    choice = settings.direction
    directions: tuple[Direction, ...] = ("raises", "lowers") if choice == "both" else (choice,)
    findings: list[Finding] = []
    with budget.until_spent():
        variables = variables_of(engine)
        budget.spend(len(variables))
        alone = independence_tests(joint_counts(engine, variables[:, None])[:, None], "chi2")
        relevant = variables[alone.p_value <= settings.alpha]
        for direction in directions:
            side: Engine = OppositeOutcome(engine) if direction == "lowers" else engine
            tree = PatternTree(side, largest_count_within(settings.min_support, side.n_with))
            for _ in range(settings.max_length):
                level = tree.grow()
                budget.spend(level.n_candidates)
                judged = _judge_level(side, level, relevant, items, settings, direction)
                findings += judged.values()
                tree.remove(
                    np.array(
                        [
                            row in judged and judged[row].verdict == "causal"
                            for row in range(len(level.patterns))
                        ],
                        np.bool_,
                    )
                )
    return Findings(method="cr-pa", findings=tuple(findings), n_tests=budget.n_tests, stopped=budget.stopped)


def _judge_level(
    engine: Engine,
    level: Level,
    relevant: NDArray[np.intp],
    items: Sequence[Item],
    settings: TableSettings,
    direction: Direction,
) -> dict[int, Finding]:
    """A finding for each association among the patterns of a level, by its row."""
    if len(level.patterns) == 0:
        return {}
    counts = level.counts
    crude = crude_odds_ratios(
        counts.with_outcome,
        counts.without_outcome,
        engine.n_with,
        engine.n_without,
        settings.confidence,
    )
    rows = np.flatnonzero(crude.are_above(settings.min_odds_ratio))
    if len(rows) == 0:
        return {}
    patterns = level.patterns[rows]
    largest_rare_count = largest_count_within(settings.min_support, engine.n_with)
    controls = hold_items(engine, patterns, relevant, largest_rare_count).items
    findings = {}
    for row, held, strata in zip(rows.tolist(), controls, engine.strata(patterns, controls), strict=True):
        made = partial_association(strata.rows)
        is_causal = made.p_value <= settings.alpha and made.excess > 0
        findings[row] = Finding(
            pattern=tuple(items[item] for item in level.patterns[row]),
            direction=direction,
            verdict="causal" if is_causal else "rejected",
            support=int(counts.with_outcome[row]),
            odds_ratio=crude[row],
            statistic=made.statistic,
            p_value=made.p_value,
            reason=f"within strata of {int(held.sum())} other items",
        )
    return findings

"""Association rules by odds ratio: all of them, the non-redundant ones, and the optimal ones.

All three walk through the frequent patterns level by level; they differ in
which patterns of a level they keep.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from causalrules.assess.odds import crude_odds_ratios
from causalrules.domain import largest_count_within
from causalrules.errors import SettingsError
from causalrules.paper.patterns import join
from causalrules_lab.baselines.coded_tables import run_on_table
from causalrules_lab.baselines.findings import Finding, Findings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.assess.odds import OddsRatios
    from causalrules.domain import Direction, Item
    from causalrules.domain.table_settings import TableSettings
    from causalrules.engines.contract import Engine, OutcomeCounts
    from causalrules_lab.baselines.budget import Budget

Strength = Literal["odds_ratio", "confidence"]


def association_rules(table: Any, outcome: str, **options: Any) -> Findings:
    """Find all association rules.

    A rule is frequent and its odds ratio is above 1 by the interval, or
    above `min_odds_ratio`. Unlike in the search for causes nothing is
    pruned: also a pattern that covers the records of a shorter one counts.

    Parameters
    ----------
    table, outcome, **options
        As in `causalrules.mine`; `direction`, `max_length`, `min_support`,
        `confidence` and `min_odds_ratio` are heeded. Besides, `max_tests`
        and `max_seconds`: most patterns to count, and most time, before the
        method is stopped.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"wind": ["yes", "no"] * 50, "fire": (["yes"] * 3 + ["no"]) * 25})
    >>> association_rules(table, "fire=yes", direction="lowers").findings[0].name
    'wind=no'
    """
    return run_on_table(find_association, table, outcome, **options)


def non_redundant_rules(table: Any, outcome: str, **options: Any) -> Findings:
    """Find the association rules whose pattern has no part that covers the same records (Zaki 2004).

    Parameters
    ----------
    table, outcome, **options
        As in `association_rules`.
    """
    return run_on_table(find_non_redundant, table, outcome, **options)


def optimal_rules(table: Any, outcome: str, *, strength: Strength = "odds_ratio", **options: Any) -> Findings:
    """Find the association rules that are stronger than every more general rule (Li 2006).

    Parameters
    ----------
    table, outcome, **options
        As in `association_rules`.
    strength : {'odds_ratio', 'confidence'}
        What rules are compared by: the odds ratio, or the share of records
        with the outcome among those with the pattern.

    Notes
    -----
    The paper measures associations by the odds ratio, yet its numbers of
    optimal rules point to confidence: for Adult, Hypothyroid and Sick it has
    976, 3,237 and 3,917 rules; by confidence there are 977, 3,323 and 3,934
    (odds ratio above 1.5, numbers cut by MDL), by odds ratio 675, 865 and 559.
    """
    return run_on_table(partial(find_optimal, strength=strength), table, outcome, **options)


def find_association(
    engine: Engine, items: Sequence[Item], settings: TableSettings, budget: Budget
) -> Findings:
    """All association rules, from the counts of an engine."""
    return _rules_kept("association", engine, items, settings, budget, keep=_keep_all)


def find_non_redundant(
    engine: Engine, items: Sequence[Item], settings: TableSettings, budget: Budget
) -> Findings:
    """Non-redundant rules, from the counts of an engine."""
    return _rules_kept("non-redundant", engine, items, settings, budget, keep=_keep_new_covers)


def find_optimal(
    engine: Engine,
    items: Sequence[Item],
    settings: TableSettings,
    budget: Budget,
    *,
    strength: Strength = "odds_ratio",
) -> Findings:
    """Optimal rules, from the counts of an engine."""
    if strength not in get_args(Strength):
        raise SettingsError.choice("strength", get_args(Strength), strength)
    keep = partial(_keep_stronger_than_parts, strength)
    return _rules_kept("optimal", engine, items, settings, budget, keep=keep)


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """The frequent patterns of one length.

    Parameters
    ----------
    patterns : intp[n, length]
        Item numbers, ascending within a pattern, patterns in lexicographic order.
    counts : OutcomeCounts
        For the direction's outcome.
    odds_ratios : OddsRatios
        For the direction's outcome.
    parents : intp[n, length]
        Rows, in the level before, of the patterns with one item less; none for single items.
    """

    patterns: NDArray[np.intp]
    counts: OutcomeCounts
    odds_ratios: OddsRatios
    parents: NDArray[np.intp]


def _rules_kept(
    method: str,
    engine: Engine,
    items: Sequence[Item],
    settings: TableSettings,
    budget: Budget,
    *,
    keep: Callable[[], Callable[[_Level], NDArray[np.bool_]]],
) -> Findings:
    """Association rules that a judge of levels keeps; `keep` makes one judge for each direction."""
    findings: list[Finding] = []
    choice = settings.direction
    directions: tuple[Direction, ...] = ("raises", "lowers") if choice == "both" else (choice,)
    with budget.until_spent():
        for direction in directions:
            is_kept = keep()
            for level in _frequent_levels(engine, direction, settings, budget):
                kept = level.odds_ratios.are_above(settings.min_odds_ratio) & is_kept(level)
                findings += _findings(level, np.flatnonzero(kept), items, direction)
    return Findings(method=method, findings=tuple(findings), n_tests=budget.n_tests, stopped=budget.stopped)


def _frequent_levels(
    engine: Engine, direction: Direction, settings: TableSettings, budget: Budget
) -> Iterator[_Level]:
    """All frequent patterns of length 1, 2, … with nothing pruned but the infrequent."""
    lowers = direction == "lowers"
    n_z, n_not_z = (engine.n_without, engine.n_with) if lowers else (engine.n_with, engine.n_without)
    largest_rare_count = largest_count_within(settings.min_support, n_z)

    def level(patterns: NDArray[np.intp], parents: NDArray[np.intp], counts: OutcomeCounts) -> _Level:
        counts = counts.flipped() if lowers else counts
        is_frequent = counts.with_outcome > largest_rare_count
        counts = counts[is_frequent]
        ratios = crude_odds_ratios(
            counts.with_outcome, counts.without_outcome, n_z, n_not_z, settings.confidence
        )
        return _Level(patterns[is_frequent], counts, ratios, parents[is_frequent])

    n_items = len(engine.column_of_item)
    budget.spend(n_items)
    last = level(np.arange(n_items)[:, None], np.empty((n_items, 0), np.intp), engine.item_counts())
    yield last
    for _ in range(1, settings.max_length):
        candidates, parents = join(last.patterns, engine.column_of_item)
        if len(candidates) == 0:
            return
        budget.spend(len(candidates))
        last = level(candidates, parents, engine.pattern_counts(candidates))
        yield last


def _findings(
    level: _Level, rows: NDArray[np.intp], items: Sequence[Item], direction: Direction
) -> list[Finding]:
    patterns, supports = level.patterns[rows].tolist(), level.counts.with_outcome[rows].tolist()
    return [
        Finding(
            pattern=tuple(items[item] for item in pattern),
            direction=direction,
            verdict="association",
            support=support,
            odds_ratio=level.odds_ratios[int(row)],
        )
        for row, pattern, support in zip(rows, patterns, supports, strict=True)
    ]


def _keep_all() -> Callable[[_Level], NDArray[np.bool_]]:
    return lambda level: np.ones(len(level.patterns), np.bool_)


def _keep_new_covers() -> Callable[[_Level], NDArray[np.bool_]]:
    """A judge that keeps patterns rarer than each of their parts.

    A part has the same cover exactly if it has the same support, and it is
    enough to look at parts with one item less.
    """
    last_support = np.empty(0, np.int64)

    def is_kept(level: _Level) -> NDArray[np.bool_]:
        nonlocal last_support
        support = level.counts.support
        kept: NDArray[np.bool_] = (last_support[level.parents] != support[:, None]).all(axis=1)
        last_support = support
        return kept

    return is_kept


def _keep_stronger_than_parts(strength: Strength) -> Callable[[_Level], NDArray[np.bool_]]:
    """A judge that remembers, for each pattern, the strongest of it and all its parts."""
    strongest = np.empty(0)

    def is_kept(level: _Level) -> NDArray[np.bool_]:
        nonlocal strongest
        counts = level.counts
        own = level.odds_ratios.value if strength == "odds_ratio" else counts.with_outcome / counts.support
        of_parts = strongest[level.parents].max(axis=1, initial=-np.inf)
        strongest = np.maximum(of_parts, own)
        kept: NDArray[np.bool_] = own > of_parts
        return kept

    return is_kept

"""Which columns stand next to the outcome, over as many windows as it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.neighbours.neighbourhood import Neighbour, Neighbourhood
from causalrules.cohort.neighbours.window import find_candidates, leaks
from causalrules.cohort.neighbours.window_search import WindowSearch
from causalrules.domain.knowledge import Knowledge
from causalrules.find.declared_arrows import DeclaredArrows
from causalrules.find.direction import Arrow, label_arrows
from causalrules.find.groups import find_groups
from causalrules.kernels.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.cohort.neighbours.window import Candidates
    from causalrules.cohort.neighbours.window_rows import Columns, UniqueRows
    from causalrules.domain.knowledge import KnownRoles
    from causalrules.engines.contract import Counts


def learn(
    engine: Counts,
    unique_rows: UniqueRows,
    columns: Columns,
    *,
    roles: KnownRoles | None = None,
    keep: Sequence[int] = (),
    threads: int | None = 1,
) -> Neighbourhood:
    """Find the columns next to the outcome, by averaging over networks of a few columns at a time.

    Parameters
    ----------
    engine : Counts
        Where records are counted.
    unique_rows : callable
        From at most 12 columns to their different rows: codes and counts.
    columns : Columns
        Names, and which are numbers.
    roles : KnownRoles, optional
        What the user says about time and arrows.
    keep : sequence of int
        Columns that are in every window, whatever their association: a hypothesis of the user's.
    threads : int, optional
        Threads that share the work; None for one a core.
    """
    declared = DeclaredArrows(roles or Knowledge().about(""), columns.names)
    numbers = range(len(columns))
    candidates = find_candidates(engine, unique_rows, columns, list(filter(declared.is_after, numbers)))
    certain = [column for column in numbers if declared.certain(column) and column not in keep]
    always = (*keep, *certain)
    search = WindowSearch(engine, candidates, unique_rows, columns, declared, always, Workers(threads))
    last = search.run()
    is_leak = leaks(engine, len(columns))
    explained = _explained(engine, candidates)
    associated = set(engine.column_of_item[candidates.screened.passed].tolist())
    labels = dict(zip(last.window, label_arrows(last.rows, last.arrows), strict=True)) if last else {}
    neighbours = []
    for column, name in enumerate(columns.names):
        p_cause, p_effect = declared.certain(column) or search.found.get(column, (0.0, 0.0))
        neighbours.append(
            Neighbour(
                column=column,
                name=name,
                p_cause=p_cause,
                p_effect=p_effect,
                arrow=_declared(declared, column) or labels.get(column, Arrow("undecided")),
                explained_by=explained.get(column, ()),
                is_leak=bool(is_leak[column]),
                is_associated=column in associated,
            )
        )
    return Neighbourhood(
        columns=tuple(neighbours),
        pairs=candidates.pairs,
        uncut_pairs=candidates.uncut_pairs,
        groups=find_groups(last.rows, last.scores, last.arrows) if last else (),
        window=tuple(last.window) if last else (),
        arrows=last.arrows.probability if last else np.zeros((1, 1)),
    )


def _explained(engine: Counts, candidates: Candidates) -> dict[int, tuple[int, ...]]:
    """Columns that are no candidates, and the items that explain the clearest of theirs away."""
    clearest: dict[int, float] = {}
    explained: dict[int, tuple[int, ...]] = {}
    for item, left in candidates.shielded.items():
        column, crude = int(engine.column_of_item[item]), float(candidates.screened.p_values[item])
        if left.is_explained and column not in candidates.columns and crude <= clearest.get(column, 2.0):
            clearest[column], explained[column] = crude, left.held
    return explained


def _declared(declared: DeclaredArrows, column: int) -> Arrow | None:
    """What the user says about time overrules the data."""
    if declared.is_after(column):
        return Arrow("effect", is_declared=True)
    return Arrow("cause", is_declared=True) if declared.is_before(column) else None

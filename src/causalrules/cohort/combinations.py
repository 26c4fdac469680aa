"""Records of a study by the parts of its pattern that they have, stratum by stratum."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.arms import Arms
    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.domain.unique_rows import UniqueRows


def combination_cells(
    rows: UniqueRows, pattern: Sequence[tuple[int, int]], arms: Arms, compared: ArmsCompared
) -> NDArray[np.int64]:
    """Count the records of every combination of parts in the strata of a study.

    Records take part that are in a stratum and whose every part is known.

    Parameters
    ----------
    rows : UniqueRows
        Over the columns of the pattern, at least.
    pattern : sequence of (int, int)
        Column number and code of each part.
    arms, compared
        The study of the whole pattern over these rows.

    Returns
    -------
    int64[n_strata, 2**k, 2]
        Records without and with the outcome; combination c has the parts whose bits are set in c. Every
        stratum has records of every combination.
    """
    place = {int(column): position for position, column in enumerate(rows.columns)}
    kept = arms.kept
    combination = np.zeros(len(kept), np.int64)
    is_known = compared.stratum >= 0
    for part, (column, code) in enumerate(pattern):
        codes = rows.codes[place[column]][kept]
        combination |= (codes == code).astype(np.int64) << part
        is_known &= codes != 0
    n_strata, n_combinations = int(compared.stratum.max(initial=-1)) + 1, 1 << len(pattern)
    place_of = (compared.stratum * n_combinations + combination)[is_known]
    counts = arms.rows.counts[is_known]
    cells = np.stack([np.bincount(place_of, side, n_strata * n_combinations) for side in counts.T], axis=1)
    risk = np.nan_to_num(compared.unexposed_risk[is_known])
    records = counts.sum(axis=1)
    stratum = compared.stratum[is_known]
    prognosis = np.bincount(stratum, risk * records, n_strata) / np.maximum(
        np.bincount(stratum, records, n_strata), 1
    )
    return join_incomplete(cells.astype(np.int64).reshape(n_strata, n_combinations, 2), prognosis)


def join_incomplete(cells: NDArray[np.int64], prognosis: NDArray[np.float64]) -> NDArray[np.int64]:
    """Join strata that lack a combination with those nearest to them in prognosis, until none is lacking.

    A risk cannot be standardised to records in whose stratum it was never
    seen. Records of equal prognosis are alike in what matters without
    exposure (Hansen 2008), so strata are put together by it; those that have
    all combinations stay as they are.

    Parameters
    ----------
    cells : int64[n_strata, n_combinations, 2]
        As in `combination_cells`, with gaps.
    prognosis : float64[n_strata]
        Mean fitted risk without exposure.

    Examples
    --------
    >>> cells = np.array([[[4, 1], [3, 3]], [[0, 0], [2, 1]], [[5, 0], [0, 0]], [[0, 0], [0, 1]]])
    >>> join_incomplete(cells, np.array([0.5, 0.1, 0.2, 0.3])).tolist()
    [[[4, 1], [3, 3]], [[5, 0], [2, 2]]]
    """
    is_complete = (cells.sum(axis=2) > 0).all(axis=1)
    joined: list[NDArray[np.int64]] = []
    waiting = np.zeros(cells.shape[1:], np.int64)
    # Rounded: what differs less is rounding of the fit, and must not decide.
    order = np.argsort(np.round(prognosis, 9), kind="stable")
    for stratum in order[~is_complete[order]]:
        waiting = waiting + cells[stratum]
        if (waiting.sum(axis=1) > 0).all():
            joined.append(waiting)
            waiting = np.zeros_like(waiting)
    whole = [*cells[is_complete], *joined]
    if joined:
        whole[-1] = whole[-1] + waiting
    return np.array(whole, np.int64).reshape(-1, *cells.shape[1:])

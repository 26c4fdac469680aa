"""Records kept aside to test hypotheses that others proposed (Webb, Machine Learning 2007)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def split_records(n_records: int, share: float, seed: int) -> NDArray[np.bool_]:
    """Which records are held out: a fixed number, chosen by the seed.

    Examples
    --------
    >>> split_records(10, 0.5, seed=0).sum()
    np.int64(5)
    """
    is_held_out = np.zeros(n_records, np.bool_)
    n_held_out = round(share * n_records)
    is_held_out[np.random.default_rng(seed).permutation(n_records)[:n_held_out]] = True
    return is_held_out

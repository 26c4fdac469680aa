"""Work space in which one thread counts the strata of rule after rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.kernels import strata

if TYPE_CHECKING:
    from numpy.typing import NDArray


def table_size(n_keys: int) -> int:
    """A power of two at least twice the number of keys."""
    return 1 << max(1, (2 * n_keys - 1).bit_length())


@dataclass(frozen=True, slots=True, eq=False)
class Scratch:
    """Work space of one thread; `filled` are the profiles and controls whose keys it holds, if any."""

    lows: NDArray[np.uint64]
    highs: NDArray[np.uint64]
    order: NDArray[np.uint32]
    table: NDArray[np.uint64]
    owner_highs: NDArray[np.uint64]
    stratum_of: NDArray[np.int32]
    strata: NDArray[np.int64]
    small: NDArray[np.int64]
    rows: NDArray[np.int64]
    filled: list[Any]

    @classmethod
    def for_profiles(cls, n_profiles: int) -> Scratch:
        """Enough for one rule over so many profiles."""
        return cls(
            lows=np.empty(n_profiles, np.uint64),
            highs=np.empty(n_profiles, np.uint64),
            order=np.empty(n_profiles, np.uint32),
            table=np.empty(table_size(n_profiles), np.uint64),
            owner_highs=np.empty(n_profiles, np.uint64),
            stratum_of=np.empty(n_profiles, np.int32),
            strata=np.empty((n_profiles, 4), np.int64),
            small=np.empty(strata.SMALL**4, np.int64),
            rows=np.empty((strata.SMALL**4 + n_profiles, 5), np.int64),
            filled=[],
        )

"""Which records belong together: the clusters' column as digits that any engine can count.

A column of patients may have more values than a code can number. So every
value is hashed to 32 bits, and these are written as eight digits, each a small
coded column: the unique rows of the digits tell the clusters apart on every engine,
and nothing has to be known of the values before. Two clusters with the
same hash (one pair is expected among 90,000) count as one, which keeps variances right.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.encode.values import as_numbers, texts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.encode.columns import Distinct
    from causalrules.encode.tally import Tally

BASE, N_DIGITS = 16, 8

_FEWEST_VALUES = 20
_LEAST_REPEATS, _MOST_REPEATS = 1.2, 100.0
_NAMED_LIKE_PERSONS = re.compile(
    r"(^|[\W_])(id|uuid|guid|key|patient|person|subject|participant|customer|client|user|member|household|"
    r"family|animal|pidnum|pid|mrn)s?($|[\W_])|(?-i:(?<=[a-z])I[Dd]$)",
    re.IGNORECASE,
)


def cluster_digits(distinct: Distinct) -> NDArray[np.uint16]:
    """uint16[8, n]: the digits of each record's cluster, from 1; 0 where its value is missing.

    Records without a value are one cluster: they may belong together.
    """
    hashes = np.array([_hash(text) for text in _texts(distinct.values)], np.uint32)
    shifts = 4 * np.arange(N_DIGITS, dtype=np.uint32)[:, None]
    digits = ((hashes >> shifts) & np.uint32(BASE - 1)).astype(np.uint16) + np.uint16(1)
    with_missing = np.concatenate([digits, np.zeros((N_DIGITS, 1), np.uint16)], axis=1)
    return np.take(with_missing, distinct.indices, axis=1)


def _texts(values: pa.Array) -> list[str]:
    """Values as texts that do not depend on how an engine holds them: 7, 7.0 and "7" are one."""
    numbers = as_numbers(values) if pa.types.is_temporal(values.type) else None
    if numbers is not None:
        return list(map(repr, numbers.values.tolist()))
    texts: list[str] = texts_of(values).to_pylist()
    return texts


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "little")


def chosen_clusters(digits: NDArray[np.uint16], share: float, seed: int) -> NDArray[np.bool_]:
    """Which records are of clusters that are held out: about a share of the clusters, fixed by the seed."""
    clusters, cluster_of = np.unique(digits.T.astype(np.uint8), axis=0, return_inverse=True)
    is_chosen = [_hash(f"{seed} {cluster.tobytes().hex()}") < share * 2**32 for cluster in clusters]
    return np.array(is_chosen, np.bool_)[cluster_of]


def repeated_identifier(name: str, tally: Tally) -> list[str]:
    """A warning if a column that is named like an identifier has many values that repeat."""
    n_records = int(tally.counts.sum())
    n_values = int(np.count_nonzero(tally.counts))
    if not _NAMED_LIKE_PERSONS.search(name) or n_values < _FEWEST_VALUES:
        return []
    if not _LEAST_REPEATS * n_values <= n_records <= _MOST_REPEATS * n_values:
        return []
    return [
        f"{name} repeats: {n_values:,} different values in {n_records:,} records. If equal values mean "
        f"records that belong together, intervals are too narrow and p-values too small; --cluster {name} "
        "corrects them."
    ]

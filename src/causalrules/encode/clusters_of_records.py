"""Which records belong together: the clusters' column as digits that any engine can count.

A column of patients may have more values than a code can number. So every
value is hashed to 32 bits, and these are written as eight digits, each a small
coded column: the unique rows of the digits tell the clusters apart on every engine,
and nothing has to be known of the values before. Two clusters with the
same hash (one pair is expected among 90,000) count as one, which keeps variances right.
"""

from __future__ import annotations

import re
import shlex
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.domain.marker_phrases import REPEATS
from causalrules.encode.repeated_values import SampledRows, values_that_group
from causalrules.encode.values import as_numbers, texts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from causalrules.encode.columns import Batch, Distinct
    from causalrules.encode.tally import Tally

BASE, N_DIGITS = 16, 8

_FEWEST_VALUES = 20
_LEAST_REPEATS, _MOST_REPEATS = 1.2, 100.0
_NAMED_LIKE_PERSONS = re.compile(
    r"(^|[\W_])(id|uuid|guid|key|patient|person|subject|participant|customer|client|user|member|household|"
    r"family|animal|pidnum|pid|mrn|psu|cluster|sampling[\W_]?unit)s?($|[\W_])|(?-i:(?<=[a-z])I[Dd]$)",
    re.IGNORECASE,
)
_PROPERTY_OF_PERSONS = re.compile(
    r"(^|[\W_])(age|income|revenue|earnings|sales|spend|spent|spending|cost|price|fee|amount|balance|total|size|"
    r"weight|height|bmi|score|rate|count|days|months|years|duration|tenure|date|time)s?($|[\W_])",
    re.IGNORECASE,
)
"""A patient's age names nobody, although it is named after patients."""
_SEVERAL = 2
_MAY_BE_PERSONS = re.compile(
    r"(^|[\W_])(pat|case|fall|proband|respondent|student|pupil|schueler|schüler|studie|study|child|kind|"
    r"mother|mutter|donor|vp|hh)(en|s)?[\W_]*(nr|no|num|number|nummer|id|code)?($|[\W_])",
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


class RepeatedIdentifiers:
    """Finds columns whose equal values mean records that belong together.

    A name such as ``patient`` is enough; without it the records decide, see
    `encode.repeated_values`, and less is asked of them where the name may be a person's.
    """

    def __init__(self) -> None:
        self._rows = SampledRows()
        self._more_rows: Callable[[], Iterable[Batch]] = tuple
        self._n_values: dict[str, int] = {}
        self._n_records: dict[str, int] = {}

    def look_at(self, batch: Batch) -> None:
        """Take rows of a batch into account; rows that stand for many records are nobody's."""
        if batch.times is None:
            self._rows.add(batch)

    def look_later(self, rows: Callable[[], Iterable[Batch]]) -> None:
        """Where rows can be had that were not looked at, should they be needed."""
        self._more_rows = rows

    def add(self, name: str, tally: Tally) -> None:
        """Remember a column whose values repeat as those of persons may."""
        n_records = int(tally.counts.sum())
        n_values = int(np.count_nonzero(tally.counts))
        if n_values < _FEWEST_VALUES:
            return
        if _LEAST_REPEATS * n_values <= n_records <= _MOST_REPEATS * n_values:
            self._n_values[name], self._n_records[name] = n_values, n_records

    def found(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The columns that are named like an identifier, else the one that groups records.

        Parameters
        ----------
        columns : sequence of str
            All that take part, among which some may stay the same.
        """
        named = [
            name
            for name in self._n_values
            if _NAMED_LIKE_PERSONS.search(name) and not _PROPERTY_OF_PERSONS.search(name)
        ]
        if not named and self._n_values:
            for batch in self._more_rows():
                self.look_at(batch)
            found = values_that_group(self._rows.columns(columns), list(self._n_values))
            found = {
                name: count
                for name, count in found.items()
                if count >= _SEVERAL or (count and _MAY_BE_PERSONS.search(name))
            }
            # What belongs to a hospital is the same for each of its patients, too: these are meant.
            named = sorted(found, key=lambda name: (-found[name], -self._n_values[name]))[:1]
        return tuple(named)

    def warnings(self, found: Sequence[str]) -> list[str]:
        """A sentence on each column that was found."""
        return [
            f"{name}{REPEATS}{self._n_values[name]:,} different values in {self._n_records[name]:,} "
            "records. If equal values mean records that belong together, intervals are too narrow and "
            f"p-values too small; --cluster {shlex.quote(name)} corrects them."
            for name in found
        ]

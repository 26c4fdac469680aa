"""The records of a study by row and by what studies add up: values, weights, clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from causalrules.domain.unique_rows import number_combinations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.arms import Arms
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.engines.contract import Engine


class Decodes(Protocol):
    """A number that is written in digits."""

    def values(self, digits: NDArray[np.uint16]) -> NDArray[np.float64]:
        """The numbers that digits stand for."""


class Carries(Protocol):
    """Which coded columns are digits of values, weights and clusters."""

    @property
    def cluster_places(self) -> NDArray[np.intp]:
        """The columns that together say which records belong together; none if all stand for themselves."""

    def carries(self, role: Literal["outcome", "weights"]) -> tuple[Decodes, NDArray[np.intp]] | None:
        """The number that has this role and the columns of its digits; None if there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class StudyRecords:
    """Records that are alike in all that a study knows of them are one kind.

    Parameters
    ----------
    row : intp[n]
        Row of the study.
    is_case : bool[n]
        Whether they have the outcome; of a number, whether it is in the upper half.
    value : float64[n]
        The number whose mean is asked for; else 1 with the outcome, 0 without.
    times : int64[n]
        Records of this kind.
    weight : float64[n]
        What each of them represents, on average 1; 1 where records are no weighted sample.
    cluster : int64[n] or None
        Which records belong together; None where every record stands for itself.
    are_weighted : bool
        Whether records are a weighted sample.
    beside : uint16[number of further columns, n]
        Codes of columns that were asked for besides, 0 for missing.
    """

    row: NDArray[np.intp]
    is_case: NDArray[np.bool_]
    value: NDArray[np.float64]
    times: NDArray[np.int64]
    weight: NDArray[np.float64]
    cluster: NDArray[np.int64] | None
    are_weighted: bool
    beside: NDArray[np.uint16]

    def within(self, stratum: NDArray[np.int64]) -> StudyRecords:
        """Those of records that are compared."""
        return self.take(np.flatnonzero(stratum[self.row] >= 0))

    def take(self, chosen: NDArray[np.intp]) -> StudyRecords:
        """Some kinds of them."""
        cluster = None if self.cluster is None else self.cluster[chosen]
        return StudyRecords(
            self.row[chosen],
            self.is_case[chosen],
            self.value[chosen],
            self.times[chosen],
            self.weight[chosen],
            cluster,
            self.are_weighted,
            self.beside[:, chosen],
        )

    def weighted_counts(self, n_rows: int) -> NDArray[np.float64]:
        """float64[n_rows, 2]: what the records of each row represent, without and with the outcome."""
        place = 2 * self.row + self.is_case
        return np.bincount(place, self.times * self.weight, 2 * n_rows).reshape(-1, 2).astype(np.float64)


def study_records(
    engine: Engine, vocabulary: Carries, rows: UniqueRows, arms: Arms, beside: Sequence[int] = ()
) -> StudyRecords:
    """Count the records of a study once more, by what the vocabulary carries beside its columns.

    Parameters
    ----------
    engine : Engine
        The records.
    vocabulary : Carries
        Which coded columns are digits of values, weights and clusters.
    rows : UniqueRows
        All unique rows.
    arms : Arms
        Those of the study.
    beside : sequence of int
        Further coded columns; they may be among the rows'.
    """
    outcome, weights = vocabulary.carries("outcome"), vocabulary.carries("weights")
    clusters, n_own = vocabulary.cluster_places, len(rows.columns)
    digits = [found[1] for found in (outcome, weights) if found is not None]
    own = rows.columns.tolist()
    further = np.array([column for column in dict.fromkeys(beside) if column not in own], np.intp)
    finer = engine.unique_rows(np.concatenate([rows.columns, clusters, *digits, further]))
    position = {column: number for number, column in enumerate(finer.columns.tolist())}
    place = np.full(rows.n_rows, -1, np.intp)
    place[arms.kept] = np.arange(len(arms.kept))
    row = place[rows.find(finer.codes[:n_own])]
    kept = np.flatnonzero(row >= 0)
    row, codes, counts = row[kept], finer.codes[:, kept], finer.counts[kept]

    def codes_of(columns: Sequence[int]) -> NDArray[np.uint16]:
        return codes[[position[column] for column in columns]]

    def decoded(found: tuple[Decodes, NDArray[np.intp]]) -> NDArray[np.float64]:
        return found[0].values(codes_of(found[1].tolist()))

    cluster = number_combinations(codes[n_own : n_own + len(clusters)], len(kept)) if len(clusters) else None
    weight = np.ones(len(kept))
    if weights is not None:
        weight = decoded(weights)
        weight *= float(counts.sum()) / float((counts.sum(axis=1) * weight).sum())
    side, kind = np.nonzero(counts.T)  # with and without the outcome are two kinds
    return StudyRecords(
        row[kind],
        side == 1,
        side.astype(np.float64) if outcome is None else decoded(outcome)[kind],
        counts[kind, side],
        weight[kind],
        None if cluster is None else cluster[kind],
        weights is not None,
        codes_of(beside)[:, kind],
    )

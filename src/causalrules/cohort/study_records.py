"""The records of a study once more, by further columns: what they are worth, and which belong together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from causalrules.domain.unique_rows import number_combinations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.arms import Arms
    from causalrules.cohort.study_rows import StudyRows
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.engines.contract import Engine


@dataclass(frozen=True, slots=True, eq=False)
class RowsBeside:
    """The records of a study by its rows and by the values of further columns.

    Parameters
    ----------
    row : intp[n]
        Row of the study.
    codes : uint16[number of further columns, n]
        Their values, 0 for missing.
    counts : int64[n, 2]
        Records without and with the outcome.
    """

    row: NDArray[np.intp]
    codes: NDArray[np.uint16]
    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        engine: Engine,
        columns: Sequence[int],
        arms: Arms,
        beside: Sequence[int],
        rows: UniqueRows | None = None,
    ) -> RowsBeside:
        """Count the records of a study by further columns.

        Parameters
        ----------
        engine : Engine
            The records.
        columns : sequence of int
            The study's coded columns, ascending.
        arms : Arms
            The study's rows.
        beside : sequence of int
            Further coded columns; they may be among the study's.
        rows : UniqueRows, optional
            Of the study's columns, where they are at hand.
        """
        own = np.array(columns, np.intp)
        further = np.array([place for place in dict.fromkeys(beside) if place not in columns], np.intp)
        rows = finer = engine.unique_rows(own) if rows is None else rows
        row = np.full(rows.n_rows, -1, np.intp)
        row[arms.kept] = np.arange(len(arms.kept))
        if len(further):
            finer = engine.unique_rows(np.append(own, further))
            row = row[rows.find(finer.codes[: len(own)])]
        kept = np.flatnonzero(row >= 0)
        order = finer.columns.tolist()
        codes = finer.codes[[order.index(one) for one in beside]]
        return cls(row[kept], np.take(codes, kept, axis=1), finer.counts[kept])


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
class Design:
    """What records are worth, and which belong together.

    Parameters
    ----------
    weight : float64[n]
        What each record of a row represents, on average 1; 1 where records are no weighted sample.
    cluster : int64[n] or None
        Which rows belong together, from 0; None where every record stands for itself.
    is_weighted : bool
        Whether records are a weighted sample.
    """

    weight: NDArray[np.float64]
    cluster: NDArray[np.int64] | None = None
    is_weighted: bool = False

    @staticmethod
    def places(vocabulary: Carries) -> list[int]:
        """The coded columns that tell it: digits of clusters, then those of weights."""
        weights = vocabulary.carries("weights")
        return [*vocabulary.cluster_places.tolist(), *([] if weights is None else weights[1].tolist())]

    @classmethod
    def of(cls, vocabulary: Carries, codes: NDArray[np.uint16], counts: NDArray[np.int64]) -> Design:
        """From the codes of the columns of `places`, in their order, and the records of each row."""
        n_rows, n_digits = len(counts), len(vocabulary.cluster_places)
        cluster = number_combinations(codes[:n_digits], n_rows) if n_digits else None
        weights = vocabulary.carries("weights")
        if weights is None:
            return cls(np.ones(n_rows), cluster)
        weight = weights[0].values(codes[n_digits:])
        weight *= float(counts.sum()) / float((counts.sum(axis=1) * weight).sum())
        return cls(weight, cluster, is_weighted=True)

    def take(self, rows: NDArray[np.intp]) -> Design:
        """The design of some rows."""
        cluster = None if self.cluster is None else self.cluster[rows]
        return Design(self.weight[rows], cluster, self.is_weighted)


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
    design : Design
        What each of them represents, and which belong together.
    beside : uint16[number of further columns, n]
        Codes of columns that were asked for besides, 0 for missing.
    """

    row: NDArray[np.intp]
    is_case: NDArray[np.bool_]
    value: NDArray[np.float64]
    times: NDArray[np.int64]
    design: Design
    beside: NDArray[np.uint16]

    @classmethod
    def of(
        cls,
        row: NDArray[np.intp],
        counts: NDArray[np.int64],
        design: Design,
        value: NDArray[np.float64] | None = None,
        beside: NDArray[np.uint16] | None = None,
    ) -> StudyRecords:
        """From records without and with the outcome, int64[n, 2], which are two kinds."""
        side, kind = np.nonzero(counts.T)
        values = side.astype(np.float64) if value is None else value[kind]
        codes = np.empty((0, len(row)), np.uint16) if beside is None else beside
        return cls(row[kind], side == 1, values, counts[kind, side], design.take(kind), codes[:, kind])

    @property
    def weight(self) -> NDArray[np.float64]:
        """What each record represents."""
        return self.design.weight

    @property
    def cluster(self) -> NDArray[np.int64] | None:
        """Which records belong together; None where every record stands for itself."""
        return self.design.cluster

    def within(self, stratum: NDArray[np.int64]) -> StudyRecords:
        """The records that are compared: those whose row has a stratum."""
        return self.take(np.flatnonzero(stratum[self.row] >= 0))

    def take(self, chosen: NDArray[np.intp]) -> StudyRecords:
        """Some kinds of records."""
        return StudyRecords(
            self.row[chosen],
            self.is_case[chosen],
            self.value[chosen],
            self.times[chosen],
            self.design.take(chosen),
            self.beside[:, chosen],
        )

    def weighted_counts(self, n_rows: int) -> NDArray[np.float64]:
        """float64[n_rows, 2]: what the records of each row represent, without and with the outcome."""
        place = 2 * self.row + self.is_case
        return np.bincount(place, self.times * self.weight, 2 * n_rows).reshape(-1, 2).astype(np.float64)

    def weighted_cells(self, rows: StudyRows, stratum: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64[k, 4]: sums of weights of every stratum, in the order of `compare_arms.cells_of`."""
        place = 4 * stratum[self.row] + np.where(rows.exposed[self.row], 0, 2) + ~self.is_case
        n_cells = 4 * (int(stratum.max(initial=-1)) + 1)
        return np.bincount(place, self.times * self.weight, n_cells).astype(np.float64).reshape(-1, 4)


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
    places, outcome = Design.places(vocabulary), vocabulary.carries("outcome")
    digits = [] if outcome is None else outcome[1].tolist()
    found = RowsBeside.of(engine, rows.columns.tolist(), arms, [*places, *digits, *beside], rows)
    of_design, of_value, further = np.split(found.codes, [len(places), len(places) + len(digits)])
    design = Design.of(vocabulary, of_design, found.counts)
    value = None if outcome is None else outcome[0].values(of_value)
    return StudyRecords.of(found.row, found.counts, design, value, further)

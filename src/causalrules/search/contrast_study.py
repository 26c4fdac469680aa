"""One contrast put to its study: what is held, who is compared, and whether that was enough.

The balance guard decides whether a comparison can be trusted: columns that
may confound and still differ between the arms are held too and the study is
done again; where that cannot be done, the answer is that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Protocol

import numpy as np

from causalrules.assess.odds import odds_ratio_of_table
from causalrules.cohort.arms import Arms, arms_of
from causalrules.cohort.associated import associated_columns
from causalrules.cohort.clustered_study import ClusterRows, with_clusters
from causalrules.cohort.combinations import combination_cells
from causalrules.cohort.compare_arms import ArmsCompared, MissingName, compare_arms
from causalrules.cohort.given_sets import are_gathered_by_outcome, compare_within_sets, with_sets
from causalrules.cohort.imbalance import ColumnImbalance, imbalance_of_columns, row_weights
from causalrules.cohort.mean_study import with_means
from causalrules.cohort.near_copies import NEAR_COPY, share_left_within, variance_left
from causalrules.cohort.sampled_study import with_sampling
from causalrules.cohort.score_design import Models
from causalrules.cohort.scores import NOTHING_KNOWN
from causalrules.cohort.study_records import study_records
from causalrules.domain.progress import nothing_remembered
from causalrules.search.balance_guard import is_decisive, why_untestable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Estimate, Settings
    from causalrules.domain.unique_rows import HeldColumn, UniqueRows
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine

_MOST_REPEATS = 3


class ChosenControls(Protocol):
    """What the search knows about columns: which to hold for an exposure, and which may confound."""

    def controls_of(self, own: Collection[str]) -> Sequence[HeldColumn]:
        """The columns to hold in a study of an exposure made of these columns."""

    def may_confound(self, own: Collection[str]) -> Collection[str]:
        """Names of the columns whose imbalance decides whether a study can be trusted."""

    def may_be_held(self, own: Collection[str]) -> Sequence[HeldColumn]:
        """The columns that may be held where none of those to hold is left."""

    def may_be_the_same(self, own: Collection[str]) -> Collection[str]:
        """Names of columns to hold that may be the exposure's own in other words."""


@dataclass(frozen=True, slots=True, eq=False)
class ContrastStudy:
    """A pattern, the columns held, the records compared and how alike they are.

    Parameters
    ----------
    pattern : tuple of int
        Item numbers.
    held : tuple of HeldColumn
        What records of a stratum are alike in.
    near_copies : tuple of str
        Columns that could not be held because they nearly determine the exposure.
    arms, compared
        The records, and what their comparison says.
    sums : int64[n_items, 5]
        Records and weights of each item, see `cohort.imbalance`.
    imbalance : dict of str to ColumnImbalance
        Of every column but the pattern's own.
    untestable : str
        Why no answer can be had; empty if one can.
    other_missing : ArmsCompared, optional
        The comparison with missing controls treated the other way; None where none is missing.
    combinations : int64[n_strata, 2**k, 2] or None
        Of a pattern of several parts: see `cohort.combinations`.
    is_remembered : bool
        Whether its counts were taken from a checkpoint.
    """

    pattern: tuple[int, ...]
    held: tuple[HeldColumn, ...]
    near_copies: tuple[str, ...]
    arms: Arms
    compared: ArmsCompared
    sums: NDArray[np.int64]
    imbalance: dict[str, ColumnImbalance]
    untestable: str
    other_missing: ArmsCompared | None = None
    combinations: NDArray[np.int64] | None = None
    is_remembered: bool = False

    @property
    def crude_cells(self) -> tuple[int, int, int, int]:
        """All records of the arms: exposed with and without the outcome, unexposed likewise."""
        rows = self.arms.study
        exposed, unexposed = (rows.counts[arm].sum(axis=0).tolist() for arm in (rows.exposed, ~rows.exposed))
        return exposed[1], exposed[0], unexposed[1], unexposed[0]

    def crude_odds_ratio(self, confidence: float) -> Estimate:
        """Of all records of the arms, weighted where they are a weighted sample."""
        crude = self.compared.crude
        return odds_ratio_of_table(self.crude_cells, confidence) if crude is None else crude.odds_ratio


@dataclass(slots=True, eq=False)
class _AtHand:
    """What studies of the same columns share, a few of the last; for one thread."""

    rows: dict[tuple[int, ...], UniqueRows] = field(default_factory=dict)
    arms: dict[tuple[int, ...], Arms] = field(default_factory=dict)
    associated: dict[frozenset[str], list[HeldColumn]] = field(default_factory=dict)


_MOST_AT_HAND = 3


@dataclass(slots=True, eq=False)
class _SameColumns:
    """Patterns of the same columns, with the near copies of each, and what their studies share."""

    patterns: list[tuple[tuple[int, ...], set[str]]] = field(default_factory=list)
    at_hand: _AtHand = field(default_factory=_AtHand)


class ContrastStudies:
    """Studies contrasts of one table.

    Parameters
    ----------
    engine : Engine
        The records that are compared.
    vocabulary : Vocabulary
        Items and columns.
    settings : Settings
        Matching, missing values, confidence.
    chosen : ChosenControls
        What to hold.
    n_remembered : callable
        How many answers the calling thread took from a checkpoint.
    """

    def __init__(
        self,
        engine: Engine,
        vocabulary: Vocabulary,
        settings: Settings,
        chosen: ChosenControls,
        n_remembered: Callable[[], int] = nothing_remembered,
    ) -> None:
        self._engine = engine
        self._vocabulary = vocabulary
        self._settings = settings
        self._chosen = chosen
        self._n_remembered = n_remembered
        self._columns = {column.name: column for column in vocabulary.held_columns}
        self._column_of_item = vocabulary.column_of_item
        self._at_hand = _AtHand()
        self._near = NOTHING_KNOWN

    def study_each(self, patterns: Sequence[tuple[int, ...]]) -> Iterator[ContrastStudy]:
        """Study some patterns of one length, those of the same columns one after another.

        They share unique rows and models, and start from each other's fits. Different
        columns have nothing to do with each other: where the engine has threads, they work side by side.
        """
        groups: dict[tuple[int, ...], _SameColumns] = {}
        for pattern, copies in zip(patterns, self._near_copies(patterns), strict=True):
            columns = tuple(self._column_of_item[list(pattern)].tolist())
            groups.setdefault(columns, _SameColumns()).patterns.append((pattern, copies))

        def study_group(group: _SameColumns) -> Iterator[ContrastStudy]:
            for pattern, copies in group.patterns:
                yield self._study(pattern, copies, group.at_hand)
            group.at_hand = _AtHand()  # of no use to other columns, and large

        # The largest first, so that no thread has much to do when the others are done.
        todo = sorted(groups.values(), key=lambda group: -len(group.patterns))
        if todo:
            yield self._study_first(todo[0])
        workers = self._engine.workers
        if workers is not None:
            yield from chain.from_iterable(workers.map(lambda group: list(study_group(group)), todo))
            return
        for group in todo:
            yield from study_group(group)

    def _study_first(self, group: _SameColumns) -> ContrastStudy:
        """Study one of the patterns; all that follow start from its model of the outcome.

        The effects of the columns that studies hold are nearly the same in all of them. They start from one
        study, and not from whichever was last, so that threads change no digit.
        """
        study = self._study(*group.patterns.pop(0), group.at_hand)
        self._near = Models(outcome=study.compared.models.outcome)
        return study

    def study(self, pattern: tuple[int, ...]) -> ContrastStudy:
        """Compare the records of one pattern with those that are known not to have it."""
        (copies,) = self._near_copies([pattern])
        return self._study(pattern, copies, self._at_hand)

    def study_beside(self, asked: Sequence[tuple[ContrastStudy, tuple[str, ...]]]) -> list[ContrastStudy]:
        """Each study once more without some of the columns that it may hold, for its estimate alone."""
        groups: dict[tuple[tuple[int, ...], tuple[str, ...]], list[int]] = {}
        for place, (study, without) in enumerate(asked):
            columns = tuple(self._column_of_item[list(study.pattern)].tolist())
            groups.setdefault((columns, without), []).append(place)

        def study_group(places: list[int]) -> list[ContrastStudy]:
            at_hand = _AtHand()
            return [
                self._study(study.pattern, set(study.near_copies), at_hand, without)
                for study, without in (asked[place] for place in places)
            ]

        workers = self._engine.workers
        side_by_side = map if workers is None else workers.map
        done = chain.from_iterable(side_by_side(study_group, list(groups.values())))
        found = dict(zip(chain.from_iterable(groups.values()), done, strict=True))
        return [found[place] for place in range(len(asked))]

    def _study(
        self,
        pattern: tuple[int, ...],
        copies: set[str],
        at_hand: _AtHand,
        without: Collection[str] = (),
    ) -> ContrastStudy:
        n_before = self._n_remembered()
        own = {self._vocabulary.items[item].column for item in pattern}
        chosen = self._chosen.controls_of(own)
        same = self._chosen.may_be_the_same(own)
        copies = copies | self._determined_by(own, [one for one in chosen if one.name in same])
        held = [column for column in chosen if column.name not in copies | set(without)]
        deciding = set(self._chosen.may_confound(own)) - own - copies - set(without)
        if self._settings.matched_set is not None:  # who is compared was decided when sets were gathered
            held = [column for column in held if column.name in self._settings.adjusted_for]
            deciding = set()
        elif not held and not without:
            associated = self._associated(pattern, own, at_hand)
            copies = copies | self._determined_by(own, associated)
            held = [column for column in associated if column.name not in copies]
        for _ in range(_MOST_REPEATS):
            # Beside another study only the estimate is looked at.
            study = self._compare(pattern, own, tuple(held), copies, at_hand, with_opinion=not without)
            names = {column.name for column in study.held}
            missed = sorted(name for name in deciding - names if is_decisive(study.imbalance[name]))
            if study.untestable or not missed:
                break
            held += [self._columns[name] for name in missed]
        other = None if without else self._other_missing(study, at_hand)
        return replace(
            study,
            arms=study.arms.without_models(),
            compared=study.compared.without_scores(),
            other_missing=other and other.without_scores(),
            is_remembered=self._n_remembered() > n_before,
        )

    @cached_property
    def _are_sets_by_outcome(self) -> bool:
        """Whether matched sets were gathered by the outcome, as all records of the table say."""
        return are_gathered_by_outcome(self._engine.unique_rows(self._vocabulary.cluster_places))

    def _associated(self, pattern: tuple[int, ...], own: set[str], at_hand: _AtHand) -> list[HeldColumn]:
        """What goes with the outcome, where nothing else is held; the same for all values of a column."""
        key, first_item = frozenset(own), self._vocabulary.first_item
        if key not in at_hand.associated:
            others = [one for one in self._chosen.may_be_held(own) if one.name not in own]
            at_hand.associated[key] = associated_columns(self._engine, pattern, others, first_item)
        return at_hand.associated[key]

    def _determined_by(self, own: set[str], asked: Sequence[HeldColumn]) -> set[str]:
        """Columns that say the exposure's column in coarser words, within which few of its values differ."""
        if len(own) != 1 or not asked:
            return set()
        place = self._columns[next(iter(own))].place
        found = set()
        for one in asked:
            rows = self._engine.unique_rows(np.array(sorted((place, one.place)), np.intp))
            codes = rows.codes if place < one.place else rows.codes[::-1]
            if share_left_within(codes[0], codes[1], rows.counts.sum(axis=1)) < NEAR_COPY:
                found.add(one.name)
        return found

    def _other_missing(self, study: ContrastStudy, at_hand: _AtHand) -> ArmsCompared | None:
        """The same records with missing controls as a level instead of left out, or left out instead."""
        if study.untestable or study.compared.missing == "none" or self._settings.matched_set is not None:
            return None
        other = self._arms_compared(
            self._rows_of(study.pattern, study.held, at_hand),
            study.arms,
            "value" if study.compared.missing == "drop" else "drop",
            with_opinion=False,
            near=study.compared.models,
        )
        return other if other.is_informative else None

    def _compare(
        self,
        pattern: tuple[int, ...],
        own: set[str],
        held: tuple[HeldColumn, ...],
        copies: set[str],
        at_hand: _AtHand,
        *,
        with_opinion: bool,
    ) -> ContrastStudy:
        items = [(int(self._column_of_item[i]), self._code_of(i)) for i in pattern]
        rows = self._rows_of(pattern, held, at_hand)
        # A number may be held, by its fine bins, in one study and be the exposure, by its items, in another.
        key = (*rows.columns.tolist(), -1, *(one.place for one in held))
        arms = arms_of(rows, items, held, at_hand.arms.get(key))
        if self._settings.matched_set is not None:
            arms = with_sets(arms, rows, self._vocabulary.cluster_places, self._settings.matched_set)
        at_hand.arms[key] = arms
        if len(at_hand.arms) > _MOST_AT_HAND:
            at_hand.arms.pop(next(iter(at_hand.arms)))
        compared = self._arms_compared(
            rows,
            arms,
            self._settings.missing_controls,
            near=self._near,
            with_opinion=with_opinion or len(items) > 1,  # whose cells are told by its model of the outcome
        )
        weights, effective = row_weights(rows.n_rows, arms, compared.stratum)
        sums = self._engine.item_sums(rows, weights)
        others = [one for name, one in self._columns.items() if name not in own]
        imbalance = imbalance_of_columns(sums, self._vocabulary.first_item, others, effective)
        not_held = sorted(copies.intersection(self._settings.adjusted_for))
        reason = why_untestable(arms, compared, held, imbalance, not_held)
        cells = combination_cells(rows, items, arms, compared) if len(items) > 1 else None
        found = (pattern, held, tuple(sorted(copies)), arms, compared, sums, imbalance, reason)
        return ContrastStudy(*found, combinations=cells)

    def _arms_compared(
        self,
        rows: UniqueRows,
        arms: Arms,
        missing: MissingName,
        *,
        near: Models,
        with_opinion: bool = True,
    ) -> ArmsCompared:
        settings = self._settings
        if settings.matched_set is not None:
            by_outcome = self._are_sets_by_outcome
            return compare_within_sets(arms.study, settings.confidence, gathered_by_outcome=by_outcome)
        has_clusters = self._vocabulary.n_cluster_digits > 0
        records = None
        if self._vocabulary.carried:
            records = study_records(self._engine, self._vocabulary, rows, arms)
        compared = compare_arms(
            arms.study,
            settings.study_matching,
            missing,
            settings.confidence,
            with_opinion=with_opinion or has_clusters,  # the variance of clusters needs its scores
            near=near,
            weighted=records.weighted_counts(arms.study.n_rows) if records and records.are_weighted else None,
        )
        if records is not None:
            if records.are_weighted or has_clusters:
                compared = with_sampling(arms.study, compared, records, settings.confidence)
            if settings.outcome_as == "mean":
                compared = with_means(
                    arms.study, compared, records, settings.confidence, with_opinion=with_opinion
                )
            return compared
        if not has_clusters:
            return compared
        by_cluster = self._engine.unique_rows(np.append(rows.columns, self._vocabulary.cluster_places))
        clustered = ClusterRows.of(rows, by_cluster, arms)
        return with_clusters(arms.study, compared, clustered, settings.confidence)

    def columns_of(self, study: ContrastStudy) -> tuple[int, ...]:
        """The coded columns that a study's rows are made of."""
        return self._coded_columns(study.pattern, study.held)

    def _coded_columns(self, pattern: tuple[int, ...], held: tuple[HeldColumn, ...]) -> tuple[int, ...]:
        columns = {int(self._column_of_item[i]) for i in pattern} | {one.place for one in held}
        if self._settings.matched_set is not None:
            columns |= set(self._vocabulary.cluster_places.tolist())
        return tuple(sorted(columns))

    def _rows_of(
        self, pattern: tuple[int, ...], held: tuple[HeldColumn, ...], at_hand: _AtHand
    ) -> UniqueRows:
        return self._unique_rows(self._coded_columns(pattern, held), at_hand)

    def _code_of(self, item: int) -> int:
        return item - int(self._vocabulary.first_item[self._column_of_item[item]]) + 1

    def _unique_rows(self, columns: tuple[int, ...], at_hand: _AtHand) -> UniqueRows:
        """Unique rows of these columns; studies with equal columns share them."""
        if columns not in at_hand.rows:
            if len(at_hand.rows) >= _MOST_AT_HAND:
                at_hand.rows.pop(next(iter(at_hand.rows)))
            at_hand.rows[columns] = self._engine.unique_rows(np.array(columns, np.intp))
        return at_hand.rows[columns]

    def _near_copies(self, patterns: Sequence[tuple[int, ...]]) -> list[set[str]]:
        """Columns within whose values the exposure hardly varies: held, nobody would be left to compare.

        Of patterns of one length, their own columns left out.
        """
        if not patterns:
            return []
        asked = np.array(patterns, np.intp)
        overlaps = self._engine.overlaps(asked, np.arange(len(self._vocabulary.items)))
        support = self._engine.item_counts().support
        exposed = self._engine.pattern_counts(asked).support
        n_records = self._engine.n_with + self._engine.n_without
        names = np.array(list(self._columns), object)
        places = np.array([column.place for column in self._columns.values()], np.intp)
        found = []
        for pattern, both, n_exposed in zip(patterns, overlaps, exposed, strict=True):
            left = variance_left(both, support, int(n_exposed), n_records, self._vocabulary.first_item)
            own = {self._vocabulary.items[item].column for item in pattern}
            found.append({name for name in names[left[places] < NEAR_COPY] if name not in own})
        return found

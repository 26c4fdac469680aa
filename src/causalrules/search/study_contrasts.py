"""Contrasts put to their studies: what is held, who is compared, and whether that was enough.

The balance guard decides whether a comparison can be trusted: columns that
may confound and still differ between the arms are held too and the study is
done again; where that cannot be done, the answer is that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from causalrules.cohort.arms import Arms, arms_of
from causalrules.cohort.combinations import combination_cells
from causalrules.cohort.fallback_controls import associated_columns
from causalrules.cohort.imbalance import imbalance_of_columns, imbalance_of_held, row_weights
from causalrules.cohort.matched_sets import with_sets
from causalrules.cohort.near_copies import coarser_copies, near_copies
from causalrules.cohort.score_design import Models
from causalrules.cohort.scores import NOTHING_KNOWN
from causalrules.domain.progress import nothing_remembered
from causalrules.search.balance_guard import is_decisive, why_untestable
from causalrules.search.contrast_study import ContrastStudy
from causalrules.search.study_estimates import StudyEstimates

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.domain import Settings
    from causalrules.domain.unique_rows import HeldColumn, UniqueRows
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine

Task = TypeVar("Task")
Answer = TypeVar("Answer")

_MOST_REPEATS = 3
_MOST_SHARED = 3
"""How often a study is repeated with more held, and how many unique rows and arms are kept for the next."""

_MOST_WITHOUT_MODEL = 8
"""Studies that are done one after the other in search of a model that others start from."""


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

    def may_be_a_cause(self, own: Collection[str]) -> bool:
        """Whether an exposure made of these columns may come out as causal or possible."""


@dataclass(slots=True, eq=False)
class _Shared:
    """What studies of the same columns share, a few of the last; for one thread."""

    rows: dict[tuple[int, ...], UniqueRows] = field(default_factory=dict)
    arms: dict[tuple[int, ...], Arms] = field(default_factory=dict)
    associated: dict[frozenset[str], list[HeldColumn]] = field(default_factory=dict)

    def unique_rows(self, engine: Engine, columns: tuple[int, ...]) -> UniqueRows:
        """Unique rows of these columns."""
        if columns not in self.rows:
            if len(self.rows) >= _MOST_SHARED:
                self.rows.pop(next(iter(self.rows)))
            self.rows[columns] = engine.unique_rows(np.array(columns, np.intp))
        return self.rows[columns]

    def keep_arms(self, key: tuple[int, ...], arms: Arms) -> None:
        """Keep arms for the next study of the same rows and controls."""
        self.arms[key] = arms
        if len(self.arms) > _MOST_SHARED:
            self.arms.pop(next(iter(self.arms)))


@dataclass(slots=True, eq=False)
class _SameColumns:
    """Patterns of the same columns, with the near copies of each, and what their studies share."""

    patterns: list[tuple[tuple[int, ...], set[str]]] = field(default_factory=list)
    shared: _Shared = field(default_factory=_Shared)


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
        self._estimates = StudyEstimates(engine, vocabulary, settings)
        self._columns = {column.name: column for column in vocabulary.held_columns}
        self._column_of_item = vocabulary.column_of_item
        self._shared = _Shared()
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
                yield self._study(pattern, copies, group.shared)
            group.shared = _Shared()  # of no use to other columns, and large

        # The largest first, so that no thread has much to do when the others are done.
        todo = sorted(groups.values(), key=lambda group: -len(group.patterns))
        yield from self._study_first(todo)
        workers = self._engine.workers
        if workers is not None:
            yield from chain.from_iterable(workers.map(lambda group: list(study_group(group)), todo))
            return
        for group in todo:
            yield from study_group(group)

    def side_by_side(self, work: Callable[[Task], Answer], tasks: Sequence[Task]) -> Iterator[Answer]:
        """Do the work for each task, in threads where these may ask the engine; answers come in order."""
        workers = self._engine.workers
        return map(work, tasks) if workers is None else workers.map(work, tasks)

    def _study_first(self, groups: Sequence[_SameColumns]) -> Iterator[ContrastStudy]:
        """Study a pattern of each group until one has a model of the outcome; all that follow start from it.

        The effects of the columns that studies hold are nearly the same in all of them. They start from one
        study, and not from whichever was last, so that threads change no digit. A study of equal records
        has no model, and takes so little time that a few of them need not be shared by threads.
        """
        for group in groups[:_MOST_WITHOUT_MODEL]:
            study = self._study(*group.patterns.pop(0), group.shared)
            self._near = Models(outcome=study.compared.models.outcome)
            yield study
            if self._near.outcome is not None:
                return

    def study(self, pattern: tuple[int, ...]) -> ContrastStudy:
        """Compare the records of one pattern with those that are known not to have it."""
        (copies,) = self._near_copies([pattern])
        return self._study(pattern, copies, self._shared)

    def study_beside(self, asked: Sequence[tuple[ContrastStudy, tuple[str, ...]]]) -> list[ContrastStudy]:
        """Each study once more without some of the columns that it holds, for its estimate alone."""
        holding = [
            (study, tuple(column for column in study.held if column.name not in without))
            for study, without in asked
        ]
        return self.study_again(holding, estimate_only=True)

    def study_again(
        self, asked: Sequence[tuple[ContrastStudy, tuple[HeldColumn, ...]]], *, estimate_only: bool = False
    ) -> list[ContrastStudy]:
        """Each study once more, holding these columns and no others.

        Where only its estimate is asked for, there is no second opinion, and no look at the balance of
        columns that are not held, for which an engine would go through all records.
        """
        groups: dict[tuple[tuple[int, ...], tuple[str, ...]], list[int]] = {}
        for place, (study, held) in enumerate(asked):
            columns = tuple(self._column_of_item[list(study.pattern)].tolist())
            groups.setdefault((columns, tuple(column.name for column in held)), []).append(place)

        def study_group(places: list[int]) -> list[ContrastStudy]:
            shared = _Shared()
            return [self._again(*asked[place], shared, estimate_only=estimate_only) for place in places]

        done = chain.from_iterable(self.side_by_side(study_group, list(groups.values())))
        found = dict(zip(chain.from_iterable(groups.values()), done, strict=True))
        return [found[place] for place in range(len(asked))]

    def _again(
        self, study: ContrastStudy, held: tuple[HeldColumn, ...], shared: _Shared, *, estimate_only: bool
    ) -> ContrastStudy:
        copies = set(study.near_copies)
        again = self._compare(
            study.pattern,
            held,
            copies,
            shared,
            with_opinion=not estimate_only,
            of_all_columns=not estimate_only,
        )
        other = None if estimate_only else self._other_missing(again, shared)
        return self._without_models(again, other)

    def _study(self, pattern: tuple[int, ...], copies: set[str], shared: _Shared) -> ContrastStudy:
        """Study a pattern, again while columns that may confound still differ between its arms.

        `copies` are columns that nearly determine the exposure.
        """
        n_before = self._n_remembered()
        own = self._names_of(pattern)
        held, copies = self._what_to_hold(pattern, copies, shared)
        deciding: set[str] = set()
        if self._settings.matched_set is None:  # else who is compared was decided when sets were gathered
            deciding = set(self._chosen.may_confound(own)) - own - copies
        with_opinion = self._chosen.may_be_a_cause(own)  # no other verdict asks for one
        for _ in range(_MOST_REPEATS):
            study = self._compare(pattern, tuple(held), copies, shared, with_opinion=with_opinion)
            names = {column.name for column in study.held}
            missed = sorted(name for name in deciding - names if is_decisive(study.imbalance[name]))
            if study.untestable or not missed:
                break
            held += [self._columns[name] for name in missed]
        study = self._without_models(study, self._other_missing(study, shared))
        return replace(study, is_remembered=self._n_remembered() > n_before)

    def _what_to_hold(
        self, pattern: tuple[int, ...], copies: set[str], shared: _Shared
    ) -> tuple[list[HeldColumn], set[str]]:
        """The columns to hold first, and all near copies of the exposure, which cannot be held.

        Where none of the chosen columns is left, what is associated with the outcome is held instead.
        """
        own = self._names_of(pattern)
        chosen, same = self._chosen.controls_of(own), self._chosen.may_be_the_same(own)
        copies = copies | self._coarser_copies(own, [one for one in chosen if one.name in same])
        held = [column for column in chosen if column.name not in copies]
        if self._settings.matched_set is not None:
            return [column for column in held if column.name in self._settings.adjusted_for], copies
        if not held:
            associated = self._associated(pattern, own, shared)
            copies = copies | self._coarser_copies(own, associated)
            held = [column for column in associated if column.name not in copies]
        return held, copies

    @staticmethod
    def _without_models(study: ContrastStudy, other: ArmsCompared | None) -> ContrastStudy:
        """The study as it is kept, beside the same with missing controls treated the other way."""
        return replace(
            study,
            arms=study.arms.without_models(),
            compared=study.compared.without_scores(),
            other_missing=other and other.without_scores(),
        )

    def _associated(self, pattern: tuple[int, ...], own: set[str], shared: _Shared) -> list[HeldColumn]:
        """What goes with the outcome, where nothing else is held; the same for all values of a column."""
        key, first_item = frozenset(own), self._vocabulary.first_item
        if key not in shared.associated:
            others = [one for one in self._chosen.may_be_held(own) if one.name not in own]
            shared.associated[key] = associated_columns(self._engine, pattern, others, first_item)
        return shared.associated[key]

    def _other_missing(self, study: ContrastStudy, shared: _Shared) -> ArmsCompared | None:
        """The same records with missing controls as a level instead of left out, or left out instead."""
        if study.untestable or study.compared.missing == "none" or self._settings.matched_set is not None:
            return None
        other = self._estimates.of(
            shared.unique_rows(self._engine, study.columns),
            study.arms,
            "value" if study.compared.missing == "drop" else "drop",
            with_opinion=False,
            near=study.compared.models,
            complete=study.compared.complete,
        )
        return other if other.is_informative else None

    def _compare(
        self,
        pattern: tuple[int, ...],
        held: tuple[HeldColumn, ...],
        copies: set[str],
        shared: _Shared,
        *,
        with_opinion: bool,
        of_all_columns: bool = True,
    ) -> ContrastStudy:
        """One comparison and its balance: of all columns, or of those held alone, which the rows tell."""
        items = [self._vocabulary.column_and_code(item) for item in pattern]
        columns = self._coded_columns(pattern, held)
        rows = shared.unique_rows(self._engine, columns)
        # A number may be held, by its fine bins, in one study and be the exposure, by its items, in another.
        key = (*rows.columns.tolist(), -1, *(one.place for one in held))
        arms = arms_of(rows, items, held, shared.arms.get(key))
        if self._settings.matched_set is not None:
            arms = with_sets(arms, rows, self._vocabulary.cluster_places, self._settings.matched_set)
        shared.keep_arms(key, arms)
        compared = self._estimates.of(
            rows,
            arms,
            self._settings.missing_controls,
            near=self._near,
            with_opinion=with_opinion or len(items) > 1,  # whose cells are told by its model of the outcome
        )
        weights, effective = row_weights(rows.n_rows, arms, compared.stratum)
        if of_all_columns:
            sums, own = self._engine.item_sums(rows, weights), self._names_of(pattern)
            others = [one for name, one in self._columns.items() if name not in own]
            imbalance = imbalance_of_columns(sums, self._vocabulary.first_item, others, effective)
        else:
            sums, imbalance = None, imbalance_of_held(rows, weights, held, effective)
        not_held = sorted(copies.intersection(self._settings.adjusted_for))
        return ContrastStudy(
            pattern=pattern,
            columns=columns,
            held=held,
            near_copies=tuple(sorted(copies)),
            arms=arms,
            compared=compared,
            sums=sums,
            imbalance=imbalance,
            untestable=why_untestable(arms, compared, held, imbalance, not_held),
            combinations=combination_cells(rows, items, arms, compared) if len(items) > 1 else None,
        )

    def _coded_columns(self, pattern: tuple[int, ...], held: tuple[HeldColumn, ...]) -> tuple[int, ...]:
        columns = {int(self._column_of_item[i]) for i in pattern} | {one.place for one in held}
        if self._settings.matched_set is not None:
            columns |= set(self._vocabulary.cluster_places.tolist())
        return tuple(sorted(columns))

    def _names_of(self, pattern: tuple[int, ...]) -> set[str]:
        """The columns that an exposure is made of."""
        return set(self._vocabulary.columns_of(pattern))

    def _near_copies(self, patterns: Sequence[tuple[int, ...]]) -> list[set[str]]:
        """Columns that nearly tell who is exposed, for patterns of one length, their own left out."""
        columns = list(self._columns.values())
        found = near_copies(self._engine, patterns, columns, self._vocabulary.first_item)
        return [copies - self._names_of(pattern) for pattern, copies in zip(patterns, found, strict=True)]

    def _coarser_copies(self, own: set[str], asked: Sequence[HeldColumn]) -> set[str]:
        """Columns that say the exposure's own in coarser words; of an exposure of several columns none do."""
        if len(own) != 1:
            return set()
        (name,) = own
        return coarser_copies(self._engine, self._columns[name], asked)

"""One contrast put to its study: what is held, who is compared, and whether that was enough.

The balance guard decides whether a comparison can be trusted: columns that
may confound and still differ between the arms are held too and the study is
done again; where that cannot be done, the answer is that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from causalrules.cohort.arms import Arms, arms_of
from causalrules.cohort.compare_arms import ArmsCompared, compare_arms
from causalrules.cohort.imbalance import ColumnImbalance, imbalance_of, row_weights

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Settings
    from causalrules.domain.unique_rows import HeldColumn, UniqueRows
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine

NEAR_COPY = 0.1
"""Share of the exposure's variance below which a column leaves too little of it to compare."""

MARKED_IMBALANCE = 0.1
DECISIVE_IMBALANCE = 0.25
"""Standardised differences after matching: above the first marked, above the second studied again."""

FEWEST_MATCHED = 10
_MOST_REPEATS = 3


class ChosenControls(Protocol):
    """What the search knows about columns: which to hold for an exposure, and which may confound."""

    def controls_of(self, own: Collection[str]) -> Sequence[HeldColumn]:
        """The columns to hold in a study of an exposure made of these columns."""

    def may_confound(self, own: Collection[str]) -> Collection[str]:
        """Names of the columns whose imbalance decides whether a study can be trusted."""


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
    """

    pattern: tuple[int, ...]
    held: tuple[HeldColumn, ...]
    near_copies: tuple[str, ...]
    arms: Arms
    compared: ArmsCompared
    sums: NDArray[np.int64]
    imbalance: dict[str, ColumnImbalance]
    untestable: str


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
    """

    def __init__(
        self, engine: Engine, vocabulary: Vocabulary, settings: Settings, chosen: ChosenControls
    ) -> None:
        self._engine = engine
        self._vocabulary = vocabulary
        self._settings = settings
        self._chosen = chosen
        self._columns = {column.name: column for column in vocabulary.held_columns}
        self._column_of_item = vocabulary.column_of_item
        self._rows: dict[tuple[int, ...], UniqueRows] = {}

    def study(self, pattern: tuple[int, ...], without: Collection[str] = ()) -> ContrastStudy:
        """Compare the records of one pattern with those that are known not to have it.

        `without` are columns that are not held, whatever is known of them.
        """
        own = {self._vocabulary.items[item].column for item in pattern}
        copies = self._near_copies(pattern, own)
        chosen = self._chosen.controls_of(own)
        held = [column for column in chosen if column.name not in copies | set(without)]
        deciding = set(self._chosen.may_confound(own)) - own - copies - set(without)
        for _ in range(_MOST_REPEATS):
            study = self._compare(pattern, own, tuple(held), copies)
            names = {column.name for column in study.held}
            missed = sorted(name for name in deciding - names if is_decisive(study.imbalance[name]))
            if study.untestable or not missed:
                break
            held += [self._columns[name] for name in missed]
        return study

    def _compare(
        self, pattern: tuple[int, ...], own: set[str], held: tuple[HeldColumn, ...], copies: set[str]
    ) -> ContrastStudy:
        items = [(int(self._column_of_item[i]), self._code_of(i)) for i in pattern]
        rows = self._unique_rows({column for column, _ in items} | {one.place for one in held})
        arms = arms_of(rows, items, held)
        settings = self._settings
        compared = compare_arms(
            arms.study, settings.study_matching, settings.missing_controls, settings.confidence
        )
        weights, effective = row_weights(rows.n_rows, arms, compared.stratum)
        sums = self._engine.item_sums(rows, weights)
        first = self._vocabulary.first_item
        imbalance = {
            name: imbalance_of(sums[first[one.place] : first[one.place + 1]], one, effective)
            for name, one in self._columns.items()
            if name not in own
        }
        reason = _why_untestable(arms, compared, held, imbalance)
        return ContrastStudy(pattern, held, tuple(sorted(copies)), arms, compared, sums, imbalance, reason)

    def _code_of(self, item: int) -> int:
        return item - int(self._vocabulary.first_item[self._column_of_item[item]]) + 1

    def _unique_rows(self, columns: set[int]) -> UniqueRows:
        """Unique rows of these columns; studies with equal columns share them."""
        key = tuple(sorted(columns))
        if key not in self._rows:
            if len(self._rows) > 2:
                self._rows.pop(next(iter(self._rows)))
            self._rows[key] = self._engine.unique_rows(np.array(key, np.intp))
        return self._rows[key]

    def _near_copies(self, pattern: tuple[int, ...], own: set[str]) -> set[str]:
        """Columns within whose values the exposure hardly varies: held, nobody would be left to compare."""
        n_items = len(self._vocabulary.items)
        both = self._engine.overlaps(np.array([pattern], np.intp), np.arange(n_items))[0]
        support = self._engine.item_counts().support
        n_exposed = int(self._engine.pattern_counts(np.array([pattern], np.intp)).support[0])
        n_records = self._engine.n_with + self._engine.n_without
        copies = set()
        for name, column in self._columns.items():
            if name in own:
                continue
            first = int(self._vocabulary.first_item[column.place])
            values = slice(first, first + column.n_codes)
            exposed = np.append(both[values], n_exposed - both[values].sum())
            total = np.append(support[values], n_records - support[values].sum())
            if _variance_left(exposed, total) < NEAR_COPY:
                copies.add(name)
        return copies


def is_decisive(imbalance: ColumnImbalance) -> bool:
    """Too large to be trusted, and more than two standard errors, so that small arms are not blamed."""
    return imbalance.after > max(DECISIVE_IMBALANCE, 2 * imbalance.standard_error)


def _variance_left(exposed: NDArray[np.int64], total: NDArray[np.int64]) -> float:
    """Share of the exposure's variance that is left within the values of a column.

    Examples
    --------
    >>> _variance_left(np.array([10, 0]), np.array([10, 30]))
    0.0
    >>> _variance_left(np.array([5, 15]), np.array([10, 30]))
    1.0
    """
    share = exposed.sum() / total.sum()
    whole = total.sum() * share * (1 - share)
    within = exposed - exposed**2 / np.maximum(total, 1)
    return float(within.sum() / whole) if whole > 0 else 0.0


def _why_untestable(
    arms: Arms,
    compared: ArmsCompared,
    held: tuple[HeldColumn, ...],
    imbalance: dict[str, ColumnImbalance],
) -> str:
    """Why the comparison cannot be trusted, in one sentence; empty if it can."""
    if not arms.study.n_exposed or not arms.study.n_unexposed:
        return "nobody is exposed" if not arms.study.n_exposed else "everybody is exposed"
    n_matched = min(
        compared.strata.n_exposed - compared.strata.lonely_exposed,
        compared.strata.n_unexposed - compared.strata.lonely_unexposed,
    )
    if n_matched < FEWEST_MATCHED:
        names = ", ".join(column.name for column in held) or "nothing"
        return f"no partners: adjusted for {names}, only {n_matched} records of the smaller arm have any"
    if compared.odds_ratio.information <= 0:
        return "the outcome does not vary among records that are alike"
    apart = [column.name for column in held if is_decisive(imbalance[column.name])]
    if apart:
        return f"cannot be told apart from {', '.join(apart)}: exposed and unexposed remain different in it"
    return ""

"""Which records a rule's study compared, with arm, stratum and weight: the study done again on the table.

A result holds counts, not records. But all that a study did follows from the
table, the settings and the columns it held, so it is done again here, record
by record, and its counts must be those of the rule.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.cohort.arms import Arms, arms_of
from causalrules.cohort.compare_arms import compare_arms
from causalrules.cohort.matched_sets import compare_within_sets, with_sets
from causalrules.domain import Item
from causalrules.domain.unique_rows import UniqueRows
from causalrules.encode.column_roles import Roles
from causalrules.encode.columns import Batches, distinct_of, frequencies_of
from causalrules.encode.survey import survey
from causalrules.engines.holdout import HeldOutRows, HoldOut
from causalrules.errors import OtherTableError, TableError
from causalrules.read import SourceTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.domain import Result, Rule
    from causalrules.encode import Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class StudiedRecords:
    """The records of both arms, in the table's order.

    Parameters
    ----------
    row : int64[n]
        Where in the table each record stands, from 0.
    is_exposed, has_outcome : bool[n]
        Its arm, and whether it has the outcome.
    stratum : int64[n]
        The stratum it was compared in, from 1; 0 for records without
        partners, and for those left out for missing controls.
    weight : float64[n]
        Its weight among the matched records, see `matched_weights`; 0 for the others.
    columns : tuple of str
        The columns that take part, exposure and controls among them.
    represents : float64[n], optional
        What each record of a weighted sample represents; None where every record counts alike.
    """

    row: NDArray[np.int64]
    is_exposed: NDArray[np.bool_]
    has_outcome: NDArray[np.bool_]
    stratum: NDArray[np.int64]
    weight: NDArray[np.float64]
    columns: tuple[str, ...]
    represents: NDArray[np.float64] | None = None

    @property
    def is_matched(self) -> NDArray[np.bool_]:
        """Whether each record was compared."""
        return self.stratum > 0

    def n_records(self, *, exposed: bool, matched: bool = False) -> int:
        """Records of one arm, or its matched ones."""
        chosen = self.is_exposed if exposed else ~self.is_exposed
        return int(np.count_nonzero(chosen & self.is_matched if matched else chosen))


@dataclass(frozen=True, slots=True, eq=False)
class _Coded:
    """The records that were judged: those with a known outcome, and with a hold-out those kept aside."""

    vocabulary: Vocabulary
    codes: NDArray[np.uint16]
    has_outcome: NDArray[np.bool_]
    row: NDArray[np.int64]


def studied_records(result: Result, rule: Rule, table: SourceTable) -> StudiedRecords:
    """Do a rule's study again and tell, record by record, who was compared; see `StudiedTable`."""
    return StudiedTable(result, table).records(rule)


class StudiedTable:
    """The table of a result, in codes: the study of any of its rules can be done again.

    Rules share the codes, so that the table is read through once for all of them.

    Parameters
    ----------
    result : Result
        Its settings say what the studies did.
    table : SourceTable
        The table that the result was made from.
    """

    def __init__(self, result: Result, table: SourceTable) -> None:
        self._row: NDArray[np.int64] | None = None
        if result.settings.weights is not None and result.settings.weights_are == "frequencies":
            result, table, self._row = _repeated(result, table, result.settings.weights)
        self._result, self._table = result, table
        self._usual: _Coded | None = None

    def records(self, rule: Rule) -> StudiedRecords:
        """Do a rule's study again and tell, record by record, who was compared.

        Raises
        ------
        OtherTableError
            If the numbers of the study are not those of the rule.
        """
        found = _study_again(self._result, rule, self._coded_for(rule))
        _check(rule, found)
        return found if self._row is None else replace(found, row=self._row[found.row])

    def _coded_for(self, rule: Rule) -> _Coded:
        """The codes that have the rule's items: those of all rules, else others with its own intervals."""
        if self._usual is None:
            self._usual = _coded(self._result, rule, self._table, "")
        if _has_items(self._usual, rule):
            return self._usual
        own = _coded(self._result, rule, self._table, rule.name)
        if not _has_items(own, rule):
            raise OtherTableError(rule.name, f"it has no {' & '.join(map(str, rule.pattern))}")
        return own


def _repeated(
    result: Result, table: SourceTable, weights: str
) -> tuple[Result, SourceTable, NDArray[np.int64]]:
    """A table of counts with every row as often as it counts, and where each of them came from."""
    arrow = table.arrow
    if weights not in arrow.column_names:
        raise OtherTableError(weights, "it has no such column of counts")
    distinct = distinct_of(arrow.column(weights), result.settings.missing, weights)
    row = np.repeat(np.arange(arrow.num_rows), frequencies_of(distinct, weights))
    whole = SourceTable.in_memory(arrow.drop_columns([weights]).take(row), table.declared)
    return replace(result, settings=replace(result.settings, weights=None)), whole, row


def _has_items(coded: _Coded, rule: Rule) -> bool:
    vocabulary = coded.vocabulary
    return set(rule.pattern) <= set(vocabulary.items[: vocabulary.n_items])


def _coded(result: Result, rule: Rule, table: SourceTable, exposure: str) -> _Coded:
    """The table in codes, whose items are those of the result, and of an exposure if one is named."""
    settings, outcome = result.settings, result.data.outcome
    asked = outcome.written or Item(outcome.column, outcome.value)
    batches = Batches(table.parts, settings.missing)
    try:
        roles = Roles(settings, table.declared, exposure)
        vocabulary, coder = survey(batches, table.schema, asked, roles)
    except TableError as error:
        raise OtherTableError(rule.name, str(error)) from error
    found = vocabulary.summary.outcome
    if (found.n_with, found.n_without) != (outcome.n_with, outcome.n_without):
        here, there = (f"{one.n_with:,} of {one.n_records:,} records" for one in (found, outcome))
        raise OtherTableError(rule.name, f"here {here} have the outcome, in the result {there}")
    parts, known, held = [], [], []
    n_before = 0
    held_out = HeldOutRows(HoldOut.asked_for(settings, vocabulary), batches) if settings.holdout else None
    for batch in batches:
        states = coder.outcome.states_of(coder.outcome.distinct_in(batch))
        known.append(np.flatnonzero(states >= 0) + n_before)
        n_before += batch.n_rows
        parts.append(coder.code(batch))
        if held_out is not None:
            held.append(held_out.of(batch, coder, parts[-1][0]))
    codes = np.concatenate([part[0] for part in parts], axis=1)
    coded = _Coded(
        vocabulary, codes, np.concatenate([part[1] for part in parts]), np.concatenate(known).astype(np.int64)
    )
    return coded if held_out is None else _only(coded, np.concatenate(held))


def _only(coded: _Coded, chosen: NDArray[np.bool_]) -> _Coded:
    """Some of the records: those that hypotheses were tested on."""
    return _Coded(coded.vocabulary, coded.codes[:, chosen], coded.has_outcome[chosen], coded.row[chosen])


def _study_again(result: Result, rule: Rule, coded: _Coded) -> StudiedRecords:
    """Arms with unknown exposure left out, strata of equal values or equal scores."""
    vocabulary, settings = coded.vocabulary, result.settings
    columns = {column.name: column for column in vocabulary.held_columns}
    sets = settings.matched_set
    names = [name for name in rule.design.held if name != sets]
    gone = [name for name in names if name not in columns]
    if gone:
        raise OtherTableError(rule.name, f"{gone[0]!r}, which was adjusted for, takes no part in it")
    held = [columns[name] for name in names]
    pattern = _places_and_codes(rule.pattern, vocabulary)
    used = {place for place, _ in pattern} | {one.place for one in held}
    if sets is not None:
        used |= set(vocabulary.cluster_places.tolist())
    places = np.array(sorted(used), np.intp)
    counts = np.stack([~coded.has_outcome, coded.has_outcome], axis=1).astype(np.int64)
    rows, row_of = UniqueRows.with_members(places, coded.codes[places], counts)
    arms = arms_of(rows, pattern, held)
    represents = _represents(coded)
    if sets is not None:
        arms = with_sets(arms, rows, vocabulary.cluster_places, sets)
        compared = compare_within_sets(arms.rows, settings.confidence)
    else:
        compared = compare_arms(
            arms.rows,
            settings.matching,
            settings.missing_controls,
            settings.confidence,
            with_opinion=False,
            weighted=None if represents is None else _weighted_counts(coded, represents, row_of, arms),
        )
    # Of every unique row: its arm (-1 unknown) and stratum, then of every record through its row.
    arm, stratum = np.full(rows.n_rows, -1), np.full(rows.n_rows, -1, np.int64)
    arm[arms.kept], stratum[arms.kept] = arms.rows.exposed, compared.stratum
    is_known = arm[row_of] >= 0
    is_exposed, number = arm[row_of][is_known] == 1, stratum[row_of][is_known] + 1
    own = None if represents is None else represents[is_known]
    return StudiedRecords(
        coded.row[is_known],
        is_exposed,
        coded.has_outcome[is_known],
        number,
        matched_weights(is_exposed, number, own),
        tuple(columns),
        own,
    )


def _represents(coded: _Coded) -> NDArray[np.float64] | None:
    """What each record of a weighted sample represents; None where every record counts alike."""
    found = coded.vocabulary.carries("weights")
    return None if found is None else found[0].values(coded.codes[found[1]])


def _weighted_counts(
    coded: _Coded, represents: NDArray[np.float64], row_of: NDArray[np.intp], arms: Arms
) -> NDArray[np.float64]:
    """What the records of each row of a study represent, without and with the outcome, on average 1."""
    n_rows = int(row_of.max()) + 1
    summed = np.bincount(2 * row_of + coded.has_outcome, represents, 2 * n_rows).reshape(-1, 2)[arms.kept]
    return (summed * (float(arms.rows.counts.sum()) / float(summed.sum()))).astype(np.float64)


def _places_and_codes(items: tuple[Item, ...], vocabulary: Vocabulary) -> list[tuple[int, int]]:
    """Column number and code of each item."""
    number = {item: i for i, item in enumerate(vocabulary.hypotheses)}
    return [vocabulary.column_and_code(number[item]) for item in items]


def matched_weights(
    is_exposed: NDArray[np.bool_],
    stratum: NDArray[np.int64],
    represents: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Weights of matched sets: every exposed record 1, the unexposed ones so that they stand for the exposed.

    In a stratum of a exposed and b unexposed records an unexposed one weighs
    a/b, times a constant that makes their weights add up to the number of
    matched unexposed records (the weights that MatchIt gives to subclasses; Ho, Imai, King and Stuart 2011).
    Of a weighted sample, what records represent counts in the place of their number, and multiplies
    their weight.

    Examples
    --------
    >>> is_exposed = np.array([True, True, False, True, False, False, False])
    >>> matched_weights(is_exposed, np.array([1, 1, 1, 2, 2, 2, 0])).tolist()
    [1.0, 1.0, 2.0, 1.0, 0.5, 0.5, 0.0]
    """
    exposed, unexposed = _sizes(is_exposed, stratum, represents)
    n_exposed, n_unexposed = exposed.sum(), unexposed.sum()
    scale = n_unexposed / n_exposed if n_exposed else 0.0
    of_unexposed = scale * exposed / np.where(unexposed > 0, unexposed, 1)
    weight: NDArray[np.float64] = np.where(is_exposed, 1.0, of_unexposed[stratum]) * (stratum > 0)
    return weight if represents is None else weight * represents


def _sizes(
    is_exposed: NDArray[np.bool_],
    stratum: NDArray[np.int64],
    represents: NDArray[np.float64] | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Records of each arm in every stratum; in stratum 0, that of the unmatched, nobody."""
    n_strata = int(stratum.max(initial=0)) + 1
    exposed, unexposed = (
        np.bincount(stratum[arm], None if represents is None else represents[arm], n_strata)
        for arm in (is_exposed, ~is_exposed)
    )
    exposed[0] = unexposed[0] = 0
    return exposed, unexposed


def _check(rule: Rule, found: StudiedRecords) -> None:
    """Refuse a table that gives other numbers than the rule has."""
    n_unmatched = rule.doubts.unmatched_exposed + rule.doubts.unmatched_unexposed + rule.design.left_out
    for what, here, there in (
        ("exposed records", found.n_records(exposed=True), rule.exposed),
        ("unexposed records", found.n_records(exposed=False), rule.unexposed),
        ("unmatched records", int(np.count_nonzero(~found.is_matched)), n_unmatched),
    ):
        if here != there:
            raise OtherTableError(rule.name, f"here are {here:,} {what}, in the result {there:,}")

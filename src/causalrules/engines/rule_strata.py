"""The strata of one rule over distinct records, counted in the work space of one thread."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain.histogram import NO_STRATA, StrataHistogram, sorted_and_distinct, weights_of_pairs
from causalrules.domain.signatures import Signatures, n_words_for
from causalrules.domain.unique_rows import first_of_each
from causalrules.engines.stratum_scratch import table_size
from causalrules.kernels import nearest_search, strata

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.stratum_scratch import Scratch
    from causalrules.engines.unique_records import Profiles


def histogram_of(
    records: Profiles, pattern: NDArray[np.intp], controls: NDArray[np.bool_], scratch: Scratch
) -> StrataHistogram:
    """Strata of one rule; its pattern and controls must be items in play."""
    if records.n_profiles == 0:
        return NO_STRATA
    n_small, n_rows, lonely_exposed, lonely_unexposed = _count(records, pattern, controls, scratch)
    rows = sorted_and_distinct(scratch.rows[:n_rows], n_small)
    return StrataHistogram(rows, lonely_exposed, lonely_unexposed)


def exact_weights(
    records: Profiles, pattern: NDArray[np.intp], controls: NDArray[np.bool_], scratch: Scratch
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The stratum of each profile, -1 for none, and what records of each weigh in the fair data set."""
    _count(records, pattern, controls, scratch)
    stratum = scratch.stratum_of[: records.n_profiles]
    counts = scratch.strata[: int(stratum.max(initial=-1)) + 1]
    return stratum, weights_of_pairs(counts[:, ::2] + counts[:, 1::2])


def signatures_of(
    records: Profiles, pattern: NDArray[np.intp], controls: NDArray[np.bool_], scratch: Scratch
) -> tuple[Signatures, NDArray[np.int32]]:
    """Records of one rule gathered by their controls, and the group of each profile."""
    lows, highs = _keys(records, controls, scratch)
    group = np.empty(records.n_profiles, np.int32)
    n_groups = strata.group_by_key(lows, highs, scratch.table, scratch.owner_highs, group)
    representative = first_of_each(group, n_groups)
    held = np.flatnonzero(controls)
    words = np.zeros((n_groups, n_words_for(len(held))), np.uint64)
    bit_of_slot = np.full(len(records.words), -1, np.intp)
    bit_of_slot[records.slot_of_item[held]] = np.arange(len(held))
    columns = np.unique(records.column_of_item[held])
    nearest_search.pack_signatures(
        records.codes, representative, columns, records.first_slot, bit_of_slot, words
    )
    order = np.lexsort(words.T)
    position = np.empty(n_groups, np.int32)
    position[order] = np.arange(n_groups, dtype=np.int32)
    counts = np.zeros((n_groups, 4), np.int64)
    profiles = scratch.order[: records.n_profiles]
    n_exposed = _split(records, pattern, profiles)
    nearest_search.count_groups(group, profiles, n_exposed, records.n_with, records.n_without, counts)
    return Signatures(words[order], counts[order], held), position[group]


def with_company(
    records: Profiles, controls: NDArray[np.bool_], scratch: Scratch, worth_it: float
) -> Profiles:
    """The profiles that agree with another one on all these controls.

    No other one has a partner in any rule that holds at least these. Such
    profiles only serve to count strata: they are not all the records.

    Parameters
    ----------
    worth_it : float
        Share of the profiles: if more would be left, all are.
    """
    lows, highs = _keys(records, controls, scratch)
    group = scratch.stratum_of[: records.n_profiles]
    table = scratch.table[: table_size(records.n_profiles)]
    n_groups = strata.group_by_key(lows, highs, table, scratch.owner_highs, group)
    has_company = np.bincount(group, minlength=n_groups)[group] > 1
    if np.count_nonzero(has_company) > worth_it * records.n_profiles:
        return records
    kept = np.flatnonzero(has_company)
    return replace(
        records,
        codes=np.take(records.codes, kept, axis=1),
        n_with=records.n_with[kept],
        n_without=records.n_without[kept],
        base=controls,
        lows=lows[kept],
        highs=highs[kept],
        member=np.empty(0, np.int32),
    )


def _count(
    records: Profiles, pattern: NDArray[np.intp], controls: NDArray[np.bool_], scratch: Scratch
) -> tuple[int, int, int, int]:
    """Tally the strata into the scratch; what `count_strata` returns."""
    lows, highs = _keys(records, controls, scratch)
    order = scratch.order[: records.n_profiles]
    n_exposed = _split(records, pattern, order)
    counted: tuple[int, int, int, int] = strata.count_strata(
        order,
        n_exposed,
        lows,
        highs,
        records.n_with,
        records.n_without,
        scratch.table,
        scratch.owner_highs,
        scratch.stratum_of,
        scratch.strata,
        scratch.small,
        scratch.rows,
    )
    return counted


def _split(records: Profiles, pattern: NDArray[np.intp], order: NDArray[np.uint32]) -> int:
    """Put the profiles that have the pattern first; returns how many have it."""
    column = records.column_of_item[pattern]
    code = records.slot_of_item[pattern] - records.first_slot[column]
    return int(strata.split_by_pattern(records.codes, np.column_stack([column, code]), order))


def _keys(
    records: Profiles, controls: NDArray[np.bool_], scratch: Scratch
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Stratum keys for these controls, from nothing, from the base or from the keys of the last rule.

    Words are put in and taken out by the same XOR, so what counts is how much has to be changed:
    nothing, where the last rule had the same controls.
    """
    lows, highs = scratch.lows[: records.n_profiles], scratch.highs[: records.n_profiles]
    starts: list[tuple[NDArray[np.bool_], Any, Any]] = [(controls, np.uint64(0), np.uint64(0))]
    if len(records.lows):
        starts.append((records.base ^ controls, records.lows, records.highs))
    if scratch.filled and scratch.filled[0] is records:
        starts.append((controls ^ scratch.filled[1], lows, highs))
    n_changed = [int(np.count_nonzero(items)) for items, *_ in starts]
    least = min(n_changed)
    changed, first_lows, first_highs = starts[n_changed.index(least)]
    scratch.filled.clear()  # not to be read while they are being changed
    if first_lows is not lows:
        lows[:], highs[:] = first_lows, first_highs
    if least:
        words, columns = records.words_of(changed)
        strata.add_to_keys(records.codes, columns, records.first_slot, words, lows, highs)
    scratch.filled[:] = records, controls
    return lows, highs

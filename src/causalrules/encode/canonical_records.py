"""Coded records in an order that depends on what they hold alone: not on names, nor on where they stood."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.words.records import Column, Records

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray

    from causalrules.encode.codes import Vocabulary
    from causalrules.encode.number_digits import Role
    from causalrules.words.records import Kind

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_DIGITS = 17
"""A digit of a cluster's number is 1 to 16, or 0 where it is missing."""


def canonical_records(
    vocabulary: Vocabulary,
    codes: NDArray[np.unsignedinteger],
    n_with: NDArray[np.int64],
    n_without: NDArray[np.int64],
    ordered: Collection[str] = (),
    mark: NDArray[np.uint8] | None = None,
) -> tuple[Records, NDArray[np.uint8] | None]:
    """Records as the rooms of the method see them.

    Columns stand in the order of how many records each of their values has, values of a category likewise,
    and rows in the order of a number made of their codes. So equal tables give equal records, whatever their
    columns and values are called and wherever they stood, and sums of floating numbers are made in the same
    order.

    Parameters
    ----------
    vocabulary : Vocabulary
        What each coded column is.
    codes : unsigned[n_columns, n]
        See `CodedTable`.
    n_with, n_without : int64[n]
        Records of each row with and without the outcome.
    ordered : collection of str
        Columns whose values the user says to be in order.
    mark : uint8[n], optional
        Something else that is known of each row.

    Returns
    -------
    Records, and the mark of each of its rows
    """
    carried = vocabulary.carries("outcome")
    has = np.repeat([1, 0], [len(n_with), len(n_without)]).astype(np.float64)
    count = np.concatenate([n_with, n_without]).astype(np.float64)
    keep = np.flatnonzero(count)
    row = np.tile(np.arange(codes.shape[1]), 2)[keep]
    outcome, count = has[keep], count[keep]
    found = [_canonical(one, outcome, count) for one in _columns(vocabulary, codes, row, ordered)]
    found.sort(key=lambda pair: pair[0])
    columns = tuple(column for _, column in found)
    cluster = _clusters(vocabulary, codes, row)
    weight = _carried(vocabulary, "weights", codes, row)
    if carried is not None:
        numbers = _carried(vocabulary, "outcome", codes, row)
        assert numbers is not None
        outcome = numbers
    marked = np.zeros(len(row)) if mark is None else mark[row]
    order = np.lexsort((marked, outcome, _row_numbers(columns, len(row))))
    placed = tuple(_in_order(column, order) for column in columns)
    records = Records(
        placed,
        outcome[order],
        count[order],
        None if weight is None else weight[order],
        None if cluster is None else _by_appearance(cluster[order]),
        is_mean=carried is not None,
    )
    return records, None if mark is None else mark[row][order]


def _columns(
    vocabulary: Vocabulary,
    codes: NDArray[np.unsignedinteger],
    row: NDArray[np.intp],
    ordered: Collection[str],
) -> Iterator[Column]:
    """Every column that takes part, with the codes of rows."""
    n = vocabulary.n_item_columns
    numbers = {column.name: column for column in vocabulary.held_columns if column.is_number}
    for place in range(n):
        items = [vocabulary.items[item] for item in vocabulary.items_in(place)]
        name = items[0].column if items else ""
        if not items or name in numbers:
            continue
        is_ordered = name in vocabulary.orders or name in ordered
        kind: Kind = "ordered" if is_ordered and len(items) > 2 else "category"
        names = tuple(item.value for item in items)
        yield _of_order(Column(name=name, kind=kind, levels=names, codes=codes[place][row]), vocabulary)
    items_of_column = vocabulary.items_of_column
    for number, held in enumerate(numbers.values()):
        assert held.values is not None
        cuts, is_date = vocabulary.fine_cuts[number] if vocabulary.fine_cuts else ((), False)
        own = items_of_column.get(held.name)
        shown = None if own is None else _cut_by_the_user(vocabulary, held.name, own, codes, row)
        yield Column(
            name=held.name,
            kind="number",
            levels=tuple(f"{value:.6g}" for value in held.values),
            codes=codes[held.place][row],
            values=held.values,
            cuts=cuts,
            is_whole=bool((held.values == np.floor(held.values)).all()),
            is_date=is_date,
            shown=shown,
        )


def _of_order(column: Column, vocabulary: Vocabulary) -> Column:
    """An ordered column with its codes in the order that the source gives its values."""
    said = vocabulary.orders.get(column.name)
    if column.kind != "ordered" or said is None:
        return column
    rank = {value: place for place, value in enumerate(said)}
    places = sorted(range(len(column.levels)), key=lambda code: rank.get(column.levels[code], len(said)))
    return _recoded(column, np.array(places))


def _cut_by_the_user(
    vocabulary: Vocabulary,
    name: str,
    items: range,
    codes: NDArray[np.unsignedinteger],
    row: NDArray[np.intp],
) -> Column | None:
    """A number by the user's own cut points; None where there are none."""
    if name in vocabulary.chosen_cuts:
        return None
    place = int(vocabulary.column_of_item[items[0]])
    names = tuple(vocabulary.items[item].value for item in items)
    return Column(name=name, kind="ordered", levels=names, codes=codes[place][row])


def _canonical(
    column: Column, outcome: NDArray[np.float64], count: NDArray[np.float64]
) -> tuple[tuple[str, int, bytes, str], Column]:
    """A column with a category's values by frequency, and what it is sorted by."""
    joint = 2 * column.codes.astype(np.intp) + (outcome > 0.5)
    table = np.bincount(joint, count, 2 * column.n_codes).reshape(-1, 2)
    if column.kind == "category":
        order = np.lexsort((-table[1:, 1], -table[1:].sum(axis=1)))
        column, table = _recoded(column, order), table[np.append(0, order + 1)]
    return (column.kind, column.n_codes, table.tobytes(), column.name), column


def _recoded(column: Column, order: NDArray[np.intp]) -> Column:
    """The column with its levels in another order."""
    new = np.zeros(column.n_codes, column.codes.dtype)
    new[order + 1] = np.arange(1, column.n_codes)
    levels = tuple(column.levels[place] for place in order.tolist())
    return Column(name=column.name, kind=column.kind, levels=levels, codes=new[column.codes])


def _in_order(column: Column, order: NDArray[np.intp]) -> Column:
    shown = None if column.shown is None else _in_order(column.shown, order)
    return replace(column, codes=np.ascontiguousarray(column.codes[order]), shown=shown)


def _row_numbers(columns: tuple[Column, ...], n_rows: int) -> NDArray[np.uint64]:
    """A number for each row, equal where all codes are (and hardly ever elsewhere)."""
    numbers = np.zeros(n_rows, np.uint64)
    for column in columns:
        numbers = (numbers ^ column.codes.astype(np.uint64)) * _SPREAD
        numbers ^= numbers >> np.uint64(29)
    return numbers


def _clusters(
    vocabulary: Vocabulary, codes: NDArray[np.unsignedinteger], row: NDArray[np.intp]
) -> NDArray[np.int64] | None:
    """The number of each row's cluster; None where every record stands for itself."""
    if not vocabulary.n_cluster_digits:
        return None
    digits = codes[vocabulary.cluster_places].astype(np.int64)
    found: NDArray[np.int64] = ((_DIGITS ** np.arange(len(digits)))[:, None] * digits).sum(axis=0)[row]
    return found


def _by_appearance(cluster: NDArray[np.int64]) -> NDArray[np.int32]:
    """Clusters numbered from 0, in the order in which rows meet them first."""
    _, first, number = np.unique(cluster, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int32)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]


def _carried(
    vocabulary: Vocabulary, role: Role, codes: NDArray[np.unsignedinteger], row: NDArray[np.intp]
) -> NDArray[np.float64] | None:
    """The numbers of a role, in full; None where the table carries none."""
    found = vocabulary.carries(role)
    if found is None:
        return None
    number, places = found
    return number.values(codes[places].astype(np.uint16))[row]

"""What the columns of items hold, where their names do not tell: who writes a rule in SQL must know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.domain import Item
from causalrules.domain.pattern_grammar import condition_of_item, number_of
from causalrules.encode.columns import plain
from causalrules.encode.values import is_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from causalrules.domain.item import Kind

_KINDS: tuple[tuple[Callable[[pa.DataType], bool], Kind], ...] = (
    (pa.types.is_boolean, "truth"),
    (pa.types.is_float16, "short number"),
    (pa.types.is_float32, "short number"),
    (pa.types.is_date, "day"),
    (pa.types.is_duration, "duration"),
    (pa.types.is_time, "time of day"),
)


def items_of(
    column: str,
    names: Sequence[str],
    own: pa.DataType,
    *,
    joined: Collection[str] = (),
    are_intervals: bool = False,
    is_untyped: bool = False,
) -> list[Item]:
    """The items of a column, each with its kind where the name alone would mislead.

    Parameters
    ----------
    column, names : str and sequence of str
        The column and the names of its items.
    own : pyarrow.DataType
        The type of the column.
    joined : collection of str
        The names that stand for several values.
    are_intervals : bool
        Whether the items are intervals of numbers or dates.
    is_untyped : bool
        Whether the source has nothing but texts: what looks like a number then may be one elsewhere.

    Examples
    --------
    >>> [(item.value, item.kind) for item in items_of("years", [">5", "1-5", "2"], pa.string())]
    [('>5', 'text'), ('1-5', ''), ('2', 'text')]
    """
    usable = plain(pa.chunked_array([], own))
    assert usable is not None, "a column that cannot be used has no items"
    kind = _kind(usable.type, names, are_intervals=are_intervals)
    items = []
    for name in names:
        here: Kind = "texts" if kind == "text" and name in joined else kind
        if kind == "text" and name not in joined and not _misleads(column, name, is_untyped=is_untyped):
            here = ""
        if is_untyped and (here in ("number in texts", "date in texts") or name in joined):
            here = ""
        items.append(Item(column, name, here))
    return items


def _kind(own: pa.DataType, names: Sequence[str], *, are_intervals: bool) -> Kind:
    kind = own.value_type if pa.types.is_dictionary(own) else own
    if is_text(kind):
        if not are_intervals:
            return "text"
        limit = condition_of_item("", names[0]).low or condition_of_item("", names[0]).high
        return "date in texts" if limit is not None and limit.is_date else "number in texts"
    if pa.types.is_timestamp(kind):
        return "moment" if kind.tz is None else "moment of a zone"
    found: Kind = next((word for is_such, word in _KINDS if is_such(kind)), "number")
    return "" if found == "number" and are_intervals else found


def _misleads(column: str, name: str, *, is_untyped: bool) -> bool:
    """Whether the name of a text reads as something else: a number, an interval, several texts."""
    if number_of(name) is not None:
        return not is_untyped
    return condition_of_item(column, name).kind != "is" or "|" in name

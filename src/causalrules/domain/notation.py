"""How people write items: ``column=value``, joined by ``&``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from causalrules.domain.item import Item
from causalrules.domain.pattern_grammar import parse
from causalrules.domain.value_meaning import the_yes_of, value_meant
from causalrules.errors import (
    ExposureError,
    NoValueError,
    SettingsError,
    UnknownColumnError,
    UnknownValueError,
    quoted,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from causalrules.domain.item import Pattern


def split_item(text: str | Item, columns: Sequence[str], role: str) -> tuple[str, str | None]:
    """Split ``column=value`` at the right ``=``: names and values may contain more of them.

    Spaces around it do not matter. The value is None when the text is just
    the name of a column. An item that was picked is taken as it is.

    Examples
    --------
    >>> split_item("income=>50K", ["income", "sex"], "outcome")
    ('income', '>50K')
    >>> split_item("a=b=c", ["a", "a=b"], "outcome")
    ('a=b', 'c')
    """
    if isinstance(text, Item):
        if text.column not in columns:
            raise UnknownColumnError(role, text.column, columns)
        return text.column, text.value
    if not isinstance(text, str):
        raise SettingsError(role, "a text such as 'column=value'", text)
    stripped = text.strip()
    fitting: dict[str, str] = {}
    for column in columns:
        name = column.strip()
        rest = stripped[len(name) :].lstrip() if stripped.startswith(name) else ""
        if rest.startswith("="):
            fitting[column] = rest[1:].strip()
    if fitting:
        column = max(fitting, key=len)
        return column, fitting[column]
    if text in columns or stripped in columns:
        return (text if text in columns else stripped), None
    raise UnknownColumnError(role, stripped.partition("=")[0].strip(), columns)


def find_pattern(text: str, items: Sequence[Item], left_out: Mapping[str, str] | None = None) -> Pattern:
    """Find the items that a text such as ``smoker=yes & sex=male`` names.

    Every way of cutting the text at ``&`` is tried, because values may
    contain ``&`` and ``=`` themselves.

    Parameters
    ----------
    text : str
        The pattern as people write it.
    items : sequence of Item
        All items there are.
    left_out : mapping of str to str, optional
        Columns that take no part, with the reason, for a better answer to who asks for one.

    Examples
    --------
    >>> from causalrules.domain import Item
    >>> items = [Item("sex", "male"), Item("firm", "Smith & Sons"), Item("firm", "Smith")]
    >>> find_pattern("firm=Smith & Sons & sex=male", items)
    (Item(column='sex', value='male'), Item(column='firm', value='Smith & Sons'))
    """
    ordered = sorted(items, key=lambda item: len(item.column))
    by_text = {_short(item.name): item for item in ordered} | {_normal(str(item)): item for item in ordered}
    found = _cut(text.split("&"), by_text)
    if found is None:
        found = _by_grammar(text, items, left_out or {})
    return _in_order(found, items, text)


def _by_grammar(text: str, items: Sequence[Item], left_out: Mapping[str, str]) -> list[Item]:
    """The items of a pattern whose conditions are no items word by word."""
    columns = list(dict.fromkeys(item.column for item in items))
    found = []
    for condition in parse(text, [*columns, *left_out], "exposure"):
        column = condition.column
        values = [item.value for item in items if item.column == column]
        if column in left_out and not values:
            raise _unknown_value(column, "", items, left_out)
        if condition.kind == "yes":
            value = the_yes_of(values)
            if value is None:
                raise NoValueError("exposure", column, dict.fromkeys(values, 0))
        else:
            value = value_meant(condition.item_value, values)
            if value is None:
                raise _unknown_value(column, condition.item_value, items, left_out)
        found.append(Item(column, value))
    return found


def known_pattern(
    asked: Sequence[Item], items: Sequence[Item], left_out: Mapping[str, str] | None = None
) -> Pattern:
    """The pattern of items that were picked, not written: whatever signs they hold, nothing is parsed.

    Examples
    --------
    >>> from causalrules.domain import Item
    >>> known_pattern([Item("b", "=&"), Item("a", "x")], [Item("a", "x"), Item("b", "=&")])
    (Item(column='a', value='x'), Item(column='b', value='=&'))
    """
    for item in asked:
        if item not in items:
            raise _unknown_value(item.column, item.value, items, left_out or {})
    if not asked:
        raise ExposureError("the exposure names no item. Choose at least one value of a column.")
    return _in_order(asked, items, " & ".join(map(str, asked)))


def _in_order(found: Sequence[Item], items: Sequence[Item], text: str) -> Pattern:
    columns = [item.column for item in found]
    if len(set(columns)) < len(columns):
        raise ExposureError(
            f"the exposure {quoted(text)} names a column twice; no record could have both values. "
            "Name each column once."
        )
    return tuple(items[place] for place in sorted(map(items.index, found)))


def _cut(pieces: list[str], by_text: dict[str, Item]) -> list[Item] | None:
    if not pieces:
        return []
    for size in range(1, len(pieces) + 1):
        piece = "&".join(pieces[:size])
        item = by_text.get(_normal(piece)) or by_text.get(_short(piece))
        if item is not None:
            rest = _cut(pieces[size:], by_text)
            if rest is not None:
                return [item, *rest]
    return None


def _normal(text: str) -> str:
    """Ignore spaces around the first ``=`` and at both ends."""
    column, equals, value = text.partition("=")
    return f"{column.strip()}{equals}{value.strip()}"


def _short(text: str) -> str:
    """Ignore spaces around the first ``<=`` or ``>`` and at both ends, for cuts written as ``age > 60``."""
    return re.sub(r"\s*(<=|>=|<|>)\s*", r"\1", text.strip(), count=1)


def _unknown_value(column: str, value: str, items: Sequence[Item], left_out: Mapping[str, str]) -> Exception:
    if column in left_out:
        return ExposureError(
            f"the exposure column {quoted(column)} takes no part in this run: {left_out[column]}. "
            "Choose another, or let it take part with other settings."
        )
    values = {item.value: 0 for item in items if item.column == column}
    if not values:
        return UnknownColumnError("exposure", column, list(dict.fromkeys(item.column for item in items)))
    return UnknownValueError("exposure", column, value, values)

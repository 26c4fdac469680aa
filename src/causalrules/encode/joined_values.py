"""Values of a column that count as one because the user says so: ``diabetes=yes|Yes``, ``stage=3|4``."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.pattern_grammar import parse
from causalrules.domain.value_meaning import value_meant
from causalrules.encode.column_codings import Categories
from causalrules.errors import PatternError, Setting, SettingsError, UnknownColumnError, UnknownValueError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from causalrules.domain.pattern_grammar import Condition

_DEMAND = "several values of one column, such as 'diabetes=yes|Yes' or 'stage=3|4'"


def joins_of(
    texts: Sequence[str], columns: Sequence[str], outcome: Sequence[str] = ()
) -> dict[str, list[Condition]]:
    """The values that are to be joined, by column; those of the outcome's columns are joined in the outcome.

    Examples
    --------
    >>> [str(one) for one in joins_of(["sex=m|M", "sex=f|F"], ["sex", "age"])["sex"]]
    ['sex=m|M', 'sex=f|F']
    """
    found: dict[str, list[Condition]] = {}
    for text in texts:
        try:
            conditions = parse(text, columns, "join")
        except PatternError as error:
            raise SettingsError("join", _DEMAND, text) from error
        one = conditions[0]
        if len(conditions) > 1 or one.kind != "is" or len(set(one.values)) < 2:
            raise SettingsError("join", _DEMAND, text)
        if one.column not in columns:
            raise UnknownColumnError("join", one.column, columns)
        if one.column in outcome:
            raise SettingsError.saying(
                "join",
                Setting("join", is_subject=True),
                " is of other columns than the outcome's; join its values in ",
                Setting("outcome", str(one)),
                ".",
            )
        others = found.setdefault(one.column, [])
        if any(set(one.values).intersection(other.values) for other in others):
            raise SettingsError("join", "groups without a value in common", text)
        others.append(one)
    return found


def joined(coding: Categories, groups: Sequence[Condition]) -> Categories:
    """A coding in which each group of values has one name and one code, at the place of its first value.

    A value that does not occur, as a rare spelling in another month, is no mistake; a group of which none
    does is one.
    """
    for group in groups:
        if not any(_meant(value, group, coding.names) for value in group.values):
            raise UnknownValueError("join", group.column, group.values[0], _records_with(coding))
    names, place = joined_names(coding.names, groups)
    codes = np.append(0, place + 1).astype(np.uint16)
    counts = np.bincount(codes[1:] - 1, coding.counts, len(names)).astype(np.int64)
    together = coding.joined | {group.item_value for group in groups}
    return Categories(names, coding.known, codes[coding.codes], counts, together)


def joined_names(names: Sequence[str], groups: Sequence[Condition]) -> tuple[list[str], NDArray[np.intp]]:
    """The names of values after joining, and the place of each value's name among them.

    Examples
    --------
    >>> found, place = joined_names(["F", "M", "f", "other"], joins_of(["sex=F|f"], ["sex"])["sex"])
    >>> found, place.tolist()
    (['F|f', 'M', 'other'], [0, 1, 0, 2])
    """
    new_name = dict(zip(names, names, strict=True))
    for group in groups:
        members = {_meant(value, group, names) for value in group.values}
        new_name |= {name: group.item_value for name in names if name in members}
    found = list(dict.fromkeys(new_name.values()))
    return found, np.array([found.index(new_name[name]) for name in names], np.intp)


def joins_in(texts: Sequence[str], column: str) -> list[Condition]:
    """The values that are to be joined in one column."""
    found: list[Condition] = []
    for text in texts:
        with suppress(UnknownColumnError):
            found += joins_of([text], [column])[column]
    return found


def joined_in_words(groups: Sequence[Condition], coding: Categories) -> list[str]:
    """What was joined, with how many records have each value, before it was."""
    counts = _records_with(coding)
    found = []
    for group in groups:
        n_having = [counts.get(_meant(value, group, coding.names) or "", 0) for value in group.values]
        shown = (f"{value} ({n:,})" for value, n in zip(group.values, n_having, strict=True))
        found.append(f"{' and '.join(shown)} in {group.column}")
    return found


def _meant(value: str, group: Condition, names: Collection[str]) -> str | None:
    """The value of the column that is meant, 3 by 3.0; of one that is absent, no other of its group."""
    found = value_meant(value, names)
    return found if value == found or found not in group.values else None


def refuse_parts(asked: Condition, groups: Sequence[Condition], coding: Categories, role: str) -> None:
    """Refuse a condition on some values of a group, which are no values of their own any more."""
    for group in groups:
        some = set(group.values).intersection(asked.values)
        if some and not some.issuperset(group.values):
            raise UnknownValueError(role, asked.column, min(some), _records_with(coding))


def _records_with(coding: Categories) -> dict[str, int]:
    return dict(zip(coding.names, coding.counts.tolist(), strict=True))

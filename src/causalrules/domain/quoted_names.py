"""Names between signs: plain where they have none of the signs, else in double quotes."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def in_quotes(text: str) -> str:
    """A text in double quotes; one inside it is doubled.

    Examples
    --------
    >>> print(in_quotes('5" nails'))
    "5"" nails"
    """
    return '"' + text.replace('"', '""') + '"'


def name_between(text: str, signs: Sequence[str]) -> str:
    """A name as it is written between these signs: in quotes only where it must be.

    Examples
    --------
    >>> print(name_between("age", ["<", ","]), name_between("a<b", ["<", ","]))
    age "a<b"
    """
    is_plain = text and text == text.strip() and '"' not in text and not any(sign in text for sign in signs)
    return text if is_plain else in_quotes(text)


def closing_quote(text: str, start: int) -> int | None:
    """Where the quoted text that opens at `start` ends (one past its quote); None if it never does.

    Examples
    --------
    >>> closing_quote('"a ""b"" c" = 1', 0)
    11
    """
    place = start + 1
    while (place := text.find('"', place)) >= 0:
        if text[place + 1 : place + 2] != '"':
            return place + 1
        place += 2
    return None


def out_of_quotes(text: str) -> str:
    """What a name stands for: quotes taken off, spaces around a plain one too.

    Examples
    --------
    >>> out_of_quotes(' "a, b" '), out_of_quotes(" age ")
    ('a, b', 'age')
    """
    name = text.strip()
    if name.startswith('"') and closing_quote(name, 0) == len(name):
        return name[1:-1].replace('""', '"')
    return name


def in_list(name: str) -> str:
    r"""A name in a list with commas: these, quotes and backslashes are marked, as the terminal reads them.

    Examples
    --------
    >>> print(in_list("income, net"))
    income\, net
    """
    return re.sub(r'([\\,"])', r"\\\1", name)


def typed_list(names: Sequence[str], before: str = "") -> str:
    r"""Names as the value of an option, ready to be pasted into a shell.

    Examples
    --------
    >>> print(typed_list(["age", "sex"]), typed_list(["income, net", "age (years)"], before="+"))
    age,sex '+income\, net,age (years)'
    """
    return shlex.quote(before + ",".join(map(in_list, names)))


def split_at(text: str, sign: str) -> list[str]:
    """Cut a text at a sign, but not inside quotes.

    Examples
    --------
    >>> split_at('age < "a<b"', "<")
    ['age ', ' "a<b"']
    """
    return list(_pieces(text, sign))


def _pieces(text: str, sign: str) -> Iterator[str]:
    start = place = 0
    while place < len(text):
        end = closing_quote(text, place) if text[place] == '"' and not text[start:place].strip() else None
        if end is not None:
            place = end
        elif text.startswith(sign, place):
            yield text[start:place]
            start = place = place + len(sign)
        else:
            place += 1
    yield text[start:]

"""How messages show texts, and the names they offer for one that was misspelt."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONGEST_SHOWN = 60
_LONGEST_VALUE = 200
_MOST_COMPARED = 2000


def one_line(text: str) -> str:
    r"""Text on one line and in any encoding: what cannot be printed is shown as an escape.

    Examples
    --------
    >>> print(one_line("two\nlines.csv"))
    two\nlines.csv
    """
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def quoted(text: str) -> str:
    r"""Text as a message shows it: quoted, control characters visible, not too long.

    Examples
    --------
    >>> print(quoted("two\nlines"))
    'two\nlines'
    """
    shown = text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "…"
    return repr(shown)


def shown_value(value: object) -> str:
    """A value as Python writes it, cut where nobody reads on."""
    try:
        text = repr(value)
    except ValueError:  # Python does not write integers of more than some thousand digits
        return "a number of very many digits"
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def did_you_mean(name: str, known: Sequence[str], *, else_list: bool) -> str:
    """The end of a sentence that names what is not there: what was probably meant, else what there is.

    Examples
    --------
    >>> did_you_mean("agee", ["age", "sex"], else_list=True)
    ". Did you mean 'age'?"
    >>> did_you_mean("height", ["age", "sex"], else_list=True)
    ". There are: 'age', 'sex'."
    """
    close = similar(name, known)
    if close:
        return f". Did you mean {either(close)}?"
    if not else_list or not known:
        return "."
    shown = ", ".join(map(quoted, list(known)[:12]))
    return f". There {'are' if len(known) > 1 else 'is'}: {shown}{', …' if len(known) > 12 else ''}."


def similar(name: str, known: Iterable[str]) -> list[str]:
    """Up to three names that differ little, however they are written; only so many are looked at."""
    by_folded: dict[str, str] = {}
    for other in islice(known, _MOST_COMPARED):
        by_folded.setdefault(_folded(other), other)
    return [by_folded[match] for match in get_close_matches(_folded(name), by_folded, n=3)]


def _folded(name: str) -> str:
    return name[: 2 * _LONGEST_SHOWN].strip().casefold()


def either(names: Sequence[str]) -> str:
    """Several names as alternatives."""
    return " or ".join(map(quoted, names))

"""Parts of sentences that every layer writes alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


_ENOUGH_ROOM = 3


def listed(parts: Sequence[str], most: int | None = None) -> str:
    """Parts as a sentence lists them, and how many there are more than `most`.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"]), listed(list("abcdef"), most=2)
    ('a', 'a, b and c', 'a, b and 4 more')

    A single one more is named: "1 more" would be no shorter, except where room is kept for very few.

    >>> listed(list("abcd"), most=3), listed(list("abc"), most=2)
    ('a, b, c and d', 'a, b and 1 more')
    """
    if most is not None and most >= _ENOUGH_ROOM and len(parts) == most + 1:
        most += 1
    shown = list(parts[:most])
    if len(parts) > len(shown):
        shown.append(f"{len(parts) - len(shown)} more")
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown)


def counted(number: int, thing: str) -> str:
    """A number of things.

    Examples
    --------
    >>> counted(1, "record"), counted(1234, "record")
    ('1 record', '1,234 records')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"

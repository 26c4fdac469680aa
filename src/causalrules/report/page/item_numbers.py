"""Items by number: a name stands once in a page, however many rules speak of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from causalrules.domain import Item


class Shelf:
    """Gives each item a number when it is first named.

    Examples
    --------
    >>> from causalrules.domain import Item
    >>> shelf = Shelf()
    >>> shelf.numbers([Item("sex", "male"), Item("smoker", "yes"), Item("sex", "male")])
    [0, 1, 0]
    >>> shelf.entries
    [['sex', 'male'], ['smoker', 'yes']]
    """

    def __init__(self) -> None:
        self._numbers: dict[Item, int] = {}

    def number(self, item: Item) -> int:
        """The item's number."""
        return self._numbers.setdefault(item, len(self._numbers))

    def numbers(self, items: Iterable[Item]) -> list[int]:
        """Several items' numbers, in their order."""
        return [self.number(item) for item in items]

    @property
    def entries(self) -> list[list[str]]:
        """Column and value of every item, by number."""
        return [[item.column, item.value] for item in self._numbers]

"""Items, patterns and the outcome: what a record can have."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal

from causalrules.domain.file_layout import Saved
from causalrules.domain.quoted_names import in_quotes

_CUT = re.compile(r"(<=|>=|<|>)(-?\d+(\.\d+)?(e[+-]?\d+)?|\d{4}-\d\d-\d\d([T ][\d:.]+)?)")


Kind = Literal[
    "",
    "text",
    "texts",
    "number",
    "short number",
    "truth",
    "day",
    "moment",
    "moment of a zone",
    "duration",
    "time of day",
    "number in texts",
    "date in texts",
]
"""What a column holds, where the value of an item does not tell: a text, or a cut of numbers, by its name."""


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """One column and one value of it (or one interval of a number).

    `kind` is what the column holds where the value alone would mislead: of a text ``>5`` it is "text", of
    several texts that count as one "texts". Items are the same whatever is known of their kind.

    Examples
    --------
    >>> str(Item("smoker", "yes")), str(Item("age", ">60.15"))
    ('smoker=yes', 'age=>60.15')
    >>> Item("smoker", "yes").name, Item("age", ">60.15").name, Item("income", ">50K").name
    ('smoker=yes', 'age>60.15', 'income=>50K')
    >>> Item("region", "!=north").name
    'region!=north'
    >>> print(Item("years", ">5", "text").name)
    years=">5"
    """

    column: str
    value: str
    kind: Annotated[Kind, Saved(is_seldom=True)] = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.column}={self.value}"

    @property
    def name(self) -> str:
        """As people read it: a cut of numbers, and all but a value, have a sign; texts like them quotes."""
        if self._has_sign and self.kind == "text":
            return f"{self.column}={in_quotes(self.value)}"
        return f"{self.column}{self.value}" if self._has_sign else str(self)

    @property
    def saved_kind(self) -> Kind:
        """The kind, where a text reads as something else: all of it that is the same for every source.

        Whether 1 is a number or a text in its column, a Parquet file knows and a text file does not.

        Examples
        --------
        >>> Item("years", ">5", "text").saved_kind, Item("code", "1", "number").saved_kind
        ('text', '')
        """
        return self.kind if self.kind == "text" and (self._has_sign or "|" in self.value) else ""

    @property
    def _has_sign(self) -> bool:
        return bool(_CUT.fullmatch(self.value)) or (self.value.startswith("!=") and len(self.value) > 2)


Pattern = tuple[Item, ...]
"""Items of different columns, in the table's order; a record has it when it has all of them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The column and value whose causes are sought, and how many records have it.

    `written` is how a pattern is written that is more than one value of a column. Where the mean of a column
    is asked for, `mean` and `spread` (its standard deviation) are known, and the value is the upper half
    of the records, by which the search goes.

    Of a weighted sample, `weighted_mean` is the mean of the population, or its share that has the value, and
    `weighted_spread` the standard deviation of a number.
    """

    column: str
    value: str
    n_with: Annotated[int, Saved(name="with")]
    n_without: Annotated[int, Saved(name="without")]
    written: str = ""
    mean: float | None = None
    spread: float | None = None
    weighted_mean: float | None = None
    weighted_spread: float | None = None

    @property
    def is_mean(self) -> bool:
        """Whether the mean of the column is asked for, not a value."""
        return self.mean is not None

    def __str__(self) -> str:
        value = in_quotes(self.value) if self.value.startswith('"') else self.value
        return self.written or f"{self.column}={value}"

    @property
    def had(self) -> str:
        """What a record has or has not: of a number, a place in its upper half."""
        return f"{self.column}{self.value}" if self.is_mean else str(self)

    @property
    def asked(self) -> str | Item:
        """How to ask for it again."""
        return self.written or Item(self.column, self.value)

    @property
    def n_records(self) -> int:
        """Records whose outcome is known."""
        return self.n_with + self.n_without

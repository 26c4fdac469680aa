"""How people write patterns: ``smoker=yes & 18.5<=bmi<25 & risk=high|medium & region!=north & died``.

::

    pattern   = condition { "&" condition }
    condition = name                                  the yes of a column of yes and no
              | name ( "=" | "!=" ) value { "|" value }
              | name ( "<" | "<=" | ">" | ">=" ) limit
              | limit ( "<" | "<=" ) name [ ( "<" | "<=" ) limit ]

A limit is a number or a date (``2020-01-01``). Names and values that hold one
of the signs stand in double quotes, in which a quote is doubled. Names are
those of a table, so one with signs in it is understood without quotes too
where nothing else could be meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import isfinite
from typing import TYPE_CHECKING, Literal

from causalrules.domain.quoted_names import closing_quote, in_quotes, name_between, out_of_quotes
from causalrules.errors import PatternError, UnknownColumnError

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIGNS = ("&", "|", "=", "<", ">", "!")
_ORDERS = ("<=", "<")
_OPERATORS = ("!=", "<=", ">=", "=", "<", ">")


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound of a number or a date: how it is written, and whether it belongs to the interval."""

    text: str
    is_inside: bool

    @property
    def number(self) -> float:
        """The bound as a number; a date in seconds since 1970."""
        number = number_of(self.text)
        assert number is not None
        return number

    @property
    def is_date(self) -> bool:
        """Whether it is a date rather than a number."""
        return _as_float(self.text) is None


@dataclass(frozen=True, slots=True)
class Condition:
    """What one column must be for a record to have a pattern.

    Parameters
    ----------
    column : str
    kind : {'is', 'is not', 'within', 'yes'}
    values : tuple of str
        That it is, or is not, one of.
    low, high : Limit, optional
        Bounds of an interval.
    raw : str
        The text after the sign as it was written: a value that holds signs may be meant.

    Examples
    --------
    >>> parse("18.5 <= bmi < 25", ["bmi"])[0].item_value
    '[18.5, 25)'
    """

    column: str
    kind: Literal["is", "is not", "within", "yes"]
    values: tuple[str, ...] = ()
    low: Limit | None = None
    high: Limit | None = None
    raw: str = field(default="", compare=False)

    @property
    def item_value(self) -> str:
        """What the records of the condition are called as an item of its column."""
        if self.kind in ("is", "is not"):
            listed = "|".join(name_between(value, ("&", "|", "!=")) for value in self.values)
            if self.kind == "is not":
                return f"!={listed}"
            return self.values[0] if len(self.values) == 1 else listed
        if self.low is None or self.high is None:
            return next((part for part in (self._below, self._above) if part), "")
        opening, closing = "[" if self.low.is_inside else "(", "]" if self.high.is_inside else ")"
        return f"{opening}{self.low.text}, {self.high.text}{closing}"

    @property
    def _below(self) -> str:
        return "" if self.high is None else f"<{'=' * self.high.is_inside}{self.high.text}"

    @property
    def _above(self) -> str:
        return "" if self.low is None else f">{'=' * self.low.is_inside}{self.low.text}"

    def __str__(self) -> str:
        name = self.column
        if number_of(name) is not None or name != name_between(name, _SIGNS):
            name = in_quotes(name)
        if self.kind == "yes":
            return name
        if self.kind != "within":
            listed = "|".join(name_between(value, ("&", "|")) for value in self.values)
            return f"{name}{'=' if self.kind == 'is' else '!='}{listed}"
        if self.low is not None and self.high is not None:
            return f"{self.low.text}<{'=' * self.low.is_inside}{name}{self._below}"
        return f"{name}{self._below}{self._above}"


def parse(text: str, columns: Sequence[str], role: str = "exposure") -> tuple[Condition, ...]:
    """The conditions of a pattern.

    Parameters
    ----------
    text : str
        As people write it.
    columns : sequence of str
        The names that may be meant.
    role : str
        What the pattern is for, in messages.

    Examples
    --------
    >>> [str(one) for one in parse("smoker = yes & age >= 60", ["age", "smoker"])]
    ['smoker=yes', 'age>=60']
    >>> parse("age >> 60", ["age"])
    Traceback (most recent call last):
    ...
    causalrules.errors.PatternError: the exposure 'age >> 60' is not understood at character 6, '> 60': a \
number or a date must stand here.
    """
    return _Parser(text, columns, role).pattern()


def written(conditions: Sequence[Condition]) -> str:
    """A pattern as `parse` reads it."""
    return " & ".join(map(str, conditions))


def columns_of_pattern(text: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns that something to adjust for is written with; a name that is no column's is refused.

    Examples
    --------
    >>> columns_of_pattern("bmi>=30", ["age", "bmi"])
    ('bmi',)
    """
    return tuple(condition.column for condition in parse(text, columns, "adjust"))


def condition_of_item(column: str, value: str) -> Condition:
    """The condition that an item stands for: an interval or all but some values by its name, else its value.

    Examples
    --------
    >>> print(condition_of_item("bmi", "[18.5, 25)"), condition_of_item("income", ">50K"))
    18.5<=bmi<25 income=>50K
    """
    if value.startswith("!=") and len(value) > 2:
        return Condition(column, "is not", _listed(value[2:]))
    between = _BETWEEN.fullmatch(value)
    if between is not None:
        opening, low, high, closing = between.groups()
        if number_of(low) is not None and number_of(high) is not None:
            limits = Limit(low, opening == "["), Limit(high, closing == "]")
            return Condition(column, "within", low=limits[0], high=limits[1])
    sign = next((sign for sign in ("<=", ">=", "<", ">") if value.startswith(sign)), "")
    if sign and number_of(value.removeprefix(sign)) is not None:
        return replace(parse(f"x{value}", ["x"])[0], column=column)
    return Condition(column, "is", (value,), raw=value)


def _listed(text: str) -> tuple[str, ...]:
    """The values of ``a|"b|c"``; a text that is no such list is one value."""
    try:
        conditions = parse(f"x={text}", ["x"])
    except (PatternError, UnknownColumnError):
        return (text,)
    return conditions[0].values if len(conditions) == 1 else (text,)


_BETWEEN = re.compile(r"([\[(])(.+), (.+)([\])])")


def number_of(text: str) -> float | None:
    """A number, or the seconds of a date since 1970; None for any other text.

    Examples
    --------
    >>> number_of("2.50"), number_of("1970-01-02"), number_of("two")
    (2.5, 86400.0, None)
    """
    number = _as_float(text)
    if number is not None:
        return number
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return (moment.replace(tzinfo=None) - datetime(1970, 1, 1)).total_seconds()


def _as_float(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) and "_" not in text else None


class _Parser:
    """Reads a text from left to right; `place` is the next character."""

    def __init__(self, text: str, columns: Sequence[str], role: str) -> None:
        self._text = text
        self._columns = columns
        self._role = role
        self._place = 0

    def pattern(self) -> tuple[Condition, ...]:
        found = [self._condition()]
        while not self._is_at_end():
            if not self._takes("&"):
                raise self._mistake("an & or the end must stand here")
            found.append(self._condition())
        return tuple(found)

    def _condition(self) -> Condition:
        start = self._place
        name = self._name()
        if name is None or (self._next_operator() in _ORDERS and number_of(name) is not None):
            self._place = start
            lower = self._lower_limit(is_certain=name is None)
            if lower is not None:
                return lower
            self._place = start
            if name is None:
                raise self._unknown_name()
            self._name()
        assert name is not None
        if self._takes("!="):
            values, raw = self._values()
            return Condition(name, "is not", values, raw=raw)
        for sign in (">=", "<=", ">", "<"):
            if self._takes(sign):
                limit = self._limit(is_inside=sign.endswith("="))
                is_low = sign.startswith(">")
                return Condition(
                    name, "within", low=limit if is_low else None, high=None if is_low else limit
                )
        if self._takes("="):
            values, raw = self._values()
            return Condition(name, "is", values, raw=raw)
        return Condition(name, "yes")

    def _lower_limit(self, *, is_certain: bool) -> Condition | None:
        """A condition that begins with its lower limit; None if there is none here."""
        text = self._up_to("<&")
        if number_of(text) is None or self._text[self._place : self._place + 1] != "<":
            return None
        sign = next(sign for sign in _ORDERS if self._takes(sign))
        name = self._name()
        if name is None and not is_certain:
            return None
        if name is None:
            raise self._unknown_name()
        low, high = Limit(text, sign == "<="), None
        for sign in _ORDERS:
            if self._takes(sign):
                high = self._limit(is_inside=sign == "<=")
                break
        if high is not None and high.number < low.number:
            raise self._mistake(f"the upper limit {high.text} is below the lower one, {low.text}")
        return Condition(name, "within", low=low, high=high)

    def _name(self) -> str | None:
        """The longest column name that stands here and is followed by a sign or the end."""
        self._skip_spaces()
        if self._text[self._place : self._place + 1] == '"':
            name = out_of_quotes(self._quoted())
            if name not in self._columns:
                raise UnknownColumnError(self._role, name, self._columns)
            return name
        for name in sorted(self._columns, key=lambda name: len(name.strip()), reverse=True):
            plain = name.strip()
            if plain and self._text.startswith(plain, self._place):
                before, self._place = self._place, self._place + len(plain)
                if self._is_at_end() or self._next_operator() or self._text[self._place] == "&":
                    return name
                self._place = before
        return None

    def _next_operator(self) -> str:
        self._skip_spaces()
        return next((sign for sign in _OPERATORS if self._text.startswith(sign, self._place)), "")

    def _values(self) -> tuple[tuple[str, ...], str]:
        """Values between bars, and all of them as they were written."""
        start = self._place
        values = [self._value()]
        while self._takes("|"):
            values.append(self._value())
        return tuple(values), self._text[start : self._place].strip()

    def _value(self) -> str:
        self._skip_spaces()
        if self._text[self._place : self._place + 1] == '"':
            return out_of_quotes(self._quoted())
        value = self._up_to("&|")
        if not value:
            raise self._mistake("a value must stand here; in a shell, text with > or < needs quotes")
        return value

    def _limit(self, *, is_inside: bool) -> Limit:
        self._skip_spaces()
        start = self._place
        text = self._up_to("&<>=!|")
        if number_of(text) is None:
            self._place = start
            raise self._mistake("a number or a date must stand here")
        return Limit(text, is_inside)

    def _quoted(self) -> str:
        end = closing_quote(self._text, self._place)
        if end is None:
            raise self._mistake("the quotes that open here are never closed")
        start, self._place = self._place, end
        return self._text[start:end]

    def _up_to(self, signs: str) -> str:
        start = self._place
        while self._place < len(self._text) and self._text[self._place] not in signs:
            self._place += 1
        return self._text[start : self._place].strip()

    def _takes(self, sign: str) -> bool:
        self._skip_spaces()
        if not self._text.startswith(sign, self._place):
            return False
        self._place += len(sign)
        return True

    def _is_at_end(self) -> bool:
        self._skip_spaces()
        return self._place >= len(self._text)

    def _skip_spaces(self) -> None:
        while self._text[self._place : self._place + 1].isspace():
            self._place += 1

    def _mistake(self, what: str) -> PatternError:
        return PatternError(self._role, self._text, self._place, what)

    def _unknown_name(self) -> Exception:
        self._skip_spaces()
        start, name = self._place, self._up_to("&|=<>!")
        self._place = start
        if not name:
            return self._mistake("the name of a column must stand here")
        return UnknownColumnError(self._role, name, self._columns)

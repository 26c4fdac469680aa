"""A rule's pattern as a condition that other programs carry out: SQL, or an expression of Polars.

Both choose the records that `mask` chooses. A database compares values as it stores them, so what a column
holds decides how a condition is written; where that cannot be known, nothing is written.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from math import ceil, floor, isfinite
from typing import TYPE_CHECKING, Any, NoReturn

from causalrules.domain.missing_values import missing_in
from causalrules.domain.pattern_grammar import Condition, Limit, condition_of_item, number_of, parse
from causalrules.domain.settings import Settings
from causalrules.errors import MissingPackageError, NotWritableError, PatternError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Item, Pattern

_WHOLE = re.compile(r"-?\d+")
_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?")
_LARGEST_EXACT = 2**53
_NOT_IN_SQL = {
    "duration": "durations, which databases store in different ways",
    "moment of a zone": "moments of a time zone, which databases store in different ways",
    "time of day": "times of day, which databases store in different ways",
    "number in texts": "numbers as texts, which databases compare as texts",
    "date in texts": "dates as texts, which databases compare as texts",
}
_NOT_IN_POLARS = {"time of day": "times of day", "date in texts": "dates as texts"}


def sql_of(pattern: Pattern, missing: Sequence[str] | None = None) -> str:
    """A condition for ``WHERE``; names and values are quoted as the standard says.

    Records of which a value is missing do not fulfil it. Values are compared
    as they are stored: a text with blanks around it is another text.

    Examples
    --------
    >>> from causalrules import Item
    >>> pattern = Item("name's", "O'Neill"), Item("bmi", "[18.5, 25)"), Item("region", "!=north")
    >>> print(sql_of(pattern, ["?"]))
    "name's" = 'O''Neill' AND "bmi" >= 18.5 AND "bmi" < 25 AND "region" NOT IN ('north', '', '?')
    """
    return " AND ".join(_sql(item, _absent(missing, item.column)) for item in pattern)


def _absent(missing: Sequence[str] | None, column: str) -> list[str]:
    """The texts that mean a missing value of a column."""
    tokens = missing_in(Settings.missing if missing is None else missing, column)
    return list(dict.fromkeys(["", *(token.strip() for token in tokens)]))


def _condition(item: Item) -> Condition:
    """What an item asks; ``high|low`` of unknown kind may be one value or two: all three are looked for."""
    if item.kind == "text":
        return Condition(item.column, "is", (item.value,))
    condition = condition_of_item(item.column, item.value)
    if condition.kind != "is" or "|" not in item.value:
        return condition
    try:
        (listed,) = parse(f"x={item.value}", ["x"])
    except (PatternError, ValueError):
        return condition
    alone = () if item.kind else (item.value,)
    return Condition(item.column, "is", tuple(dict.fromkeys([*alone, *listed.values])))


def _sql(item: Item, absent: list[str]) -> str:
    condition, column = _condition(item), '"' + item.column.replace('"', '""') + '"'
    if item.kind in _NOT_IN_SQL:
        _refuse(item, "SQL", _NOT_IN_SQL[item.kind])
    if condition.kind == "within":
        if item.kind == "short number":
            column = f"CAST({column} AS DOUBLE)"
        codes = ", ".join(repr(code) for code in _missing_numbers(item, absent))
        bounds = [*_sql_bounds(item, condition), *([f"NOT IN ({codes})"] if codes else [])]
        return " AND ".join(f"{column} {bound}" for bound in bounds)
    is_not = condition.kind == "is not"
    values = [_sql_value(item, value) for value in condition.values]
    if is_not and item.kind in ("", "text", "texts"):
        values += map(_sql_text, absent)
    elif is_not:
        values += map(repr, _missing_numbers(item, absent))
    if len(values) == 1:
        return f"{column} {'<>' if is_not else '='} {values[0]}"
    return f"{column} {'NOT IN' if is_not else 'IN'} ({', '.join(values)})"


def _missing_numbers(item: Item, absent: list[str]) -> list[float]:
    """The numbers among what means a missing value, for a column of numbers."""
    if item.kind not in ("", "number", "short number"):
        return []
    found = [float(text) for text in absent if _NUMBER.fullmatch(text)]
    return [int(code) if code.is_integer() else code for code in found]


def _sql_bounds(item: Item, condition: Condition) -> list[str]:
    if item.kind in ("day", "moment"):
        low, high = _moments(condition)
        bounds = [(sign, limit) for sign, limit in ((">=", low), ("<", high)) if limit is not None]
        if item.kind == "day":
            bounds = [(sign, limit + (datetime.min - limit) % timedelta(days=1)) for sign, limit in bounds]
        return [f"{sign} {_sql_moment(item, limit)}" for sign, limit in bounds]
    limits = ((">", condition.low), ("<", condition.high))
    return [
        f"{sign}{'=' * limit.is_inside} {_sql_text(limit.text) if limit.is_date else limit.text}"
        for sign, limit in limits
        if limit is not None
    ]


def _sql_value(item: Item, text: str) -> str:
    if item.kind == "truth":
        return text.upper()
    if item.kind in ("number", "short number"):
        return repr(_number(item, text, "SQL"))
    if item.kind in ("day", "moment"):
        return _sql_moment(item, _moment(item, text, "SQL"))
    return _sql_text(text)


def _sql_moment(item: Item, moment: datetime) -> str:
    """As databases write it that keep moments as texts: these are compared letter by letter."""
    return _sql_text(str(moment.date()) if item.kind == "day" else moment.isoformat(" "))


def _sql_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _moments(condition: Condition) -> tuple[datetime | None, datetime | None]:
    """The first moment within a condition and the first one after it; the search counts whole seconds."""

    def first(limit: Limit | None, *, is_closed: bool) -> datetime | None:
        if limit is None:
            return None
        seconds = ceil(limit.number) if is_closed else floor(limit.number) + 1
        return datetime(1970, 1, 1) + timedelta(seconds=seconds)

    low, high = condition.low, condition.high
    return (
        first(low, is_closed=low is not None and low.is_inside),
        first(high, is_closed=high is not None and not high.is_inside),
    )


def _moment(item: Item, text: str, language: str) -> datetime:
    """The moment that a text names; one of nanoseconds has no place in Python."""
    if len(text.partition(".")[2].rstrip("0")) > 6:
        _refuse(item, language, "moments of nanoseconds")
    return datetime.fromisoformat(text)


def _number(item: Item, text: str, language: str) -> int | float:
    """The number that a text names, to the last digit."""
    if _WHOLE.fullmatch(text):
        return int(text)
    number = float(text)
    if not isfinite(number):
        _refuse(item, language, "infinite numbers")
    if item.kind == "short number":
        import numpy as np

        return float(np.float32(text))
    return number


def _refuse(item: Item, language: str, holds: str) -> NoReturn:
    raise NotWritableError(item.name, language, item.column, holds)


def polars_of(pattern: Pattern, missing: Sequence[str] | None = None) -> Any:
    """An expression for ``DataFrame.filter``, also of lazy frames.

    Examples
    --------
    >>> import polars
    >>> from causalrules import Item
    >>> people = polars.DataFrame({"age": [30, 70, None], "smoker": ["yes", "yes", "no"]})
    >>> people.filter(polars_of((Item("age", ">60"), Item("smoker", "yes")))).rows()
    [(70, 'yes')]
    """
    try:
        import polars
    except ImportError as error:
        raise MissingPackageError("to_polars", "polars", "polars") from error
    parts = (_polars(polars, item, _absent(missing, item.column)) for item in pattern)
    return polars.all_horizontal(*parts)


def _polars(polars: Any, item: Item, absent: list[str]) -> Any:
    condition, column = _condition(item), polars.col(item.column)
    if item.kind in _NOT_IN_POLARS:
        _refuse(item, "Polars", _NOT_IN_POLARS[item.kind])
    if item.kind in ("day", "moment", "moment of a zone"):
        return _polars_moments(polars, item, condition, column)
    if condition.kind == "within":
        return _polars_interval(polars, item, condition, column, absent)
    if item.kind == "duration":
        _refuse(item, "Polars", "durations, which are named as texts")
    if item.kind in ("number", "short number"):
        has = polars.any_horizontal(
            *(_polars_equals(polars, column, _number(item, value, "Polars")) for value in condition.values)
        )
        return ~has & _is_known(polars, item, column, absent) if condition.kind == "is not" else has
    spelled = list(condition.values)
    if item.kind == "":
        # Numbers that are categories are named by their texts, and 2.0 is called 2.
        spelled += [f"{value}.0" for value in condition.values if _WHOLE.fullmatch(value)]
    texts = column.cast(polars.String).str.strip_chars()
    return ~texts.is_in([*spelled, *absent]) if condition.kind == "is not" else texts.is_in(spelled)


def _polars_equals(polars: Any, column: Any, number: float) -> Any:
    """Whether a column is a number; a whole one beyond what floats tell apart is compared as it is."""
    is_exact = abs(number) <= _LARGEST_EXACT
    return column.cast(polars.Float64) == float(number) if is_exact else column == number


def _is_known(polars: Any, item: Item, column: Any, absent: list[str]) -> Any:
    """Whether a number is one: not NaN, which Polars takes for larger than every number, and no code."""
    column = column.cast(polars.Float64)
    return column.is_not_nan() & ~column.is_in(list(map(float, _missing_numbers(item, absent))))


def _polars_interval(polars: Any, item: Item, condition: Condition, column: Any, absent: list[str]) -> Any:
    limits = [limit for limit in (condition.low, condition.high) if limit is not None]
    found = polars.lit(True)
    if item.kind == "duration":
        column = column.dt.total_seconds()
    elif item.kind == "number in texts":
        texts = column.cast(polars.String).str.strip_chars()
        column = texts.cast(polars.Float64, strict=False)
        found = ~texts.is_in(absent)
    if not any(limit.is_date for limit in limits):
        column = column.cast(polars.Float64)
        found &= _is_known(polars, item, column, absent)
    for limit, sides in ((condition.low, ("gt", "ge")), (condition.high, ("lt", "le"))):
        if limit is not None:
            value = polars.lit(datetime.fromisoformat(limit.text)) if limit.is_date else number_of(limit.text)
            found &= getattr(column, sides[limit.is_inside])(value)
    return found


def _polars_moments(polars: Any, item: Item, condition: Condition, column: Any) -> Any:
    if item.kind == "moment of a zone":
        column = column.dt.replace_time_zone(None)  # as a clock there shows it
    if condition.kind == "within":
        (low, high), found = _moments(condition), polars.lit(True)
        if low is not None:
            found &= column >= polars.lit(low)
        return found if high is None else found & (column < polars.lit(high))
    moments = [_moment(item, value, "Polars") for value in condition.values]
    has = polars.any_horizontal(*(column == polars.lit(moment) for moment in moments))
    return ~has if condition.kind == "is not" else has

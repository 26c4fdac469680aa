"""A rule's pattern as a condition that other programs carry out: SQL, or an expression of Polars."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from causalrules.domain.pattern_grammar import Condition, Limit, condition_of_item, number_of, parse
from causalrules.errors import MissingPackageError, PatternError

if TYPE_CHECKING:
    from causalrules.domain import Item, Pattern

_WHOLE = re.compile(r"-?\d+")


def sql_of(pattern: Pattern) -> str:
    """A condition for ``WHERE``; names and values are quoted as the standard says.

    Records of which a value is missing do not fulfil it. Values are compared
    as they are stored: a text with blanks around it is another text.

    Examples
    --------
    >>> from causalrules import Item
    >>> print(sql_of((Item("name's", "O'Neill"), Item("bmi", "[18.5, 25)"), Item("region", "!=north"))))
    "name's" = 'O''Neill' AND "bmi" >= 18.5 AND "bmi" < 25 AND "region" <> 'north'
    """
    return " AND ".join(_sql(_condition(item)) for item in pattern)


def _condition(item: Item) -> Condition:
    """What an item asks; ``high|low`` may be one value or two, so all three are looked for."""
    condition = condition_of_item(item.column, item.value)
    if condition.kind != "is" or "|" not in item.value:
        return condition
    try:
        (listed,) = parse(f"x={item.value}", ["x"])
    except (PatternError, ValueError):
        return condition
    return Condition(item.column, "is", tuple(dict.fromkeys([item.value, *listed.values])))


def _sql(condition: Condition) -> str:
    column = '"' + condition.column.replace('"', '""') + '"'
    if condition.kind == "within":
        bounds = [(condition.low, ">"), (condition.high, "<")]
        return " AND ".join(
            f"{column} {sign}{'=' * limit.is_inside} {_sql_limit(limit)}"
            for limit, sign in bounds
            if limit is not None
        )
    is_not = condition.kind == "is not"
    texts = [_sql_text(value) for value in condition.values]
    if len(texts) == 1:
        return f"{column} {'<>' if is_not else '='} {texts[0]}"
    return f"{column} {'NOT IN' if is_not else 'IN'} ({', '.join(texts)})"


def _sql_limit(limit: Limit) -> str:
    return _sql_text(limit.text) if limit.is_date else limit.text


def _sql_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def polars_of(pattern: Pattern) -> Any:
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
    conditions = map(_condition, pattern)
    return polars.all_horizontal(*(_polars(polars, condition) for condition in conditions))


def _polars(polars: Any, condition: Condition) -> Any:
    column = polars.col(condition.column)
    if condition.kind == "within":
        found = polars.lit(True)
        for limit, sides in ((condition.low, ("gt", "ge")), (condition.high, ("lt", "le"))):
            if limit is not None:
                found &= getattr(column, sides[limit.is_inside])(_polars_limit(polars, limit))
        return found
    # Numbers that are categories are named by their texts, and 2.0 is called 2.
    spelled = [*condition.values, *(f"{value}.0" for value in condition.values if _WHOLE.fullmatch(value))]
    has = column.cast(polars.String).str.strip_chars().is_in(spelled)
    return ~has if condition.kind == "is not" else has


def _polars_limit(polars: Any, limit: Limit) -> Any:
    if not limit.is_date:
        return number_of(limit.text)
    from datetime import datetime

    return polars.lit(datetime.fromisoformat(limit.text))

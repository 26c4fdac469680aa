"""Which texts and numbers mean a missing value: in every column, or in one.

A text such as ``stage=9`` is of one column, the one before the equals sign.
Names may hold such a sign themselves, so a column knows its own texts by its whole name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real

from causalrules.errors import SettingsError

DEFAULT_MISSING = ("?", "NA", "NaN", "null")
"""What means a missing value where nothing is said of all columns."""

MissingGiven = str | float | Sequence[str | float] | Mapping[str, str | float | Sequence[str | float]]
"""Texts and numbers for all columns, ``stage=9`` for one; or values by column."""


def is_of_one_column(text: str) -> bool:
    """Whether a text names the column that it is of.

    Examples
    --------
    >>> [is_of_one_column(text) for text in ("stage=9", "-99", "=", "=x")]
    [True, False, False, False]
    """
    return "=" in text[1:] and not text.startswith("=")


def written_missing(given: object) -> tuple[str, ...]:
    """What means a missing value, as the settings keep it: first that of all columns, then of single ones.

    What is said of single columns leaves the usual texts as they are.

    Examples
    --------
    >>> written_missing({"stage": [8, 9]})
    ('?', 'NA', 'NaN', 'null', 'stage=8', 'stage=9')
    >>> written_missing(["stage=9", -99])
    ('-99', 'stage=9')
    """
    if isinstance(given, Mapping):
        texts = [f"{column}={_text(one)}" for column, values in given.items() for one in _listed(values)]
    else:
        texts = [_text(one) for one in _listed(given)]
    own = [text for text in texts if is_of_one_column(text)]
    everywhere = [text for text in texts if not is_of_one_column(text)]
    if own and not everywhere:
        everywhere = list(DEFAULT_MISSING)
    return (*everywhere, *own)


def _listed(given: object) -> Iterable[object]:
    return (given,) if isinstance(given, str) or not isinstance(given, Iterable) else given


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
        return str(int(number)) if number.is_integer() else str(number)
    raise SettingsError("missing", "texts or numbers, or values by column", value)


def of_all_columns(missing: Sequence[str]) -> tuple[str, ...]:
    """The texts that mean a missing value whatever the column."""
    return tuple(text for text in missing if not is_of_one_column(text))


def of_column(missing: Sequence[str], column: str) -> tuple[str, ...]:
    """The texts that mean a missing value in this column alone, without its name.

    Examples
    --------
    >>> of_column(("NA", "stage=9", "stages=8"), "stage")
    ('9',)
    """
    before = f"{column}="
    own = (text for text in missing if text.startswith(before) and is_of_one_column(text))
    return tuple(text[len(before) :] for text in own)


def said_before(missing: Sequence[str]) -> tuple[str, ...]:
    """What must be said again by who names another column's texts: all but the usual ones, which stay then.

    Examples
    --------
    >>> said_before(DEFAULT_MISSING), said_before(("-9", "stage=9"))
    ((), ('-9', 'stage=9'))
    """
    everywhere = of_all_columns(missing)
    own = missing[len(everywhere) :]
    return (*(() if everywhere == DEFAULT_MISSING else everywhere), *own)


def missing_in(missing: Sequence[str], column: str) -> tuple[str, ...]:
    """All texts that mean a missing value in a column.

    Examples
    --------
    >>> missing_in(("NA", "stage=9"), "stage"), missing_in(("NA", "stage=9"), "age")
    (('NA', '9'), ('NA',))
    """
    return (*of_all_columns(missing), *of_column(missing, column))


def unknown_column(missing: Sequence[str], columns: Sequence[str]) -> str | None:
    """A name before an equals sign that no column has; None if there is none such."""
    for text in missing:
        if is_of_one_column(text) and not any(text.startswith(f"{column}=") for column in columns):
            return text.rpartition("=")[0]
    return None

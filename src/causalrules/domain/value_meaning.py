"""Values that are one and the same, written in two ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

_YES = {"1", "1.0", "true", "yes"}
_NO = {"0", "0.0", "false", "no"}
_YES_AND_NO = (
    *({"ja", "nein"}, {"ja", "nej"}, {"ja", "nee"}, {"ja", "nei"}, {"oui", "non"}, {"sí", "no"}),
    *({"sì", "no"}, {"si", "no"}, {"sim", "não"}, {"tak", "nie"}, {"igen", "nem"}, {"y", "n"}, {"j", "n"}),
)
_OTHER_YES = {"ja", "oui", "sí", "sì", "si", "sim", "tak", "igen", "y", "j"}


def value_meant(asked: str, values: Collection[str]) -> str | None:
    """The value of a column that a text means: itself, or the only one that means the same.

    Examples
    --------
    >>> value_meant("1", ["yes", "no"]), value_meant("2", ["1.0", "2.0"]), value_meant("yes", ["1", "true"])
    ('yes', '2.0', None)
    """
    if asked in values:
        return asked
    same = [value for value in values if _means_the_same(asked, value)]
    return same[0] if len(same) == 1 else None


def the_yes_of(values: Collection[str]) -> str | None:
    """The affirmative one of two values.

    Examples
    --------
    >>> the_yes_of(["no", "yes"]), the_yes_of(["a", "b"])
    ('yes', None)

    In other languages only beside its no: ``ja`` may also be Japanese.

    >>> the_yes_of(["nein", "Ja"]), the_yes_of(["en", "ja"])
    ('Ja', None)
    """
    is_pair = {value.casefold() for value in values} in _YES_AND_NO and len(values) == 2
    words = _OTHER_YES if is_pair else _YES
    found = [value for value in values if value.casefold() in words]
    return found[0] if len(found) == 1 and len(values) <= 2 else None


def _means_the_same(asked: str, value: str) -> bool:
    if any(asked.casefold() in words and value.casefold() in words for words in (_YES, _NO)):
        return True
    try:
        return float(asked) == float(value)
    except ValueError:
        return False

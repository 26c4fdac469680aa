"""How a setting is declared, once: default, words for people, legal values; and how every one is checked."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from math import isfinite
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from causalrules.domain.quoted_names import in_list
from causalrules.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import Field

Value = TypeVar("Value")

REPEATED = ("cut",)
"""Settings whose texts hold commas: each is an option of its own."""

LARGEST = 10**9
"""No setting may be larger, unless it says so."""


class Legal(NamedTuple):
    """The numbers that a setting may have: in words, as a test, and the largest that makes sense."""

    demand: str
    holds: Callable[[float], bool]
    most: int = LARGEST


SHARE = Legal("at least 0 and below 1", lambda value: 0 <= value < 1)
BETWEEN_0_AND_1 = Legal("between 0 and 1", lambda value: 0 < value <= 1 - 1e-9)


def at_least(least: int, or_else: str = "", *, most: int = LARGEST) -> Legal:
    """No number below this one; `or_else` tells of a word that may stand instead."""
    return Legal(f"at least {least}{or_else}", lambda value: value >= least, most)


def setting(
    default: Value,
    text: str,
    *,
    label: str = "",
    unset: str = "",
    legal: Legal | None = None,
    former: Mapping[str, str] | None = None,
) -> Value:
    """A field of settings.

    Parameters
    ----------
    default
        Its value where none is given.
    text : str
        Its help, read by the terminal, the explorer's form and the documentation.
    label : str
        Its name on the explorer's page; settings without one are not offered there.
    unset : str
        What happens where the default is None, in a few words.
    legal : Legal, optional
        The numbers that it may have.
    former : mapping, optional
        Choices that it had in an earlier version, and the one that replaces each.
    """
    metadata = {"help": text, "label": label, "unset": unset, "legal": legal, "former": former or {}}
    return field(default=default, metadata=metadata)


SHORT_OPTIONS = {"outcome_as": "as"}
"""Settings whose option in the terminal is shorter, beside that of what it belongs to."""


def option_of(name: str) -> str:
    """A setting as people type it in the terminal.

    Examples
    --------
    >>> option_of("min_support"), option_of("outcome_as")
    ('--min-support', '--as')
    """
    return f"--{SHORT_OPTIONS.get(name, name).replace('_', '-')}"


class Kind(NamedTuple):
    """What a setting holds: its type, the words to choose from, and whether it may be None.

    A number that may also be a word has a type of its own and choices.
    """

    type: type
    choices: tuple[str, ...]
    is_optional: bool


@cache
def kinds_of(group: type) -> dict[str, Kind]:
    """The kind of each setting of a class, from its annotation.

    Examples
    --------
    >>> from causalrules.paper import PaperSettings
    >>> kinds_of(PaperSettings)["caliper"]
    Kind(type=<class 'float'>, choices=('none',), is_optional=True)
    """
    return {
        name: _kind(hint) for name, hint in get_type_hints(group).items() if get_origin(hint) is not ClassVar
    }


def _kind(hint: Any) -> Kind:
    is_whole = get_origin(hint) in (Literal, tuple) or not get_args(hint)
    parts = (hint,) if is_whole else get_args(hint)
    choices = tuple(choice for part in parts if get_origin(part) is Literal for choice in get_args(part))
    types = {get_origin(part) or part for part in parts} - {Literal, NoneType}
    order: tuple[type, ...] = (str, bool, int, float, tuple)
    return Kind(next((one for one in order if one in types), str), choices, NoneType in parts)


@dataclass(frozen=True, kw_only=True)
class CheckedFields:
    """Settings of one kind; they are checked when they are made.

    `title` heads them in the explorer's form.
    """

    title: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Refuse values of the wrong type or out of range; a group adds what settings ask of each other."""
        group: Any = type(self)
        kinds = kinds_of(group)
        for one in fields(self):
            _check(self, one, kinds[one.name])

    def settle(self, name: str, value: object) -> None:
        """Store what a value stands for, while the settings are being made."""
        object.__setattr__(self, name, value)


def _check(settings: CheckedFields, one: Field[Any], kind: Kind) -> None:
    name, value = one.name, getattr(settings, one.name)
    if type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0:
        value = value.item()  # a scalar, as searches over parameters give them
        settings.settle(name, value)
    if value is None and kind.is_optional:
        return
    if isinstance(value, str) and value in kind.choices:
        return
    if kind.choices and kind.type is str:
        former: Mapping[str, str] = one.metadata["former"]
        raise SettingsError.choice(name, kind.choices, value, former)
    if kind.type is bool and not isinstance(value, bool):
        raise SettingsError(name, "true or false", value)
    if kind.type is tuple:
        settings.settle(name, _names(name, value))
    if kind.type in (int, float):
        legal: Legal | None = one.metadata["legal"]
        (_check_whole_number if kind.type is int else _check_number)(name, value, legal)
        _refuse_absurd(name, value, legal)


def _check_whole_number(name: str, value: Any, legal: Legal | None) -> None:
    assert legal is not None
    if not isinstance(value, int) or isinstance(value, bool) or not legal.holds(value):
        raise SettingsError(name, f"a whole number of {legal.demand}", value)


def _check_number(name: str, value: Any, legal: Legal | None) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or (isinstance(value, float) and not isfinite(value)):
        raise SettingsError(name, "a finite number", value)
    if legal is not None and not legal.holds(value):
        raise SettingsError(name, legal.demand, value)


def _refuse_absurd(name: str, value: float, legal: Legal | None) -> None:
    """A number that no run could use is a slip of the finger, and would fail late or take for ever."""
    most = legal.most if legal else LARGEST
    if abs(value) > most:
        raise SettingsError(name, f"at most {most:,}", value)


def _code(value: Any) -> Any:
    """A number as the text of it; anything else as it is."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return value
    return str(int(value)) if value == value and abs(value) < LARGEST and value == int(value) else str(value)


def _names(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str | int | float):
        value = (value,)
    try:
        names = tuple(value)
    except TypeError:
        raise SettingsError(name, "a list of texts", value) from None
    if name == "missing":  # the codes of numbers may be written as numbers
        names = tuple(_code(one) for one in names)
    if not all(isinstance(text, str) for text in names):
        raise SettingsError(name, "a list of texts", value)
    return names


def typed_option(name: str, value: Any) -> list[str]:
    r"""A setting as the words that a user would type, for commands to copy; without a shell's quotes.

    Examples
    --------
    >>> typed_option("never_adjust", ["tar", "income, net"])
    ['--never-adjust', 'tar,income\\, net']
    >>> typed_option("cut", ["bmi=18.5,25", "age=every:10"])
    ['--cut', 'bmi=18.5,25', '--cut', 'age=every:10']
    """
    option = option_of(name)
    if name in REPEATED:
        return [word for text in value for word in (option, text)]
    if isinstance(value, bool):
        return [option] if value else []
    if isinstance(value, list | tuple):
        return [option, ",".join(map(in_list, value))]
    return [option, f"1:{value}" if name == "ratio" else str(value)]

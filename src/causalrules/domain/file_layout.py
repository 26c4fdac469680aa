"""How dataclasses stand in files, read from their fields: as JSON, and as rows of a flat table.

A field is written under its own name unless its annotation holds a `Saved`;
one that is added to `Rule` or to its parts needs no other line anywhere. An
`Estimate` takes three places: its value, its lower and its upper limit. JSON
has no word for infinite numbers: they are written as null, and null is read
as infinite where a number must stand.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from math import inf, isfinite
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from causalrules.domain.estimate import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Value = TypeVar("Value")
Entry = dict[str, Any]

WHO_WAS_COMPARED, WHAT_WAS_HELD = 1, 2
"""Sections of the flat table; they follow the one with everything else, which is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """How a field stands in files if not plainly under its own name; goes into its annotation.

    Parameters
    ----------
    name : str
        Its name in JSON, and in the flat table.
    stem : str
        For an `Estimate`: its limits are called ``STEM_low`` and ``STEM_high``.
    inline : bool
        For a dataclass: its fields stand beside the others, not below its name.
    before : dict
        Properties of its owner that are written before it: name in files, name in Python.
    column : str or None
        Its name in the flat table if that differs; None keeps it out. What stands below a name is in the
        table only if it has a column.
    column_stem : str
        Like `stem`, in the flat table only.
    column_before : dict
        Like `before`, in the flat table only.
    shows : str
        For the flat table: the property of its owner that stands for it.
    with_limits : bool
        For an `Estimate`: whether its limits are in the flat table.
    section : int, optional
        Of the flat table; None for that of the whole.
    is_seldom : bool
        Whether it is a text that is left out of JSON where it is empty; a property of its name after
        `saved_` may leave out more.
    """

    name: str = ""
    stem: str = ""
    inline: bool = False
    before: Mapping[str, str] = field(default_factory=dict)
    column: str | None = ""
    column_stem: str = ""
    column_before: Mapping[str, str] = field(default_factory=dict)
    shows: str = ""
    with_limits: bool = True
    section: int | None = None
    is_seldom: bool = False


class _Part(NamedTuple):
    """A field of a dataclass, its type, and how it stands in files."""

    field: str
    hint: Any
    has_default: bool
    name: str
    limits: tuple[str, str]
    saved: Saved


@cache
def _parts_of(kind: type) -> tuple[_Part, ...]:
    hints, annotated = get_type_hints(kind), get_type_hints(kind, include_extras=True)
    parts = []
    for one in fields(kind):
        notes = getattr(annotated[one.name], "__metadata__", ())
        saved = next((note for note in notes if isinstance(note, Saved)), Saved())
        name = saved.name or one.name
        stem = saved.stem or name
        has_default = one.default is not MISSING
        limits = (f"{stem}_low", f"{stem}_high")
        parts.append(_Part(one.name, hints[one.name], has_default, name, limits, saved))
    return tuple(parts)


_NOTHING: Mapping[str, Any] = MappingProxyType({})


def to_entry(value: Any, known: Mapping[str, Any] = _NOTHING) -> Entry:
    """A dataclass as an entry of a JSON file.

    Parameters
    ----------
    value : dataclass
        What is written.
    known : mapping
        What stands in the place of a field, by its name, if that is not its own value.

    Examples
    --------
    >>> from causalrules.domain import Entangled, Item
    >>> to_entry(Entangled(Item("sex", "male"), 0.5))
    {'column': 'sex', 'value': 'male', 'overlap': 0.5}
    """
    entry: Entry = {}
    kind: type = type(value)
    for how, name, attribute, more in _steps_of(kind):
        if attribute in known:
            entry[name] = known[attribute]
            continue
        found = getattr(value, attribute)
        if how == _AS_IT_IS:
            entry[name] = found
        elif how == _IF_THERE_IS:
            kept = getattr(value, f"saved_{attribute}", found)
            entry |= {name: kept} if kept else {}
        elif how == _NUMBER:
            entry[name] = None if found is None or not isfinite(found) else found
        elif how == _THREE_NUMBERS:
            low, high = more
            entry[name] = _finite(found.value)
            entry[low], entry[high] = _finite(found.low), _finite(found.high)
        elif how == _BESIDE_THE_OTHERS:
            entry |= more if found is None else to_entry(found)
        else:
            entry[name] = _encoded(found)
    return entry


_AS_IT_IS, _IF_THERE_IS, _NUMBER, _THREE_NUMBERS, _BESIDE_THE_OTHERS, _BELOW_ITS_NAME = range(6)


@cache
def _steps_of(kind: type) -> tuple[tuple[int, str, str, Any], ...]:
    """What to write of a dataclass: how, under which name, which attribute, and what that needs besides."""
    steps: list[tuple[int, str, str, Any]] = []
    for part in _parts_of(kind):
        steps += [(_AS_IT_IS, shown, attribute, None) for shown, attribute in part.saved.before.items()]
        inner = _without_none(part.hint)[0]
        if part.hint is Estimate:
            steps.append((_THREE_NUMBERS, part.name, part.field, part.limits))
        elif part.saved.inline:
            nothing = dict.fromkeys((one.name for one in _parts_of(inner)), None)
            steps.append((_BESIDE_THE_OTHERS, part.name, part.field, nothing))
        elif inner in (bool, int, str) or get_origin(inner) is Literal:
            how = _IF_THERE_IS if part.saved.is_seldom else _AS_IT_IS
            steps.append((how, part.name, part.field, None))
        else:
            how = _NUMBER if inner is float else _BELOW_ITS_NAME
            steps.append((how, part.name, part.field, None))
    return tuple(steps)


def from_entry(kind: type[Value], entry: Entry, known: Mapping[str, Any] = _NOTHING) -> Value:
    """Read back what `to_entry` wrote; a field with a default may be absent, as in older files.

    The values of some fields may be known without the entry, by their names.
    """
    values: Entry = {}
    plain: type = kind
    for part in _parts_of(plain):
        if part.field in known:
            values[part.field] = known[part.field]
        elif part.hint is Estimate:
            numbers = (entry[place] for place in (part.name, *part.limits))
            values[part.field] = Estimate(*(_decoded(float, number) for number in numbers))
        elif part.saved.inline:
            inner, is_optional = _without_none(part.hint)
            is_there = not is_optional or any(entry.get(one.name) is not None for one in _parts_of(inner))
            values[part.field] = from_entry(inner, entry) if is_there else None
        elif part.name in entry or not part.has_default:
            try:
                values[part.field] = _decoded(part.hint, entry[part.name])
            except TypeError as error:
                raise TypeError(f"{part.name}: {error}") from error
    return kind(**values)


class Column(NamedTuple):
    """One column of a flat table: its name, the type of its values, its section, and how a row finds it."""

    name: str
    type: type
    section: int
    read: Callable[[Any], Any]


@cache
def columns_of(kind: type) -> tuple[Column, ...]:
    """The columns of the flat table of a dataclass, section by section."""
    found = _columns(kind, lambda value: value, section=0, is_below=False)
    return tuple(sorted(found, key=lambda column: column.section))


def to_row(value: Any) -> Entry:
    """A dataclass as one row of a flat table: lists as text, and None for what there is not."""
    kind: type = type(value)
    return {column.name: column.read(value) for column in columns_of(kind)}


def _columns(kind: type, reach: Callable[[Any], Any], *, section: int, is_below: bool) -> Iterator[Column]:
    """The columns of a part; `reach` leads from a row's object to it, or to None."""
    for part in _parts_of(kind):
        saved = part.saved
        here = section if saved.section is None else saved.section
        for shown, attribute in {**saved.before, **saved.column_before}.items():
            yield Column(shown, _type_of_property(kind, attribute), here, _getter(reach, attribute))
        get = _getter(reach, saved.shows or part.field)
        inner, is_optional = _without_none(part.hint)
        is_shown = saved.column is not None and (saved.column != "" or not is_below)
        if part.hint is Estimate and is_shown:
            yield Column(saved.column or part.name, float, here, _getter(get, "value"))
            for place, limit in zip(part.limits, ("low", "high"), strict=True):
                if saved.with_limits:
                    shown = f"{saved.column_stem}_{limit}" if saved.column_stem else place
                    yield Column(shown, float, here, _getter(get, limit))
        elif _is_part(inner):
            yield from _columns(inner, get, section=here, is_below=is_optional or not saved.inline)
        elif is_shown:
            yield Column(saved.column or part.name, _plain_type(inner), here, get)


def _getter(reach: Callable[[Any], Any], attribute: str) -> Callable[[Any], Any]:
    """Leads to an attribute, as it stands in a table; also to the parts on the way."""

    def get(value: Any) -> Any:
        owner = reach(value)
        found = None if owner is None else getattr(owner, attribute)
        if isinstance(found, tuple):
            return "; ".join(map(str, found))
        return _finite(found) if isinstance(found, float) else found

    return get


def schema_of(kind: type) -> Entry:
    """The JSON Schema of what `to_entry` writes for a dataclass."""
    properties: Entry = {}
    required = []
    for part in _parts_of(kind):
        for shown, attribute in part.saved.before.items():
            properties[shown] = _schema_of_value(_type_of_property(kind, attribute))
        if part.hint is Estimate:
            properties |= {place: _schema_of_value(float) for place in (part.name, *part.limits)}
            required += [part.name, *part.limits]
        elif part.saved.inline:
            inner, is_optional = _without_none(part.hint)
            places = schema_of(inner)["properties"]
            properties |= {
                name: {"anyOf": [place, {"type": "null"}]} if is_optional else place
                for name, place in places.items()
            }
        else:
            properties[part.name] = _schema_of_value(part.hint)
            required += [] if part.has_default else [part.name]
    return {"type": "object", "properties": properties, "required": required}


def _schema_of_value(hint: Any) -> Entry:
    inner, is_optional = _without_none(hint)
    if get_origin(inner) is tuple:
        found: Entry = {"type": "array", "items": _schema_of_value(get_args(inner)[0])}
    elif get_origin(inner) is Literal:
        found = {"enum": list(get_args(inner))}
    elif _is_part(inner):
        found = schema_of(inner)
    else:
        names = {bool: "boolean", int: "integer", float: "number", str: "string"}
        found = {"type": names[inner]} if inner in names else {}
    may_be_null = is_optional or inner is float  # an infinite number is written as null
    return {"anyOf": [found, {"type": "null"}]} if may_be_null else found


def _encoded(value: Any) -> Any:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return _finite(value)
    if isinstance(value, tuple):
        return [_encoded(part) for part in value]
    return to_entry(value) if is_dataclass(value) else value


def _decoded(hint: Any, value: Any) -> Any:
    inner, is_optional = _without_none(hint)
    if value is None and (is_optional or inner is float):
        return None if is_optional else inf
    if get_origin(inner) is tuple:
        part = get_args(inner)[0]
        return tuple([_decoded(part, one) for one in expect(value, list)])
    if _is_part(inner):
        return from_entry(inner, expect(value, dict))
    if get_origin(inner) is Literal:
        if value not in get_args(inner):
            raise TypeError(f"{value!r} is none of {', '.join(map(repr, get_args(inner)))}")
        return value
    return expect(value, inner)


def expect(value: Any, kind: Any) -> Any:
    """The value, if it is of the type that a field has; files may have been damaged or edited."""
    if kind is float:
        fits = isinstance(value, int | float) and not isinstance(value, bool)
    else:
        fits = isinstance(value, str) if kind is str else type(value) is kind
    if kind in _TYPE_WORDS and not fits:
        raise TypeError(f"{str(value)[:40]!r} stands where {_TYPE_WORDS[kind]} must be")
    return float(value) if kind is float else value


_TYPE_WORDS: dict[Any, str] = {
    bool: "true or false",
    dict: "an object",
    float: "a number",
    int: "a whole number",
    list: "a list",
    str: "a text",
}


def _is_part(hint: Any) -> bool:
    return is_dataclass(hint)


def _without_none(hint: Any) -> tuple[Any, bool]:
    """A type, and whether its values may be None."""
    parts = get_args(hint)
    if get_origin(hint) in (Literal, tuple) or NoneType not in parts:
        return hint, False
    return next(part for part in parts if part is not NoneType), True


def _type_of_property(kind: type, name: str) -> type:
    return _plain_type(get_type_hints(getattr(kind, name).fget)["return"])


def _plain_type(hint: Any) -> type:
    """What the values of a column are: texts unless they are truth values or numbers."""
    return hint if hint in (bool, int, float) else str


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None

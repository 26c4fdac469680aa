"""How a result stands in a file, and what its JSON Schema is.

JSON has no infinite number and none that is not one: both are null there, and not a number when they are
read. So wherever a number stands in the schema, null may.
"""

from __future__ import annotations

from typing import Any

import msgspec

from causalrules.words.result import SCHEMA, Result

NAN = float("nan")


def from_entry(entry: dict[str, Any]) -> Result:
    """The result that an entry of a file holds.

    Raises
    ------
    ValueError
        Where something is missing or of another kind; it says what, and where.
    """
    return msgspec.convert(_with_nan(entry, msgspec.inspect.type_info(Result)), Result)


def to_json(result: Result) -> str:
    """A result as the text of a file."""
    return msgspec.json.encode(result).decode()


def _with_nan(value: Any, kind: Any) -> Any:
    """An entry with a number that is none wherever null stands for one."""
    of = msgspec.inspect
    if isinstance(kind, of.UnionType):
        others = [one for one in kind.types if not isinstance(one, of.NoneType)]
        return None if value is None or not others else _with_nan(value, others[0])
    if isinstance(kind, of.FloatType):
        return NAN if value is None else value
    if isinstance(kind, of.StructType) and isinstance(value, dict):
        kinds = {field.encode_name: field.type for field in kind.fields}
        return {name: _with_nan(one, kinds[name]) if name in kinds else one for name, one in value.items()}
    if isinstance(kind, of.TupleType) and isinstance(value, list):
        pairs = zip(value, kind.item_types, strict=False)
        return [_with_nan(one, own) for one, own in pairs] + value[len(kind.item_types) :]
    if isinstance(kind, of.VarTupleType) and isinstance(value, list):
        return [_with_nan(one, kind.item_type) for one in value]
    return value


def result_schema() -> dict[str, Any]:
    """What a file of this schema holds (JSON Schema, draft 2020-12).

    Examples
    --------
    >>> schema = result_schema()
    >>> schema["$defs"]["Trend"]["properties"]["p"]
    {'type': ['number', 'null']}
    """
    schema: dict[str, Any] = _with_null(msgspec.json.schema(Result))
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A result of causalrules, schema {SCHEMA}",
    }
    return head | schema


def _with_null(part: Any) -> Any:
    """A part of a schema in which null may stand for a number; descriptions on one line."""
    if isinstance(part, list):
        return [_with_null(one) for one in part]
    if not isinstance(part, dict):
        return part
    found = {name: _with_null(one) for name, one in part.items()}
    if found.get("type") == "number":
        found["type"] = ["number", "null"]
    if isinstance(found.get("description"), str):
        found["description"] = found["description"].partition("\n")[0]
    return found

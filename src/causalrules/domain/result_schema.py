"""The JSON Schema of a saved result, made from the same fields that write it."""

from __future__ import annotations

from typing import Any

from causalrules.domain.data_summary import DataSummary, LeftOut
from causalrules.domain.falsification import NegativeControl, Placebo
from causalrules.domain.file_layout import schema_of
from causalrules.domain.item import Item
from causalrules.domain.result_files import SCHEMA
from causalrules.domain.rule import Rule


def result_schema() -> dict[str, Any]:
    """What a file of this version's schema holds (JSON Schema, draft 2020-12)."""
    rule = schema_of(Rule)
    places = rule["properties"]
    places["controls"] = places.pop("held") | {"description": "Columns held, by name."}
    falsification = {
        "negative_controls": {"type": "array", "items": schema_of(NegativeControl)},
        "placebo": schema_of(Placebo),
    }
    return schema_of_file(SCHEMA, rule, falsification)


def schema_of_file(
    schema: str, rule: dict[str, Any], more: dict[str, Any], required: tuple[str, ...] = ()
) -> dict[str, Any]:
    """What a file of such rules holds, and what `more` stands in it."""
    whole = {"type": "integer", "minimum": 0}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A result of causalrules, schema {schema}",
        "type": "object",
        "properties": {
            "schema": {"const": schema},
            "version": {"type": "string"},
            "created": {"type": "string"},
            "settings": {"type": "object"},
            "seed": whole,
            "data": schema_of(DataSummary),
            "timings": {"type": "object", "additionalProperties": {"type": "number"}},
            "interrupted": {"type": "boolean"},
            "counts": {
                "type": "object",
                "properties": {
                    "by_length": {
                        "type": "object",
                        "additionalProperties": {"type": "object", "additionalProperties": whole},
                    }
                },
                "required": ["by_length"],
            },
            "not_studied": {"type": "array", "items": schema_of(LeftOut)},
            "kinds": {
                "description": "What the columns of exposures held, where the source has types.",
                "type": "array",
                "items": schema_of(Item),
            },
            "rules": {"type": "array", "items": rule},
            **more,
        },
        "required": [
            "schema",
            "version",
            "created",
            "settings",
            "seed",
            "data",
            "timings",
            "interrupted",
            "counts",
            "rules",
            *required,
        ],
    }

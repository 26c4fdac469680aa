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
    del places["held"]
    places["controls"] = {
        "description": "Columns held, by name; or items held, by their place in the list of items.",
        "type": "array",
        "items": {"type": ["string", "integer"]},
    }
    whole = {"type": "integer", "minimum": 0}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A result of causalrules, schema {SCHEMA}",
        "type": "object",
        "properties": {
            "schema": {"const": SCHEMA},
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
            "items": {"type": "array", "items": schema_of(Item)},
            "kinds": {
                "description": "What the columns of exposures held, where the source has types.",
                "type": "array",
                "items": schema_of(Item),
            },
            "rules": {"type": "array", "items": rule},
            "negative_controls": {"type": "array", "items": schema_of(NegativeControl)},
            "placebo": schema_of(Placebo),
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
            "items",
            "rules",
        ],
    }

"""How results stand in files: what comes before the rules, the rules, and falsification checks.

`Result` has the methods; how single rules are written is in `rule_files`, and the
files are described in docs/reference/result_schema.md.
"""

from __future__ import annotations

import json
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from causalrules.domain.data_summary import DataSummary, LeftOut
from causalrules.domain.decisions import Decision
from causalrules.domain.evidence import NO_RISKS
from causalrules.domain.falsification import NegativeControl, Placebo
from causalrules.domain.file_layout import Entry, expect, from_entry, to_entry
from causalrules.domain.rule import Rule
from causalrules.domain.settings import Settings
from causalrules.errors import ResultFileError, ResultMissingError, one_line

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator

    from causalrules.domain.result import Result

SCHEMA = "causalrules/2"
SCHEMA_OF_ITEMS = "causalrules-paper/1"
Read = TypeVar("Read")


def schema_in(entry: Any) -> Any:
    """The schema of a file; before rules with items as controls had their own, they stood in the others'."""
    if not isinstance(entry, dict):
        return None
    settings = entry.get("settings")
    controls = settings.get("controls") if isinstance(settings, dict) else None
    found = entry.get("schema")
    is_of_items = found == "causalrules/1" or (found == SCHEMA and controls in ("items", "columns"))
    return SCHEMA_OF_ITEMS if is_of_items else found


def entry_of(result: Result) -> dict[str, Any]:
    """A result as JSON knows it."""
    rules = {"rules": list(map(to_file, result.tested))}
    return head_of(result, SCHEMA) | rules | _falsification(result)


def pieces_of(result: Result) -> Iterator[str]:
    """The text of `entry_of`, a rule at a time."""
    return in_pieces(head_of(result, SCHEMA), map(to_file, result.tested), _falsification(result))


def in_pieces(head: dict[str, Any], rules: Iterable[dict[str, Any]], tail: dict[str, Any]) -> Iterator[str]:
    """The text of a file, a rule at a time: the entries of all would take twice the rules' memory."""
    yield _text(head)[:-1] + ', "rules": ['
    for place, rule in enumerate(rules):
        yield (", " if place else "") + _text(rule)
    yield "]" + (", " + _text(tail)[1:] if tail else "}")


def head_of(result: Any, schema: str) -> dict[str, Any]:
    """What stands before the rules."""
    return {
        "schema": schema,
        "version": result.version,
        "created": result.created,
        "settings": result.settings.to_dict(),
        "seed": result.settings.seed,
        "data": result.data.to_dict(),
        "timings": result.timings,
        "interrupted": result.interrupted,
        "decisions": list(map(to_entry, result.decisions)),
        "not_studied": list(map(to_entry, result.not_studied)),
        "counts": {"by_length": {str(length): counts for length, counts in result.by_length.items()}},
        **_kinds(result),
    }


def _kinds(result: Any) -> dict[str, Any]:
    """What the columns of exposures held, where the source knew more than the items tell.

    Apart from the rules: these are the same whatever file the table came from.
    """
    known = {item: item.kind for rule in result.tested for item in rule.pattern if item.kind}
    told = sorted(item for item, kind in known.items() if kind != item.saved_kind)
    entries = [{"column": item.column, "value": item.value, "kind": known[item]} for item in told]
    return {"kinds": entries} if entries else {}


def rules_in(entry: dict[str, Any]) -> list[Any]:
    """The entries of rules, with the kinds that stand beside them."""
    kinds = {(one["column"], one["value"]): one["kind"] for one in expect(entry.get("kinds", []), list)}
    rules: list[Any] = entry["rules"]
    if not kinds:
        return rules
    return [
        rule
        | {
            "pattern": [
                item | {"kind": kinds.get((item["column"], item["value"]), item.get("kind", ""))}
                for item in rule["pattern"]
            ]
        }
        for rule in rules
    ]


def _falsification(result: Result) -> dict[str, Any]:
    """What was asked to catch the run out, if anything."""
    controls = {"negative_controls": list(map(to_entry, result.negative_controls))}
    return (controls if result.negative_controls else {}) | (
        {"placebo": to_entry(result.placebo)} if result.placebo is not None else {}
    )


def _text(entry: dict[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False, allow_nan=False)  # dumps is the fast one


def fields_in(entry: dict[str, Any]) -> dict[str, Any]:
    """The fields of the result that an entry was made of."""
    return shared_fields_in(entry) | {
        "settings": Settings.from_dict(entry["settings"]),
        "tested": tuple(map(from_file, rules_in(entry))),
        "negative_controls": _listed(NegativeControl, entry.get("negative_controls", [])),
        "placebo": from_entry(Placebo, entry["placebo"]) if "placebo" in entry else None,
    }


def shared_fields_in(entry: dict[str, Any]) -> dict[str, Any]:
    """The fields that results of all methods have, but for settings and rules."""
    return {
        "data": DataSummary.from_dict(entry["data"]),
        "by_length": {
            int(length): {name: expect(count, int) for name, count in expect(counts, dict).items()}
            for length, counts in expect(entry["counts"]["by_length"], dict).items()
        },
        "timings": {name: expect(value, float) for name, value in expect(entry["timings"], dict).items()},
        "version": expect(entry["version"], str),
        "created": expect(entry["created"], str),
        "interrupted": expect(entry["interrupted"], bool),
        "decisions": _listed(Decision, entry.get("decisions", [])),
        "not_studied": _listed(LeftOut, entry.get("not_studied", [])),
    }


def _listed(kind: type[Any], entries: Any) -> tuple[Any, ...]:
    return tuple(from_entry(kind, one) for one in expect(entries, list))


def read_entry(path: str | os.PathLike[str]) -> Any:
    """What a JSON file holds, or a word on why that cannot be read."""
    file, shown = Path(path), one_line(str(path))
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        nearby = [other.name for other in file.parent.iterdir()] if file.parent.is_dir() else []
        raise ResultMissingError(path, nearby) from error
    except OSError as error:
        raise ResultFileError(
            f"cannot read the result {shown}: {error.strerror or error}. Name a file that may be read."
        ) from error
    except (ValueError, RecursionError) as error:
        raise ResultFileError(
            f"{shown} is not a saved result (not JSON); give what mine or test wrote with --json."
        ) from error


def read_as(
    from_dict: Callable[[dict[str, Any]], Read],
    entry: Any,
    path: str | os.PathLike[str],
    schema: str = SCHEMA,
) -> Read:
    """The result that an entry holds, or a word on what is wrong with it."""
    found, shown = schema_in(entry), one_line(str(path))
    if found != schema and found in (SCHEMA, SCHEMA_OF_ITEMS):
        raise ResultFileError(
            f"{shown} holds a result of another kind, {found!r}, not {schema!r}: causalrules.load reads both."
        )
    if found != schema:
        raise ResultFileError(
            f"{shown} is not a causalrules result: its schema is {found!r}, expected {schema!r}. "
            "Write one with: causalrules mine SOURCE --outcome … --json FILE"
        )
    try:
        return from_dict(entry)
    except KeyError as error:
        raise ResultFileError(
            f"the result {shown} is incomplete: {error.args[0]!r} is missing. Write it again."
        ) from error
    except (TypeError, ValueError, AttributeError, IndexError, ArithmeticError) as error:
        raise ResultFileError(
            f"the result {shown} is damaged or was edited: {one_line(str(error))}. Write it again."
        ) from error


def to_file(rule: Rule) -> Entry:
    """A rule as an entry of a result file, where every number speaks of the outcome itself."""
    entry = to_entry(rule.of_the_outcome())
    return {"controls" if name == "held" else name: value for name, value in entry.items()}


def from_file(entry: Entry) -> Rule:
    """Read back what `to_file` wrote."""
    rule = from_entry(Rule, entry | {"held": entry["controls"]})
    if not isfinite(rule.pairs.n_pairs):
        raise ValueError("a number of pairs is missing")
    if rule.design.gathered_by_outcome:  # null is read as infinite
        rule = replace(rule, effects=NO_RISKS)
    return rule.of_the_outcome()

"""``python -m experiments.result_schema_page`` writes docs/reference/result_schema.md from the schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from causalrules.domain.result_schema import result_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "result_schema.md"
_HEAD = """# Result files

`--json FILE` and `result.save("FILE")` write one JSON file with everything that a run found;
`causalrules.load` reads it back, also in later versions. `causalrules schema` prints its JSON Schema
(draft 2020-12), whose fields this page lists, and `causalrules paper schema` that of the paper's procedure,
`causalrules-paper/1`. Numbers of a rule speak of the outcome itself: what lowers it
has an odds ratio below 1. [Statistics](../statistics.md) defines every number.
Written by `python -m experiments.result_schema_page`.

Make one, and read it without this package:

```console
$ causalrules simulate hospital --records 1000 -o patients.csv
…
$ causalrules mine patients.csv --outcome ill=yes --max-length 1 --json result.json
…
```

```python
import json

with open("result.json") as file:
    result = json.load(file)
print(result["schema"], result["data"]["rows"])
causal = [rule for rule in result["rules"] if rule["verdict"] == "causal"]
```

```text
causalrules/2 1000
```
"""


def page() -> str:
    """The page: the file's own fields, then those of its parts."""
    schema = result_schema()
    parts = {
        "The file": schema,
        "data": schema["properties"]["data"],
        "rules, each": schema["properties"]["rules"]["items"],
    }
    return _HEAD + "".join(_table(title, part) for title, part in parts.items())


def _table(title: str, part: dict[str, Any]) -> str:
    rows = "".join(f"| `{name}` | {kind} |\n" for name, kind in _fields(part))
    return f"\n## {title}\n\n| field | holds |\n|---|---|\n{rows}"


def _fields(part: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, field in part["properties"].items():
        is_below = "rules" in part["properties"] and name in ("data", "items", "rules")
        yield name, "see below" if is_below else _kind(field)


def _kind(field: dict[str, Any]) -> str:
    """A field's type in words; what is nested is named by its own fields."""
    about = f" {field['description']}" if "description" in field else ""
    if "const" in field:
        return f"`{field['const']}`{about}"
    if "enum" in field:
        return " or ".join(f"`{value}`" for value in field["enum"]) + about
    if "anyOf" in field:
        kinds = " or ".join(_kind(one) for one in field["anyOf"]).split(" or ")
        return " or ".join(dict.fromkeys(kinds)) + about
    kinds = field.get("type", "anything")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    text = " or ".join(kinds)
    if "array" in kinds and isinstance(field.get("items"), dict) and field["items"] != {}:
        text = text.replace("array", f"list of ({_kind(field['items'])})")
    if "object" in kinds and "properties" in field:
        text = text.replace("object", "{" + ", ".join(field["properties"]) + "}")
    return text + about


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

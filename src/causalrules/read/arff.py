"""ARFF, the format of Weka and OpenML: a header of attributes, then delimited records."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.errors import SourceError
from causalrules.read.delimited import read_delimited

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules.read.table import SourceTable

_ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)\s+(.+)""", re.IGNORECASE)
_NUMBERS = ("numeric", "real", "integer")


def read_arff(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read an ARFF file; what it declares as nominal stays a category even if it looks like a number."""
    text = content.to_pybytes().decode("utf-8-sig", errors="replace")
    head, marker, data = _split_at_data(text)
    if not marker:
        raise SourceError(name, "it has no @data section", "Give a complete ARFF file.")
    kinds: dict[str, str] = {}
    for line in head.splitlines():
        attribute = _ATTRIBUTE.match(line.strip())
        if attribute:
            kinds[_unquoted(attribute[1])] = attribute[2].strip().lower()
    records = [line for line in data.splitlines() if line.strip() and not line.startswith("%")]
    if not kinds or not records:
        raise SourceError(name, f"it has {len(kinds)} attributes and {len(records)} records", "Give both.")
    if records[0].lstrip().startswith("{"):
        raise SourceError(name, "it is a sparse ARFF file", "Write it as an ordinary (dense) one.")
    return read_delimited(
        name,
        pa.py_buffer("\n".join([*records, ""]).encode()),
        names=list(kinds),
        delimiter=",",
        quote="'" if data.count("'") >= data.count('"') else '"',
        categorical=frozenset(column for column, kind in kinds.items() if kind.startswith("{")),
        numeric=frozenset(column for column, kind in kinds.items() if kind.startswith(_NUMBERS)),
    )


def _split_at_data(text: str) -> tuple[str, str, str]:
    found = re.search(r"^\s*@data\s*$", text, re.IGNORECASE | re.MULTILINE)
    return (text[: found.start()], found[0], text[found.end() :]) if found else (text, "", "")


def _unquoted(name: str) -> str:
    if name[0] in "'\"" and name[-1] == name[0]:
        return re.sub(r"\\(.)", r"\1", name[1:-1])
    return name

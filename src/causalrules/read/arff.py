"""ARFF, the format of Weka and OpenML: a header of attributes, then delimited records."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.errors import SourceError
from causalrules.read.delimited import read_delimited

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules.read.table import SourceTable

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)(\s*\{{.*|\s+\S.*)", re.IGNORECASE)
_VALUE = re.compile(rf"\s*({_QUOTED}|[^,]*)\s*(?:,|$)")
_DATA = re.compile(r"^[ \t]*@data[ \t]*(?:%.*)?$", re.IGNORECASE | re.MULTILINE)
_NUMBERS = ("numeric", "real", "integer")


def read_arff(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read an ARFF file; what it declares as nominal stays a category even if it looks like a number."""
    text = content.to_pybytes().decode("utf-8")
    data = _DATA.search(text)
    if data is None:
        raise SourceError(name, "it has no @data section", "Give a complete ARFF file.")
    attributes = _attributes(text[: data.start()])
    records = [line for line in text[data.end() :].split("\n") if line.strip() and line.lstrip()[0] != "%"]
    if not attributes or not records:
        raise SourceError(
            name, f"it has {len(attributes)} attributes and {len(records)} records", "Give both."
        )
    if records[0].lstrip().startswith("{"):
        raise SourceError(name, "it is a sparse ARFF file", "Write it as an ordinary (dense) one.")
    return read_delimited(
        name,
        pa.py_buffer("\n".join([*map(_usual_quotes, records), ""]).encode()),
        names=[attribute for attribute, _ in attributes],
        delimiter=",",
        categorical=frozenset(attribute for attribute, kind in attributes if kind.startswith("{")),
        numeric=frozenset(attribute for attribute, kind in attributes if kind.startswith(_NUMBERS)),
    )


def _attributes(head: str) -> list[tuple[str, str]]:
    """Names and kinds, in order."""
    found = (_ATTRIBUTE.match(line.strip()) for line in head.split("\n"))
    return [(_unquoted(match[1]), match[2].strip().lower()) for match in found if match]


def _usual_quotes(record: str) -> str:
    r"""A record with its quoted values, if any, quoted as in CSV.

    Examples
    --------
    >>> _usual_quotes(r"5, 'it\'s, well', x")
    '5,"it\'s, well",x'
    """
    record = record.rstrip("\r")
    if "'" not in record and '"' not in record:
        return record
    values = []
    for value in _VALUE.finditer(record):
        values.append(_unquoted(value[1].strip()))
        if not value[0].endswith(","):
            break
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()


def _unquoted(name: str) -> str:
    if len(name) > 1 and name[0] in "'\"" and name[-1] == name[0]:
        return re.sub(r"\\(.)", r"\1", name[1:-1])
    return name

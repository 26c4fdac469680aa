"""C4.5 data files, with the description in a `.names` file beside them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.read.delimited import read_delimited
from causalrules.read.text import as_utf8, check_delimiter, find_delimiter, records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.read.table import SourceTable

_FULL_STOP = re.compile(rb"\.[ \t]*(?=\r?\n|\r|\Z)")


@dataclass(frozen=True, slots=True)
class Names:
    """What a `.names` file says: the classes, and each attribute with its kind."""

    classes: tuple[str, ...]
    attributes: dict[str, str]

    def of_kind(self, *kinds: str) -> frozenset[str]:
        """Attributes of these kinds."""
        return frozenset(name for name, kind in self.attributes.items() if kind in kinds)

    def in_order(self, first_record: list[str]) -> list[str] | None:
        """Attributes with the class at the end, or at the beginning if its value stands there.

        None when they do not fit the record. Newer files name the class as one of the attributes.
        """
        attributes = list(self.attributes)
        if len(self.classes) == 1 and self.classes[0] in attributes:
            return attributes if len(attributes) == len(first_record) else None
        if len(attributes) + 1 != len(first_record):
            return None
        is_first = first_record[0] in self.classes and first_record[-1] not in self.classes
        return ["class", *attributes] if is_first else [*attributes, "class"]


def read_c45(
    name: Path | str, content: pa.Buffer, columns: Sequence[str] | None, delimiter: str | None
) -> SourceTable:
    """Read a `.data` or `.test` file, which has no header.

    Comments (from ``|`` to the end of the line) and the full stop that may
    end a record are taken away first. Without `columns` and without a
    `.names` file that can be understood, columns are numbered.
    """
    delimiter = check_delimiter(delimiter) if delimiter else None
    if delimiter != "|":
        content = _plain_records(content)
    delimiter = delimiter or find_delimiter(content)
    if columns is not None:
        return read_delimited(name, content, names=columns, delimiter=delimiter)
    first = [value.strip() for value in next(records(content, delimiter), [])]
    names = _names_beside(name)
    order = names.in_order(first) if names else None
    if names is None or order is None:
        return read_delimited(
            name,
            content,
            names=[f"column_{number}" for number in range(1, len(first) + 1)],
            delimiter=delimiter,
            notes=[
                "The file has no header and no readable .names file beside it; its columns are numbered. "
                "Give names with --columns."
            ],
        )
    return read_delimited(
        name,
        content,
        names=order,
        delimiter=delimiter,
        categorical=names.of_kind("nominal"),
        numeric=names.of_kind("continuous"),
        ignored=names.of_kind("ignore", "label"),
    )


def parse_names(text: str) -> Names | None:
    r"""Understand a `.names` file; None when it is prose.

    Examples
    --------
    >>> parse_names("yes, no.  | classes\nage: continuous.\ncode: 1, 2,\n 3.\n").attributes
    {'age': 'continuous', 'code': 'nominal'}
    """
    lines = [line.partition("|")[0].strip() for line in text.splitlines()]
    joined = "\n".join(line for line in lines if line and not line.startswith(";"))
    entries = [entry.removesuffix(".").strip() for entry in re.sub(r",\n", ", ", joined).split("\n")]
    if len(entries) < 2 or ":" in entries[0]:
        return None
    attributes: dict[str, str] = {}
    for entry in entries[1:]:
        attribute, colon, kinds = entry.partition(":")
        if not colon:
            return None
        kind = kinds.split(",")[0].strip().lower()
        attributes[attribute.strip()] = kind if kind in ("continuous", "ignore", "label") else "nominal"
    return Names(tuple(value.strip() for value in entries[0].split(",")), attributes)


def _names_beside(name: Path | str) -> Names | None:
    if not isinstance(name, Path):
        return None
    beside = name.with_suffix("") if name.suffix.lower() == ".gz" else name
    beside = beside.with_suffix(".names")
    if not beside.is_file():
        return None
    return parse_names(as_utf8(beside, pa.py_buffer(beside.read_bytes())).to_pybytes().decode())


def _plain_records(content: pa.Buffer) -> pa.Buffer:
    """Records without comments, full stops at the end, and lines that are then empty."""
    raw = content.to_pybytes()
    if b"|" in raw:
        lines = [line.partition(b"|")[0].rstrip(b" \t") for line in raw.splitlines()]
        raw = b"".join(line + b"\n" for line in lines if line)
    return pa.py_buffer(_FULL_STOP.sub(b"", raw))

"""C4.5 data files, with the description in a `.names` file beside them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.read.delimited import find_delimiter, read_delimited

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.read.table import SourceTable


@dataclass(frozen=True, slots=True)
class Names:
    """What a `.names` file says: the classes, and each attribute with its kind."""

    classes: tuple[str, ...]
    attributes: dict[str, str]

    def of_kind(self, *kinds: str) -> frozenset[str]:
        """Attributes of these kinds."""
        return frozenset(name for name, kind in self.attributes.items() if kind in kinds)


def read_c45(
    name: Path | str, content: pa.Buffer, columns: Sequence[str] | None, delimiter: str | None
) -> SourceTable:
    """Read a `.data` or `.test` file, which has no header.

    Comments (from ``|`` to the end of the line) and the full stop that may
    end a record are taken away first. Without `columns` and without a
    `.names` file that can be understood, columns are numbered.
    """
    text = _without_comments(_decoded(content.to_pybytes()))
    delimiter = delimiter or find_delimiter(text[: 1 << 16])
    first = [value.strip() for value in text.partition("\n")[0].split(delimiter)]
    cleaned = pa.py_buffer(text.encode())
    if columns is not None:
        return read_delimited(name, cleaned, names=columns, delimiter=delimiter)
    names = _names_beside(name)
    order = _column_order(names, first) if names else None
    if names is None or order is None:
        return read_delimited(
            name,
            cleaned,
            names=[f"column_{number}" for number in range(1, len(first) + 1)],
            delimiter=delimiter,
            notes=[
                "The file has no header and no readable .names file beside it; its columns are numbered. "
                "Give names with --columns."
            ],
        )
    return read_delimited(
        name,
        cleaned,
        names=order,
        delimiter=delimiter,
        categorical=names.of_kind("nominal"),
        numeric=names.of_kind("continuous"),
        ignored=names.of_kind("ignore"),
    )


def parse_names(text: str) -> Names | None:
    r"""Understand a `.names` file; None when it is prose.

    Examples
    --------
    >>> parse_names("yes, no.  | classes\nage: continuous.\ncode: 1, 2, 3.\n").attributes
    {'age': 'continuous', 'code': 'nominal'}
    """
    lines = [line.strip().removesuffix(".") for line in _without_comments(text).splitlines()]
    lines = [line for line in lines if line and not line.startswith(";")]
    if len(lines) < 2 or ":" in lines[0]:
        return None
    attributes: dict[str, str] = {}
    for line in lines[1:]:
        attribute, colon, kinds = line.partition(":")
        if not colon:
            return None
        first = kinds.split(",")[0].strip()
        attributes[attribute.strip()] = first if first in ("continuous", "ignore") else "nominal"
    return Names(tuple(value.strip() for value in lines[0].split(",")), attributes)


def _names_beside(name: Path | str) -> Names | None:
    if not isinstance(name, Path):
        return None
    beside = name.with_suffix("") if name.suffix == ".gz" else name
    beside = beside.with_suffix(".names")
    return parse_names(_decoded(beside.read_bytes())) if beside.is_file() else None


def _column_order(names: Names, first_record: list[str]) -> list[str] | None:
    """Attributes with the class at the end, or at the beginning if its value stands there."""
    attributes = list(names.attributes)
    if len(attributes) + 1 != len(first_record):
        return None
    is_first = first_record[0] in names.classes and first_record[-1] not in names.classes
    return ["class", *attributes] if is_first else [*attributes, "class"]


def _without_comments(text: str) -> str:
    lines = (line.partition("|")[0].rstrip() for line in text.splitlines())
    return "".join(line.removesuffix(".") + "\n" for line in lines if line)


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")

"""Files that hold several tables: the sheets of a workbook, the tables of a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from causalrules.read.file_kinds import DATABASES, WORKBOOKS

if TYPE_CHECKING:
    from pathlib import Path

Part = Literal["sheet", "table"]


def part_chosen_by(path: Path) -> Part | None:
    """The setting of `TableAt` that chooses among the tables of such a file; None where it has one."""
    name = path.name.lower()
    if name.endswith(WORKBOOKS):
        return "sheet"
    return "table" if name.endswith(DATABASES) else None


def tables_in(path: Path) -> list[str]:
    """The names of a file's sheets or tables; none where it has no such parts, or cannot be looked into.

    What is wrong with a file is told by who reads it.
    """
    part = part_chosen_by(path)
    try:
        if part == "sheet":
            import fastexcel

            return list(fastexcel.read_excel(str(path)).sheet_names)
        if part == "table":
            from causalrules.read.databases import names_of_tables

            return names_of_tables(path)
    except Exception:  # each reader has errors of its own
        return []
    return []

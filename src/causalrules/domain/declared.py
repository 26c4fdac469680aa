"""What a source says about itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What a source says about its columns, and remarks of its reader."""

    source: str = "a table"
    categorical: frozenset[str] = frozenset()
    numeric: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()

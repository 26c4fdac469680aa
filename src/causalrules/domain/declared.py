"""What a source says about itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What a source says about its columns, and remarks of its reader.

    `ordered` holds columns whose values have an order, with these from low to high.
    """

    source: str = "a table"
    categorical: frozenset[str] = frozenset()
    numeric: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    ordered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

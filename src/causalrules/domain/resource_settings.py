"""Settings of what a run may use; none of them changes a result."""
# ruff: noqa: RUF009 - `setting` makes a `dataclasses.field`

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Literal

from causalrules.domain.setting_fields import CheckedFields, at_least, setting
from causalrules.errors import SettingsError

EngineChoice = Literal["auto", "memory", "streaming", "spark"]


@dataclass(frozen=True, kw_only=True)
class ResourceSettings(CheckedFields):
    """Where and with what records are counted; none of it changes a result."""

    title: ClassVar[str] = "What a run may use"

    engine: EngineChoice = setting(
        "auto",
        "Where records are counted: in memory, in blocks on disk (streaming), or on Spark. auto uses Spark "
        "for Spark tables, otherwise memory if the table seems to fit. Never changes a result.",
    )
    memory: int | str | None = setting(
        None,
        "Memory that a run in blocks may take, Python included, in bytes or as in 512MiB. Never changes a "
        "result.",
        unset="half of what is free",
    )
    threads: int | None = setting(
        None,
        "Number of threads. Never changes a result.",
        unset="all cores",
        legal=at_least(1, most=4096),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.memory is not None:
            self.settle("memory", bytes_of(self.memory))
            if int(self.memory) < _LEAST_MEMORY:
                raise SettingsError("memory", "at least 16MiB", self.memory)
            if int(self.memory) > _MOST_MEMORY:
                raise SettingsError("memory", "at most 1024TiB", self.memory)

    @property
    def most_bytes(self) -> int | None:
        """The memory that records may take, if it was given."""
        return None if self.memory is None else int(self.memory)


def bytes_of(size: int | str) -> int:
    """A size such as ``512MiB``, ``2 GB`` or ``100000`` in bytes.

    Examples
    --------
    >>> bytes_of("512MiB"), bytes_of("1.5 kB"), bytes_of(1000)
    (536870912, 1500, 1000)
    """
    is_small = not isinstance(size, int) or size <= _MOST_MEMORY
    found = _SIZE.fullmatch(str(size).strip()) if is_small else None
    if isinstance(size, bool) or found is None:
        raise SettingsError("memory", "a size such as 512MiB or 2GB", size)
    number, prefix, is_binary = found.groups()
    power = "kmgt".index(prefix.lower()) + 1 if prefix else 0
    return int(float(number) * (1024 if is_binary else 1000) ** power)


_SIZE = re.compile(r"(\d{1,20}(?:\.\d{0,20})?)\s*(?:([kmgt])(i)?)?b?", re.IGNORECASE)
_LEAST_MEMORY = 16 << 20
_MOST_MEMORY = 1 << 50

"""How far a run is."""

from __future__ import annotations

from dataclasses import dataclass

from causalrules.domain import Direction


@dataclass(frozen=True, slots=True)
class Progress:
    """Rules tested of those at this level and direction.

    `remembered` of those tested were taken from a checkpoint.
    """

    direction: Direction
    length: int
    tested: int
    to_test: int
    remembered: int = 0


def ignore_progress(progress: Progress) -> None:
    """Tell nobody."""


def ignore_remark(remark: str) -> None:
    """Tell nobody."""

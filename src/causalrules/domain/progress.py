"""How far a run is."""

from __future__ import annotations

from dataclasses import dataclass

from causalrules.domain.question_settings import DirectionChoice


@dataclass(frozen=True, slots=True)
class Progress:
    """Rules tested of those at this level and direction, which is both where studies have two sides.

    `remembered` of those tested were taken from a checkpoint.
    """

    direction: DirectionChoice
    length: int
    tested: int
    to_test: int
    remembered: int = 0


def ignore_progress(progress: Progress) -> None:
    """Tell nobody."""


def ignore_remark(remark: str) -> None:
    """Tell nobody."""


def nothing_remembered() -> int:
    """Answers taken from a checkpoint where there is none."""
    return 0

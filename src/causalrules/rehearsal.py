"""Kernels loaded, or compiled, before the real table comes."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING

from causalrules.domain import Settings
from causalrules.errors import MissingPackageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from causalrules.domain.settings import MatchingChoice


@contextmanager
def rehearsed_meanwhile(matching: MatchingChoice) -> Iterator[None]:
    """Import and rehearse the search in another thread while the block waits for a file to be parsed.

    Done once in a process for each way of matching: it takes as long as the parsing of a large file.
    """

    def rehearse() -> None:
        with suppress(MissingPackageError):  # told when the package is really needed
            rehearse_once(matching)

    thread = Thread(target=rehearse, daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()


@cache
def rehearse_once(matching: MatchingChoice) -> None:
    """Mine a toy table in the same way."""
    from causalrules.search import rehearse

    rehearse(Settings(matching=matching))

"""An engine whose records are not loaded before they are asked about."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from causalrules.engines.engine_wrapper import EngineWrapper

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.engines.contract import Engine
    from causalrules.engines.questions import CountQuestion
    from causalrules.kernels.workers import Workers


class LazyEngine(EngineWrapper):
    """Knows how many records there are, and opens the engine that counts them when it must.

    Parameters
    ----------
    n_with, n_without : int
        Records with the outcome and without.
    column_of_item : intp[n_items]
        As in `Vocabulary`.
    fingerprint : str
        Of the records, see `Engine.fingerprint`.
    open_engine : callable
        Gives the engine, over these very records; several threads may call it.
    workers : Workers, optional
        Threads that may ask side by side, see `Engine.workers`. If the engine turns out to answer
        one question after the other, they wait for each other.
    """

    def __init__(
        self,
        n_with: int,
        n_without: int,
        column_of_item: NDArray[np.intp],
        fingerprint: str,
        open_engine: Callable[[], Engine],
        workers: Workers | None = None,
    ) -> None:
        self.n_with, self.n_without = n_with, n_without
        self.column_of_item = column_of_item
        self._fingerprint = fingerprint
        self._open = open_engine
        self.workers = workers
        self._turn = Lock()

    @cached_property
    def _engine(self) -> Engine:  # type: ignore[override]
        return self._open()

    def _my_turn(self) -> AbstractContextManager[object]:
        return self._turn if self._engine.workers is None else nullcontext()

    def fingerprint(self) -> str:
        """The fingerprint of the records, which need not be loaded for it."""
        return self._fingerprint

    def answer(self, question: CountQuestion) -> NDArray[np.int64]:
        """The array that the engine finds."""
        with self._my_turn():
            return super().answer(question)

    def unique_rows(self, columns: NDArray[np.intp]) -> UniqueRows:
        """The distinct combinations of some columns with their counts."""
        with self._my_turn():
            return super().unique_rows(columns)

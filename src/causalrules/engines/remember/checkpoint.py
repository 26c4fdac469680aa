"""A folder that a run saves to and goes on from."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from causalrules.engines.remember.folder import HEADER, Folder
from causalrules.engines.remember.header import Header, SchemaError
from causalrules.engines.remember.journal import Journal
from causalrules.engines.remember.remembering import RememberingEngine
from causalrules.errors import CheckpointError, CheckpointOfAnotherRunError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from causalrules.domain import DataSummary, Item, Settings
    from causalrules.engines.contract import Engine

_PARTS = {1: ("all",), 2: ("proposing", "judging")}


class Checkpoint:
    """What a run has counted, kept in a folder.

    Everything a search needs to know of the records are the engine's
    answers, so these are what is kept; verdicts and statistics follow from
    them anew. Within its `with` block the folder is locked; at its end,
    however it comes, what was answered is saved. The content stays after
    success: the same run again answers at once.

    Parameters
    ----------
    folder : str or path
        Empty, new, or with a checkpoint of the same data and settings.
    on_trouble : callable, optional
        Told once, in words, when answers cannot be saved; by default this
        is logged.
    """

    def __init__(
        self, folder: str | os.PathLike[str], on_trouble: Callable[[str], None] | None = None
    ) -> None:
        self._folder = Folder(folder)
        self._on_trouble = on_trouble or logging.getLogger("causalrules").warning
        self._journal: Journal | None = None

    def __enter__(self) -> Self:
        self._folder.claim()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._journal is not None:
                self._journal.save()
        finally:
            self._folder.release()

    def around(
        self, engines: Sequence[Engine], data: DataSummary, items: Sequence[Item], settings: Settings
    ) -> list[Engine]:
        """Engines that answer from the folder what is there, and save what is not.

        Parameters
        ----------
        engines : sequence of Engine
            One, or that which proposes hypotheses and that which judges them.
        data, items, settings
            What the run is of; a checkpoint of another run is refused.
        """
        here = Header.of(data, items, settings, [engine.fingerprint() for engine in engines])
        is_there = self._check(here)
        self._journal = Journal(self._folder, here.fingerprint, self._on_trouble)
        if not is_there:
            try:
                self._folder.write_header(here.to_bytes())
            except OSError as error:
                raise CheckpointError.unusable(self._folder.path, error) from error
        parts = _PARTS[len(engines)]
        return [
            RememberingEngine(engine, self._journal, part)
            for engine, part in zip(engines, parts, strict=True)
        ]

    def _check(self, here: Header) -> bool:
        """Refuse another run's checkpoint; tell whether there is one of this run.

        A description that is damaged is written anew, as every file of
        answers says for itself which run it belongs to.
        """
        data = self._folder.header()
        if data is None:
            return False
        try:
            there = Header.from_bytes(data)
        except SchemaError as error:
            raise CheckpointOfAnotherRunError(self._folder.path, [str(error)]) from error
        if there is None:
            if b"causalrules" not in data and not self._folder.answers():
                raise CheckpointError.foreign(self._folder.path, HEADER)
            return False
        if differences := there.differences(here):
            raise CheckpointOfAnotherRunError(self._folder.path, differences)
        return True

    @property
    def n_taken(self) -> int:
        """Answers about single rules that were taken from the folder so far."""
        return 0 if self._journal is None else self._journal.n_taken

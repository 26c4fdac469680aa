"""Answers by their questions, saved as the run goes on."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from causalrules.engines.remember.answers import Batch, Entry, to_bytes
from causalrules.errors import CheckpointOfAnotherRunError

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.engines.contract import Packed
    from causalrules.engines.remember.folder import Folder

SECONDS_BETWEEN_SAVES = 1.0
SHARE_BETWEEN_SAVES = 0.01
"""Answers are saved after a second, in long runs after a hundredth of the time so far: a kill costs no more
than that, saving takes next to nothing, and a day's run has about eight hundred files."""

_MOST_UNSAVED_NUMBERS = 1 << 23
_BATCHES_AT_HAND = 4


class _Place(NamedTuple):
    file: str
    row: int


class Journal:
    """The answers of one run: those of earlier starts, and those of this one.

    Parameters
    ----------
    folder : Folder
        Claimed; files there that are damaged are removed.
    run : str
        The run's fingerprint.
    on_trouble : callable
        Told once, in words, when answers cannot be saved.
    """

    def __init__(self, folder: Folder, run: str, on_trouble: Callable[[str], None]) -> None:
        self._folder = folder
        self._run = run
        self._on_trouble = on_trouble
        self._is_in_trouble = False
        self._place: dict[bytes, _Place] = {}
        self._at_hand: dict[str, Batch] = {}
        self._unsaved: dict[bytes, Entry] = {}
        self._n_unsaved_numbers = 0
        self._n_files = 0
        self._started = self._saved_at = monotonic()
        for name in folder.answers():
            self._n_files = int(name.split("-")[1])
            self._index(name)
        self.n_taken = 0

    def _index(self, name: str) -> None:
        """Note which questions a file answers, or remove it if it is not whole."""
        batch = self._read(name)
        if batch is None:
            self._folder.remove(name)
        elif batch.run != self._run:
            raise CheckpointOfAnotherRunError(
                self._folder.path, [f"the answers in {name} are not of this run"]
            )
        else:
            self._place |= {key: _Place(name, row) for row, key in enumerate(batch.keys)}

    def _read(self, name: str) -> Batch | None:
        data = self._folder.read_answers(name)
        try:
            return None if data is None else Batch.from_bytes(data)
        except (ValueError, KeyError, OSError, pa.ArrowException):
            return None

    def find(self, key: bytes) -> Packed | None:
        """The answer to a question, if there is one."""
        if key in self._unsaved:
            return self._unsaved[key].answer
        place = self._place.get(key)
        batch = None if place is None else self._batch(place.file)
        return None if place is None or batch is None else batch.answer(place.row)

    def take(self, key: bytes) -> Packed | None:
        """The same for one of many rules, which are counted."""
        found = self.find(key)
        self.n_taken += found is not None
        return found

    def __contains__(self, key: bytes) -> bool:
        return key in self._unsaved or key in self._place

    def _batch(self, name: str) -> Batch | None:
        """A file's answers, unless it has been damaged meanwhile.

        Questions come in the order in which they were answered, so a few files at hand are enough.
        """
        batch = self._at_hand.pop(name, None) or self._read(name)
        if batch is not None:
            self._at_hand[name] = batch
            if len(self._at_hand) > _BATCHES_AT_HAND:
                del self._at_hand[next(iter(self._at_hand))]
        return batch

    def add(self, entry: Entry) -> None:
        """Keep an answer; now and then those that came together are saved."""
        self._unsaved[entry.key] = entry
        self._n_unsaved_numbers += sum(array.size for array in entry.answer[0])
        now = monotonic()
        patience = max(SECONDS_BETWEEN_SAVES, SHARE_BETWEEN_SAVES * (now - self._started))
        if now - self._saved_at >= patience or self._n_unsaved_numbers > _MOST_UNSAVED_NUMBERS:
            self.save()

    def save(self) -> None:
        """Save what was not saved yet.

        Where this fails the run goes on: what was saved is whole, what was
        not stays in memory, up to a limit, and is tried again with the next.
        """
        if not self._unsaved:
            return
        try:
            data = to_bytes(list(self._unsaved.values()), self._run)
            name = self._folder.write_answers(self._n_files + 1, data)
        except OSError as error:
            self._tell(error)
            if self._n_unsaved_numbers <= _MOST_UNSAVED_NUMBERS:
                self._saved_at = monotonic()
                return
        else:
            self._n_files += 1
            self._place |= {key: _Place(name, row) for row, key in enumerate(self._unsaved)}
        self._unsaved.clear()
        self._n_unsaved_numbers = 0
        self._saved_at = monotonic()

    def _tell(self, error: OSError) -> None:
        if not self._is_in_trouble:
            self._is_in_trouble = True
            self._on_trouble(
                f"Cannot save to the checkpoint {self._folder.path}: {error.strerror or error}. "
                "The run goes on and tries again later; what was saved before is whole."
            )

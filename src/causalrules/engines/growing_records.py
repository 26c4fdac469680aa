"""Distinct records gathered part after part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.engines.unique_records import Profiles, code_type

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WORTH_MERGING = 1 << 16
_NO_COUNTS = np.empty(0, np.int64)


class GrowingRecords:
    """Distinct records gathered part after part.

    Parts wait until they are as many as what was put together before: so a
    record is put together again only when their number has doubled, and the
    work grows in proportion to the records, not to records times parts.

    Parameters
    ----------
    first_item : intp[n_columns + 1]
        As in `Vocabulary`.
    in_play : bool[n_items], optional
        Records that agree on these items are put together; all items by default.
    """

    def __init__(self, first_item: NDArray[np.intp], in_play: NDArray[np.bool_] | None = None) -> None:
        self._first_item = first_item
        self._in_play = np.ones(int(first_item[-1]), np.bool_) if in_play is None else in_play
        self._waiting: list[Profiles] = []
        self.n_waiting = 0

    def add(self, part: Profiles) -> None:
        """Take more records, distinct or not."""
        collapsed = part.collapsed_to(self._in_play)
        self._waiting.append(collapsed)
        self.n_waiting += collapsed.n_profiles
        if self.n_waiting > max(2 * self._waiting[0].n_profiles, _WORTH_MERGING):
            self.merge()

    def merge(self) -> Profiles:
        """All records so far, put together; `n_waiting` is their number then."""
        if len(self._waiting) != 1:
            joined = Profiles.uncollapsed(
                self._first_item,
                np.concatenate([self._no_codes, *(part.codes for part in self._waiting)], axis=1),
                np.concatenate([_NO_COUNTS, *(part.n_with for part in self._waiting)]),
                np.concatenate([_NO_COUNTS, *(part.n_without for part in self._waiting)]),
            )
            self._waiting = [joined.collapsed_to(self._in_play)]
        self.n_waiting = self._waiting[0].n_profiles
        return self._waiting[0]

    def take(self) -> Profiles:
        """All records so far, put together; gathering begins anew."""
        records = self.merge()
        self._waiting, self.n_waiting = [], 0
        return records

    @property
    def _no_codes(self) -> NDArray[np.unsignedinteger]:
        return np.empty((len(self._first_item) - 1, 0), code_type(self._first_item))

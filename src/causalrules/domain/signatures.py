"""The form in which records are matched: one entry for all that agree on the controls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Signatures:
    """Records of one study that agree on every control, gathered in groups.

    A table of counts: it adds up over parts of the records, and what is
    drawn or computed from it is the same on every engine.

    Parameters
    ----------
    words : uint64[n_groups, n_words]
        The controls that records of a group have, bit i for ``controls[i]``.
        Groups are distinct and in ascending order, the last word counting most.
    counts : int64[n_groups, 4]
        Exposed records with the outcome, without it; unexposed with, without.
    controls : intp[n_controls]
        Item numbers.
    """

    words: NDArray[np.uint64]
    counts: NDArray[np.int64]
    controls: NDArray[np.intp]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """int64[n_groups, 2]: exposed and unexposed records of each group."""
        sizes: NDArray[np.int64] = self.counts.reshape(-1, 2, 2).sum(axis=2)
        return sizes

    def __add__(self, other: Signatures) -> Signatures:
        """The groups of two parts of the records, for the same controls."""
        words, place = _distinct(np.concatenate([self.words, other.words]))
        counts = np.zeros((len(words), 4), np.int64)
        np.add.at(counts, place, np.concatenate([self.counts, other.counts]))
        return Signatures(words, counts, self.controls)

    def places_of(self, part: Signatures) -> NDArray[np.intp]:
        """Where each group of a part stands among the groups of all records."""
        _, place = _distinct(np.concatenate([self.words, part.words]))
        return place[len(self.words) :]

    def bits(self) -> NDArray[np.bool_]:
        """bool[n_groups, n_controls]: whether records of the group have the control."""
        as_bytes = np.ascontiguousarray(self.words, "<u8").view(np.uint8)
        n_controls = len(self.controls)
        return np.unpackbits(as_bytes, axis=1, count=n_controls, bitorder="little").view(np.bool_)

    def ordered_by(self, names: Sequence[str]) -> tuple[Signatures, NDArray[np.intp]]:
        """These signatures with controls in the order of their names, and where each group stands then.

        What is drawn by lot must not depend on the places of columns.

        Parameters
        ----------
        names : sequence of str
            The texts of all items.
        """
        order = np.array(
            sorted(range(len(self.controls)), key=lambda i: names[int(self.controls[i])]), np.intp
        )
        bits = np.zeros((len(self.words), 64 * self.words.shape[1]), np.bool_)
        bits[:, : len(order)] = self.bits()[:, order]
        words = np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)
        by_words = np.lexsort(words.T)
        place = np.empty(len(by_words), np.intp)
        place[by_words] = np.arange(len(by_words))
        return Signatures(words[by_words], self.counts[by_words], self.controls[order]), place

    def words_of(self, chosen: NDArray[np.bool_]) -> NDArray[np.uint64]:
        """The words with all but the chosen controls blanked.

        Parameters
        ----------
        chosen : bool[n_controls]
        """
        mask = np.zeros(self.words.shape[1], np.uint64)
        for position in np.flatnonzero(chosen):
            mask[position >> 6] |= np.uint64(1) << np.uint64(position & 63)
        return self.words & mask


def _distinct(words: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """Distinct rows in ascending order, the last word counting most, and where each row stands among them."""
    if words.shape[1] == 1:  # numbers are sorted many times faster than rows of one
        alone, place = np.unique(words[:, 0], return_inverse=True)
        return alone[:, None], place
    backwards, place = np.unique(words[:, ::-1], axis=0, return_inverse=True)
    return np.ascontiguousarray(backwards[:, ::-1]), place.reshape(-1)


def n_words_for(n_controls: int) -> int:
    """Words that hold so many bits, at least one."""
    return max(1, -(-n_controls // 64))

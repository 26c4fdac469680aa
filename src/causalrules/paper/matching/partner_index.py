"""Which partners a seeker has to be compared with.

Of two records that differ in at most r controls, divided into r + 1 blocks, at least one block is equal (the
pigeonhole principle; Manku, Jain and Das Sarma 2007). So partners are sorted by each block, and a seeker is
compared only with the ranges that equal its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.paper.matching.distances import MatchingSpace

MOST_BLOCKS = 8
"""More blocks would each be so short that nearly everybody agrees on one of them."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(29)
_BITS_OF_WORDS = 36
"""Leaves 27 bits, of 63, for the number of the block: no table has so many groups."""


class PartnerIndex(NamedTuple):
    """The ranges of partners for each seeker; see `kernels.nearest_search.match_closest` for the shapes."""

    seekers: NDArray[np.intp]
    partners: NDArray[np.intp]
    masks: NDArray[np.uint64]
    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def index_partners(
    space: MatchingSpace,
    need: NDArray[np.int64],
    free: NDArray[np.int64],
    block: NDArray[np.int64],
    *,
    in_blocks: bool = True,
) -> PartnerIndex:
    """Lay out seekers and partners in the order of their keys, with an index where one helps.

    Parameters
    ----------
    need, free : int64[n_groups]
        Records that seek, and records that may be taken.
    block : int64[n_groups]
        Partners are of the same block, whatever the distance.
    in_blocks : bool
        Whether the caller can use blocks of controls.
    """
    by_key = np.lexsort((space.keys, block))
    seekers, partners = by_key[need[by_key] > 0], by_key[free[by_key] > 0]
    masks = block_masks(space) if in_blocks else np.empty((0, space.words.shape[1]), np.uint64)
    if len(masks) == 0:
        numbers = [block]
        order = np.arange(len(partners))[None, :]
    else:
        numbers = [_number(space.words & mask, block) for mask in masks]
        order = np.stack([np.argsort(one[partners], kind="stable") for one in numbers])
    ids = [(one[seekers], one[partners][row]) for one, row in zip(numbers, order, strict=True)]
    starts = np.column_stack([np.searchsorted(theirs, own, side="left") for own, theirs in ids])
    ends = np.column_stack([np.searchsorted(theirs, own, side="right") for own, theirs in ids])
    return PartnerIndex(seekers, partners, masks, order, starts, ends)


def block_masks(space: MatchingSpace) -> NDArray[np.uint64]:
    """Blocks of controls, one more than may differ; none if they could not distinguish records.

    Controls are distributed so that blocks have about the same entropy: the one
    with most of it first, each to the block that has least so far.
    """
    n_words = space.words.shape[1]
    nothing = np.empty((0, n_words), np.uint64)
    if space.radius is None or space.radius >= MOST_BLOCKS or n_words == 0:
        return nothing
    as_bytes = np.ascontiguousarray(space.words, "<u8").view(np.uint8)
    share = np.unpackbits(as_bytes, axis=1, bitorder="little").mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.nan_to_num(-share * np.log(share) - (1 - share) * np.log(1 - share))
    informative = np.argsort(-entropy, kind="stable")[: int((entropy > 0).sum())]
    if len(informative) <= space.radius:
        return nothing
    masks = np.zeros((space.radius + 1, n_words), np.uint64)
    in_block = np.zeros(space.radius + 1)
    for bit in informative:
        least = int(np.argmin(in_block))
        in_block[least] += entropy[bit]
        masks[least, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
    return masks


def _number(words: NDArray[np.uint64], block: NDArray[np.int64]) -> NDArray[np.int64]:
    """One number for equal words of one block.

    Its upper bits are the block, so that blocks are never mixed up; should
    different words of a block share the lower ones, they are looked at in vain.
    """
    mixed = np.zeros(len(words), np.uint64)
    for column in words.T:
        mixed = (mixed ^ column) * _MULTIPLIER
        mixed ^= mixed >> _HALF
    return block << _BITS_OF_WORDS | (mixed >> np.uint64(64 - _BITS_OF_WORDS)).astype(np.int64)

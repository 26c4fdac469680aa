"""Terms of few codes put together: what a pass over the records looks up and adds to once, not once a term.

Two columns of six values each are one column of at most 36, whatever the records look like, and columns that
say nearly the same hardly have more codes together than one of them. So 31 categories of a census are nine
blocks, and pairs of them 36 instead of 465.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.estimate.terms import Term

MOST_TOGETHER = 128
"""Codes of terms that are put together: tables of two blocks stay in the second cache. A single term may have
more."""

_MOST_COUNTED = 1 << 14
"""Combinations of codes of which it is worth counting which ones occur."""


class Block(NamedTuple):
    """Terms that share a column of codes.

    Parameters
    ----------
    codes : int32[n]
    basis : float64[n_codes, k]
        The bases of the terms, next to each other.
    effects : intp[k]
        The places of their coefficients among all of the design.
    """

    codes: NDArray[np.int32]
    basis: NDArray[np.float64]
    effects: NDArray[np.intp]


def put_together(terms: Sequence[Term], places: Sequence[slice]) -> list[Block]:
    """All terms in as few blocks as their codes allow, those of fewest codes first.

    Examples
    --------
    >>> from causalrules.estimate.terms import Term
    >>> sex, is_male = np.array([0, 1, 0], np.int32), np.array([1, 0, 1], np.int32)
    >>> terms = [Term(("sex",), sex, np.eye(2), 0), Term(("is_male",), is_male, np.eye(2), 0)]
    >>> (block,) = put_together(terms, [slice(1, 3), slice(3, 5)])
    >>> block.codes.tolist(), block.basis.tolist()
    ([0, 1, 0], [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]])
    """
    blocks: list[Block] = []
    for place in sorted(range(len(terms)), key=lambda place: len(terms[place].basis)):
        term, effects = terms[place], np.arange(places[place].start, places[place].stop)
        own = Block(term.codes, term.basis, effects)
        both = _joined(blocks[-1], own) if blocks else None
        if both is None:
            blocks.append(own)
        else:
            blocks[-1] = both
    return blocks


def _joined(first: Block, second: Block) -> Block | None:
    """Two blocks as one; None where too many combinations of their codes occur."""
    n = len(second.basis)
    n_together = len(first.basis) * n
    if n_together > _MOST_COUNTED:
        return None
    codes = first.codes * np.int32(n) + second.codes
    occurs = np.flatnonzero(np.bincount(codes, minlength=n_together))
    if len(occurs) > MOST_TOGETHER:
        return None
    number = np.zeros(n_together, np.int32)
    number[occurs] = np.arange(len(occurs))
    basis = np.hstack([first.basis[occurs // n], second.basis[occurs % n]])
    return Block(number[codes], basis, np.concatenate([first.effects, second.effects]))

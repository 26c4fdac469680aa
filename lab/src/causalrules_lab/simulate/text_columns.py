"""Codes written as columns of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

BINARY = ("no", "yes")
"""Values of binary columns, in the order of their codes."""


def text_column(codes: NDArray[np.integer[Any]], values: Sequence[str]) -> pa.DictionaryArray:
    """The values that codes stand for, as categories of text.

    Examples
    --------
    >>> import numpy as np
    >>> text_column(np.array([1, 0, 1]), BINARY).to_pylist()
    ['yes', 'no', 'yes']
    """
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(values, pa.string()))

"""Counting ones in a word: the processor has an instruction for it, which Numba has to be taught."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np


def count_set_bits(word: Any) -> Any:
    """Number of ones in one uint64; within kernels the processor's own instruction."""
    return np.uint64(np.bitwise_count(word))


@cache
def register_with_numba() -> None:
    """Let kernels call `count_set_bits`; once, before the first of them is compiled."""
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def population_count(_typing: Any, _word: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.uint64(types.uint64), generate

    @overload(count_set_bits)
    def _count_set_bits(word):  # noqa: ARG001 - Numba compares the names of parameters
        return lambda word: population_count(word)  # type: ignore[call-arg]  # Numba adds the first argument

"""What every generator gives: a table, and the truth it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

BINARY = ("no", "yes")
"""Values of binary columns, in the order of their codes."""


class Truth(Protocol):
    """What is known about a simulated table."""

    @property
    def outcome(self) -> str:
        """The outcome to ask about, as ``column=value``."""

    def to_dict(self) -> dict[str, Any]:
        """The truth as JSON knows it."""

    def in_words(self) -> list[str]:
        """The truth for people, one line a fact."""


TruthOf = TypeVar("TruthOf", bound=Truth, covariant=True)


@dataclass(frozen=True, eq=False)
class Simulated(Generic[TruthOf]):
    """A simulated table with its truth.

    Parameters
    ----------
    table : pyarrow.Table
        The records.
    truth : Truth
        What they were made from.

    Examples
    --------
    >>> import causalrules
    >>> simulated = causalrules.simulate("hospital", n_records=1000)
    >>> simulated.table.num_rows, simulated.truth.outcome, simulated.truth.in_words()[0]
    (1000, 'ill=yes', 'smoker=yes raises it (single cause)')
    """

    table: pa.Table
    truth: TruthOf


def text_column(codes: NDArray[np.integer[Any]], values: Sequence[str]) -> pa.DictionaryArray:
    """The values that codes stand for, as categories of text.

    Examples
    --------
    >>> import numpy as np
    >>> text_column(np.array([1, 0, 1]), BINARY).to_pylist()
    ['yes', 'no', 'yes']
    """
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(values, pa.string()))

"""What every generator gives: a table, and the truth it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    import pyarrow as pa


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

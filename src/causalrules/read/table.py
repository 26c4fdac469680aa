"""What reading gives: named columns and what the source itself said about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from causalrules.domain import Declared
from causalrules.errors import SourceError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTable:
    """A table as read, before anything is decided about its columns.

    Parameters
    ----------
    arrow : pyarrow.Table
        The columns. Text files give text or dictionaries of text, so that
        nothing is lost to a guess (a code ``01`` stays ``01``).
    source : str
        Where it came from, for people.
    categorical, numeric, ignored : frozenset of str
        What the source declared (ARFF attributes, C4.5 names).
    notes : tuple of str
        Remarks a user should see.
    """

    arrow: pa.Table
    source: str
    categorical: frozenset[str] = frozenset()
    numeric: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_names(self.source, self.arrow.column_names)
        if self.arrow.num_rows == 0:
            raise no_records(self.source, self.arrow.num_columns)

    @property
    def declared(self) -> Declared:
        """What the source said."""
        return Declared(
            source=self.source,
            categorical=self.categorical,
            numeric=self.numeric,
            ignored=self.ignored,
            notes=self.notes,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceBatches:
    """A table in parts, none of them large.

    Parameters
    ----------
    schema : pyarrow.Schema
        Names and types of the columns.
    batches : callable
        Gives the parts from the beginning, each time it is called.
    declared : Declared
        What the source said.
    """

    schema: pa.Schema
    batches: Callable[[], Iterator[pa.Table]]
    declared: Declared

    def __post_init__(self) -> None:
        check_names(self.declared.source, self.schema.names)

    def parts(self) -> Iterator[pa.Table]:
        """The parts that have records; a table without any is refused."""
        is_empty = True
        for batch in self.batches():
            if batch.num_rows:
                is_empty = False
                yield batch
        if is_empty:
            raise no_records(self.declared.source, len(self.schema))


def no_records(source: object, n_columns: int) -> SourceError:
    """A table that has a header and nothing below."""
    return SourceError(source, f"it has {n_columns} columns but no records", "Add records below the header.")


def check_names(source: object, names: Sequence[str]) -> None:
    """Refuse a table without columns, or with two of the same name."""
    if not names:
        raise SourceError(source, "it has no columns", "Give a table with a header.")
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise SourceError(
            source,
            f"{len(repeated)} column name(s) occur more than once: {', '.join(map(quoted, repeated[:5]))}",
            "Rename them.",
        )

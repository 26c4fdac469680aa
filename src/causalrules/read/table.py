"""What reading gives: named columns and what the source itself said about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.errors import SourceError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from causalrules.domain import Declared


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTable:
    """A table as read, before anything is decided about its columns.

    Parameters
    ----------
    schema : pyarrow.Schema
        Names and types of the columns. Text files give text or dictionaries
        of text, so that nothing is lost to a guess (a code ``01`` stays ``01``).
    batches : callable
        Gives the records from the beginning, each time it is called: a few
        at a time from a file that may be larger than memory, all at once
        from a table in memory.
    declared : Declared
        Where the table came from, and what the source said about columns (ARFF attributes, C4.5 names).
    """

    schema: pa.Schema
    batches: Callable[[], Iterable[pa.Table]]
    declared: Declared

    def __post_init__(self) -> None:
        if any(map(pa.types.is_struct, self.schema.types)):
            read = self.batches
            object.__setattr__(self, "schema", _flattened(self.schema.empty_table()).schema)
            object.__setattr__(self, "batches", lambda: map(_flattened, read()))
        check_names(self.declared.source, self.schema.names)

    @classmethod
    def in_memory(cls, arrow: pa.Table, declared: Declared) -> SourceTable:
        """A table that was read as a whole; one without records is refused at once."""
        table = cls(schema=arrow.schema, batches=lambda: [arrow], declared=declared)
        if arrow.num_rows == 0:
            raise _no_records(table)
        return table

    def parts(self) -> Iterator[pa.Table]:
        """The batches that have records; a table without any is refused."""
        is_empty = True
        for batch in self.batches():
            if batch.num_rows:
                is_empty = False
                yield batch
        if is_empty:
            raise _no_records(self)

    @property
    def arrow(self) -> pa.Table:
        """All records at once."""
        return pa.concat_tables(self.parts())


def _flattened(table: pa.Table) -> pa.Table:
    """Columns of columns, such as `home` with a `city`, as one column for each: ``home.city``."""
    while any(map(pa.types.is_struct, table.schema.types)):
        table = table.flatten()
    return table


def _no_records(table: SourceTable) -> SourceError:
    width = len(table.schema)
    problem = f"it has {width:,} {'column' if width == 1 else 'columns'} but no records"
    return SourceError(table.declared.source, problem, "Add records below the header.")


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

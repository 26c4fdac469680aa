"""Batches of a table, each column as its different values and one index a record."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from causalrules.domain.missing_values import of_all_columns, of_column
from causalrules.encode.values import as_numbers, as_numpy, cleaned, is_text, spellings
from causalrules.errors import Setting, SettingsError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from causalrules.encode.column_codings import Coding

MISSING = -1


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """The different values of a column in any order, and for each record the index of its value.

    Parameters
    ----------
    values : pyarrow.Array
        No nulls; texts are trimmed, and those that mean a missing value are gone.
    indices : int32[n]
        One for each record, -1 where the value is missing.
    absent : mapping of str to int
        How many rows have each word that was taken for a missing value.
    """

    values: pa.Array
    indices: NDArray[np.int32]
    absent: Mapping[str, int] = field(default_factory=dict)

    def codes(self, coding: Coding) -> NDArray[np.unsignedinteger]:
        """The code of each record, 0 where its value is missing; in one byte where that is enough."""
        size = np.uint8 if len(coding.names) <= np.iinfo(np.uint8).max else np.uint16
        codes: NDArray[np.unsignedinteger] = np.append(coding.codes_of(self.values), np.uint16(0)).astype(
            size
        )
        return codes[self.indices]


class Batch:
    """Some records of a table.

    Parameters
    ----------
    table : pyarrow.Table
        The records.
    missing : sequence of str
        Texts that mean a missing value.
    weights : str, optional
        Column that says how many records each row stands for; rows that stand for none are left out.

    Attributes
    ----------
    times : int64[n_rows] or None
        How many records each row stands for; None where each stands for itself.
    """

    def __init__(self, table: pa.Table, missing: Sequence[str], weights: str | None = None) -> None:
        self._table = table
        self._missing = missing
        self._codes: dict[Coding, NDArray[np.unsignedinteger]] = {}
        self.times: NDArray[np.int64] | None = None
        if weights is not None:
            times = frequencies_of(self.distinct(weights), weights)
            self.times = times[times > 0]
            self._table = table.filter(pa.array(times > 0))

    @property
    def n_rows(self) -> int:
        """Rows of the batch."""
        return int(self._table.num_rows)

    @property
    def n_records(self) -> int:
        """Records that they stand for."""
        return self.n_rows if self.times is None else int(self.times.sum())

    def distinct(self, column: str) -> Distinct:
        """The different values of a column, which must be of a type we know."""
        usable = plain(self._table.column(column))
        assert usable is not None, "a column that cannot be used takes no part"
        return distinct_of(usable, self._missing, column)

    def rows(self, start: int, n_rows: int) -> Batch:
        """Some rows that follow each other, each for itself."""
        return Batch(self._table.slice(start, n_rows), self._missing)

    def with_rows_of(self, others: Sequence[Batch]) -> Batch:
        """These rows and those of other batches of the same table."""
        tables = [self._table, *(other._table for other in others)]
        return Batch(pa.concat_tables(tables), self._missing)

    def keys(self) -> NDArray[np.uint64]:
        """The key of each row, see `record_keys`."""
        from causalrules.encode.record_keys import record_keys

        return record_keys(self._table)

    def keep_codes(self, coding: Coding, codes: NDArray[np.unsignedinteger]) -> None:
        """Keep the codes that a coding gave until they are taken."""
        self._codes[coding] = codes

    def take_codes(self, column: str, coding: Coding) -> NDArray[np.unsignedinteger]:
        """The code of each record: those that were kept, else found now."""
        kept = self._codes.pop(coding, None)
        return self.distinct(column).codes(coding) if kept is None else kept


class Batches:
    """All batches of a table, as often as they are needed.

    A table that came as a single batch, as every table in memory does, is
    not read again: that batch is kept, with the codes it may hold already.

    Parameters
    ----------
    read : callable
        Gives the records from the beginning, each time it is called.
    missing : sequence of str
        Texts that mean a missing value.
    weights : str, optional
        See `Batch`.
    """

    def __init__(
        self, read: Callable[[], Iterable[pa.Table]], missing: Sequence[str], weights: str | None = None
    ) -> None:
        self._read = read
        self._missing = missing
        self._weights = weights
        self._only: Batch | None = None

    def __iter__(self) -> Iterator[Batch]:
        if self._only is not None:
            yield self._only
            return
        first = None
        for number, table in enumerate(self._read()):
            batch = Batch(table, self._missing, self._weights)
            first = batch if number == 0 else None
            yield batch
        self._only = first


_MOST_RECORDS = 2**53
"""Sums of counts stay exact up to here."""


def frequencies_of(distinct: Distinct, column: str) -> NDArray[np.int64]:
    """How many records each row stands for; what is no whole number of at least 0 is refused."""
    demand = "a column of whole numbers of at least 0, how often each row counts"
    numbers = as_numbers(distinct.values)
    if numbers is None:
        raise SettingsError("weights", demand, f"{quoted(column)}, which has texts")
    if (distinct.indices == MISSING).any():
        raise SettingsError("weights", demand, f"{quoted(column)}, which has missing values")
    values = numbers.values
    is_odd = ~((values >= 0) & (values == np.floor(values)) & (values < _MOST_RECORDS))
    if is_odd.any():
        found = f"{quoted(column)}, which has {values[is_odd][0]:g}"
        raise SettingsError.saying(
            "weights",
            Setting("weights", is_subject=True),
            f" must be {demand} (not weights of a sample, which ",
            Setting("weights_are", "sampling"),
            f" takes); it is {found}.",
        )
    return values.astype(np.int64)[distinct.indices]


def plain(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """The column in one of the types we know; None if it holds lists, bytes or other things."""
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain(pa.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type))
    if pa.types.is_run_end_encoded(kind):
        chunks = [pc.run_end_decode(chunk) for chunk in column.chunks]
        return plain(pa.chunked_array(chunks, kind.value_type))
    if pa.types.is_string_view(kind) or pa.types.is_null(kind):
        return column.cast(pa.string())
    if pa.types.is_float16(kind):
        return column.cast(pa.float32())
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    return column if any(knows(values) for knows in _KNOWN) else None


def is_known(kind: pa.DataType) -> bool:
    """Whether values of this type can become items."""
    return plain(pa.chunked_array([], kind)) is not None


_KNOWN = (
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_boolean,
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_date,
    pa.types.is_timestamp,
    pa.types.is_time,
    pa.types.is_duration,
)


def distinct_of(column: pa.ChunkedArray, missing: Sequence[str], name: str = "") -> Distinct:
    """The different values of a plain column, in which texts of its name mean a missing value, too."""
    before, indices = _dictionary(column)
    own, everywhere = of_column(missing, name), of_all_columns(missing)
    if is_text(before.type):
        values = cleaned(before, (*everywhere, *own))
    elif pa.types.is_integer(before.type) or pa.types.is_floating(before.type):
        values = _without_codes(before, (*everywhere, *own))
    elif before.null_count == 0:
        return Distinct(before, indices)
    else:
        values = before
    found = _merged(values, indices)
    if values.null_count == before.null_count:
        return found
    return replace(found, absent=_taken_for_missing(before, values, indices, own))


def _taken_for_missing(
    before: pa.Array, values: pa.Array, indices: NDArray[np.int32], own: Sequence[str]
) -> dict[str, int]:
    """How many rows have each word that became missing, or value that the column's own texts name.

    Signs such as ? mean nothing else, and are not counted.
    """
    spelled = {spelling: text for text in own for spelling in spellings([text])}
    codes = {code: text for text in own for code in _numbers_among([text])}
    found: dict[str, int] = {}
    for place in pc.indices_nonzero(values.is_null()).to_pylist():
        value = before[place].as_py()
        written = value.strip() if isinstance(value, str) else ""
        text = spelled.get(written, written) if written else codes.get(value, "")
        if text.isalpha() or text in own:
            found[text] = found.get(text, 0) + int(np.count_nonzero(indices == place))
    return found


def _merged(values: pa.Array, indices: NDArray[np.int32]) -> Distinct:
    # Cleaning may have made values equal, or missing: only then do the indices change.
    merged = values.dictionary_encode()
    if merged.null_count == 0 and len(merged.dictionary) == len(values):
        return Distinct(merged.dictionary, indices)
    return Distinct(merged.dictionary, np.append(indices_of(merged), np.int32(MISSING))[indices])


def _without_codes(values: pa.Array, missing: Sequence[str]) -> pa.Array:
    """Numbers with nulls for those that mean a missing value, and for NaN."""
    absent = [pc.is_nan(values)] if pa.types.is_floating(values.type) else []
    absent += [pc.equal(values.cast(pa.float64(), safe=False), code) for code in _numbers_among(missing)]
    for one in absent:
        values = pc.if_else(one, pa.nulls(1, values.type)[0], values)
    return values


def _numbers_among(missing: Sequence[str]) -> list[float]:
    """The texts that mean a missing value and are numbers."""
    found = []
    for text in missing:
        with suppress(ValueError):
            found.append(float(text))
    return [code for code in found if not isnan(code)]  # which is missing without being said


def _dictionary(column: pa.ChunkedArray) -> tuple[pa.Array, NDArray[np.int32]]:
    """Distinct values and each record's index into them (-1: null)."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    elif any(chunk.dictionary.null_count for chunk in column.chunks):  # Arrow cannot unify these
        column = column.cast(column.type.value_type).dictionary_encode()
    column = column.unify_dictionaries()
    if column.num_chunks == 0:
        return pa.array([], column.type.value_type), np.empty(0, np.int32)
    chunks = [indices_of(chunk) for chunk in column.chunks]
    return column.chunk(0).dictionary, chunks[0] if len(chunks) == 1 else np.concatenate(chunks)


def indices_of(chunk: pa.DictionaryArray) -> NDArray[np.int32]:
    """Each entry's index into the dictionary, -1 for null."""
    return as_numpy(chunk.indices.cast(pa.int32()), np.int32(MISSING))


def positions_in(known: pa.Array, values: pa.Array) -> NDArray[np.int32]:
    """The position of each value among the known ones, -1 for one that is not among them."""
    return as_numpy(pc.index_in(values, known), np.int32(MISSING))

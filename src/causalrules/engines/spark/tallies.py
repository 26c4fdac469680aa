"""The first pass over a Spark table: workers tally, Spark adds the tallies of each column up."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.encode.columns import Batch
from causalrules.encode.survey import Counted, Survey, settle_survey
from causalrules.encode.tally import GrowingTally, Tally
from causalrules.engines.spark.records import PACKED, packed_batch, unpacked
from causalrules.engines.spark.session import mapped
from causalrules.errors import Setting, SourceError, TableError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import DataFrame

    from causalrules.domain import Item
    from causalrules.encode import RecordCoder, Vocabulary
    from causalrules.encode.column_roles import Roles
    from causalrules.encode.outcome import OutcomeGuess, OutcomeValue
    from causalrules.engines.spark.spark_table import SparkTable

MOST_NUMBERS = 5_000_000
"""Different numbers of one column that the driver is sent."""

_ROW = "column string, n_values long, n_records long, overflowed boolean, tally binary"
_ROW_NAMES = ("column", "n_values", "n_records", "overflowed", "tally")
_ABSENT = "absent"
_VALUES_A_ROW = 1 << 18
_PIECES_SAMPLED, _ROWS_A_PIECE = 40, 500
_OUTCOME = ""
"""Stands for the tally of the outcome's own column."""


def survey_packed(
    packed: DataFrame, table: SparkTable, outcome: str | Item, roles: Roles
) -> tuple[Vocabulary, RecordCoder]:
    """Go through the packed batches of a table once and settle what becomes of each column.

    A column's tallies meet in one task, so that the driver gets one sum for
    each column, however many partitions there are.
    """

    def counted(outcome: OutcomeGuess | OutcomeValue) -> Survey:
        survey = Survey(table.schema, outcome, roles)
        n_tasks = min(1 + len(survey.columns), table.session.n_tasks)
        tallies = mapped(packed, _TallyPartition(table.schema, outcome, roles), _ROW)
        sums = mapped(tallies.repartition(n_tasks, "column"), _AddUp(roles), _ROW)
        what = f"reading records, what {1 + len(survey.columns)} columns hold"
        rows = table.session.gather(sums, what)
        survey.add(_counted(table, rows, outcome.column))
        if roles.settings.frequencies is None:
            survey.look_later(partial(_sampled, packed, table, roles))
        return survey

    return settle_survey(counted, table.schema.names, outcome, roles.settings)


def _sampled(packed: DataFrame, table: SparkTable, roles: Roles) -> list[Batch]:
    """The first rows of the first partitions, in one small job over what Spark keeps."""
    few = mapped(packed, _first_rows, PACKED).limit(_PIECES_SAMPLED)
    rows = table.session.gather(few, "looking at some records")
    return [Batch(_without_dictionaries(one), roles.settings.missing) for one in unpacked(rows.to_batches())]


def _without_dictionaries(table: pa.Table) -> pa.Table:
    """Every column with its own type, whatever was shorter to send."""
    columns = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return pa.table(columns, table.column_names)


def _first_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs on a worker: rows of a partition in small pieces, no more than are wanted of all."""
    n_left = _PIECES_SAMPLED
    for table in unpacked(batches):
        for start in range(0, min(table.num_rows, n_left * _ROWS_A_PIECE), _ROWS_A_PIECE):
            yield packed_batch(table.slice(start, _ROWS_A_PIECE))
            n_left -= 1


@dataclass(frozen=True, slots=True)
class _TallyPartition:
    """Runs on a worker: the tallies of one partition."""

    schema: pa.Schema
    outcome: OutcomeGuess | OutcomeValue
    roles: Roles

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        survey = Survey(self.schema, self.outcome, self.roles)
        is_empty = True
        for table in unpacked(batches):
            batch = Batch(table, self.roles.settings.missing, self.roles.settings.frequencies)
            if batch.n_rows:
                survey.count(batch)
                is_empty = False
        if is_empty:
            return
        counted = survey.total()
        yield from _rows(_OUTCOME, counted.outcomes)
        for name, tally in counted.columns.items():
            yield from _rows(name, tally)


@dataclass(frozen=True, slots=True)
class _AddUp:
    """Runs on a worker: the sum of a column's tallies, for each column that meets here."""

    roles: Roles

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        sums: dict[str, GrowingTally] = {}
        for batch in batches:
            for name, _, tally in _tallies(batch):
                may_be_numbers = name == _OUTCOME or not self.roles.is_categorical(name)
                sums.setdefault(name, GrowingTally(name, may_be_numbers=may_be_numbers)).add(tally)
        for name, growing in sums.items():
            yield from _rows(name, growing.total())


def _counted(table: SparkTable, rows: pa.Table, outcome: str) -> Counted:
    """What the workers counted, as if it had been counted here."""
    found: dict[str, GrowingTally] = {}
    for batch in rows.to_batches():
        for name, n_values, tally in _tallies(batch):
            if n_values > MOST_NUMBERS:
                raise TableError(
                    f"column {quoted(name or outcome)} has {n_values:,} different numbers, and Spark's "
                    f"driver is sent {MOST_NUMBERS:,} at most. Leave it out with ",
                    Setting("drop"),
                    ", or round it.",
                )
            found.setdefault(name, GrowingTally(name, may_be_numbers=True)).add(tally)
    if not found:
        raise SourceError(table.source, "it has no records", "Choose another table.")
    totals = {name: growing.total() for name, growing in found.items()}
    outcomes = totals.pop(_OUTCOME)
    return Counted(outcomes.n_records, outcomes, totals)


def _rows(name: str, tally: Tally) -> Iterator[pa.RecordBatch]:
    """A tally in pieces that are not too long, and add up; of one too long for the driver only the length."""
    n_values = len(tally.values)
    end = 0 if n_values > MOST_NUMBERS else n_values
    for start in range(0, max(1, end), _VALUES_A_ROW):
        part = slice(start, min(start + _VALUES_A_ROW, end))
        counts = [pa.array(counts[part]) for counts in (tally.n_with, tally.n_without)]
        values = pa.table([tally.values[part], *counts], ["value", "n_with", "n_without"])
        values = values.replace_schema_metadata({} if start else {_ABSENT: json.dumps(tally.absent)})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, values.schema) as stream:
            stream.write_table(values)
        row = [
            name,
            n_values,
            0 if start else tally.n_records,
            tally.overflowed,
            sink.getvalue().to_pybytes(),
        ]
        yield pa.RecordBatch.from_arrays([pa.array([value]) for value in row], _ROW_NAMES)


def _tallies(batch: pa.RecordBatch) -> Iterator[tuple[str, int, Tally]]:
    """Columns, how many different values they had before they were sent, and tallies."""
    for name, n_values, n_records, overflowed, sent in zip(*map(batch.column, _ROW_NAMES), strict=True):
        values = pa.ipc.open_stream(sent.as_buffer()).read_all().combine_chunks()
        n_with, n_without = (np.asarray(values.column(which)) for which in ("n_with", "n_without"))
        distinct = pa.concat_arrays(values.column("value").chunks) if len(values) else _nothing(values)
        absent = json.loads((values.schema.metadata or {}).get(_ABSENT.encode(), "{}"))
        tally = Tally(distinct, n_with, n_without, n_records.as_py(), overflowed.as_py(), absent)
        yield name.as_py(), n_values.as_py(), tally


def _nothing(values: pa.Table) -> pa.Array:
    return pa.array([], values.schema.field("value").type)

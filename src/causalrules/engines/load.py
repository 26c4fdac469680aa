"""From a source to engines: read and code a table where it can be counted."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.encode import CodedTable, encode
from causalrules.encode.holdout import split_records
from causalrules.encode.roles import Roles
from causalrules.encode.survey import survey
from causalrules.engines.choose import fitting_engine
from causalrules.engines.contract import Opened
from causalrules.engines.free_memory import memory_at_hand
from causalrules.errors import OutcomeError, Setting, SourceError
from causalrules.files.scratch_folder import scratch_folder
from causalrules.read import open_batches, read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from causalrules.domain import Item, Settings
    from causalrules.domain.stopwatch import Stopwatch
    from causalrules.encode import RecordCoder
    from causalrules.engines.blocks import Blocks
    from causalrules.read.table import SourceBatches, SourceTable

_BYTES_A_NUMBER = 64
"""Of a column's different numbers, while they are tallied and cut."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where records come from, and what is looked for in them; see `pipeline.Job`."""

    table: Any
    outcome: str | Item
    columns: Sequence[str] | None = None
    delimiter: str | None = None


@contextmanager
def opened(
    source: Source, settings: Settings, watch: Stopwatch, remark: Callable[[str], None]
) -> Iterator[Opened]:
    """Open a source with the engine that the settings ask for, or that fits its size.

    Parameters
    ----------
    watch : Stopwatch
        Where time is written down.
    remark : callable
        Told in words which engine was chosen, where that may surprise.
    """
    engine = settings.engine if settings.engine != "auto" else fitting_engine(source.table, settings, remark)
    if isinstance(source.table, CodedTable) or engine == "memory":
        yield open_in_memory(source, settings, watch)
    elif engine == "spark":
        with open_on_spark(source, settings, watch) as found:
            yield found
    else:
        with scratch_folder() as folder:
            yield open_in_blocks(source, settings, watch, folder)


def open_in_memory(source: Source, settings: Settings, watch: Stopwatch) -> Opened:
    """Read the whole table, unless it is coded already."""
    table = source.table
    if not isinstance(table, CodedTable):
        with watch("read"):
            read = read_table(table, columns=source.columns, delimiter=source.delimiter)
        with watch("encode"):
            table = code_source(read, source.outcome, settings)
    with watch("encode"):
        return over_table(table, settings)


def code_source(source: SourceTable, outcome: str | Item, settings: Settings) -> CodedTable:
    """Encode a table with what its file says about the columns."""
    return encode(source.arrow, outcome, settings, source.declared)


def over_table(table: CodedTable, settings: Settings) -> Opened:
    """Engines over a coded table in memory."""
    from causalrules.engines import MemoryEngine

    if not settings.holdout:
        engine = MemoryEngine(table, settings.threads)
        return Opened(table, engine, engine)
    is_held_out = split_records(len(table.has_outcome), settings.holdout, settings.seed)
    engines = [MemoryEngine(table.only(part), settings.threads) for part in (~is_held_out, is_held_out)]
    return _comparable(Opened(table, *engines), settings)


def open_in_blocks(source: Source, settings: Settings, watch: Stopwatch, folder: Path) -> Opened:
    """Go through the table twice: to settle what becomes of its columns, and to code its records."""
    most_bytes = settings.most_bytes or memory_at_hand() // 2
    with watch("read"):
        parts = open_batches(source.table, folder, columns=source.columns, delimiter=source.delimiter)
        roles = Roles(settings, parts.declared)
        most_numbers = most_bytes // 4 // _BYTES_A_NUMBER
        vocabulary, coder = survey(parts.parts, parts.schema, source.outcome, roles, most_numbers)
    from causalrules.engines import engine_over
    from causalrules.engines.blocks import Blocks, records_within

    with watch("encode"):
        n_groups = 2 if settings.holdout else 1
        n_columns = len(vocabulary.first_item) - 1
        most_records = records_within(most_bytes // n_groups, n_columns, settings.threads)
        groups = [Blocks(vocabulary.first_item, most_records, folder) for _ in range(n_groups)]
        is_held_out = None
        if settings.holdout:
            n_records = vocabulary.summary.outcome.n_records
            is_held_out = split_records(n_records, settings.holdout, settings.seed)
        _gather(parts, coder, groups, is_held_out)
        if sum(blocks.n_with for blocks in groups) != vocabulary.summary.outcome.n_with:
            raise SourceError(parts.declared.source, "it changed while it was read", "Try again.")
        engines = [engine_over(blocks, settings.threads) for blocks in groups]
    found = Opened(vocabulary, engines[0], engines[-1])
    return _comparable(found, settings) if settings.holdout else found


@contextmanager
def open_on_spark(source: Source, settings: Settings, watch: Stopwatch) -> Iterator[Opened]:
    """Read and code the table where it is."""
    with watch("read"):
        from causalrules.engines.spark import open_spark

        vocabulary, engine = open_spark(
            source.table, source.outcome, settings, columns=source.columns, delimiter=source.delimiter
        )
    with engine:
        yield Opened(vocabulary, engine, engine)


def _gather(
    parts: SourceBatches, coder: RecordCoder, groups: Sequence[Blocks], is_held_out: NDArray[np.bool_] | None
) -> None:
    """Code all records; those held out go to the second group."""
    n_before = 0
    for batch in parts.parts():
        codes, has_outcome = coder.code(batch)
        if is_held_out is None:
            groups[0].add(codes, has_outcome)
            continue
        here = is_held_out[n_before : n_before + len(has_outcome)]
        n_before += len(has_outcome)
        for blocks, chosen in zip(groups, (~here, here), strict=True):
            blocks.add(np.compress(chosen, codes, axis=1), has_outcome[chosen])


def _comparable(found: Opened, settings: Settings) -> Opened:
    """Refuse a division in which one part of the records has only one kind."""
    for engine in (found.engine, found.judge_engine):
        if engine.n_with == 0 or engine.n_without == 0:
            raise OutcomeError(
                "with ",
                Setting("holdout", settings.holdout),
                f" one part of the records ({engine.n_with} with the "
                f"outcome, {engine.n_without} without) cannot be compared. Choose another share or seed.",
            )
    return found

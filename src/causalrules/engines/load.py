"""From a source to engines: read a table, code its records and gather them where they can be counted."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from causalrules.domain import Declared
from causalrules.domain.column_labels import LabelledColumns
from causalrules.encode import CodedTable
from causalrules.encode.column_roles import Roles
from causalrules.encode.columns import Batches, is_known
from causalrules.encode.outcome import guess_outcome
from causalrules.encode.survey import survey
from causalrules.engines.blocks import Blocks, records_within
from causalrules.engines.choose import choose_engine, memory_for_records, remark_on_smallest_limit
from causalrules.engines.contract import Opened
from causalrules.engines.holdout import HeldOutRows, HoldOut
from causalrules.engines.memory import RecordsEngine
from causalrules.errors import OutcomeError, Setting, SourceError, UnknownColumnError
from causalrules.files.available_memory import from_the_system, give_back_memory
from causalrules.files.scratch_folder import scratch_folder
from causalrules.read import SourceTable, open_batches, read_table
from causalrules.read.addresses import is_address
from causalrules.read.header import header_names
from causalrules.read.table_at import TableAt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from causalrules.domain import Item
    from causalrules.domain.progress import Stopwatch
    from causalrules.domain.table_settings import TableSettings
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine

_WHICH_COLUMNS = ("only", "drop", "categorical", "numeric")
_BYTES_A_NUMBER = 64
"""Of a column's different numbers, while they are tallied and cut."""


@contextmanager
def load(
    source: Any,
    outcome: str | Item,
    settings: TableSettings,
    *,
    watch: Stopwatch,
    remark: Callable[[str], None],
    exposure: str = "",
) -> Iterator[Opened]:
    """Open a source with the engine that the settings ask for, or that fits its size.

    Parameters
    ----------
    source : path, data frame, CodedTable, …
        A table that was coded before, for this outcome and with the same
        settings of its columns, is counted in memory as it is.
    outcome : str or Item
        ``column=value``.
    settings : TableSettings
        Which columns take part, and how they are coded and counted.
    watch : Stopwatch
        Where time is written down.
    remark : callable
        Told in words which engine was chosen, where that may surprise.
    exposure : str
        A hypothesis as it is written, whose conditions become items of their columns.
    """
    if isinstance(source, CodedTable):
        with watch("encode"):
            found = open_coded(source, settings)
        yield found
        return
    if is_address(source) and settings.engine != "spark":  # Spark has drivers of its own
        source = TableAt(source)
    engine = choose_engine(source, settings, remark)
    if engine == "spark":
        with watch("read"):
            from causalrules.engines.spark import open_spark

            if isinstance(source, TableAt):
                source.refuse_all_but("the Spark engine", "columns")
            vocabulary, on_spark = open_spark(source, outcome, settings, exposure=exposure)
        with on_spark:
            _check_halves([on_spark, on_spark.judge], settings)
            yield Opened(vocabulary, on_spark, on_spark.judge)
        return
    _check_names(header_names(source), outcome, settings, exposure)
    if engine == "streaming":
        remark_on_smallest_limit(settings, remark)
    with _place_for(engine) as folder:

        def read() -> SourceTable:
            if isinstance(source, SourceTable):
                return source
            if folder is None:
                is_needed = needed_columns(settings, f"{outcome} {exposure}")
                return read_table(source, is_needed=is_needed)
            return open_batches(source, folder)

        yield _opened(read, outcome, settings, watch, folder, exposure)


@contextmanager
def load_kept(
    vocabulary: Vocabulary,
    labelled: LabelledColumns,
    files: Sequence[Sequence[Path]],
    *,
    source: Any,
    settings: TableSettings,
    watch: Stopwatch,
    remark: Callable[[str], None],
) -> Iterator[Opened]:
    """Open a source whose records were coded before, from the files that keep them.

    Parameters
    ----------
    vocabulary, labelled
        What the survey of the source settled.
    files : sequence of sequences of Path
        For each engine, see `Blocks.keep_in`.
    source, settings, watch, remark
        As in `load`.
    """
    engine = choose_engine(source, settings, remark)
    with _place_for(engine) as folder:
        with watch("read"):
            groups = _no_records(vocabulary, settings, folder)
            for group, kept in zip(groups, files, strict=True):
                group.take_files(kept)
            opened = replace(_engines_over(vocabulary, groups, settings), labelled=labelled)
        yield opened


@contextmanager
def _place_for(engine: str) -> Iterator[Path | None]:
    """A folder for blocks of records, while memory is kept within a limit; None for other engines."""
    if engine != "streaming":
        yield None
        return
    with scratch_folder() as folder, from_the_system():
        yield folder


def _check_names(
    names: Sequence[str] | None, outcome: str | Item, settings: TableSettings, exposure: str
) -> None:
    """Refuse an outcome or a column that a table does not have, before it is read."""
    if names is not None:
        Roles(settings, Declared(), exposure).check(names)
        guess_outcome(outcome, names, settings.missing)


def needed_columns(settings: TableSettings, asked: str) -> Callable[[str], bool] | None:
    """Whether a column's values will be looked at; None if those of all may be.

    A column that takes no part may still be spoken of, in the outcome or in another setting: where its name
    stands there as a word of its own. A name with quotes, which patterns double, counts as needed.
    """
    if settings.holdout or not (settings.only or settings.drop):
        return None  # all columns say who is held out
    said = [asked]
    for setting in fields(settings):
        value = getattr(settings, setting.name)
        if setting.name not in _WHICH_COLUMNS and value != setting.default:
            said += value if isinstance(value, tuple) else [str(value)]

    def is_needed(name: str) -> bool:
        takes_part = name not in settings.drop and (not settings.only or name in settings.only)
        as_a_word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        return takes_part or '"' in name or any(map(as_a_word.search, said))

    return is_needed


def read_once(source: Any, settings: TableSettings, remark: Callable[[str], None]) -> Any:
    """Read a source that fits into memory for several questions, with its values numbered; leave others be.

    Parameters
    ----------
    source, settings, remark
        As in `load`.
    """
    engine = choose_engine(source, settings, remark)
    if engine != "memory" or isinstance(source, CodedTable):
        return source
    table = read_table(source)
    # To find the different values of a column takes most of the time of coding, and depends on no outcome.
    numbered = {
        name: column.dictionary_encode() if is_known(column.type) else column
        for name, column in zip(table.schema.names, table.arrow.columns, strict=True)
    }
    return SourceTable.in_memory(pa.table(numbered), table.declared)


def _opened(
    read: Callable[[], SourceTable],
    outcome: str | Item,
    settings: TableSettings,
    watch: Stopwatch,
    folder: Path | None,
    exposure: str,
) -> Opened:
    """Read a table, which is let go of as soon as its records are coded and gathered.

    Parameters
    ----------
    folder : Path, optional
        For records that do not fit into the memory allowed; without it there is no limit.
    """
    with watch("read"):
        table = read()
    with watch("encode"):
        declared = table.declared
        labelled = LabelledColumns(tuple(table.schema.names), declared.names, declared.codes)
        if labelled.names or labelled.codes:
            settings, exposure = labelled.settings(settings), labelled.pattern(exposure)
            outcome = labelled.pattern(outcome) if isinstance(outcome, str) else outcome
        try:
            vocabulary, groups = _coded(table, outcome, settings, folder, exposure)
        except UnknownColumnError as error:
            raise error.below(table.declared.n_titles).beside(table.declared.other_tables) from None
        del table
        give_back_memory()
        return replace(_engines_over(vocabulary, groups, settings), labelled=labelled)


def _coded(
    table: SourceTable, outcome: str | Item, settings: TableSettings, folder: Path | None, exposure: str
) -> tuple[Vocabulary, list[Blocks]]:
    """Settle what becomes of a table's columns, code its records and put identical ones together.

    Those held out are a second group.
    """
    most_numbers = None if folder is None else memory_for_records(settings) // 4 // _BYTES_A_NUMBER
    batches = Batches(table.parts, settings.missing, settings.frequencies)
    roles = Roles(settings, table.declared, exposure)
    vocabulary, coder = survey(batches, table.schema, outcome, roles, most_numbers)
    if folder is not None:
        give_back_memory()
    groups = _no_records(vocabulary, settings, folder)
    held_out = HeldOutRows(HoldOut.asked_for(settings, vocabulary), batches) if settings.holdout else None
    for batch in batches:
        codes, has_outcome = coder.code(batch)
        if held_out is None:
            groups[0].add(codes, has_outcome, coder.times(batch))
        else:
            _add_to_halves(groups, held_out.of(batch, coder, codes), codes, has_outcome)
    if sum(group.n_with for group in groups) != vocabulary.summary.outcome.n_with:
        raise SourceError(table.declared.source, "it changed while it was read", "Try again.")
    return vocabulary, groups


def open_coded(table: CodedTable, settings: TableSettings) -> Opened:
    """Engines over a table in memory that is coded already."""
    groups = _no_records(table, settings, None)
    if settings.holdout:
        is_held_out = HoldOut.asked_for(settings, table).of_coded(table)
        _add_to_halves(groups, is_held_out, table.codes, table.has_outcome)
    else:
        groups[0].add(table.codes, table.has_outcome, table.times)
    return _engines_over(table, groups, settings)


def _add_to_halves(
    groups: Sequence[Blocks],
    is_held_out: NDArray[np.bool_],
    codes: NDArray[np.unsignedinteger],
    has_outcome: NDArray[np.bool_],
) -> None:
    for group, chosen in zip(groups, (~is_held_out, is_held_out), strict=True):
        group.add(np.compress(chosen, codes, axis=1), has_outcome[chosen])


def _no_records(vocabulary: Vocabulary, settings: TableSettings, folder: Path | None) -> list[Blocks]:
    """What records are gathered in, for each engine: within its memory, or any number without a folder."""
    n_groups = 2 if settings.holdout else 1
    most_records = None
    if folder is not None:
        most_bytes = memory_for_records(settings) // n_groups
        most_records = records_within(most_bytes, vocabulary.first_item, settings.threads)
    return [Blocks(vocabulary.first_item, most_records, folder) for _ in range(n_groups)]


def _engine_over(blocks: Blocks, threads: int | None) -> Engine:
    """The engine for the records that have gathered: in memory if all of them are."""
    records = blocks.in_memory()
    if records is not None:
        return RecordsEngine(records, threads)
    from causalrules.engines.disk import StreamingEngine

    return StreamingEngine(blocks, threads)


def _engines_over(vocabulary: Vocabulary, groups: Sequence[Blocks], settings: TableSettings) -> Opened:
    """An engine for each group of records."""
    engines = [_engine_over(group, settings.threads) for group in groups]
    _check_halves(engines, settings)
    return Opened(vocabulary, engines[0], engines[-1], records=groups)


def _check_halves(engines: Sequence[Engine], settings: TableSettings) -> None:
    """Refuse a division that leaves only one kind of records to an engine."""
    for engine in engines:
        if settings.holdout and (engine.n_with == 0 or engine.n_without == 0):
            raise OutcomeError(
                "with ",
                Setting("holdout", settings.holdout),
                f" one part of the records ({engine.n_with} with the "
                f"outcome, {engine.n_without} without) cannot be compared. Choose another share or seed.",
            )

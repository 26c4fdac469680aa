"""From what Spark can read, a data frame, a table by its name or a path, to an engine that counts it."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from causalrules.domain import Declared
from causalrules.domain.histogram import WEIGHT_UNIT
from causalrules.encode.column_kinds import Roles
from causalrules.encode.columns import is_known
from causalrules.encode.outcome import check_outcome_type, guess_outcome
from causalrules.engines.holdout import HoldOut
from causalrules.engines.spark.jobs import DividePartition, copies_together
from causalrules.engines.spark.records import PACKED, ROW, CodePartition, PackPartition, with_keys
from causalrules.engines.spark.session import Session, is_spark_frame, mapped
from causalrules.engines.spark.spark_engine import SparkEngine
from causalrules.engines.spark.tallies import survey_packed
from causalrules.errors import (
    EngineError,
    Setting,
    SettingsError,
    SourceError,
    SourceMissingError,
    one_line,
    quoted,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa
    from pyspark.sql import DataFrame

    from causalrules.domain import Item, Settings
    from causalrules.encode import RecordCoder, Vocabulary

_PARQUET = (".parquet", ".pq")
_TEXT = (".csv", ".tsv", ".tab", ".txt")
_TABS = (".tsv", ".tab")


def open_spark(
    source: Any,
    outcome: str | Item,
    settings: Settings,
    declared: Declared | None = None,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    n_parts: int | None = None,
    exposure: str = "",
) -> tuple[Vocabulary, SparkEngine]:
    """Settle what the columns of a table on Spark become, and open the engine that counts it.

    The engine is to be closed: it keeps the coded records, and the Spark
    session if there was none before.

    Parameters
    ----------
    source : Spark data frame, str or path
        See `open_table`.
    outcome : str or Item
        ``column=value``.
    settings : Settings
        Which columns take part and how numbers become items.
    declared : Declared, optional
        What is known about the columns; its source is replaced by the table's name.
    columns, delimiter
        Of a CSV file, see `open_table`.
    n_parts : int, optional
        See `SparkEngine`.
    exposure : str
        A hypothesis whose conditions become items of their columns.
    """
    table = open_table(source, columns, delimiter)
    try:
        known = replace(declared or Declared(), source=table.source)
        return _opened(table, outcome, Roles(settings, known, exposure), n_parts)
    except BaseException:
        table.session.stop()
        raise


def _opened(
    table: SparkTable, outcome: str | Item, roles: Roles, n_parts: int | None
) -> tuple[Vocabulary, SparkEngine]:
    schema = table.schema
    roles.check(schema.names)
    parts = guess_outcome(outcome, schema.names, roles.settings.missing).columns
    for name in parts:
        check_outcome_type(name, schema.field(name).type)
    names = [name for name in schema.names if _takes_part(name, parts, schema, roles)]
    with table.packed(names) as packed:
        vocabulary, coder = survey_packed(packed, table, outcome, roles)
        _check_weights(vocabulary.summary.outcome.n_records, roles.settings)
        if roles.settings.holdout:
            engine = _divided(packed, coder, table.session, vocabulary, roles.settings, n_parts)
        else:
            code = CodePartition(coder, vocabulary.first_item, roles.settings.frequencies)
            engine = SparkEngine(mapped(packed, code, ROW), table.session, vocabulary, n_parts)
        try:
            _check_whole({engine, engine.judge}, vocabulary)
        except BaseException:
            engine.close()
            raise
        return vocabulary, engine


def _divided(
    packed: DataFrame,
    coder: RecordCoder,
    session: Session,
    vocabulary: Vocabulary,
    settings: Settings,
    n_parts: int | None,
) -> SparkEngine:
    """The engine over the records that propose; its judge has those held out.

    Unless clusters are, all copies of a row meet in one task first, where they are numbered.
    """
    holdout, first_item = HoldOut.asked_for(settings, vocabulary), vocabulary.first_item
    if holdout.by_clusters:
        kept = session.kept(mapped(packed, CodePartition(coder, first_item), ROW), "coding records")
    else:
        code = CodePartition(coder, with_keys(first_item), has_keys=True)
        together = copies_together(mapped(packed, code, ROW), session, vocabulary)
        kept = session.kept(together, "coding records")
    engines: list[SparkEngine] = []
    try:
        for number in range(2):
            half = mapped(kept.frame, DividePartition(first_item, holdout, number), ROW)
            engines.append(SparkEngine(half, session, vocabulary, n_parts))
    except BaseException:
        for engine in engines:
            engine.close()
        raise
    finally:
        kept.let_go()
    engines[0].judge = engines[1]
    return engines[0]


def _check_whole(engines: Iterable[SparkEngine], vocabulary: Vocabulary) -> None:
    """Refuse a table whose records are not as many as when it was surveyed."""
    outcome = vocabulary.summary.outcome
    n_with, n_without = (sum(getattr(one, name) for one in engines) for name in ("n_with", "n_without"))
    if (n_with, n_without) != (outcome.n_with, outcome.n_without):
        raise EngineError(
            f"the table changed while it was read: {outcome.n_with:,} records with the outcome and "
            f"{outcome.n_without:,} without at first, then {n_with:,} and {n_without:,}. "
            "Mine a copy that stays as it is, or a cached data frame."
        )


def _check_weights(n_records: int, settings: Settings) -> None:
    """Refuse more records than weights of the paper's protocol can be added up for."""
    most = (1 << 63) // WEIGHT_UNIT
    if settings.controls != "auto" and n_records >= most:
        raise EngineError(
            f"the table has {n_records:,} records; the balance of ",
            Setting("controls", settings.controls),
            f" can be added up for fewer than {most:,}. Mine a sample, or use ",
            Setting("controls", "auto"),
            ".",
        )


def _takes_part(name: str, outcome: Sequence[str], schema: pa.Schema, roles: Roles) -> bool:
    kind = schema.field(name).type
    if roles.settings.holdout and is_known(kind):  # all columns say who is held out
        return True
    is_asked = name in outcome or name in (roles.settings.group_column, roles.settings.weights)
    return is_asked or roles.why_not(name, kind) is None


@dataclass(frozen=True, slots=True)
class SparkTable:
    """A table that Spark can read, and where it came from.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        All its columns.
    schema : pyarrow.Schema
        The types that workers see.
    source : str
        For people.
    """

    session: Session
    frame: DataFrame
    schema: pa.Schema
    source: str

    @contextmanager
    def packed(self, names: Sequence[str]) -> Iterator[DataFrame]:
        """These columns in packed batches, which Spark keeps while the block lasts.

        No other column is read, and none of these twice; a data frame that
        comes out differently each time it is computed is computed only once.
        """
        chosen = self.frame.select(*map(_escaped, names))
        simply_named = chosen.toDF(*(f"c{number}" for number in range(len(names))))
        packed = mapped(simply_named, PackPartition(tuple(names)), PACKED)
        kept = self.session.kept(packed, "reading records")
        try:
            yield kept.frame
        finally:
            kept.let_go()


def open_table(source: Any, columns: Sequence[str] | None = None, delimiter: str | None = None) -> SparkTable:
    """Find a table.

    Parameters
    ----------
    source : Spark data frame, str or path
        A text that is no path is the name of a table or view.
    columns : sequence of str, optional
        Names for a CSV file without a header.
    delimiter : str, optional
        Of a CSV file; a comma, or a tab for ``.tsv``.
    """
    if is_spark_frame(source):
        _refuse(columns, delimiter)
        return _described(Session.of_frame(source), source, "a Spark data frame")
    if not isinstance(source, str | os.PathLike):
        raise SourceError(
            f"an object of type {type(source).__name__}",
            "on the Spark engine it must be a Spark data frame, a table's name or a path",
            "Make it a Spark data frame, or choose another engine.",
        )
    session = Session.find()
    try:
        frame = _guarded(session, str(source), columns, delimiter, is_path=isinstance(source, os.PathLike))
        return _described(session, frame, one_line(str(source)))
    except BaseException:
        session.stop()
        raise


def _described(session: Session, frame: DataFrame, source: str) -> SparkTable:
    frame = _flattened(frame)
    repeated = [name for name, count in Counter(frame.columns).items() if count > 1]
    if repeated:
        problem = f"column names occur more than once: {', '.join(map(quoted, repeated[:5]))}"
        raise SourceError(source, problem, "Rename them.")
    if not frame.columns:
        raise SourceError(source, "it has no columns", "Choose another table.")
    schema = session.gather(frame.limit(0), "the types of columns").schema
    return SparkTable(session, frame, schema, source)


def _flattened(frame: DataFrame) -> DataFrame:
    """Columns of columns, such as `home` with a `city`, as one column for each: ``home.city``."""
    from pyspark.sql.types import StructType

    def leaves(fields: StructType, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
        for field in fields:
            here = (*path, field.name)
            yield from leaves(field.dataType, here) if isinstance(field.dataType, StructType) else [here]

    if not any(isinstance(field.dataType, StructType) for field in frame.schema):
        return frame
    return frame.selectExpr(
        *(f"{'.'.join(map(_escaped, leaf))} AS {_escaped('.'.join(leaf))}" for leaf in leaves(frame.schema))
    )


def _escaped(name: str) -> str:
    """A column's name as it may stand in an expression of Spark."""
    return f"`{name.replace('`', '``')}`"


def _guarded(
    session: Session, source: str, columns: Sequence[str] | None, delimiter: str | None, *, is_path: bool
) -> DataFrame:
    """Read, and explain a failure."""
    from pyspark.errors import PySparkException

    try:
        frame = _read(session, source, columns, delimiter, is_path=is_path)
        frame.columns  # noqa: B018 - Spark Connect looks for the file only now
    except PySparkException as error:
        if "PATH_NOT_FOUND" in str(error):
            folder = Path(source).parent
            nearby = os.listdir(folder) if folder.is_dir() else []
            raise SourceMissingError(source, nearby) from error
        problem = f"Spark says {quoted(str(error).partition(chr(10))[0])}"
        raise SourceError(source, problem, "Check the source, or pass a Spark data frame.") from error
    return frame


def _read(
    session: Session, source: str, columns: Sequence[str] | None, delimiter: str | None, *, is_path: bool
) -> DataFrame:
    """The data frame of a table or a file."""
    suffix = "".join(Path(source).suffixes).lower().removesuffix(".gz")
    spark = session.spark
    looks_like_path = is_path or "/" in source or os.sep in source or suffix.endswith(_PARQUET + _TEXT)
    if not looks_like_path and spark.catalog.tableExists(source):
        _refuse(columns, delimiter)
        return spark.table(source)
    if suffix.endswith(_TEXT):
        delimiter = delimiter or ("\t" if suffix.endswith(_TABS) else ",")
        return _read_text(session, source, columns, delimiter)
    _refuse(columns, delimiter)
    if suffix.endswith(_PARQUET) or looks_like_path:
        return spark.read.parquet(source)
    raise SourceError(
        source,
        "Spark knows no table of this name, and it does not look like a path",
        "Name a table, or a file or folder that ends in .parquet or .csv, or pass a Spark data frame.",
    )


def _refuse(columns: Sequence[str] | None, delimiter: str | None) -> None:
    """Names and delimiters are for text files."""
    if columns is not None:
        raise SettingsError("columns", "left out for a source that is no CSV file", list(columns))
    if delimiter is not None:
        raise SettingsError("delimiter", "left out for a source that is no CSV file", delimiter)


def _read_text(session: Session, source: str, columns: Sequence[str] | None, delimiter: str) -> DataFrame:
    """Every column stays text; a record with too few or too many values is an error, not a guess."""
    reader = session.spark.read.options(
        header=columns is None, sep=delimiter, quote='"', escape='"', mode="FAILFAST", enforceSchema=False
    )
    frame = reader.csv(source)
    if columns is not None:
        if len(columns) != len(frame.columns):
            found = (
                f"{len(columns)} column names were given but the first record has {len(frame.columns)} values"
            )
            raise SourceError(source, found, "Give one name for each column, in order.")
        return frame.toDF(*columns)
    names = [
        f"column_{number}" if name == f"_c{number - 1}" else name.strip()
        for number, name in enumerate(frame.columns, 1)
    ]
    return frame.toDF(*names)

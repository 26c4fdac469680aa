"""What Spark can read: a data frame, a table by its name, or a path."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from causalrules.engines.spark.parquet_files import PackFiles, pieces_of
from causalrules.engines.spark.records import PACKED, PackPartition
from causalrules.engines.spark.session import Session, is_spark_frame, mapped
from causalrules.errors import (
    SettingsError,
    SourceError,
    SourceMissingError,
    one_line,
    quoted,
)
from causalrules.read.table_at import TableAt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa
    from pyspark.sql import DataFrame

    from causalrules.engines.spark.parquet_files import Piece

_PARQUET = (".parquet", ".pq")
_TEXT = (".csv", ".tsv", ".tab", ".txt")
_TABS = (".tsv", ".tab")


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
    pieces : tuple, optional
        Of Parquet files that workers can open themselves, see `pieces_of`.
    """

    session: Session
    frame: DataFrame
    schema: pa.Schema
    source: str
    pieces: tuple[Piece, ...] | None = None

    @property
    def is_untyped(self) -> bool:
        """Whether it is a file of text, in which every column is read as text."""
        return _suffix(self.source).endswith(_TEXT)

    @contextmanager
    def packed(self, names: Sequence[str]) -> Iterator[DataFrame]:
        """These columns in packed batches, which Spark keeps while the block lasts.

        No other column is read, and none of these twice; a data frame that
        comes out differently each time it is computed is computed only once.
        """
        kept = self.session.kept(self._packed(tuple(names)), "reading records")
        try:
            yield kept.frame
        finally:
            kept.let_go()

    def _packed(self, names: tuple[str, ...]) -> DataFrame:
        if self.pieces:
            n_pieces = len(self.pieces)
            numbers = self.session.spark.range(0, n_pieces, 1, n_pieces)
            return mapped(numbers, PackFiles(self.pieces, names), PACKED)
        chosen = self.frame.select(*map(_escaped, names))
        simply_named = chosen.toDF(*(f"c{number}" for number in range(len(names))))
        return mapped(simply_named, PackPartition(names), PACKED)


def open_table(source: Any) -> SparkTable:
    """Find a table.

    Parameters
    ----------
    source : Spark data frame, str, path or TableAt
        A text that is no path is the name of a table or view. A CSV file without a header has its names
        in `TableAt`; its delimiter is a comma, or a tab for ``.tsv``, unless that is said there.
    """
    columns = delimiter = None
    if isinstance(source, TableAt):
        columns, delimiter, source = source.columns, source.delimiter, source.location
    if is_spark_frame(source):
        return _described(Session.of_frame(source), source, "a Spark data frame")
    if not isinstance(source, str | os.PathLike):
        raise SourceError(
            f"an object of type {type(source).__name__}",
            "on the Spark engine it must be a Spark data frame, a table's name or a path",
            "Make it a Spark data frame, or choose another engine.",
        )
    session = Session.find()
    try:
        is_path = isinstance(source, os.PathLike)
        frame = _guarded(session, str(source), columns, delimiter, is_path=is_path)
        table = _described(session, frame, one_line(str(source)))
        is_text = _suffix(str(source)).endswith(_TEXT)
        if session.is_remote or is_text or not (is_path or _looks_like_path(str(source))):
            return table
        return replace(table, pieces=pieces_of(frame, table.schema, session.n_tasks))
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
    suffix, spark = _suffix(source), session.spark
    looks_like_path = is_path or _looks_like_path(source)
    if not looks_like_path and spark.catalog.tableExists(source):
        _refuse(columns, delimiter)
        return spark.table(source)
    if suffix.endswith(_TEXT):
        delimiter = delimiter or ("\t" if suffix.endswith(_TABS) else ",")
        return _read_text(session, source, columns, delimiter)
    _refuse(columns, delimiter)
    if looks_like_path:
        return spark.read.parquet(source)
    raise SourceError(
        source,
        "Spark knows no table of this name, and it does not look like a path",
        "Name a table, or a file or folder that ends in .parquet or .csv, or pass a Spark data frame.",
    )


def _suffix(source: str) -> str:
    return "".join(Path(source).suffixes).lower().removesuffix(".gz")


def _looks_like_path(source: str) -> bool:
    return "/" in source or os.sep in source or _suffix(source).endswith(_PARQUET + _TEXT)


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

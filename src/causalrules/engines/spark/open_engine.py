"""From a table that Spark can read to an engine that counts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.domain import Declared
from causalrules.domain.histogram import WEIGHT_UNIT
from causalrules.encode.column_roles import Roles
from causalrules.encode.columns import is_known
from causalrules.encode.outcome import check_outcome_type, guess_outcome
from causalrules.engines.holdout import HoldOut
from causalrules.engines.spark.driver_engine import DriverEngine, most_gathered
from causalrules.engines.spark.jobs import DividePartition, copies_together
from causalrules.engines.spark.records import ROW, CodePartition, with_keys
from causalrules.engines.spark.session import mapped
from causalrules.engines.spark.spark_engine import SparkEngine
from causalrules.engines.spark.spark_table import open_table
from causalrules.engines.spark.tallies import survey_packed
from causalrules.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa
    from pyspark.sql import DataFrame

    from causalrules.domain import Item
    from causalrules.domain.table_settings import TableSettings
    from causalrules.encode import RecordCoder, Vocabulary
    from causalrules.engines.spark.session import Session
    from causalrules.engines.spark.spark_table import SparkTable

    OnSpark = SparkEngine | DriverEngine


def open_spark(
    source: Any,
    outcome: str | Item,
    settings: TableSettings,
    *,
    n_parts: int | None = None,
    exposure: str = "",
) -> tuple[Vocabulary, OnSpark]:
    """Settle what the columns of a table on Spark become, and open the engine that counts it.

    The engine is to be closed: it keeps the coded records, and the Spark
    session if there was none before.

    Parameters
    ----------
    source : Spark data frame, str or path
        See `open_table`.
    outcome : str or Item
        ``column=value``.
    settings : TableSettings
        Which columns take part and how numbers become items.
    n_parts : int, optional
        See `SparkEngine`.
    exposure : str
        A hypothesis whose conditions become items of their columns.
    """
    table = open_table(source)
    try:
        known = Declared(source=table.source, is_untyped=table.is_untyped)
        return _opened(table, outcome, Roles(settings, known, exposure), n_parts)
    except BaseException:
        table.session.stop()
        raise


def _opened(
    table: SparkTable, outcome: str | Item, roles: Roles, n_parts: int | None
) -> tuple[Vocabulary, OnSpark]:
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
            coded = mapped(packed, code, ROW)
            engine = _engine_over(coded, table.session, vocabulary, roles.settings, n_parts)
        try:
            _check_whole({engine, engine.judge}, vocabulary)
        except BaseException:
            engine.close()
            raise
        return vocabulary, engine


def _engine_over(
    coded: DataFrame, session: Session, vocabulary: Vocabulary, settings: TableSettings, n_parts: int | None
) -> OnSpark:
    """The engine for coded records: in the driver's memory if the distinct ones fit."""
    most = most_gathered(vocabulary, settings)
    if vocabulary.summary.outcome.n_records <= most:
        return DriverEngine(coded, session, vocabulary, settings.threads)
    engine = SparkEngine(coded, session, vocabulary, n_parts)
    if engine.n_distinct > most:
        return engine
    try:
        return DriverEngine(engine.records, session, vocabulary, settings.threads)
    finally:
        engine.let_go()


def _divided(
    packed: DataFrame,
    coder: RecordCoder,
    session: Session,
    vocabulary: Vocabulary,
    settings: TableSettings,
    n_parts: int | None,
) -> OnSpark:
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
    engines: list[OnSpark] = []
    try:
        for number in range(2):
            half = mapped(kept.frame, DividePartition(first_item, holdout, number), ROW)
            engines.append(_engine_over(half, session, vocabulary, settings, n_parts))
    except BaseException:
        for engine in engines:
            engine.close()
        raise
    finally:
        kept.let_go()
    engines[0].judge = engines[1]
    return engines[0]


def _check_whole(engines: Iterable[OnSpark], vocabulary: Vocabulary) -> None:
    """Refuse a table whose records are not as many as when it was surveyed."""
    outcome = vocabulary.summary.outcome
    n_with, n_without = (sum(getattr(one, name) for one in engines) for name in ("n_with", "n_without"))
    if (n_with, n_without) != (outcome.n_with, outcome.n_without):
        raise EngineError(
            f"the table changed while it was read: {outcome.n_with:,} records with the outcome and "
            f"{outcome.n_without:,} without at first, then {n_with:,} and {n_without:,}. "
            "Mine a copy that stays as it is, or a cached data frame."
        )


def _check_weights(n_records: int, settings: TableSettings) -> None:
    """Refuse more records than weights of matched items can be added up for."""
    most = (1 << 63) // WEIGHT_UNIT
    if not settings.holds_columns and n_records >= most:
        raise EngineError(
            f"the table has {n_records:,} records; the balance of matched items can be added up for fewer "
            f"than {most:,}. Mine a sample."
        )


def _takes_part(name: str, outcome: Sequence[str], schema: pa.Schema, roles: Roles) -> bool:
    kind = schema.field(name).type
    if roles.settings.holdout and is_known(kind):  # all columns say who is held out
        return True
    is_asked = name in outcome or name in (roles.settings.group_column, roles.settings.weights)
    return is_asked or roles.why_not(name, kind) is None

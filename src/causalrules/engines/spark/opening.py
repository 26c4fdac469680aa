"""From anything that Spark can read to an engine that counts it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.domain import Declared
from causalrules.domain.notation import split_item
from causalrules.encode.outcome import outcome_values
from causalrules.encode.roles import Roles
from causalrules.engines.spark.engine import SparkEngine, no_distances
from causalrules.engines.spark.surveying import survey_packed
from causalrules.engines.spark.tables import SparkTable, open_table
from causalrules.errors import Setting, SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Item, Settings
    from causalrules.encode import Vocabulary


def open_spark(
    source: Any,
    outcome: str | Item,
    settings: Settings,
    declared: Declared | None = None,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    n_parts: int | None = None,
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
    """
    if settings.holdout:
        raise SettingsError.saying(
            "holdout",
            Setting("holdout", is_subject=True),
            " needs records in an order, which those of a Spark table have not. Leave it out, or use ",
            Setting("engine", "memory"),
            ".",
        )
    if settings.matching != "exact":
        raise no_distances()
    table = open_table(source, columns, delimiter)
    try:
        known = replace(declared or Declared(), source=table.source)
        return _opened(table, outcome, Roles(settings, known), n_parts)
    except BaseException:
        table.session.stop()
        raise


def _opened(
    table: SparkTable, outcome: str | Item, roles: Roles, n_parts: int | None
) -> tuple[Vocabulary, SparkEngine]:
    schema = table.schema
    roles.check(schema.names)
    asked, _ = split_item(outcome, schema.names, "outcome")
    nothing = pa.chunked_array([], schema.field(asked).type)
    outcome_values(asked, nothing, roles.settings.missing)  # refuses what cannot be an outcome
    names = [name for name in schema.names if _takes_part(name, asked, schema, roles)]
    with table.packed(names) as packed:
        vocabulary, coder = survey_packed(packed, table, outcome, roles)
        return vocabulary, SparkEngine(packed, table.session, vocabulary, coder, n_parts)


def _takes_part(name: str, asked: str, schema: pa.Schema, roles: Roles) -> bool:
    return name == asked or roles.why_not(name, schema.field(name).type) is None

"""Databases: DuckDB and SQLite files, and PostgreSQL by its address.

A query is run once, in a transaction that can only read, and its records
are handed over as a stream. It is the user's own and is passed on as it is.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa

from causalrules.errors import (
    CausalRulesError,
    MissingPackageError,
    SourceError,
    one_line,
    quoted,
)
from causalrules.errors.wording import did_you_mean
from causalrules.read.addresses import SERVERS, without_credentials

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from causalrules.read.table_at import TableAt

ROWS_A_BATCH = 1 << 16
POSTGRESQL = ("postgresql", "postgres")
_SECONDS_TO_CONNECT = 8
_SQLITE = b"SQLite format 3\0"
_LONGEST_REASON = 160
_TABLES = {
    "duckdb": "select table_name from information_schema.tables where table_schema = 'main' order by 1",
    "sqlite": "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'"
    " order by 1",
    "postgresql": "select table_name from information_schema.tables where table_schema = current_schema()"
    " order by 1",
}


@contextmanager
def open_database_file(path: Path, at: TableAt) -> Iterator[pa.RecordBatchReader]:
    """The records of a query or a table in a DuckDB or SQLite file."""
    with path.open("rb") as file:
        is_sqlite = file.read(len(_SQLITE)) == _SQLITE
    name = Path(at.location)
    kind = "SQLite" if is_sqlite else "DuckDB"
    told = _Told(name, f"the {kind} database", "Check the file, and --query or --table.")
    with told.explained():
        if is_sqlite:
            address = f"{path.resolve().as_uri()}?mode=ro"
            with closing(sqlite3.connect(address, uri=True)) as connection:
                connection.execute("pragma query_only = on")
                query = _query(name, at, "sqlite", lambda text: [row[0] for row in connection.execute(text)])
                yield told.stream(_sqlite_records(connection, query))
            return
        try:
            import duckdb
        except ImportError as error:
            raise MissingPackageError("a DuckDB file", "duckdb", "duckdb") from error
        with duckdb.connect(str(path), read_only=True) as opened:
            opened.execute("set enable_external_access = false")
            query = _query(
                name, at, "duckdb", lambda text: [row[0] for row in opened.execute(text).fetchall()]
            )
            selected = opened.sql(query)
            if selected is None:
                raise SourceError(name, "the query selects nothing", "Begin it with select.")
            yield told.stream(selected.to_arrow_reader(ROWS_A_BATCH))


def names_of_tables(path: Path) -> list[str]:
    """The tables of a DuckDB or SQLite file."""
    with path.open("rb") as file:
        is_sqlite = file.read(len(_SQLITE)) == _SQLITE
    if is_sqlite:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            return [row[0] for row in connection.execute(_TABLES["sqlite"])]
    import duckdb

    with duckdb.connect(str(path), read_only=True) as opened:
        return [row[0] for row in opened.execute(_TABLES["duckdb"]).fetchall()]


@contextmanager
def open_server(at: TableAt) -> Iterator[pa.RecordBatchReader]:
    """The records of a query or a table on a PostgreSQL server."""
    address = str(at.location)
    shown = without_credentials(address)
    scheme = address.partition(":")[0].lower()
    if scheme not in POSTGRESQL:
        raise SourceError(
            shown,
            f"{scheme} is not read by its address",
            "In Python, hand over what its ADBC driver fetches: mine(cursor.fetch_record_batch(), …).",
        )
    _check_address(address, shown)
    try:
        from adbc_driver_postgresql import dbapi
    except ImportError as error:
        raise MissingPackageError("a PostgreSQL database", "adbc-driver-postgresql", "sql") from error

    remedy = "Check the address, the query and what you may read."
    told = _Told(shown, "the server", remedy, _secrets(address))
    with (
        told.explained(),
        dbapi.connect(_with_timeout(address)) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("set session characteristics as transaction read only")
        connection.commit()

        def listed(text: str) -> list[str]:
            with connection.cursor() as asking:
                asking.execute(text)
                return [row[0] for row in asking.fetchall()]

        cursor.execute(_query(shown, at, "postgresql", listed))
        yield told.stream(cursor.fetch_record_batch())


def is_database_address(address: str) -> bool:
    """Whether an address is that of a database server."""
    return address.partition(":")[0].lower() in SERVERS


def _query(name: object, at: TableAt, kind: str, listed: Callable[[str], list[str]]) -> str:
    """What is asked for; without a word from the user, the only table that there is."""
    if at.query is not None:
        return at.query
    if at.table is not None:
        if kind != "postgresql":  # there a search path may lead to tables that are not listed
            _check_table(name, at.table, listed(_TABLES[kind]))
        return f"select * from {_quoted_table(at.table)}"  # noqa: S608 - quoted # nosec B608
    tables = listed(_TABLES[kind])
    if len(tables) == 1:
        return f"select * from {_quoted_table(tables[0], may_have_schema=False)}"  # noqa: S608 - quoted # nosec B608
    if not tables:
        raise SourceError(name, "it is a database without tables", "Choose another one.")
    some = ", ".join(map(quoted, tables[:8])) + (", …" if len(tables) > 8 else "")
    problem = f"it is a database with {len(tables)} tables: {some}"
    raise SourceError(name, problem, "Choose one with --table, or write a --query.")


def _check_table(name: object, asked: str, tables: list[str]) -> None:
    """Refuse a table that is not there; one with a schema before a point is the database's to find."""
    if "." not in asked and asked.casefold() not in map(str.casefold, tables):
        near = did_you_mean(asked, tables, else_list=True).removeprefix(".").strip()
        raise SourceError(name, f"it has no table {quoted(asked)}", near or "Choose another one.")


def _quoted_table(name: str, *, may_have_schema: bool = True) -> str:
    """A table's name in SQL, with its schema before a point."""
    parts = name.split(".") if may_have_schema else [name]
    return ".".join('"' + part.strip('"').replace('"', '""') + '"' for part in parts)


def _sqlite_records(connection: sqlite3.Connection, query: str) -> pa.RecordBatchReader:
    """Records of a query; a column in which values are of several kinds is text.

    SQLite has types of values, not of columns, so a column's type is known
    only at the end. The ADBC driver settles it by the first thousand records and
    fails on a later one that is different; two passes in one transaction do not.
    """
    connection.execute("begin")
    cursor = connection.execute(query)
    if cursor.description is None:
        raise sqlite3.ProgrammingError("the query selects nothing")
    names = [about[0] for about in cursor.description]
    kinds: list[set[type]] = [set() for _ in names]
    while rows := cursor.fetchmany(ROWS_A_BATCH):
        for seen, column in zip(kinds, zip(*rows, strict=True), strict=True):
            seen.update(map(type, column))
    types = [_sqlite_type(seen - {type(None)}) for seen in kinds]

    def batches() -> Iterator[pa.RecordBatch]:
        again = connection.execute(query)
        while rows := again.fetchmany(ROWS_A_BATCH):
            columns = [
                pa.array(column if kind != pa.string() else [_as_text(value) for value in column], kind)
                for column, kind in zip(zip(*rows, strict=True), types, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)

    schema = pa.schema(list(zip(names, types, strict=True)))
    return pa.RecordBatchReader.from_batches(schema, batches())


def _sqlite_type(kinds: set[type]) -> pa.DataType:
    if kinds == {int}:
        return pa.int64()
    if kinds and kinds <= {int, float}:
        return pa.float64()
    return pa.binary() if kinds == {bytes} else pa.string()


def _as_text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _check_address(address: str, shown: str) -> None:
    """Refuse an address that is not understood, before the driver does so and shows pieces of it."""
    rest = address.partition("://")[2]
    place = re.split(r"[/?#]", rest)[0]
    hosts = place.rpartition("@")[2]
    if "@" in rest[len(place) :] or not re.fullmatch(_HOSTS, hosts):
        problem = "its address is not understood"
        remedy = "Write it like postgresql://user:password@host:5432/database, with %2F for / in a password."
        raise SourceError(shown, problem, remedy)


_HOST = r"(?:\[[0-9a-fA-F:.%]+\]|[^:,\[\]@]*)(?::\d+)?"
_HOSTS = rf"{_HOST}(?:,{_HOST})*"


def _with_timeout(address: str) -> str:
    """The address with a limit to the time that connecting may take, unless it has one."""
    if "connect_timeout" in address:
        return address
    return f"{address}{'&' if '?' in address else '?'}connect_timeout={_SECONDS_TO_CONNECT}"


def _secrets(address: str) -> tuple[str, ...]:
    """What must never be shown: the password, as it is written and as it is meant."""
    try:
        parts = urlsplit(address)
        found = [parts.password or "", *re.findall(r"password=([^&#]*)", parts.query)]
    except ValueError:
        found = re.findall(r"://[^/@]*:([^/]*)@", address)
    return tuple(secret for one in found if one for secret in (one, unquote(one)))


@dataclass(frozen=True, slots=True)
class _Told:
    """The error for a failure of a database: one sentence without credentials."""

    name: object
    what: str
    remedy: str
    secrets: tuple[str, ...] = ()

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Explain a failure of what is done inside."""
        try:
            yield
        except (CausalRulesError, MemoryError):
            raise
        except Exception as error:  # each driver has errors of its own
            if not _is_of_a_driver(error):
                raise
            reason = _reason(str(error))
            for secret in sorted(self.secrets, key=len, reverse=True):
                reason = reason.replace(secret, "***")
            problem = f"{self.what} says: {reason[:_LONGEST_REASON]}"
            # Without the original error, whose text may hold what must not be shown.
            raise SourceError(self.name, problem, self.remedy) from None

    def stream(self, records: pa.RecordBatchReader) -> pa.RecordBatchReader:
        """The records, with failures on the way told as those of the database, not of who takes them."""

        def batches() -> Iterator[pa.RecordBatch]:
            with self.explained():
                yield from records

        return pa.RecordBatchReader.from_batches(records.schema, batches())


def _reason(text: str) -> str:
    """What a database says went wrong, without what its driver says before and after it."""
    text = re.sub(r"\w+://\S+", "…", " ".join(text.split()))  # a driver may repeat the address
    told = re.search(r"(?:ERROR|FATAL):\s+(.*)", text)
    text = re.split(r"\s+(?:SQLSTATE:|LINE \d+:)|\. SQLSTATE", told[1] if told else text)[0]
    text = re.sub(r"^\w+: \[libpq\] (?:Failed to connect: )?", "", text).partition(" Is the server running")[
        0
    ]
    return one_line(re.sub(r"! (?=[A-Z])", ". ", text.rstrip(".! ")).removesuffix("?"))


def _is_of_a_driver(error: Exception) -> bool:
    module = type(error).__module__.partition(".")[0]
    is_known = isinstance(error, pa.ArrowException | OSError)
    return is_known or module in ("sqlite3", "duckdb", "_duckdb", "adbc_driver_manager")

"""Addresses of tables elsewhere, and what of them may be shown."""

from __future__ import annotations

import re

SERVERS = (
    *("postgresql", "postgres", "mysql", "mariadb", "snowflake", "bigquery", "mssql", "oracle", "redshift"),
    *("databricks", "clickhouse", "mongodb"),
)
"""Schemes of database servers."""

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)


def is_address(location: object) -> bool:
    """Whether a location is an address (``s3://…``) and no path.

    Examples
    --------
    >>> is_address("s3://bucket/table.parquet"), is_address("C:/table.csv"), is_address("table.csv")
    (True, False, False)
    """
    return isinstance(location, str) and _ADDRESS.match(location) is not None


def without_credentials(address: str) -> str:
    """An address as it may be shown and saved: without user, password and parameters.

    Examples
    --------
    >>> without_credentials("postgresql://ann:secret@db.example.org:5433/trial?sslpassword=x")
    'postgresql://db.example.org:5433/trial'
    >>> without_credentials("s3://key:secret@bucket/table.csv?region=eu-west-1")
    's3://bucket/table.csv'
    >>> without_credentials("postgresql://ann:se/cr?et@db/trial")
    'postgresql://db/trial'
    """
    scheme, _, rest = address.partition("://")
    place = re.split(r"[/?#]", rest)[0]
    # A password with a sign that should have been escaped ends the place too early: then all
    # before the last @ is left out, since too little shown is better than too much.
    is_cut = "@" in rest and "@" not in place and (scheme.lower() in SERVERS or ":" in place)
    if is_cut or scheme.lower() in SERVERS:
        rest = rest.rpartition("@")[2]
    elif "@" in place:
        rest = place.rpartition("@")[2] + rest[len(place) :]
    return f"{scheme}://{re.split(r'[?#]', rest)[0]}"

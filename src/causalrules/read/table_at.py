"""Where a table is, and how it is written there."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from typing import Literal, get_args

from causalrules.errors import SettingsError
from causalrules.read.addresses import is_address, without_credentials

BadLines = Literal["error", "skip"]
Labels = Literal["all", "values", "none"]
_MOST_SKIPPED = 1000


@dataclass(frozen=True, slots=True, repr=False)
class TableAt(os.PathLike[str]):
    r"""A table at a path or an address, and what must be known to read it.

    Parameters
    ----------
    location : str or path
        A file, a folder of Parquet files, a pattern such as ``'visits/*.csv'``, or an
        address: ``s3://``, ``gs://``, ``abfss://``, ``hdfs://``, ``https://``, ``postgresql://``.
    columns : tuple of str, optional
        Names for a text file without a header.
    delimiter : str, optional
        Of a text file; found by itself when not given.
    sheet : str, optional
        Of a workbook: its name, or its number from 1; the first when not given.
    skip_rows : int
        Lines of a text file, or rows of a sheet, above the one with the names: titles, dates, remarks.
    query, table : str, optional
        Of a database: what to select, or the table to read whole.
    bad_lines : {'error', 'skip'}
        What becomes of a line of text with too many or too few values.
    decimal, thousands : str
        The signs in the numbers of a text file, as in ``1.234,5``.
    day_first : bool
        Dates in a text file are written like ``31.12.2024`` or ``31/12/2024``.
    labels : {'all', 'values', 'none'}
        Which labels of an SPSS, Stata or SAS file take the place of names and codes.

    Examples
    --------
    >>> TableAt("visits.xlsx", sheet="Baseline")
    TableAt('visits.xlsx', sheet='Baseline')
    >>> TableAt("visits.csv", decimal=",", thousands=",")
    Traceback (most recent call last):
    ...
    causalrules.errors.SettingsError: thousands must be another sign than decimal; it is ','.
    """

    location: str | os.PathLike[str]
    columns: tuple[str, ...] | None = None
    delimiter: str | None = None
    sheet: str | None = None
    query: str | None = None
    table: str | None = None
    bad_lines: BadLines = "error"
    decimal: str = "."
    thousands: str = ""
    day_first: bool = False
    labels: Labels = "all"
    skip_rows: int = 0

    def __post_init__(self) -> None:
        for name, choices in (("bad_lines", get_args(BadLines)), ("labels", get_args(Labels))):
            if getattr(self, name) not in choices:
                listed = f"{', '.join(choices[:-1])} or {choices[-1]}"
                raise SettingsError(name, listed, getattr(self, name))
        if not isinstance(self.skip_rows, int) or not 0 <= self.skip_rows <= _MOST_SKIPPED:
            raise SettingsError("skip_rows", f"a whole number from 0 to {_MOST_SKIPPED:,}", self.skip_rows)
        if self.decimal not in (".", ","):
            raise SettingsError("decimal", "a point or a comma", self.decimal)
        if self.thousands not in ("", ".", ",", " ", "'", "_"):
            raise SettingsError("thousands", "a point, a comma, a space or an apostrophe", self.thousands)
        if self.thousands == self.decimal:
            raise SettingsError("thousands", "another sign than decimal", self.thousands)
        if self.query is not None and self.table is not None:
            raise SettingsError("table", "left out where a query is given", self.table)

    def __fspath__(self) -> str:
        return os.fspath(self.location)

    def __str__(self) -> str:
        """Where it is, without credentials."""
        return without_credentials(str(self.location)) if is_address(self.location) else str(self.location)

    def __repr__(self) -> str:
        said = [
            f"{one.name}={getattr(self, one.name)!r}"
            for one in fields(self)[1:]
            if getattr(self, one.name) != one.default
        ]
        return f"TableAt({', '.join([repr(str(self)), *said])})"

    @property
    def said(self) -> dict[str, str]:
        """What was said about how the table is written, to be said again; a query is the user's own.

        Examples
        --------
        >>> TableAt("lots.xlsx", sheet="Q3").said
        {'sheet': 'Q3'}
        """
        return {
            one.name: str(getattr(self, one.name))
            for one in fields(self)
            if one.name not in ("location", "columns", "query") and getattr(self, one.name) != one.default
        }

    def refuse_all_but(self, kind: str, *fitting: str) -> None:
        """Refuse what was said but says nothing about this kind of source."""
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("location", "delimiter", *fitting) or value == field.default:
                continue
            if field.name == "columns":
                asked = f"left out for {kind}, which has names of its own"
                raise SettingsError("columns", asked, list(value))
            raise SettingsError(field.name, f"left out for {kind}, where it means nothing", value)

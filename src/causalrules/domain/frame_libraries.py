"""Data frames of the library that a user works with; only that library has to be installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from causalrules.errors import MissingPackageError, SettingsError

if TYPE_CHECKING:
    import pyarrow as pa

Library = Literal["pandas", "polars", "arrow"]

LIBRARIES: tuple[Library, ...] = ("pandas", "polars", "arrow")


def in_library(table: pa.Table, library: Library) -> Any:
    """An Arrow table as a data frame of a library.

    Parameters
    ----------
    table : pyarrow.Table
        What the frame is to hold.
    library : {'pandas', 'polars', 'arrow'}
        Whose frame it is.

    Examples
    --------
    >>> import pyarrow as pa
    >>> in_library(pa.table({"a": [1, 2]}), "polars").height
    2
    """
    if library not in LIBRARIES:
        raise SettingsError.choice("library", LIBRARIES, library)
    if library == "arrow":
        return table
    try:
        if library == "pandas":
            return table.to_pandas()
        import polars
    except ImportError as error:
        what = {"pandas": "a pandas data frame", "polars": "a Polars data frame"}[library]
        instead = "Or ask for library='arrow', which needs nothing more."
        raise MissingPackageError(what, library, library, instead) from error
    return polars.from_arrow(table)

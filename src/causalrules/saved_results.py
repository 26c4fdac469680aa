"""Results that were saved, of whatever method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.domain.result import Result
from causalrules.domain.result_files import SCHEMA, SCHEMA_OF_ITEMS, read_as, read_entry, schema_in

if TYPE_CHECKING:
    import os

    from causalrules.paper.result import PaperResult


def load(path: str | os.PathLike[str]) -> Result | PaperResult:
    """Read a result that was saved, of this version or an earlier one.

    Parameters
    ----------
    path : str or path
        What ``save`` or ``--json`` wrote.

    Returns
    -------
    Result or PaperResult
        Whichever the file holds.

    Examples
    --------
    >>> import tempfile
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> result = causalrules.paper.mine(patients, "ill=yes", max_length=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result.save(f"{folder}/result.json")
    ...     causalrules.load(f"{folder}/result.json") == result
    True
    """
    entry = read_entry(path)
    schema = schema_in(entry)
    return read_as(result_in, entry, path, schema if schema in (SCHEMA, SCHEMA_OF_ITEMS) else SCHEMA)


def result_in(entry: dict[str, Any]) -> Result | PaperResult:
    """The result that an entry of a file holds."""
    if schema_in(entry) == SCHEMA_OF_ITEMS:
        from causalrules.paper.result import PaperResult

        return PaperResult.from_dict(entry)
    return Result.from_dict(entry)

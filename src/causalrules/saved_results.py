"""Results that were saved, of whatever method."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from causalrules.domain.plain_settings import PlainSettings
from causalrules.domain.result import Result
from causalrules.domain.result_files import SCHEMA, SCHEMA_OF_ITEMS, read_as, read_entry, schema_in
from causalrules.errors import ResultFileError, one_line

if TYPE_CHECKING:
    import os

    from causalrules.paper.result import PaperResult
    from causalrules.words.result import Result as PlainResult

SCHEMA_OF_FACTORS = "causalrules/3"
"""What the method of one study a column writes."""


def load(path: str | os.PathLike[str]) -> Result | PaperResult | PlainResult:
    """Read a result that was saved, of this version or an earlier one.

    Parameters
    ----------
    path : str or path
        What ``save`` or ``--json`` wrote.

    Returns
    -------
    Result, PaperResult or words.Result
        Whichever the file holds; the last is what ``method="plain"`` finds.

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
    newer = re.fullmatch(r"causalrules/(\d{1,9})", str(schema))
    if newer and int(newer[1]) > int(SCHEMA_OF_FACTORS.rpartition("/")[2]):
        raise ResultFileError(
            f"{one_line(str(path))} was written by a later version (schema {schema!r}); "
            "update causalrules to read it."
        )
    known = (SCHEMA, SCHEMA_OF_ITEMS, SCHEMA_OF_FACTORS)
    return read_as(result_in, entry, path, schema if schema in known else SCHEMA)


def result_in(entry: dict[str, Any]) -> Result | PaperResult | PlainResult:
    """The result that an entry of a file holds."""
    schema = schema_in(entry)
    if schema == SCHEMA_OF_ITEMS:
        from causalrules.paper.result import PaperResult

        return PaperResult.from_dict(entry)
    if schema == SCHEMA_OF_FACTORS:
        from causalrules.words.result_files import from_entry

        return from_entry(entry)
    return Result.from_dict(entry)


def is_plain(result: Any) -> bool:
    """Whether a result is of the method of one study a column."""
    return getattr(result, "schema", None) == SCHEMA_OF_FACTORS


class Asked(NamedTuple):
    """What a run before was asked: settings, outcome, hypothesis if it was one, how its table is written."""

    settings: Any
    outcome: str
    exposure: str | None
    read_as: tuple[Any, ...] = ()


def asked_in(result: Any) -> Asked:
    """The question that a result answers."""
    if is_plain(result):
        is_test = result.question == "test" and len(result.findings) == 1
        exposure = result.findings[0].name if is_test else None
        return Asked(PlainSettings.from_dict(result.settings), result.data.outcome.name, exposure)
    one = result.tested[0].name if len(result.tested) == 1 else None
    return Asked(result.settings, result.data.outcome.asked, one, result.data.read_as)

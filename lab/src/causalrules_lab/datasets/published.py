"""The paper's eight data sets: where they are published, what is in them, and how to tell the right file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from causalrules.errors import UnknownDataSetError

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
"""The UCI Machine Learning Repository; its data sets are licensed CC BY 4.0."""


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """One file of a data set.

    Parameters
    ----------
    name : str
        As it is published.
    bytes : int
        Its size.
    sha256 : str
        Computed from a copy whose records and classes agree with the paper's table.
    is_confirmed : bool
        Other public projects state the same checksum for the published file.
        Without that, a different checksum may mean that the copy, not what
        was fetched, is the odd one. (For kr-vs-kp.data one project,
        UCIData.jl, states another: 70a5540902b4….)
    """

    name: str
    bytes: int
    sha256: str
    is_confirmed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSetInfo:
    """What is known about a data set before it is fetched.

    Parameters
    ----------
    name, about : str
        Its name here, and a few words.
    folder : str
        Below `UCI`.
    files : tuple of PublishedFile
        Put below one another they are the table.
    separator : str
        Between the values of a record.
    columns : tuple of str
        In the order of the files, which have no header.
    numbers : tuple of str
        Columns of numbers (and weights).
    outcome : str
        As ``column=value``.
    rows : int
        Records in all files.
    cuts_numbers : bool
        The paper cut the numbers into intervals instead of leaving them out.
        (It says so of Hypothyroid and Sick; of German its number of items does.)
    """

    name: str
    about: str
    folder: str
    files: tuple[PublishedFile, ...]
    separator: str
    columns: tuple[str, ...]
    numbers: tuple[str, ...]
    outcome: str
    rows: int
    cuts_numbers: bool = False

    @property
    def outcome_column(self) -> str:
        """The column of the outcome."""
        return self.outcome.partition("=")[0]

    @property
    def nominal(self) -> tuple[str, ...]:
        """Columns of categories, also where these look like numbers, without that of the outcome."""
        left_out = {*self.numbers, self.outcome_column}
        return tuple(column for column in self.columns if column not in left_out)


@cache
def catalogue() -> dict[str, DataSetInfo]:
    """All data sets by name.

    Examples
    --------
    >>> sorted(catalogue())[:3]
    ['adult', 'census-income', 'german']
    """
    entries = json.loads(
        files("causalrules_lab.datasets").joinpath("catalogue.json").read_text(encoding="utf-8")
    )
    return {
        entry["name"]: DataSetInfo(
            name=entry["name"],
            about=entry["about"],
            folder=entry["folder"],
            files=tuple(PublishedFile(**file) for file in entry["files"]),
            separator=entry["separator"],
            columns=tuple(entry["columns"]),
            numbers=tuple(entry["numbers"]),
            outcome=entry["outcome"],
            rows=entry["rows"],
            cuts_numbers=entry.get("cuts_numbers", False),
        )
        for entry in entries
    }


def info(name: str) -> DataSetInfo:
    """One entry of the catalogue.

    Examples
    --------
    >>> info("adult").outcome, info("adult").rows
    ('income=>50K', 48842)
    >>> info("sick").cuts_numbers
    True
    """
    known = catalogue()
    if name not in known:
        raise UnknownDataSetError(name, list(known))
    return known[name]

"""The result of a run: one object is the truth, everything that is shown is a view of it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from causalrules.words.findings import Finding, Note

SCHEMA: Literal["causalrules/3"] = "causalrules/3"


class OutcomeFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked about.

    Parameters
    ----------
    name : str
        As the user wrote it, ``income=>50K``; of a mean the column.
    column : str
    kind : {'event', 'mean'}
    with_it : int
        Records with the event; of a mean 0.
    mean : float
        Share of records with the event, or the mean.
    spread : float
        Standard deviation of the outcome.
    """

    name: str
    column: str
    kind: Literal["event", "mean"]
    with_it: int
    mean: float
    spread: float


class ColumnFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One column of the table."""

    name: str
    kind: Literal["category", "ordered", "number", "date", "left out", "cluster", "weight"]
    notes: tuple[Note, ...] = ()


class DataFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the table was.

    Parameters
    ----------
    source : str
    records : int
        All of the table.
    used : int
        Those whose outcome is known.
    """

    source: str
    records: int
    used: int
    outcome: OutcomeFacts
    columns: tuple[ColumnFacts, ...]


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a run found, in the order of the answer.

    Parameters
    ----------
    question : {'mine', 'test'}
    settings : dict
        What was asked, by the names of the options; only what differs from the defaults.
    knowledge : dict
        What the user said about columns: before, after, tiers, …
    notes : tuple of Note
        Of the whole table: leaks set aside, repeated records, follow-up.
    findings : tuple of Finding
        Every factor that was looked at, whatever its verdict.
    """

    schema: Literal["causalrules/3"] = SCHEMA
    version: str
    created: str
    question: Literal["mine", "test"]
    settings: dict[str, Any]
    knowledge: dict[str, Any]
    seed: int
    data: DataFacts
    notes: tuple[Note, ...]
    findings: tuple[Finding, ...]
    timings: dict[str, float]

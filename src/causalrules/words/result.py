"""The result of a run: one object is the truth, everything that is shown is a view of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from causalrules.errors import UnknownFactorError
from causalrules.words.findings import Finding, Level, Note

if TYPE_CHECKING:
    import os

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

    def __str__(self) -> str:
        return self.name


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

    @property
    def causes(self) -> tuple[Finding, ...]:
        """What is called a cause, in the order of the answer."""
        return tuple(finding for finding in self.findings if finding.is_cause)

    @property
    def interrupted(self) -> bool:
        """Whether the run was cut short: it is whole or not at all."""
        return False

    def __getitem__(self, factor: str) -> Finding:
        """What was found of a column, of columns that act together, or of a pattern.

        Parameters
        ----------
        factor : str
            ``"age"``, ``"sex & age"`` in any order, or a pattern as it was asked about.
        """
        wanted = _spelled(factor)
        for finding in self.findings:
            if any(wanted in (_spelled(one.pattern), _spelled(one.name)) for one in finding.factors):
                return finding
        known = [one.name for finding in self.findings for one in finding.factors]
        raise UnknownFactorError(factor, known, lacks=self._why_left_out(factor))

    def _why_left_out(self, column: str) -> str:
        """What is said of a column that takes no part; empty of what is no column."""
        from causalrules.report.answer.sentences import why_left_out

        if column == self.data.outcome.column:
            return "is the outcome"
        of = [one for one in self.data.columns if one.name == column and one.kind == "left out"]
        return why_left_out([note for one in of for note in one.notes]) if of else ""

    def effect(self, factor: str, level: str | float, against: str | float | None = None) -> Level:
        """A level of a factor compared with any other, or with the reference.

        Parameters
        ----------
        factor : str
        level : str or float
            Its name; of a number any value in it.
        against : str or float, optional
            The level to compare it with; the reference by default.

        Returns
        -------
        Level
            Its ``difference``, ``ratio`` and ``odds_ratio`` are to `against`.
        """
        from causalrules.words.compare_levels import compared

        effect = self[factor].effect
        if effect is None:
            known = [one.name for finding in self.findings for one in finding.factors if finding.effect]
            raise UnknownFactorError(factor, known, lacks="was not studied, so it has no effect")
        confidence = float(self.settings.get("confidence", 0.95))
        return compared(factor, effect, level, effect.reference if against is None else against, confidence)

    def to_frame(self, library: Literal["pandas", "polars", "arrow"] = "pandas") -> Any:
        """All findings as a data frame, one row a level; one row for what has no levels."""
        from causalrules.interchange.level_frames import frame_of

        return frame_of(self, library)

    def answer(self, *, everything: bool = False) -> str:
        """What the terminal shows: one screen, or everything that was found."""
        from causalrules.report.answer.one_screen import answer_lines, plain_text

        return plain_text(answer_lines(self, everything=everything))

    def card(self, factor: str) -> str:
        """All that is known of one factor, as ``causalrules show`` prints it."""
        from causalrules.report.answer.card import card_lines
        from causalrules.report.answer.one_screen import plain_text

        return plain_text(card_lines(self, self[factor]))

    def to_json(self) -> str:
        """The text of the file that `save` writes."""
        from causalrules.words.result_files import to_json

        return to_json(self)

    def to_dict(self) -> dict[str, Any]:
        """What the file holds, as dictionaries and lists."""
        entry: dict[str, Any] = msgspec.json.decode(self.to_json())
        return entry

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON, for ``causalrules.load``; the file appears whole or not at all."""
        from causalrules.files.whole_file import whole_file

        with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
            file.write(self.to_json())

    def __str__(self) -> str:
        return self.answer()

    def __repr__(self) -> str:
        return self.answer()

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self.answer())}</pre>"


def _spelled(name: str) -> tuple[str, ...]:
    """A factor's name as it is compared: parts in any order, without spaces around them."""
    return tuple(sorted(part.strip() for part in name.split("&"))) if name else ()

"""What a reader must know first of the columns, gathered while each of them is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.domain.missing_values import of_column
from causalrules.encode.column_kinds import infinite_numbers
from causalrules.encode.missing_words import words_for_missing
from causalrules.encode.observation_time import times_of_observation
from causalrules.encode.suspected_missing import SuspectedMissing, listed

if TYPE_CHECKING:
    from causalrules.encode.codes import Coding, FineBins
    from causalrules.encode.column_kinds import Roles
    from causalrules.encode.tally import Tally


class ColumnNotes:
    """Gathers notes on columns.

    Parameters
    ----------
    roles : Roles
        What the user and the source say of them.
    """

    def __init__(self, roles: Roles) -> None:
        self._roles = roles
        self._single: list[str] = []
        self._declared: list[str] = []
        self._suspected = SuspectedMissing(roles.settings.missing)

    def add(self, name: str, tally: Tally, coding: Coding | str, fine: FineBins | None) -> None:
        """Look at a column that is tested, or adjusted for."""
        self._single += words_for_missing(name, tally, self._roles)
        self._single += infinite_numbers(name, tally, coding, fine, self._roles)
        self._single += times_of_observation(name, tally, self._roles)
        self._add_missing(name, tally)

    def add_outcome(self, name: str, tally: Tally, *, is_whole: bool) -> None:
        """Look at a column of the outcome; codes of one of several are not asked about."""
        self._add_missing(name, tally, is_suspected=is_whole)

    def _add_missing(self, name: str, tally: Tally, *, is_suspected: bool = True) -> None:
        for text in of_column(self._roles.settings.missing, name):
            count = tally.absent.get(text, 0)
            rows = "row" if self._roles.settings.frequencies else "record"
            told = f"{count:,} {rows}{'s' * (count > 1)}" if count else f"no {rows}"
            self._declared.append(f"{text} in {name} ({told})")
        if is_suspected and self._roles.settings.controls == "auto":
            self._suspected.add(name, tally)

    def notes(self) -> list[str]:
        """All of them."""
        said = [f"Missing, as you said: {listed(self._declared)}."] if self._declared else []
        return [*said, *self._single, *self._suspected.notes()]

"""What a reader must know first of the columns, gathered while each of them is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.missing_values import missing_in, of_column
from causalrules.domain.sentences import listed
from causalrules.encode.column_codings import Categories
from causalrules.encode.column_kinds import infinite_numbers
from causalrules.encode.joined_values import told
from causalrules.encode.missing_words import words_for_missing
from causalrules.encode.nearly_numbers import nearly_numbers, on_decimal_commas
from causalrules.encode.observation_time import times_of_observation
from causalrules.encode.spellings import Spellings
from causalrules.encode.suspected_missing import MOST_NAMED, SuspectedMissing
from causalrules.encode.suspected_weights import asks_for_weights
from causalrules.encode.values import as_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from causalrules.domain.pattern_grammar import Condition
    from causalrules.encode.column_codings import Coding, FineBins
    from causalrules.encode.column_kinds import Roles
    from causalrules.encode.outcome import OutcomeValue
    from causalrules.encode.tally import Tally

_SECONDS_A_DAY, _FEWEST_DAYS, _FEWEST_WEEKDAYS = 86_400, 28, 5


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
        self._dates: list[str] = []
        self._joined: list[str] = []
        self._commas: dict[str, str] = {}
        self._suspected = SuspectedMissing(roles.settings.missing)
        self._spellings = Spellings(roles.settings.missing, roles.settings.max_values)
        self.nearly_numbers: set[str] = set()

    def add(
        self,
        name: str,
        tally: Tally,
        coding: Coding | str,
        fine: FineBins | None,
        asked: Sequence[Condition] = (),
        joins: Sequence[Condition] = (),
    ) -> None:
        """Look at a column that is tested, or adjusted for, perhaps by conditions or with joined values."""
        with_comma, nearly = nearly_numbers(name, tally, self._roles)
        if with_comma:
            self._commas[name] = with_comma
        if with_comma or nearly:
            self.nearly_numbers.add(name)
        self._single += nearly
        self._single += words_for_missing(name, tally, self._roles)
        self._single += infinite_numbers(name, tally, coding, fine, self._roles)
        if fine is not None and has_weekdays(tally):
            self._dates.append(name)
        self._single += times_of_observation(name, tally, self._roles)
        called = (name, self._roles.declared.names.get(name, name))
        self._single += asks_for_weights(called, tally, self._roles.settings)
        if isinstance(coding, Categories) and self._roles.settings.controls == "auto":
            self._spellings.add(name, tally, asked)
        if joins and isinstance(coding, Categories):
            missing = missing_in(self._roles.settings.missing, name)
            self._joined += told(joins, Categories.of(tally, missing))
        # What is no number among numbers was asked about already.
        self._add_missing(name, tally, is_suspected=name not in self.nearly_numbers)

    def add_spellings(self, outcome: OutcomeValue, tallies: Mapping[str, Tally]) -> None:
        """Look at how the outcome's values are written, in each column that it is made of."""
        if self._roles.settings.controls == "auto":
            self._spellings.add_outcome(outcome, tallies)

    def add_outcome(self, name: str, tally: Tally, *, are_values_named: bool) -> None:
        """Look at a column of the outcome; where several of its values are named, codes may be among them."""
        self._add_missing(name, tally, is_suspected=not are_values_named)

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
        said = [f"Missing, as you said: {listed(self._declared, MOST_NAMED)}."] if self._declared else []
        joined = [f"Joined, as you said: {'; '.join(self._joined)}."] if self._joined else []
        return [
            *self._spellings.notes(),
            *said,
            *joined,
            *on_decimal_commas(self._commas, is_text_file=self._roles.declared.is_untyped),
            *self._single,
            *self._suspected.notes(),
            *self._on_weekdays(),
        ]

    def _on_weekdays(self) -> list[str]:
        if not self._dates:
            return []
        are_dates, their = ("is a date", "its") if len(self._dates) == 1 else ("are dates", "their")
        return [
            f"{listed(self._dates, MOST_NAMED)} {are_dates}: studies adjust for {their} course over time, "
            "not for the day of the week. If that may matter, add it as a column of its own."
        ]


def has_weekdays(tally: Tally) -> bool:
    """Whether a column has dates that fall on most days of the week, over some weeks."""
    numbers = as_numbers(tally.values)
    if numbers is None or not numbers.are_dates:
        return False
    days = np.unique(numbers.values[(tally.counts > 0) & ~np.isnan(numbers.values)] // _SECONDS_A_DAY)
    spans_weeks = len(days) > 0 and days[-1] - days[0] >= _FEWEST_DAYS
    return bool(spans_weeks and len(np.unique(days % 7)) >= _FEWEST_WEEKDAYS)

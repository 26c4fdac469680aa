"""What a reader must know first of the columns, gathered while each of them is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.missing_values import missing_in, of_column
from causalrules.domain.sentences import counted, listed
from causalrules.encode.clusters_of_records import RepeatedIdentifiers
from causalrules.encode.column_codings import Bins, Categories
from causalrules.encode.joined_values import joined_in_words
from causalrules.encode.mostly_numeric import mostly_numeric, on_decimal_commas
from causalrules.encode.observation_time import times_of_observation
from causalrules.encode.spellings import Spellings
from causalrules.encode.suspected_missing import MOST_NAMED, SuspectedMissing, words_for_missing
from causalrules.encode.suspected_weights import asks_for_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from causalrules.domain.pattern_grammar import Condition
    from causalrules.encode.column_codings import Coding, FineBins
    from causalrules.encode.column_roles import Roles
    from causalrules.encode.columns import Batch
    from causalrules.encode.outcome import OutcomeValue
    from causalrules.encode.tally import Tally

_SECONDS_A_DAY, _FEWEST_DAYS, _FEWEST_WEEKDAYS = 86_400, 28, 5


class ColumnNotes:
    """Gathers notes on columns, and finds those by whose values records may belong together.

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
        self._cut_here: list[str] = []
        self._commas: dict[str, str] = {}
        self._suspected = SuspectedMissing(roles.settings.missing)
        self._spellings = Spellings(roles.settings.missing, roles.settings.max_values)
        self._repeats = RepeatedIdentifiers()

    def look_at(self, batch: Batch) -> None:
        """Take rows of a batch into account, by which it is judged whether records belong together."""
        self._repeats.look_at(batch)

    def look_later(self, rows: Callable[[], Iterable[Batch]]) -> None:
        """Where rows can be had of parts that were counted elsewhere; see `RepeatedIdentifiers`."""
        self._repeats.look_later(rows)

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
        settings = self._roles.settings
        with_comma, nearly = mostly_numeric(name, tally, self._roles)
        is_nearly = bool(with_comma or nearly)
        if with_comma:
            self._commas[name] = with_comma
        self._single += nearly
        self._single += words_for_missing(name, tally, self._roles)
        self._single += infinite_numbers(name, tally, coding, fine, self._roles)
        if fine is not None and name not in settings.after and has_weekdays(tally):
            self._dates.append(name)
        self._single += times_of_observation(name, tally, self._roles)
        called = (name, self._roles.declared.names.get(name, name))
        self._single += asks_for_weights(called, tally, settings)
        if isinstance(coding, Categories) and settings.holds_columns:
            self._spellings.add(name, tally, asked)
        if not is_nearly and settings.group_column is None and settings.holds_columns:
            self._repeats.add(name, tally)
        if name in settings.cuts and isinstance(coding, Bins) and coding.are_chosen:
            self._cut_here.append(name)
        if joins and isinstance(coding, Categories):
            self._joined += joined_in_words(joins, Categories.of(tally, missing_in(settings.missing, name)))
        # What is no number among numbers was asked about already.
        self._add_missing(name, tally, is_suspected=not is_nearly)

    def add_outcome(self, outcome: OutcomeValue, tallies: Mapping[str, Tally]) -> None:
        """Look at each column that the outcome is made of."""
        for name, tally in tallies.items():
            # Where values are named, what looks like a code may be one of them.
            are_named = outcome.pattern is not None and outcome.pattern.names_values(name)
            self._add_missing(name, tally, is_suspected=not are_named)
        settings = self._roles.settings
        if settings.holds_columns and settings.outcome_as == "value":
            self._spellings.add_outcome(outcome, tallies)

    def _add_missing(self, name: str, tally: Tally, *, is_suspected: bool) -> None:
        for text in of_column(self._roles.settings.missing, name):
            count = tally.absent.get(text, 0)
            rows = "row" if self._roles.settings.frequencies else "record"
            told = counted(count, rows) if count else f"no {rows}"
            self._declared.append(f"{text} in {name} ({told})")
        if is_suspected and self._roles.settings.holds_columns:
            self._suspected.add(name, tally)

    def repeating(self, columns: Sequence[str]) -> tuple[str, ...]:
        """Columns whose equal values may mean records that belong together, among all that take part."""
        return self._repeats.found(columns)

    def notes(self, repeating: Sequence[str]) -> tuple[str, ...]:
        """All notes on columns, with those of the source, and one on each column that was found to repeat."""
        said = [f"Missing, as you said: {listed(self._declared, MOST_NAMED)}."] if self._declared else []
        joined = [f"Joined, as you said: {'; '.join(self._joined)}."] if self._joined else []
        return (
            *self._spellings.notes(),
            *said,
            *joined,
            *on_decimal_commas(self._commas, is_text_file=self._roles.declared.has_written_values),
            *self._single,
            *self._suspected.notes(),
            *self._on_cuts_chosen_here(),
            *self._on_weekdays(),
            *self._roles.declared.notes,
            *self._repeats.warnings(repeating),
        )

    def _on_cuts_chosen_here(self) -> list[str]:
        """That points which were given are those of these records' own outcome."""
        if not self._cut_here:
            return []
        columns = listed(self._cut_here, MOST_NAMED)
        return [
            f"Cut where these very records would be cut by their outcome: {columns}. "
            "The points count as chosen here, and p-values pay for the choice."
        ]

    def _on_weekdays(self) -> list[str]:
        if not self._dates:
            return []
        are_dates, their = ("is a date", "its") if len(self._dates) == 1 else ("are dates", "their")
        return [
            f"{listed(self._dates, MOST_NAMED)} {are_dates}: studies adjust for {their} course over time, "
            "not for the day of the week. If that may matter, add it as a column of its own."
        ]


def infinite_numbers(
    name: str, tally: Tally, coding: Coding | str, fine: FineBins | None, roles: Roles
) -> list[str]:
    """A note on the infinite values of a number that takes part."""
    takes_part = isinstance(coding, Bins) or fine is not None
    numbers = tally.numbers if takes_part and roles.settings.holds_columns else None
    count = 0 if numbers is None else int(tally.counts[np.isinf(numbers.values)].sum())
    if not count:
        return []
    values = "infinite value, which counts" if count == 1 else "infinite values, which count"
    return [f"{name} has {count:,} {values} as the largest or smallest finite one of the column."]


def has_weekdays(tally: Tally) -> bool:
    """Whether a column has dates that fall on most days of the week, over some weeks."""
    numbers = tally.numbers
    if numbers is None or not numbers.are_dates:
        return False
    days = np.unique(numbers.values[(tally.counts > 0) & ~np.isnan(numbers.values)] // _SECONDS_A_DAY)
    spans_weeks = len(days) > 0 and days[-1] - days[0] >= _FEWEST_DAYS
    return bool(spans_weeks and len(np.unique(days % 7)) >= _FEWEST_WEEKDAYS)

"""The method of one column, one study, one line: look, find, adjust, estimate, judge."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

from causalrules.domain.plain_settings import PlainSettings
from causalrules.errors import SettingsError, UnknownLevelError
from causalrules.job import Job, in_labels
from causalrules.search_run import SearchRun
from causalrules.words.result import ColumnFacts, DataFacts, OutcomeFacts, Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from causalrules.domain import Pattern
    from causalrules.domain.progress import Progress, Stopwatch
    from causalrules.engines.contract import Opened
    from causalrules.walk import Walk
    from causalrules.words.findings import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainJob(Job[Result]):
    """A question that one study a column answers."""

    settings: PlainSettings

    @staticmethod
    def search(
        opened: Opened, settings: PlainSettings, watch: Stopwatch, on_progress: Callable[[Progress], None]
    ) -> PlainSearch:
        """The road from records to findings."""
        return PlainSearch(opened, settings, watch, on_progress)

    def test(self, exposure: str | Pattern) -> Result:
        """Study one column, a pattern, or a level against another.

        A column has no value that its coding would have to keep apart.
        """
        is_column = isinstance(exposure, str) and not set(exposure) & set("=<>&")
        with self._opened("" if is_column else exposure) as search:
            search.test(in_labels(search, exposure))
            return self._result(search, interrupted=False)

    def found(self, search: Any, facts: dict[str, Any]) -> Result:
        """The result, in the order of the answer."""
        settings, walk = facts["settings"], search.walk
        return Result(
            version=facts["version"],
            created=facts["created"],
            question=search.question,
            settings=settings.to_dict(),
            knowledge=_told(walk.roles.knowledge),
            seed=settings.seed,
            data=_data_facts(facts["data"], walk),
            notes=walk.looked.notes,
            findings=walk.findings,
            timings=dict(facts["timings"]),
        )

    @property
    def toy_settings(self) -> PlainSettings:
        """Its kernels do not depend on settings."""
        return PlainSettings()


@dataclass(slots=True)
class PlainSearch(SearchRun):
    """One walk through the rooms."""

    question: str = "mine"
    walk: Any = None

    def run(self) -> None:
        """Study every column.

        Matrices are small: threads of linear algebra would wait for each other, and add up in another order.
        """
        with threadpool_limits(1, "blas"):
            self.walk = self._walk(None, ())
            self.walk.mine()

    def test(self, exposure: str | Pattern) -> None:
        """Study one column, or a pattern."""
        self.question = "test"
        column = self._column_named(exposure)
        items = () if column else self.items_of(exposure)
        against = self._against(items)
        columns = tuple(self.opened.vocabulary.columns_of(items))
        names, why = ("no", "yes"), "missing"
        if against is not None:
            of_items = self.opened.vocabulary.items
            names, why = (of_items[against].value, of_items[items[0]].value), "other_levels"
        with threadpool_limits(1, "blas"):
            self.walk = self._walk(self._mark(items, against), columns)
            if column:
                self.walk.test_column(column)
            else:
                self.walk.test_pattern(columns, self.opened.vocabulary.name_of(items), names, why)

    def _column_named(self, exposure: str | Pattern) -> str:
        """The column that an exposure names without a value; empty for a pattern."""
        held = {column.name for column in self.opened.vocabulary.held_columns}
        return exposure if isinstance(exposure, str) and exposure in held else ""

    def _against(self, items: tuple[int, ...]) -> int | None:
        """The level to compare with: a pattern of one part, or a bare value of the exposure's column."""
        said, vocabulary = self.settings.against, self.opened.vocabulary
        if said is None:
            return None
        if not items:
            raise SettingsError("against", "left out where the exposure is a whole column", said)
        column = vocabulary.items[items[0]].column
        values = {vocabulary.items[one].value: one for one in vocabulary.items_of_column[column]}
        if said in values:
            return values[said]
        if not set(said) & set("=<>"):
            raise UnknownLevelError(column, said, list(values))
        others = self.items_of(said)
        if len(others) != 1:
            raise SettingsError("against", "one level, such as rx=Obs", said)
        return others[0]

    def _mark(self, items: tuple[int, ...], against: int | None) -> NDArray[np.uint8] | None:
        """Of every coded row: 2 with the pattern, 1 without it, 0 where that is not known or not asked."""
        if not items:
            return None
        codes, vocabulary = self._profiles().codes, self.opened.vocabulary
        states = []
        for item in items:
            column, code = vocabulary.column_and_code(item)
            own = codes[column]
            states.append(np.where(own == 0, 1, np.where(own == code, 2, 0)))
        least = np.min(states, axis=0)
        mark = np.select([least == 0, least == 1], [1, 0], 2).astype(np.uint8)
        if against is not None:
            column, code = vocabulary.column_and_code(against)
            mark[(mark == 1) & (codes[column] != code)] = 0
        return mark

    def _profiles(self) -> Any:
        profiles = self.opened.records[0].in_memory()
        assert profiles is not None, "other engines are refused with the settings"
        return profiles

    def _walk(self, mark: NDArray[np.uint8] | None, asked: tuple[str, ...]) -> Walk:
        from causalrules.encode.canonical_records import canonical_records
        from causalrules.walk import Walk

        profiles, vocabulary = self._profiles(), self.opened.vocabulary
        records, mark = canonical_records(
            vocabulary, profiles.codes, profiles.n_with, profiles.n_without, self.settings.orders, mark
        )
        return Walk.over(self.opened, self.settings, self.watch, records, mark, self.on_progress, asked)


def _told(knowledge: Any) -> dict[str, Any]:
    """What the user said, as far as anything was said."""
    return {name: value for name, value in asdict(knowledge).items() if value}


def _data_facts(summary: Any, walk: Walk) -> DataFacts:
    outcome, records = summary.outcome, walk.records
    mass = records.mass
    mean = float(mass @ records.outcome / mass.sum())
    spread = float(np.sqrt(mass @ (records.outcome - mean) ** 2 / mass.sum()))
    return DataFacts(
        source=summary.source,
        records=summary.rows,
        used=summary.rows - summary.rows_without_outcome,
        outcome=OutcomeFacts(
            name=str(outcome.asked),
            column=outcome.column,
            kind="mean" if records.is_mean else "event",
            with_it=0 if records.is_mean else outcome.n_with,
            mean=mean,
            spread=spread,
        ),
        columns=tuple(_column_facts(walk)),
    )


def _column_facts(walk: Walk) -> list[ColumnFacts]:
    """Columns that take part, and then by name those set aside, and those of which nothing could be made."""
    kinds: dict[str, Any] = {one.name: "date" if one.is_date else one.kind for one in walk.records.columns}
    others = {*walk.opened.vocabulary.summary.why_left_out, *walk.looked.set_aside} - kinds.keys()
    notes: dict[str, tuple[Note, ...]] = {}
    for note in walk.looked.notes:
        name = note.data.get("column", "")
        notes[name] = (*notes.get(name, ()), note)
    return [
        ColumnFacts(name=name, kind=kinds.get(name, "left out"), notes=notes.get(name, ()))
        for name in (*kinds, *sorted(others))
    ]

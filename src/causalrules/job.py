"""One run from a source to a result: load → search ⇄ engine → verdicts → result."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar

from causalrules.domain import Item, Pattern
from causalrules.domain.answers import Answers
from causalrules.domain.data_summary import ReadAs
from causalrules.domain.progress import Progress, Stopwatch, ignore_progress, ignore_remark
from causalrules.domain.sentences import listed
from causalrules.engines.load import load, load_kept, read_once
from causalrules.errors import NoValueError
from causalrules.version import __version__
from causalrules.warm_up import warm_up, warming_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from causalrules.engines.checkpoint import Checkpoint
    from causalrules.engines.contract import Opened
    from causalrules.read import SourceTable
    from causalrules.search_run import SearchRun

Found = TypeVar("Found")

TIMED = ("read", "encode", "warm_up", "mine", "cohort", "assess", "explain")
"""The parts of a run whose seconds are in the result."""

MOST_VALUES_ASKED = 20
"""Values of a column up to which all of them are asked about where only the column is named."""

_FEWEST_RECORDS_ASKED = 5
"""Records that must have a value for it to be asked about then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(ABC, Generic[Found]):
    """What to mine: a source, an outcome, and how; a method says by which search, and what comes of it.

    A source may also be a table that was coded before, for this outcome and
    with the same settings of its columns: then nothing is read again.
    `on_progress` is called after each cohort study, `on_remark` with what a user
    should know before the run starts; `on_interrupt` says whether
    Ctrl-C raises, or ends the run with what was finished; `checkpoint` is
    where mining saves what it has counted, and resumes from; `said_first` are notes that open the result.
    """

    source: Any
    outcome: str | Item
    settings: Any
    on_progress: Callable[[Progress], None] = ignore_progress
    on_remark: Callable[[str], None] = ignore_remark
    on_interrupt: Literal["raise", "keep"] = "raise"
    checkpoint: Checkpoint | None = None
    said_first: tuple[str, ...] = ()

    @staticmethod
    @abstractmethod
    def search(
        opened: Opened, settings: Any, watch: Stopwatch, on_progress: Callable[[Progress], None]
    ) -> SearchRun:
        """The search of this method; only that one is loaded."""

    @abstractmethod
    def found(self, search: SearchRun, facts: dict[str, Any]) -> Found:
        """The result of a search, given what results of all methods have."""

    @property
    @abstractmethod
    def toy_settings(self) -> Any:
        """Settings by which a toy table loads the kernels that this job will need."""

    def mine(self) -> Found:
        """Find the causal rules."""
        with self.checkpoint or nullcontext(), self._opened() as search:
            if self.checkpoint is not None:
                self._remember(search, self.checkpoint)
            interrupted = False
            try:
                search.run()
            except KeyboardInterrupt:
                if self.on_interrupt == "raise":
                    raise
                interrupted = True
            return self._result(search, interrupted=interrupted)

    def test(self, exposure: str | Pattern) -> Found:
        """Put one hypothesis to a cohort study, written as people do or given as items."""
        with self._opened(exposure) as search:
            search.test(in_labels(search, exposure))
            return self._result(search, interrupted=False)

    def answers(self, outcomes: Sequence[str | Item], exposure: str = "") -> Answers:
        """Ask about several outcomes: one hypothesis if an exposure is given, else for causes.

        A column without a value asks about every value of it, or about its
        yes if it has one. A table in memory is read once for all.
        """
        source = read_once(self.source, self.settings, self.on_remark)
        job = replace(self, source=source)
        found: list[Any] = []
        for asked in outcomes:
            try:
                found.append(job._ask(asked, exposure))
            except NoValueError as error:
                if error.role != "outcome" or len(error.counts) > MOST_VALUES_ASKED:
                    raise
                asked_about, note = _values_to_ask(error.column, error.counts)
                of_values = (job._ask(Item(error.column, value), exposure) for value in asked_about)
                found += (_noted(result, note) for result in of_values)
            if found[-1].interrupted:
                break
        return Answers(tuple(found))

    def _ask(self, outcome: str | Item, exposure: str) -> Found:
        job = replace(self, outcome=outcome)
        return job.test(exposure) if exposure else job.mine()

    def rereadable(self) -> Self:
        """The same job over a source that can be read twice: what is read only once is taken into memory."""
        from causalrules.read import is_stream

        if str(self.source) != "-" and not is_stream(self.source):
            return self
        return replace(self, source=self.table().arrow)

    @property
    def has_records_at_hand(self) -> bool:
        """Whether records can be looked at again after the run: they lie on this machine and fit memory."""
        from causalrules.encode import CodedTable
        from causalrules.engines.choose import choose_engine
        from causalrules.read import is_stream
        from causalrules.read.addresses import is_address
        from causalrules.read.table_at import TableAt

        location = self.source.location if isinstance(self.source, TableAt) else self.source
        if isinstance(location, CodedTable) or is_stream(location) or is_address(location):
            return False
        engine = choose_engine(self.source, self.settings, ignore_remark)
        return engine == "memory" and str(location) != "-"

    def table(self) -> SourceTable:
        """The source's records, for what looks at single ones; all of them are taken into memory."""
        from causalrules.read import read_table

        return read_table(self.source)

    @contextmanager
    def _opened(self, exposure: str | Pattern = "") -> Iterator[SearchRun]:
        """A search over the source, with the engine that fits it."""
        watch = Stopwatch()
        with (
            warming_up(self.source, partial(warm_up, self.search, self.toy_settings)) as wait,
            self._loaded(watch, exposure if isinstance(exposure, str) else "") as found,
        ):
            with watch("warm_up"):
                wait()
            settings = found.labelled.settings(self.settings)
            yield self.search(found, settings, watch, self.on_progress)

    def _loaded(self, watch: Stopwatch, exposure: str) -> AbstractContextManager[Opened]:
        """The table, read now; or later and only if it must be, where a checkpoint knows it."""
        read = partial(
            load,
            self.source,
            self.outcome,
            self.settings,
            watch=watch,
            remark=self.on_remark,
            exposure=exposure,
        )
        if self.checkpoint is None:
            return read()
        from causalrules.read.source_files import SourceFiles

        files = None if self.settings.engine == "spark" else SourceFiles.of(self.source)
        read_kept = partial(
            load_kept, source=self.source, settings=self.settings, watch=watch, remark=self.on_remark
        )
        return self.checkpoint.load_or_resume(read, read_kept, files, self.outcome, self.settings)

    def _remember(self, search: SearchRun, checkpoint: Checkpoint) -> None:
        """Let the search ask engines that answer from the checkpoint what is there, and save the rest."""
        from causalrules.engines.checkpoint.saved_survey import engines_of

        opened = search.opened
        engines = engines_of(opened)
        summary, items = opened.vocabulary.summary, opened.vocabulary.items
        remembering = checkpoint.around(engines, summary, items, search.settings)
        search.opened = replace(opened, engine=remembering[0], judge_engine=remembering[-1])
        search.n_remembered = lambda: checkpoint.n_taken

    def _said_of_the_source(self) -> tuple[ReadAs, ...]:
        """How the table is written, as far as the user had to say it."""
        from causalrules.read.table_at import TableAt

        first = self.source[0] if isinstance(self.source, list) and self.source else self.source
        said = first.said if isinstance(first, TableAt) else {}
        return tuple(ReadAs(name, value) for name, value in said.items())

    def _result(self, search: SearchRun, *, interrupted: bool) -> Found:
        summary = search.opened.vocabulary.summary
        facts = {
            "settings": search.settings,
            "data": replace(
                summary,
                notes=(*self.said_first, *summary.notes, *search.notes),
                read_as=self._said_of_the_source(),
            ),
            "timings": search.watch.timings(*TIMED),
            "version": __version__,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "interrupted": interrupted,
            "decisions": search.decisions,
            "not_studied": search.not_studied,
        }
        return self.found(search, facts)


def in_labels(search: SearchRun, exposure: str | Pattern) -> Any:
    """A hypothesis with the labels of columns where it was written with their names."""
    return search.opened.labelled.pattern(exposure) if isinstance(exposure, str) else exposure


def _values_to_ask(column: str, counts: Mapping[str, int]) -> tuple[list[str], str]:
    """The values of an outcome's column that enough records have, and a note on the others."""
    rare = {value: n for value, n in counts.items() if 0 < n < _FEWEST_RECORDS_ASKED}
    asked = [value for value in counts if value not in rare]
    if not rare or not asked:
        return list(counts), ""
    named = [f"{Item(column, value)} ({n} record{'' if n == 1 else 's'})" for value, n in rare.items()]
    first = shlex.quote(str(Item(column, next(iter(rare)))))
    return (
        asked,
        f"Not asked about: {listed(named, 5)}, too few to compare; --outcome {first} asks all the same.",
    )


def _noted(result: Any, note: str) -> Any:
    """The result, with a note before the others."""
    return replace(result, data=replace(result.data, notes=(note, *result.data.notes))) if note else result

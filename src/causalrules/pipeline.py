"""The rooms joined: read → encode → mine ⇄ engine → cohort → assess."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, get_args

from causalrules.domain import Item, Pattern, Result, Rule, Settings
from causalrules.domain.comparison import MatchedStudy, MatchingComparison
from causalrules.domain.settings import MatchingChoice
from causalrules.encode import CodedTable, encode
from causalrules.errors import MissingPackageError
from causalrules.progress import Progress, ignore_progress
from causalrules.read import read_table
from causalrules.stopwatch import Stopwatch
from causalrules.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from causalrules.checkpoint import Checkpoint
    from causalrules.read.table import SourceTable
    from causalrules.search import Search

ROOMS = ("read", "encode", "mine", "cohort", "assess", "explain")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to mine: a source, an outcome, and how.

    A source may also be a table that was coded before, for this outcome and
    with the same settings of its columns: then nothing is read again.
    `columns` and `delimiter` describe text files, see `read_table`;
    `on_progress` is told after each cohort study; `on_interrupt` says whether
    Ctrl-C raises, or ends the run with what was finished; `checkpoint` is
    where mining saves what it has counted and goes on from.
    """

    source: Any
    outcome: str | Item
    settings: Settings
    columns: Sequence[str] | None = None
    delimiter: str | None = None
    on_progress: Callable[[Progress], None] = ignore_progress
    on_interrupt: Literal["raise", "keep"] = "raise"
    checkpoint: Checkpoint | None = None

    def mine(self) -> Result:
        """Find the causal rules."""
        with self.checkpoint or nullcontext():
            return self._mine()

    def _mine(self) -> Result:
        search = self._open()
        search.checkpoint = self.checkpoint
        interrupted = False
        try:
            search.run()
        except KeyboardInterrupt:
            if self.on_interrupt == "raise":
                raise
            interrupted = True
        return self._result(search, interrupted=interrupted)

    def test(self, exposure: str | Pattern) -> Result:
        """Put one hypothesis to a cohort study, written as people do or given as items."""
        search = self._open()
        search.test(exposure)
        return self._result(search, interrupted=False)

    def compare_matching(self, exposure: str, exact_on: Sequence[str] = ()) -> MatchingComparison:
        """Put one hypothesis to a cohort study by every way of matching.

        Partners agree on the columns of `exact_on` in any case. Every way
        starts from the coded table, so the times can be compared. A way
        whose package is not installed is named with the reason.
        """
        table = self._open().table
        studies = tuple(
            self._matched_study(table, self.settings.with_matching(method, tuple(exact_on)), exposure)
            for method in get_args(MatchingChoice)
        )
        return MatchingComparison(table.summary, self.settings, exposure, studies)

    def _matched_study(self, table: CodedTable, settings: Settings, exposure: str) -> MatchedStudy:
        from causalrules.search import Search

        method = settings.matching
        search = Search(table, settings, Stopwatch(), ignore_progress)
        try:
            _rehearse_once(method)
            started = perf_counter()
            search.test(exposure)
        except MissingPackageError as error:
            return MatchedStudy(method, None, 0.0, str(error))
        return MatchedStudy(method, search.rules[0], perf_counter() - started)

    def _open(self) -> Search:
        watch = Stopwatch()
        if isinstance(self.source, CodedTable):
            from causalrules.search import Search

            return Search(self.source, self.settings, watch, self.on_progress)
        with watch("read"), rehearsed_meanwhile(self.settings.matching):
            source = read_table(self.source, columns=self.columns, delimiter=self.delimiter)
        with watch("encode"):
            table = code_source(source, self.outcome, self.settings)
        from causalrules.search import Search

        return Search(table, self.settings, watch, self.on_progress)

    def _result(self, search: Search, *, interrupted: bool) -> Result:
        names = ("candidates", "frequent", "associations", "causal", "rejected", "untestable")
        by_length = search.by_length.items()
        return Result(
            settings=self.settings,
            data=search.table.summary,
            tested=tuple(sorted(search.rules, key=_strongest_first)),
            by_length={length: {name: counts[name] for name in names} for length, counts in by_length},
            timings=search.watch.timings(*ROOMS),
            version=__version__,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            interrupted=interrupted,
        )


def code_source(source: SourceTable, outcome: str | Item, settings: Settings) -> CodedTable:
    """Encode a table with what its file says about the columns."""
    return encode(source.arrow, outcome, settings, source.declared)


@contextmanager
def rehearsed_meanwhile(matching: MatchingChoice) -> Iterator[None]:
    """Import and rehearse the search in another thread while the block waits for a file to be parsed.

    Done once in a process for each way of matching: it takes as long as the parsing of a large file.
    """

    def rehearse() -> None:
        with suppress(MissingPackageError):  # told when the package is really needed
            _rehearse_once(matching)

    thread = Thread(target=rehearse, daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()


@cache
def _rehearse_once(matching: MatchingChoice) -> None:
    from causalrules.search import rehearse

    rehearse(Settings(matching=matching))


_VERDICT_ORDER = {"causal": 0, "rejected": 1, "untestable": 2}


def _strongest_first(rule: Rule) -> tuple[int, float, str, str]:
    return _VERDICT_ORDER[rule.verdict], -rule.fair_odds_ratio.low, rule.name, rule.direction

"""Questions being answered, one thread each, and the answers remembered."""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from causalrules.domain.data_summary import ReadAs
from causalrules.errors import BusyError, CausalRulesError, UnknownRunError
from causalrules.explorer.complaints import Complaint, complaint_of
from causalrules.search.job import DefaultJob

if TYPE_CHECKING:
    from causalrules.domain import Item, Result
    from causalrules.domain.progress import Progress
    from causalrules.explorer.limits import Limits
    from causalrules.explorer.open_tables import OpenTables
    from causalrules.explorer.question import Question
    from causalrules.explorer.sessions import Answered

State = Literal["reading", "running", "done", "cancelled", "failed"]
UNDER_WAY = ("reading", "running")
_LOG = logging.getLogger(__name__)
_SECONDS_TO_CLOSE = 5.0


class Cancelled(KeyboardInterrupt):
    """Somebody asked to stop; the job takes it for Ctrl-C and keeps what was finished."""


@dataclass(slots=True, eq=False)
class Run:
    """One question on its way to an answer."""

    id: str
    question: Question
    table: str
    state: State = "reading"
    progress: Progress | None = None
    result: Result | None = None
    complaint: Complaint | None = None
    started: float = field(default_factory=monotonic)
    seconds: float | None = None
    is_cancelled: Event = field(default_factory=Event)
    thread: Thread | None = None

    def describe(self) -> dict[str, Any]:
        """What a page shows of it."""
        # The state first: the thread sets it after the result, so that a run which is done has one.
        state = self.state
        question, result = self.question, self.result
        return {
            "id": self.id,
            "kind": question.kind,
            "table": self.table,
            "file": question.file,
            "outcome": _shown(question.outcome),
            "hypothesis": [{"column": item.column, "value": item.value} for item in question.hypothesis],
            "changed": question.changed,
            "state": state,
            "stopping": self.is_cancelled.is_set() and state in UNDER_WAY,
            "progress": None if self.progress is None else asdict(self.progress),
            "seconds": self.seconds if self.seconds is not None else monotonic() - self.started,
            "complaint": None if self.complaint is None else asdict(self.complaint),
            "cuts": [] if result is None else list(result.data.cuts),
            "verdicts": None if result is None else dict(result.n_by_verdict),
        }


class Runs:
    """Starts, cancels, remembers and forgets; never more of either than the limits say."""

    def __init__(self, tables: OpenTables, limits: Limits) -> None:
        self._tables = tables
        self._limits = limits
        self._runs: OrderedDict[str, Run] = OrderedDict()
        self._ending: list[Run] = []
        self._numbers = count(1)
        self._lock = Lock()

    def start(self, question: Question, table: str) -> Run:
        """Answer a question in a thread of its own."""
        most = self._limits.studies if question.hypothesis else self._limits.searches
        with self._lock:
            # A run that was forgotten takes its place until its thread has really ended.
            self._ending = [run for run in self._ending if run.state in UNDER_WAY]
            at_work = [run for run in (*self._runs.values(), *self._ending) if run.state in UNDER_WAY]
            if sum(run.question.kind == question.kind for run in at_work) >= most:
                raise BusyError("studies" if question.hypothesis else "searches", most)
            run = Run(str(next(self._numbers)), question, table)
            self._runs[run.id] = run
            self._drop_oldest()
            run.thread = Thread(target=self._answer, args=(run,), daemon=True, name=f"run {run.id}")
            run.thread.start()
        return run

    def bring_back(self, answered: Answered) -> Run:
        """Remember an answer of an earlier session, as if it had just been given."""
        with self._lock:
            run = Run(str(next(self._numbers)), answered.question, answered.table)
            run.result, run.seconds = answered.result, answered.seconds
            run.state = "cancelled" if answered.result.interrupted else "done"
            self._runs[run.id] = run
            self._drop_oldest()
        return run

    def find(self, number: str) -> Run:
        """The run of this number."""
        with self._lock:
            if number not in self._runs:
                raise UnknownRunError
            return self._runs[number]

    def all(self) -> list[Run]:
        """All that are remembered, the latest first."""
        with self._lock:
            return list(reversed(self._runs.values()))

    def cancel(self, number: str) -> Run:
        """Ask a run to stop after the cohort study it is at; what was finished is kept."""
        run = self.find(number)
        run.is_cancelled.set()
        return run

    def forget(self, number: str) -> None:
        """Drop a run; one under way is stopped first."""
        run = self.cancel(number)
        with self._lock:
            if self._runs.pop(run.id, None) is not None:
                self._ending.append(run)

    def close(self) -> None:
        """Stop everything, and wait a moment for it."""
        with self._lock:
            runs = [*self._runs.values(), *self._ending]
        for run in runs:
            run.is_cancelled.set()
        end = monotonic() + _SECONDS_TO_CLOSE
        for run in runs:
            if run.thread is not None:
                run.thread.join(max(0.0, end - monotonic()))

    def _drop_oldest(self) -> None:
        """Forget finished runs beyond the limit; one under way is never dropped unasked."""
        finished = [run.id for run in self._runs.values() if run.state not in UNDER_WAY]
        for number in finished[: max(0, len(self._runs) - self._limits.remembered)]:
            del self._runs[number]

    def _answer(self, run: Run) -> None:
        try:
            run.result = self._result(run)
            run.state = "cancelled" if run.result.interrupted else "done"
        except Cancelled:
            run.state = "cancelled"
        except BaseException as error:
            if not isinstance(error, CausalRulesError | MemoryError):
                _LOG.error("a run failed unexpectedly: %s: %s", type(error).__name__, error)
                _LOG.debug("where it failed", exc_info=error)
            run.complaint = complaint_of(error)
            run.state = "failed"
        finally:
            run.seconds = monotonic() - run.started

    def _result(self, run: Run) -> Result:
        question = run.question
        table = self._tables.coded(question.file, question.outcome, question.settings)
        said = tuple(ReadAs(name, value) for name, value in self._tables.said(question.file).items())
        _stop_if_cancelled(run)
        run.state = "running"

        def note(progress: Progress) -> None:
            run.progress = progress
            _stop_if_cancelled(run)

        job = DefaultJob(
            source=table,
            outcome=question.outcome,
            settings=question.settings,
            on_progress=note,
            on_interrupt="keep",
        )
        result = job.test(question.hypothesis) if question.hypothesis else job.mine()
        if result.interrupted and not result.tested:
            raise Cancelled
        return replace(result, data=replace(result.data, read_as=said))


def _shown(outcome: Item | str) -> dict[str, str]:
    """An outcome as the page names it."""
    if isinstance(outcome, str):
        return {"pattern": outcome}
    return {"column": outcome.column, "value": outcome.value}


def _stop_if_cancelled(run: Run) -> None:
    if run.is_cancelled.is_set():
        raise Cancelled

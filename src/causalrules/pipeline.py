"""The rooms joined: read → encode → mine ⇄ engine → cohort → assess."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from causalrules.domain import DataSummary, Direction, Result, Rule, Settings
from causalrules.domain.notation import find_pattern
from causalrules.encode import CodedTable, encode
from causalrules.encode.holdout import split_records
from causalrules.engines import Engine, MemoryEngine
from causalrules.errors import ExposureError
from causalrules.mine import PatternTree
from causalrules.read import read_table
from causalrules.stopwatch import Stopwatch
from causalrules.studies import Cohort, Studies
from causalrules.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOMS = ("read", "encode", "mine", "cohort", "assess", "explain")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: rules tested of those at this level and direction."""

    direction: Direction
    length: int
    tested: int
    to_test: int


def ignore_progress(progress: Progress) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to mine: a source, an outcome, and how.

    `columns` and `delimiter` describe text files, see `read_table`;
    `on_progress` is told after each cohort study; `on_interrupt` says whether
    Ctrl-C raises, or ends the run with what was finished.
    """

    source: Any
    outcome: str
    settings: Settings
    columns: Sequence[str] | None = None
    delimiter: str | None = None
    on_progress: Callable[[Progress], None] = ignore_progress
    on_interrupt: Literal["raise", "keep"] = "raise"

    def mine(self) -> Result:
        """Find the causal rules."""
        watch = Stopwatch()
        table, engine, judge_engine = self._open(watch)
        tested: list[Rule] = []
        by_length: dict[int, Counter[str]] = {}
        interrupted = False
        try:
            for direction in _directions(self.settings):
                studies = Studies(engine, judge_engine, table, self.settings, direction, watch)
                found: list[Rule] = []
                try:
                    self._search(engine, studies, watch, found, by_length)
                finally:
                    tested += studies.with_same_records(found)
        except KeyboardInterrupt:
            if self.on_interrupt == "raise":
                raise
            interrupted = True
        return self._result(table.summary, tested, by_length, watch, interrupted)

    def test(self, exposure: str) -> Result:
        """Put one hypothesis to a cohort study, whether it is an association or not.

        It is the only hypothesis, so its p-value needs no correction.
        """
        watch = Stopwatch()
        table, engine, judge_engine = self._open(watch)
        pattern = find_pattern(
            exposure, table.items, {entry.column: entry.reason for entry in table.summary.left_out}
        )
        patterns = np.array([[table.items.index(item) for item in pattern]], dtype=np.intp)
        counts = engine.pattern_counts(patterns)
        if counts.support[0] in (0, engine.n_with + engine.n_without):
            having = "no record has" if counts.support[0] == 0 else "every record has"
            raise ExposureError(f"{having} {exposure!r}; there is nobody to compare.")
        direction = self.settings.direction
        if direction == "both":
            raises = Studies(engine, judge_engine, table, self.settings, "raises", watch)
            direction = "raises" if raises.crude(counts).value[0] >= 1 else "lowers"
        studies = Studies(engine, judge_engine, table, self.settings, direction, watch)
        rules = studies.judge(list(studies.run(patterns)), n_hypotheses=1, in_full=True)
        return self._result(table.summary, rules, {}, watch, interrupted=False)

    def _open(self, watch: Stopwatch) -> tuple[CodedTable, Engine, Engine]:
        """The table, the engine that proposes hypotheses and the one that tests them."""
        with watch("read"):
            source = read_table(self.source, columns=self.columns, delimiter=self.delimiter)
        with watch("encode"):
            table = encode(
                source.arrow,
                self.outcome,
                self.settings,
                source=source.source,
                categorical=source.categorical,
                numeric=source.numeric,
                ignored=source.ignored,
                notes=source.notes,
            )
            threads = self.settings.threads
            if not self.settings.holdout:
                engine = MemoryEngine(table, threads)
                return table, engine, engine
            is_held_out = split_records(len(table.has_outcome), self.settings.holdout, self.settings.seed)
            explored, held_out = table.only(~is_held_out), table.only(is_held_out)
            return table, MemoryEngine(explored, threads), MemoryEngine(held_out, threads)

    def _search(
        self,
        engine: Engine,
        studies: Studies,
        watch: Stopwatch,
        found: list[Rule],
        by_length: dict[int, Counter[str]],
    ) -> None:
        """Level by level in one direction; what is finished is in `found` even if the search is cut short."""
        tree = PatternTree(engine, studies.largest_rare_count, lowers=studies.lowers)
        for length in range(1, self.settings.max_length + 1):
            with watch("mine"):
                level = tree.grow()
            with watch("assess"):
                associations = np.flatnonzero(studies.are_associations(level.counts))
            counts = by_length.setdefault(length, Counter())
            counts.update(
                candidates=level.n_candidates, frequent=level.n_frequent, associations=len(associations)
            )
            # Every pattern of the level was a hypothesis; records held out are new to those chosen.
            n_hypotheses = len(associations) if self.settings.holdout else len(level.patterns)
            cohorts: list[Cohort] = []
            try:
                for cohort in studies.run(level.patterns[associations]):
                    cohorts.append(cohort)
                    self.on_progress(Progress(studies.direction, length, len(cohorts), len(associations)))
            finally:
                rules = studies.judge(cohorts, n_hypotheses)
                counts.update(rule.verdict for rule in rules)
                found += rules
            is_causal = np.zeros(len(level.patterns), np.bool_)
            is_causal[associations] = [rule.verdict == "causal" for rule in rules]
            tree.remove(is_causal)
            if not len(level.patterns):
                break

    def _result(
        self,
        data: DataSummary,
        tested: list[Rule],
        by_length: dict[int, Counter[str]],
        watch: Stopwatch,
        interrupted: bool,
    ) -> Result:
        names = ("candidates", "frequent", "associations", "causal", "rejected", "untestable")
        return Result(
            settings=self.settings,
            data=data,
            tested=tuple(sorted(tested, key=_strongest_first)),
            by_length={
                length: {name: counts[name] for name in names} for length, counts in by_length.items()
            },
            timings=watch.timings(*ROOMS),
            version=__version__,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            interrupted=interrupted,
        )


def _directions(settings: Settings) -> tuple[Direction, ...]:
    return ("raises", "lowers") if settings.direction == "both" else (settings.direction,)


_VERDICT_ORDER = {"causal": 0, "rejected": 1, "untestable": 2}


def _strongest_first(rule: Rule) -> tuple[int, float, str, str]:
    return _VERDICT_ORDER[rule.verdict], -rule.fair_odds_ratio.low, rule.name, rule.direction

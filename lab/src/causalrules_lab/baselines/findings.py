"""What every method is and gives: findings of one shape, so that methods can be put side by side."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from causalrules.assess.odds import odds_ratio_of_table
from causalrules.domain import Direction, Estimate, Pattern
from causalrules.domain.frame_libraries import in_library

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from causalrules.domain import Item
    from causalrules.domain.table_settings import TableSettings
    from causalrules.engines.contract import Engine, PatternCounts
    from causalrules_lab.baselines.budget import Budget

FindingVerdict = Literal["association", "causal", "rejected", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One pattern and what a method says about it.

    Parameters
    ----------
    pattern : tuple of Item
        One item, or several for the methods that know combinations.
    direction : {'raises', 'lowers'}
        The side of 1 on which the crude odds ratio lies.
    verdict : {'association', 'causal', 'rejected', 'undecided'}
        Undecided: the method was stopped before it could tell.
    support : int
        Records with the pattern and the direction's outcome.
    odds_ratio : Estimate
        Crude, for the direction's outcome.
    statistic, p_value : float, optional
        Of the decisive test, where the method has one.
    reason : str
        What decided: a separating set, a triplet.
    """

    pattern: Pattern
    direction: Direction
    verdict: FindingVerdict
    support: int
    odds_ratio: Estimate
    statistic: float | None = None
    p_value: float | None = None
    reason: str = ""

    ROW_NAMES: ClassVar[tuple[str, ...]] = (
        "rule",
        "direction",
        "length",
        "verdict",
        "support",
        "odds_ratio",
        "odds_ratio_low",
        "odds_ratio_high",
        "statistic",
        "p_value",
        "reason",
    )
    """Names of the flat table of findings, in order."""

    @property
    def name(self) -> str:
        """The pattern as people write it."""
        return " & ".join(item.name for item in self.pattern)

    def to_row(self) -> tuple[Any, ...]:
        """Values for `ROW_NAMES`."""
        odds = self.odds_ratio
        counts = (self.name, self.direction, len(self.pattern), self.verdict, self.support)
        return (*counts, odds.value, odds.low, odds.high, self.statistic, self.p_value, self.reason)

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON knows it."""
        row = dict(zip(self.ROW_NAMES, self.to_row(), strict=True))
        del row["rule"]
        return {"pattern": [{"column": item.column, "value": item.value} for item in self.pattern]} | row


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """All that one method found in one table.

    Parameters
    ----------
    method : str
        Its name.
    findings : tuple of Finding
        In the order of the table's items, shorter patterns first.
    n_tests : int
        Patterns counted or tests made.
    stopped : str
        Why the method was stopped early; empty if it was not.
    timings : dict
        Seconds by part.
    """

    method: str
    findings: tuple[Finding, ...]
    n_tests: int
    stopped: str = ""
    timings: dict[str, float] = field(default_factory=dict, compare=False)

    @property
    def causal(self) -> tuple[Finding, ...]:
        """What the method calls causes."""
        return tuple(finding for finding in self.findings if finding.verdict == "causal")

    @property
    def rules(self) -> pd.DataFrame:
        """All findings as a pandas data frame, one row a finding."""
        import pyarrow as pa

        rows = [dict(zip(Finding.ROW_NAMES, one.to_row(), strict=True)) for one in self.findings]
        return in_library(
            pa.table({name: [row[name] for row in rows] for name in Finding.ROW_NAMES}), "pandas"
        )

    def to_dict(self) -> dict[str, Any]:
        """The findings as JSON knows them."""
        return {
            "method": self.method,
            "n_tests": self.n_tests,
            "stopped": self.stopped,
            "timings": self.timings,
            "findings": [finding.to_dict() for finding in self.findings],
        }


class Method(Protocol):
    """A baseline as it is run: it asks an engine for counts of one table."""

    def __call__(
        self, engine: Engine, items: Sequence[Item], settings: TableSettings, budget: Budget
    ) -> Findings:
        """All that the method found before its budget was spent."""


class CrudeFindings:
    """Gathers what a method says of variables, each in the direction of its crude odds ratio.

    Parameters
    ----------
    engine : PatternCounts
        Counts all variables.
    patterns : sequence of Pattern
        What each variable stands for.
    confidence : float
        Of the odds ratios' intervals.
    """

    def __init__(self, engine: PatternCounts, patterns: Sequence[Pattern], confidence: float) -> None:
        self._engine, self._patterns, self._confidence = engine, patterns, confidence
        self._counts = engine.item_counts()
        self._found: list[Finding] = []

    def add(
        self,
        variable: int,
        verdict: FindingVerdict,
        reason: str,
        *,
        statistic: float | None = None,
        p_value: float | None = None,
    ) -> None:
        """Say one thing more."""
        with_it = int(self._counts.with_outcome[variable])
        without_it = int(self._counts.without_outcome[variable])
        cells = (with_it, without_it, self._engine.n_with - with_it, self._engine.n_without - without_it)
        odds_ratio = odds_ratio_of_table(cells, self._confidence)
        raises = odds_ratio.value >= 1
        if not raises:
            odds_ratio = odds_ratio_of_table((cells[1], cells[0], cells[3], cells[2]), self._confidence)
        self._found.append(
            Finding(
                pattern=self._patterns[variable],
                direction="raises" if raises else "lowers",
                verdict=verdict,
                support=with_it if raises else without_it,
                odds_ratio=odds_ratio,
                statistic=statistic,
                p_value=p_value,
                reason=reason,
            )
        )

    def of(self, method: str, budget: Budget) -> Findings:
        """All that was added, as what the method found within its budget."""
        return Findings(
            method=method, findings=tuple(self._found), n_tests=budget.n_tests, stopped=budget.stopped
        )

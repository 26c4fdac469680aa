"""A rule that was put to a cohort study, with all of its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from causalrules.domain.item import Item, Pattern
from causalrules.domain.pairs import PairCounts

Direction = Literal["raises", "lowers"]
Verdict = Literal["causal", "rejected", "untestable"]


@dataclass(frozen=True, slots=True)
class OddsRatio:
    """An odds ratio and the limits of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One association, its cohort study and the verdict.

    Parameters
    ----------
    pattern : tuple of Item
        The items of the exposure.
    direction : {'raises', 'lowers'}
        Whether the pattern goes with more or with less of the outcome.
    verdict : {'causal', 'rejected', 'untestable'}
        What the cohort study says.
    support : int
        Records with the pattern and the direction's outcome.
    local_support : float
        The same as a share of the records with the direction's outcome.
    odds_ratio : OddsRatio
        Crude, over all records.
    controls : tuple of Item
        The items held fixed.
    columns_dropped : tuple of str
        With ``controls='columns'``: columns not held fixed because they
        leave too few records to compare.
    exposed, unexposed : int
        Records with and without the pattern.
    pairs : PairCounts
        The fair data set. For random pairing, that of the decisive run.
    fair_odds_ratio : OddsRatio
        Over the matched pairs.
    causal_runs : int, optional
        Random pairing: in how many runs the rule was causal.
    """

    pattern: Pattern
    direction: Direction
    verdict: Verdict
    support: int
    local_support: float
    odds_ratio: OddsRatio
    controls: tuple[Item, ...]
    columns_dropped: tuple[str, ...]
    exposed: int
    unexposed: int
    pairs: PairCounts
    fair_odds_ratio: OddsRatio
    causal_runs: int | None = None

    ROW_NAMES: ClassVar[tuple[str, ...]] = (
        "rule",
        "direction",
        "length",
        "verdict",
        "support",
        "local_support",
        "odds_ratio",
        "odds_ratio_low",
        "odds_ratio_high",
        "n_controls",
        "exposed",
        "unexposed",
        "pairs",
        "n11",
        "n12",
        "n21",
        "n22",
        "fair_odds_ratio",
        "fair_low",
        "fair_high",
        "causal_runs",
        "controls",
        "columns_dropped",
    )
    """Names of the flat table of rules, in order."""

    @property
    def length(self) -> int:
        """Number of items in the pattern."""
        return len(self.pattern)

    @property
    def name(self) -> str:
        """The pattern as people write it: ``smoker=yes & sex=male``."""
        return " & ".join(map(str, self.pattern))

    def to_dict(self) -> dict[str, Any]:
        """The rule as it stands in a result file."""
        return {
            "pattern": _items_to_list(self.pattern),
            "direction": self.direction,
            "length": self.length,
            "verdict": self.verdict,
            "support": self.support,
            "local_support": self.local_support,
            "odds_ratio": self.odds_ratio.value,
            "odds_ratio_low": self.odds_ratio.low,
            "odds_ratio_high": self.odds_ratio.high,
            "controls": _items_to_list(self.controls),
            "columns_dropped": list(self.columns_dropped),
            "exposed": self.exposed,
            "unexposed": self.unexposed,
            "pairs": self.pairs.n_pairs,
            "n11": self.pairs.n11,
            "n12": self.pairs.n12,
            "n21": self.pairs.n21,
            "n22": self.pairs.n22,
            "fair_odds_ratio": self.fair_odds_ratio.value,
            "fair_low": self.fair_odds_ratio.low,
            "fair_high": self.fair_odds_ratio.high,
            "causal_runs": self.causal_runs,
        }

    def to_row(self) -> dict[str, Any]:
        """The rule as one row of a flat table, patterns and controls as text."""
        row = self.to_dict() | {
            "rule": self.name,
            "n_controls": len(self.controls),
            "controls": "; ".join(map(str, self.controls)),
            "columns_dropped": "; ".join(self.columns_dropped),
        }
        return {name: row[name] for name in self.ROW_NAMES}

    @classmethod
    def from_dict(cls, entry: dict[str, Any]) -> Rule:
        """Read back what `to_dict` wrote."""
        return cls(
            pattern=_items_from_list(entry["pattern"]),
            direction=entry["direction"],
            verdict=entry["verdict"],
            support=entry["support"],
            local_support=entry["local_support"],
            odds_ratio=OddsRatio(entry["odds_ratio"], entry["odds_ratio_low"], entry["odds_ratio_high"]),
            controls=_items_from_list(entry["controls"]),
            columns_dropped=tuple(entry["columns_dropped"]),
            exposed=entry["exposed"],
            unexposed=entry["unexposed"],
            pairs=PairCounts(n11=entry["n11"], n12=entry["n12"], n21=entry["n21"], n22=entry["n22"]),
            fair_odds_ratio=OddsRatio(entry["fair_odds_ratio"], entry["fair_low"], entry["fair_high"]),
            causal_runs=entry["causal_runs"],
        )


def _items_to_list(items: tuple[Item, ...]) -> list[dict[str, str]]:
    return [{"column": item.column, "value": item.value} for item in items]


def _items_from_list(entries: list[dict[str, str]]) -> tuple[Item, ...]:
    return tuple(Item(entry["column"], entry["value"]) for entry in entries)

"""A rule that was put to a cohort study, with all of its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from causalrules.domain.evidence import (
    Balance,
    Closeness,
    Doubts,
    Effects,
    Entangled,
    Estimate,
    Explanation,
    TestName,
)
from causalrules.domain.item import Item, Pattern
from causalrules.domain.pairs import PairCounts

Direction = Literal["raises", "lowers"]
Verdict = Literal["causal", "rejected", "untestable"]


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
    odds_ratio : Estimate
        Crude, over all records.
    controls : tuple of Item
        The items held fixed.
    not_held : tuple of Item
        Items that are associated with the outcome but could not be held
        fixed, because hardly any record has them with, or without, the pattern.
    columns_dropped : tuple of str
        With ``controls='columns'``: columns not held fixed because they
        leave too few records to compare.
    exposed, unexposed : int
        Records with and without the pattern.
    pairs : PairCounts
        The fair data set. For random pairing, that of the decisive run.
    fair_odds_ratio : Estimate
        n12/n21 over the matched pairs, with the paper's interval.
    test : {'matched-pairs', 'exact', 'mantel-haenszel'}
        The test that the verdict rests on.
    adjusted_odds_ratio : Estimate
        The odds ratio of that test.
    p_value, q_value : float
        Two-sided, of that test; and corrected for the number of rules tried
        (None without a correction, or where a rule was untestable).
    effects : Effects
        The size of the effect in plain terms.
    doubts : Doubts
        What could undo it.
    closeness : Closeness, optional
        How alike partners are; None where they agree on every control.
    causal_runs : int, optional
        Random pairing: in how many runs the rule was causal.
    balance : Balance, optional
        How alike exposed and unexposed are; for causal rules.
    entangled : tuple of Entangled
        Items that the data cannot tell apart from the pattern.
    same_records_as : tuple of str
        Other causal rules of this direction that stand for (nearly) the same records.
    explanation : Explanation, optional
        Which controls explain a rejected association away, on request.
    """

    pattern: Pattern
    direction: Direction
    verdict: Verdict
    support: int
    local_support: float
    odds_ratio: Estimate
    controls: tuple[Item, ...]
    not_held: tuple[Item, ...]
    columns_dropped: tuple[str, ...]
    exposed: int
    unexposed: int
    pairs: PairCounts
    fair_odds_ratio: Estimate
    test: TestName
    adjusted_odds_ratio: Estimate
    p_value: float
    q_value: float | None
    effects: Effects
    doubts: Doubts
    closeness: Closeness | None = None
    causal_runs: int | None = None
    balance: Balance | None = None
    entangled: tuple[Entangled, ...] = ()
    same_records_as: tuple[str, ...] = ()
    explanation: Explanation | None = None

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
        "fair_odds_ratio",
        "fair_low",
        "fair_high",
        "test",
        "adjusted_odds_ratio",
        "adjusted_low",
        "adjusted_high",
        "p_value",
        "q_value",
        "risk_difference",
        "risk_difference_low",
        "risk_difference_high",
        "risk_ratio",
        "gamma",
        "e_value",
        "heterogeneity_p",
        "mixed",
        "stability",
        "bootstrap",
        "balance_worst_before",
        "balance_worst_after",
        "exposed",
        "unexposed",
        "pairs",
        "n11",
        "n12",
        "n21",
        "n22",
        "unmatched_exposed",
        "unmatched_unexposed",
        "mean_distance",
        "worst_distance",
        "causal_runs",
        "n_controls",
        "controls",
        "not_held",
        "columns_dropped",
        "entangled",
        "same_records_as",
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

"""A rule of the paper's procedure: an association, its cohort study and the verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from causalrules.domain.estimate import Estimate
from causalrules.domain.evidence import Balance, Closeness, Doubts, Effects, Entangled, Explanation
from causalrules.domain.file_layout import WHAT_WAS_HELD, WHO_WAS_COMPARED, Saved
from causalrules.domain.item import Item, Pattern
from causalrules.domain.pairs import PairCounts
from causalrules.domain.rule import Direction
from causalrules.errors import one_line
from causalrules.paper.settings import TestChoice

PaperVerdict = Literal["causal", "rejected", "untestable"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PaperRule:
    """One association, its cohort study and the verdict; every number speaks of the outcome.

    A rule p → ¬z has the direction ``'lowers'``: its odds ratios are below 1, and n12 counts the pairs
    in which only the exposed record has the outcome, as for any other rule.

    Parameters
    ----------
    pattern : tuple of Item
        The items of the exposure.
    direction : {'raises', 'lowers'}
        Whether the pattern is associated with more or with less of the outcome.
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
        Items that are associated with the outcome but were not held fixed: exclusive ones, and with
        ``controls='columns'`` those of the columns dropped.
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

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=2000).table
    >>> result = causalrules.paper.mine(patients, "ill=yes", max_length=1)
    >>> result.causal[0]
    <PaperRule severity=high: causal, raises, odds ratio 3.18 (2.15–4.70)>
    >>> rule = result.find("exercise=daily")
    >>> rule, round(rule.as_printed.adjusted_odds_ratio.value, 2)
    (<PaperRule exercise=daily: causal, lowers, odds ratio 0.53 (0.42–0.67)>, 1.89)
    >>> rule.name, rule.length, rule.n_pairs, rule.n_controls
    ('exercise=daily', 1, 795, 8)
    """

    pattern: Annotated[Pattern, Saved(column="rule", shows="name")]
    direction: Direction
    verdict: Annotated[PaperVerdict, Saved(before={"length": "length"})]
    support: int
    local_support: float
    odds_ratio: Estimate
    controls: Annotated[
        tuple[Item, ...], Saved(column_before={"n_controls": "n_controls"}, section=WHAT_WAS_HELD)
    ]
    not_held: Annotated[tuple[Item, ...], Saved(section=WHAT_WAS_HELD)]
    columns_dropped: Annotated[tuple[str, ...], Saved(section=WHAT_WAS_HELD)]
    exposed: Annotated[int, Saved(section=WHO_WAS_COMPARED)]
    unexposed: Annotated[int, Saved(section=WHO_WAS_COMPARED)]
    pairs: Annotated[PairCounts, Saved(inline=True, before={"pairs": "n_pairs"}, section=WHO_WAS_COMPARED)]
    fair_odds_ratio: Annotated[Estimate, Saved(stem="fair")]
    test: TestChoice
    adjusted_odds_ratio: Annotated[Estimate, Saved(stem="adjusted")]
    p_value: float
    q_value: float | None
    effects: Annotated[Effects, Saved(inline=True)]
    doubts: Annotated[Doubts, Saved(inline=True)]
    closeness: Annotated[Closeness | None, Saved(section=WHO_WAS_COMPARED)] = None
    causal_runs: Annotated[int | None, Saved(section=WHO_WAS_COMPARED)] = None
    balance: Balance | None = None
    entangled: Annotated[tuple[Entangled, ...], Saved(section=WHAT_WAS_HELD)] = ()
    same_records_as: Annotated[tuple[str, ...], Saved(section=WHAT_WAS_HELD)] = ()
    explanation: Explanation | None = None

    def of_the_opposite(self) -> PaperRule:
        """The same study told of being without the outcome; done twice, as it was."""
        return replace(
            self,
            odds_ratio=self.odds_ratio.inverted(),
            fair_odds_ratio=self.fair_odds_ratio.inverted(),
            adjusted_odds_ratio=self.adjusted_odds_ratio.inverted(),
            pairs=self.pairs.flipped(),
            effects=self.effects.flipped(),
            explanation=self.explanation.flipped() if self.explanation else None,
        )

    @property
    def as_printed(self) -> PaperRule:
        """The rule with the numbers that the paper prints: of p → ¬z, those of being without the outcome."""
        return self if self.direction == "raises" else self.of_the_opposite()

    @property
    def n_pairs(self) -> float:
        """Matched pairs."""
        return self.pairs.n_pairs

    @property
    def n_controls(self) -> int:
        """Number of items held fixed."""
        return len(self.controls)

    @property
    def length(self) -> int:
        """Number of items in the pattern."""
        return len(self.pattern)

    @property
    def name(self) -> str:
        """The pattern as people write it: ``smoker=yes & age>60``."""
        return " & ".join(item.name for item in self.pattern)

    def __repr__(self) -> str:
        odds = self.adjusted_odds_ratio
        told = f", odds ratio {odds.value:.2f} ({odds.low:.2f}–{odds.high:.2f})"
        told = "" if self.verdict == "untestable" else told
        return one_line(f"<PaperRule {self.name}: {self.verdict}, {self.direction}{told}>")

"""The evidence for a rule, and what could overturn it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, nan
from typing import Annotated, Literal

from causalrules.domain.estimate import Estimate, reciprocal
from causalrules.domain.file_layout import WHAT_WAS_HELD, WHO_WAS_COMPARED, Saved
from causalrules.domain.item import Item, Pattern

TestName = Literal["matched-pairs", "exact", "mantel-haenszel", "conditional", "stratified-means"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """The size of an effect, in the direction's sense of the outcome.

    Parameters
    ----------
    risk_difference, risk_ratio : Estimate
        Over the matched pairs; the first is the paper's average causal effect.
    opposite_risk_ratio : Estimate
        That of being without the outcome. It does not follow from the other: doubling a risk of 1 % hardly
        changes the chance of being spared, doubling one of 40 % does.
    crude_risk_difference, crude_risk_ratio, crude_opposite_risk_ratio : float
        Over all records.
    attributable : float
        Matched exposed records whose outcome is put down to the exposure.
    number_needed : float
        Exposed records for one more outcome; infinite without an effect.
    """

    risk_difference: Estimate
    risk_ratio: Estimate
    opposite_risk_ratio: Annotated[Estimate, Saved(column=None)]
    crude_risk_difference: Annotated[float, Saved(column=None)]
    crude_risk_ratio: Annotated[float, Saved(column=None)]
    crude_opposite_risk_ratio: Annotated[float, Saved(column=None)]
    attributable: Annotated[float, Saved(column=None)]
    number_needed: float

    def flipped(self) -> Effects:
        """The same effect for the opposite outcome."""
        return Effects(
            risk_difference=self.risk_difference.negated(),
            risk_ratio=self.opposite_risk_ratio,
            opposite_risk_ratio=self.risk_ratio,
            crude_risk_difference=0 - self.crude_risk_difference,
            crude_risk_ratio=self.crude_opposite_risk_ratio,
            crude_opposite_risk_ratio=self.crude_risk_ratio,
            attributable=0 - self.attributable,
            number_needed=inf if self.number_needed == inf else 0 - self.number_needed,
        )


NO_RISKS = Effects(
    risk_difference=Estimate(nan, nan, nan),
    risk_ratio=Estimate(nan, nan, nan),
    opposite_risk_ratio=Estimate(nan, nan, nan),
    crude_risk_difference=nan,
    crude_risk_ratio=nan,
    crude_opposite_risk_ratio=nan,
    attributable=nan,
    number_needed=nan,
)
"""Of records that were gathered by the outcome: how many have it was decided by who gathered them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubts:
    """What could undo a rule.

    Parameters
    ----------
    gamma : float
        Rosenbaum's bound: how much a hidden cause would have to multiply the
        odds of exposure within pairs to explain the effect away; 1 if nothing
        is needed.
    e_value, e_value_limit : float
        VanderWeele and Ding's E-value for the risk ratio and for the limit of
        its interval nearer to 1.
    heterogeneity_p : float or None
        Chance of strata differing as much if the odds ratio were the same in
        all of them; None when nothing can be compared.
    is_mixed : bool
        The effect changes its sign between strata; in the paper's protocol, it differs so much that it may.
    stability : float
        Share of random pairings in which the rule would be causal.
    bootstrap : float or None
        Share of resampled tables in which it is; None if not asked for.
    unmatched_exposed, unmatched_unexposed : int
        Records in strata without a partner.
    """

    gamma: float
    e_value: float
    e_value_limit: float
    heterogeneity_p: float | None
    is_mixed: Annotated[bool, Saved(name="mixed")]
    stability: float
    bootstrap: float | None
    unmatched_exposed: Annotated[int, Saved(section=WHO_WAS_COMPARED)]
    unmatched_unexposed: Annotated[int, Saved(section=WHO_WAS_COMPARED)]


@dataclass(frozen=True, slots=True)
class ItemBalance:
    """Standardised mean difference of one item between exposed and unexposed, before and after matching."""

    item: Annotated[Item, Saved(inline=True)]
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Unmatched:
    """An item's share among exposed records that found a partner, and among those that did not."""

    item: Annotated[Item, Saved(inline=True)]
    matched_share: float
    unmatched_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """How alike exposed and unexposed records are, over all items but the pattern's own columns.

    `items` are those that differ most, before or after; `unmatched` tells whom
    the rule does not speak for: the items in which exposed records without a
    partner differ most from the others.
    """

    worst_before: Annotated[float, Saved(column="balance_worst_before")]
    mean_before: float
    worst_after: Annotated[float, Saved(column="balance_worst_after")]
    mean_after: float
    items: tuple[ItemBalance, ...]
    unmatched: tuple[Unmatched, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Closeness:
    """How alike matched partners are where they need not agree on every control.

    Parameters
    ----------
    method : str
        The way of matching.
    mean_distance, worst_distance : float
        Over the pairs, in the caliper's unit; 0 when nobody was matched.
    caliper : float
        The largest distance that was allowed; infinite if any was.
    overlap_exposed, overlap_unexposed : float or None
        For propensity scores: the share of each side whose scores lie
        within the range of the other side's.
    is_optimal : bool
        The sum of distances is the smallest possible.
    given_up : tuple of Item
        For almost exact matching: controls on which some partners do not
        agree, the least important first.
    """

    method: str
    mean_distance: Annotated[float, Saved(column="mean_distance")]
    worst_distance: Annotated[float, Saved(column="worst_distance")]
    caliper: float
    overlap_exposed: float | None = None
    overlap_unexposed: float | None = None
    is_optimal: bool = False
    given_up: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Entangled:
    """An item that could not be held fixed because it hardly occurs without the pattern.

    `overlap` is the share of records with either that have both.
    """

    item: Annotated[Item, Saved(inline=True)]
    overlap: float

    def __str__(self) -> str:
        return str(self.item)


@dataclass(frozen=True, slots=True)
class ExplanationStep:
    """One more control, and the odds ratio once it is held fixed too."""

    control: Item
    odds_ratio: Estimate
    pairs: float

    def flipped(self) -> ExplanationStep:
        """The same step for the opposite outcome."""
        return replace(self, odds_ratio=self.odds_ratio.inverted())


@dataclass(frozen=True, slots=True)
class StratumTable:
    """The crude 2 x 2 table among records with, or without, one item."""

    item: Item
    is_present: bool
    exposed_with: int
    exposed_without: int
    unexposed_with: int
    unexposed_without: int
    odds_ratio: float

    def flipped(self) -> StratumTable:
        """The same records for the opposite outcome."""
        return StratumTable(
            self.item,
            self.is_present,
            exposed_with=self.exposed_without,
            exposed_without=self.exposed_with,
            unexposed_with=self.unexposed_without,
            unexposed_without=self.unexposed_with,
            odds_ratio=reciprocal(self.odds_ratio),
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """Which controls explain an association away, strongest first."""

    pattern: Pattern
    steps: tuple[ExplanationStep, ...]
    tables: tuple[StratumTable, ...]

    def flipped(self) -> Explanation:
        """The same path for the opposite outcome."""
        steps = tuple(step.flipped() for step in self.steps)
        return Explanation(self.pattern, steps, tuple(table.flipped() for table in self.tables))


NO_OPINION = "none"
"""The method of matched sets, which have no second opinion: the risk difference stands in its place."""

NOT_ASKED = "not asked"
"""The method where no second opinion was asked for: mined, and unlikely to be next to the outcome."""


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """The risk difference of the same records by another method, about the outcome itself."""

    estimate: Annotated[float, Saved(column="second_opinion")]
    low: Annotated[float, Saved(column="second_opinion_low")]
    high: Annotated[float, Saved(column="second_opinion_high")]
    method: str

    @property
    def is_made(self) -> bool:
        """Whether there is one."""
        return self.method not in (NO_OPINION, NOT_ASKED)


@dataclass(frozen=True, slots=True)
class OtherMissing:
    """The adjusted odds ratio with missing controls treated the other way, about the outcome itself.

    Parameters
    ----------
    missing_controls : {'drop', 'value'}
        The other way: records left out, or missing as a level.
    odds_ratio, low, high : float
        The estimate and its interval.
    left_out : int
        Records left out for missing controls.
    """

    missing_controls: str
    odds_ratio: Annotated[float, Saved(column="other_missing_odds_ratio")]
    low: Annotated[float, Saved(column="other_missing_low")]
    high: Annotated[float, Saved(column="other_missing_high")]
    left_out: int


@dataclass(frozen=True, slots=True)
class WithoutUndecided:
    """The odds ratio of the outcome itself, without columns that may come after the outcome.

    It is kept only where it says something else than the one with them.
    """

    columns: Annotated[tuple[str, ...], Saved(column="depends_on")]
    odds_ratio: Annotated[Estimate, Saved(column="odds_ratio_without", stem="without")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How a study was done that holds whole columns: who was compared, how, and what was left out.

    Parameters
    ----------
    held : tuple of str
        The columns adjusted for.
    matching : {'exact', 'propensity'}
        Whether compared records agree on all of them, or have equal scores.
    exact_on : tuple of str
        Columns on which compared records agree in any case.
    estimand : str
        Which exposed records the numbers speak for.
    share_matched : float
        Of all exposed records; those left out for missing controls are not matched.
    exposure_unknown : int
        Records in neither arm, because a value is missing.
    missing_controls : {'none', 'drop', 'value'}
        What became of records with missing controls.
    left_out : int
        Records left out for missing controls.
    near_copies : tuple of str
        Columns that could not be held because they nearly determine the exposure.
    imbalanced : tuple of str
        Columns in which the arms differ by more than 0.1 standard deviations after matching.
    worst_imbalance : float, optional
        The largest standardised difference after matching among the columns adjusted for.
    worst_imbalance_before : float, optional
        The same before matching.
    matched_exposed, matched_unexposed : int, optional
        Records in strata with both arms. These four are None in files of earlier versions.
    second_opinion : SecondOpinion
        A doubly robust estimate over the same columns.
    opinions_agree : bool
        Whether both estimates are compatible.
    other_missing : OtherMissing, optional
        The estimate that stands beside the first where controls have missing values.
    n_clusters : int
        Clusters that intervals and p-value rest on; 0 where every record stands for itself.
    gathered_by_outcome : bool
        Matched sets were gathered by the outcome, as cases with their controls: risks mean nothing.
    without_undecided : WithoutUndecided, optional
        The odds ratio without columns of which nobody knows whether they come first, where that matters.
    """

    held: Annotated[tuple[str, ...], Saved(column="adjusted_for", section=WHAT_WAS_HELD)]
    matching: Annotated[str, Saved(column="matching", section=WHO_WAS_COMPARED)]
    exact_on: tuple[str, ...]
    estimand: Annotated[str, Saved(column="estimand", section=WHO_WAS_COMPARED)]
    share_matched: Annotated[float, Saved(column="share_matched", section=WHO_WAS_COMPARED)]
    exposure_unknown: Annotated[int, Saved(column="exposure_unknown", section=WHO_WAS_COMPARED)]
    missing_controls: Annotated[str, Saved(column="missing_controls", section=WHO_WAS_COMPARED)]
    left_out: Annotated[int, Saved(column="left_out", section=WHO_WAS_COMPARED)]
    near_copies: Annotated[tuple[str, ...], Saved(column="near_copies", section=WHAT_WAS_HELD)]
    imbalanced: Annotated[tuple[str, ...], Saved(column="imbalanced", section=WHAT_WAS_HELD)]
    second_opinion: SecondOpinion
    opinions_agree: bool
    worst_imbalance: Annotated[float | None, Saved(column="worst_imbalance", section=WHAT_WAS_HELD)] = None
    worst_imbalance_before: Annotated[
        float | None, Saved(column="worst_imbalance_before", section=WHAT_WAS_HELD)
    ] = None
    matched_exposed: Annotated[int | None, Saved(column="matched_exposed", section=WHO_WAS_COMPARED)] = None
    matched_unexposed: Annotated[int | None, Saved(column="matched_unexposed", section=WHO_WAS_COMPARED)] = (
        None
    )
    other_missing: OtherMissing | None = None
    n_clusters: Annotated[int, Saved(column="n_clusters", section=WHO_WAS_COMPARED)] = 0
    gathered_by_outcome: bool = False
    without_undecided: WithoutUndecided | None = None

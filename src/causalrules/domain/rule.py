"""A rule that was put to a cohort study, with all of its evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Literal

from causalrules.domain.dose_response import DoseResponse, PerUnit
from causalrules.domain.estimate import Estimate
from causalrules.domain.evidence import (
    Balance,
    Design,
    Doubts,
    Effects,
    Explanation,
    TestName,
)
from causalrules.domain.file_layout import WHAT_WAS_HELD, WHO_WAS_COMPARED, Saved
from causalrules.domain.interaction import Interaction
from causalrules.domain.item import Pattern
from causalrules.domain.marker_phrases import DEPENDS_ON
from causalrules.domain.mean_effect import AS_ODDS_RATIO, MeanEffect
from causalrules.domain.pairs import PairCounts
from causalrules.domain.subgroups import Subgroups
from causalrules.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

Direction = Literal["raises", "lowers"]
Verdict = Literal["causal", "possible", "consequence", "rejected", "untestable"]
Arrow = Literal["cause", "effect", "undecided"]
Grade = Literal["strong", "moderate", "fragile"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rule:
    """One association, its cohort study and the verdict.

    Numbers are in the direction's sense: of a rule that lowers they are those
    of being without the outcome, with odds ratios above 1. `of_the_outcome`
    turns them round, as they stand in files, tables and pictures.

    Parameters
    ----------
    pattern : tuple of Item
        The items of the exposure.
    direction : {'raises', 'lowers'}
        Whether the pattern is associated with more or with less of the outcome.
    verdict : {'causal', 'possible', 'consequence', 'rejected', 'untestable'}
        What the cohort study says; of what probably comes after the outcome, that it is a consequence.
    support : int
        Records with the pattern and the direction's outcome.
    local_support : float
        The same as a share of the records with the direction's outcome.
    odds_ratio : Estimate
        Crude, over all records.
    exposed, unexposed : int
        Records with and without the pattern.
    pairs : PairCounts
        The fair data set. For random pairing, that of the decisive run.
    fair_odds_ratio : Estimate
        n12/n21 over the matched pairs, with a normal interval.
    test : {'mantel-haenszel', 'conditional', 'stratified-means'}
        The test that the verdict rests on; 'conditional' where its odds ratio is the conditional maximum
        likelihood estimate, as of sparse strata and of matched sets.
    adjusted_odds_ratio : Estimate
        The odds ratio of that test.
    p_value, q_value : float
        Two-sided, of that test; and corrected for the number of rules tried
        (None without a correction, or where a rule was untestable).
    effects : Effects
        The size of the effect in plain terms.
    doubts : Doubts
        What could undo it.
    balance : Balance, optional
        How alike exposed and unexposed are; for causal rules.
    explanation : Explanation, optional
        Which controls explain a rejected association away, on request.
    reason : str
        Why the verdict is not causal, or what to know of a causal one, in one sentence.
    grade : {'strong', 'moderate', 'fragile'}, optional
        How much a causal rule can be relied on; see `assess.grade`.
    arrow : {'cause', 'effect', 'undecided'}, optional
        Which way the data say the arrow points.
    witness : str
        Why the arrow points there: what the data bear witness to, or what the user said.
    p_next, p_cause, p_effect : float, optional
        Probabilities that the column stands next to the outcome, as a cause and as an effect of it.
    group : tuple of str
        Columns that cannot be told apart from this one.
    says_the_same : tuple of str
        Other patterns that hold only because of this rule: they interact no more where its columns are held.
    interaction : Interaction, optional
        Of a pattern of several parts: what they do together; it speaks of the outcome itself in any case.
    design : Design
        How the study was done: what was held, who was compared.
    subgroups : tuple of Subgroups
        The effect in the subgroups of columns that were asked about, or that it depends on; it speaks of
        the outcome itself.
    dose : DoseResponse, optional
        All levels of the exposure's column, where they have an order; in mining only of its first rule.
    per_unit : PerUnit, optional
        Of a single hypothesis about an interval of a number: the odds ratio per unit of it.
    mean : MeanEffect, optional
        The effect on the mean of a numeric outcome; odds and risks are then those of its upper half.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=2000).table
    >>> rule = causalrules.mine(patients, "ill=yes", max_length=1).causal[0]
    >>> rule
    <Rule severity=high: causal, raises, odds ratio 2.85 (2.30–3.52)>
    >>> rule.name, rule.length, rule.depends_on, rule.n_pairs > 0, rule.n_controls > 0
    ('severity=high', 1, None, True, True)
    >>> rule.strength == rule.adjusted_odds_ratio  # of an event rather than of a mean
    True
    """

    pattern: Annotated[Pattern, Saved(column="rule", shows="name")]
    direction: Direction
    verdict: Annotated[Verdict, Saved(before={"length": "length"})]
    support: int
    local_support: float
    odds_ratio: Estimate
    exposed: Annotated[int, Saved(section=WHO_WAS_COMPARED)]
    unexposed: Annotated[int, Saved(section=WHO_WAS_COMPARED)]
    pairs: Annotated[PairCounts, Saved(inline=True, before={"pairs": "n_pairs"}, section=WHO_WAS_COMPARED)]
    fair_odds_ratio: Annotated[Estimate, Saved(stem="fair")]
    test: TestName
    adjusted_odds_ratio: Annotated[Estimate, Saved(stem="adjusted")]
    p_value: float
    q_value: float | None
    effects: Annotated[Effects, Saved(inline=True)]
    doubts: Annotated[Doubts, Saved(inline=True)]
    design: Annotated[Design, Saved(inline=True)]
    balance: Balance | None = None
    explanation: Explanation | None = None
    reason: str = ""
    grade: Annotated[Grade | None, Saved(column="grade")] = None
    arrow: Annotated[Arrow | None, Saved(column="arrow")] = None
    witness: Annotated[str, Saved(column=None)] = ""
    p_next: float | None = None
    p_cause: float | None = None
    p_effect: float | None = None
    group: Annotated[tuple[str, ...], Saved(section=WHAT_WAS_HELD)] = ()
    says_the_same: Annotated[tuple[str, ...], Saved(section=WHAT_WAS_HELD)] = ()
    interaction: Interaction | None = None
    subgroups: Annotated[tuple[Subgroups, ...], Saved(column=None)] = ()
    dose: DoseResponse | None = None
    per_unit: PerUnit | None = None
    mean: MeanEffect | None = None

    def __post_init__(self) -> None:
        # Files hold reciprocals of these numbers. 1/(1/x) may miss x in its last bit, but 1/(1/(1/x)) is
        # always 1/x: a number that is itself a reciprocal comes back from a file as it was.
        if self.direction == "lowers":
            for name in ("odds_ratio", "fair_odds_ratio", "adjusted_odds_ratio"):
                object.__setattr__(self, name, getattr(self, name).inverted().inverted())
            if self.explanation is not None:
                object.__setattr__(self, "explanation", self.explanation.flipped().flipped())

    def of_the_outcome(self) -> Rule:
        """The rule with numbers that speak of the outcome itself; done twice, the rule as it was.

        What lowers then has odds ratios below 1 and negative differences.
        `support` and `local_support` stay those of the rule's own direction,
        and a second opinion speaks of the outcome in any case.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table
        >>> rule = causalrules.test(patients, "ill=yes", "exercise=daily").rules[0]
        >>> own = rule.of_the_outcome()
        >>> round(rule.adjusted_odds_ratio.value, 2), round(own.adjusted_odds_ratio.value, 2)
        (1.79, 0.56)
        """
        if self.direction == "raises":
            return self
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
    def strength(self) -> Estimate:
        """The adjusted odds ratio in the rule's direction; of a mean the odds ratio that weighs as much."""
        return self.adjusted_odds_ratio if self.mean is None else self.mean.as_ratio(AS_ODDS_RATIO)

    @property
    def has_risks(self) -> bool:
        """Whether risks mean something: not of a mean, nor of records that were gathered by the outcome.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=1000).table
        >>> causalrules.test(patients, "ill=yes", "smoker=yes").rules[0].has_risks
        True
        """
        return self.mean is None and not self.design.gathered_by_outcome

    @property
    def compares_nothing(self) -> bool:
        """Whether comparable records leave every effect possible, and all records do not tell either.

        So it is where the exposure is known only for records with the outcome.

        Examples
        --------
        >>> import causalrules
        >>> table = {"left": ["yes"] * 40 + ["no"] * 60, "why": ["price", "move"] * 20 + [None] * 60}
        >>> causalrules.test(table, "left=yes", "why=price").rules[0].compares_nothing
        True
        """
        crude, own = self.odds_ratio, self.adjusted_odds_ratio
        is_open = own.low <= 0 and own.high == inf and crude.low <= 1 <= crude.high
        return self.mean is None and is_open

    @property
    def n_pairs(self) -> float:
        """Matched pairs."""
        return self.pairs.n_pairs

    @property
    def n_controls(self) -> int:
        """Number of columns held fixed."""
        return len(self.design.held)

    @property
    def length(self) -> int:
        """Number of items in the pattern."""
        return len(self.pattern)

    @property
    def name(self) -> str:
        """The pattern as people write it: ``smoker=yes & age>60``."""
        return " & ".join(item.name for item in self.pattern)

    @property
    def depends_on(self) -> str | None:
        """The column that the effect depends on, where there is no clear effect on average; else None."""
        is_such = self.verdict == "causal" and self.reason.startswith(DEPENDS_ON)
        return self.subgroups[-1].column if is_such and self.subgroups else None

    def __repr__(self) -> str:
        """In one line, with the odds ratio of the outcome itself; `show` tells more."""
        effect, what = self.of_the_outcome().adjusted_odds_ratio, "odds ratio"
        if self.mean is not None:
            effect, what = self.mean.difference, "mean difference"
        told = "" if self.verdict == "untestable" else f", {what} {effect.value:.2f}"
        limits = f" ({effect.low:.2f}–{effect.high:.2f})" if told else ""
        if self.depends_on is not None:
            return one_line(f"<Rule {self.name}: {self.verdict}, depends on {self.depends_on}{told}{limits}>")
        return one_line(f"<Rule {self.name}: {self.verdict}, {self.direction}{told}{limits}>")

    def mask(self, frame: Any, missing: Sequence[str] | None = None) -> Any:
        """Which records of a table have the pattern, as a series of the table's own library.

        Values are read as the search reads them. Where a value is missing it
        is not known whether a record has the pattern: then it has not.

        Parameters
        ----------
        frame : data frame, dict of columns, path, …
            Whatever `mine` reads.
        missing : sequence of str, optional
            Texts that mean a missing value, if others than usual.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table.to_pandas()
        >>> rule = causalrules.test(patients, "ill=yes", "smoker=yes & exercise=daily").rules[0]
        >>> exposed = patients[rule.mask(patients)]
        >>> len(exposed) == rule.exposed
        True
        """
        from causalrules.interchange.record_masks import mask_of

        return mask_of(self.pattern, frame, missing)

    def to_sql(self, missing: Sequence[str] | None = None) -> str:
        """The pattern as a condition for ``WHERE``, such as ``"smoker" = 'yes' AND "age" > 60``.

        Texts are compared as they are stored: one with blanks around it is another text. In databases that
        keep NaN, it is larger than every number. What databases store in different ways, durations or
        moments of a time zone, is refused.
        Of a table of texts, such as CSV, a column is taken for what its values look like.

        Parameters
        ----------
        missing : sequence of str, optional
            Texts that mean a missing value, if others than usual.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table
        >>> rule = causalrules.test(patients, "ill=yes", "smoker=yes & exercise!=daily").rules[0]
        >>> print(rule.to_sql())
        "smoker" = 'yes' AND "exercise" NOT IN ('daily', '', '?', 'NA', 'NaN', 'null')
        """
        from causalrules.interchange.rule_expressions import sql_of

        return sql_of(self.pattern, missing)

    def to_polars(self, missing: Sequence[str] | None = None) -> Any:
        """The pattern as a Polars expression, for ``filter`` of eager and lazy frames.

        Parameters
        ----------
        missing : sequence of str, optional
            Texts that mean a missing value, if others than usual.

        Examples
        --------
        >>> import polars
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table
        >>> rule = causalrules.test(patients, "ill=yes", "smoker=yes & exercise!=daily").rules[0]
        >>> polars.from_arrow(patients).lazy().filter(rule.to_polars()).collect().height == rule.exposed
        True
        """
        from causalrules.interchange.rule_expressions import polars_of

        return polars_of(self.pattern, missing)

    def show(self) -> None:
        """Print the rule's card: its verdict in a sentence, its numbers, and how the study was done.

        Examples
        --------
        >>> import causalrules
        >>> patients = causalrules.simulate("hospital", n_records=2000).table
        >>> rule = causalrules.test(patients, "ill=yes", "smoker=yes & exercise!=daily").rules[0]
        >>> rule.show()  # doctest: +ELLIPSIS
        smoker=yes & exercise!=daily: causal, raises the odds of the outcome, ...
        """
        from rich.console import Console

        from causalrules.report.terminal.study_report import rule_card

        Console(highlight=False).print(rule_card(self))

    def _repr_html_(self) -> str:
        from causalrules.report.notebook import rule_html

        return rule_html(self)

"""Settings of the studies: what is held, who is compared, how rules are judged."""
# ruff: noqa: RUF009 - `setting` makes a `dataclasses.field`

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar, Literal

from causalrules.domain.setting_fields import BETWEEN_0_AND_1, SHARE, CheckedFields, at_least, setting
from causalrules.errors import Setting, SettingsError

ControlsChoice = Literal["auto", "items", "columns"]
PairsChoice = Literal["expected", "random"]
TestChoice = Literal["auto", "matched-pairs", "exact", "mantel-haenszel"]
MissingChoice = Literal["auto", "drop", "value"]
JudgeChoice = Literal["corrected", "interval"]
CorrectionChoice = Literal["none", "bonferroni", "holm", "bh", "by"]
MatchingChoice = Literal[
    "auto", "exact", "jaccard", "hamming", "euclidean", "mahalanobis", "propensity", "almost-exact"
]

DEFAULT_CALIPER: dict[str, float] = {"jaccard": 0.2, "propensity": 0.2, "almost-exact": 0.1}
"""Where no caliper is given; for the other distances it follows from the number of controls."""


@dataclass(frozen=True, kw_only=True)
class MatchingSettings(CheckedFields):
    """What is held fixed in a cohort study, and which records it compares."""

    title: ClassVar[str] = "What is held fixed, who is compared"

    controls: ControlsChoice = setting(
        "auto",
        "What is adjusted for: auto: whole columns that may confound, numbers as numbers; items (the paper's "
        "text): single items; columns (the authors' released program): what leaves enough records. "
        "Distances, random pairs, tests of pairs, epsilon, bootstrap, exact_on, caliper, ratio, replace and "
        "optimal belong to items and imply it; the result says so first.",
        label="Adjust for",
        former={"refined": "auto"},
    )
    adjust: tuple[str, ...] = setting(
        (),
        "Columns, or conditions such as 'bmi>=30', to adjust for, instead of those the program chooses; a "
        "plus before the first (+age) adds them to its choice.",
        label="adjust for these",
    )
    missing_controls: MissingChoice = setting(
        "auto",
        "Records with a missing value in a column adjusted for: drop leaves them out, value makes missing a "
        "level of its own; auto leaves them out as long as a fifth and at least 50 records of the smaller "
        "arm remain.",
        label="Missing controls",
    )
    matching: MatchingChoice = setting(
        "auto",
        "Who is compared: exact: records that agree on every control; auto: the same, or records with equal "
        "scores where too few agree; propensity: records with a similar estimated chance of exposure; "
        "almost-exact: records that agree on all but the least important controls; otherwise the nearest "
        "ones by that distance over the controls.",
        label="Matching",
    )
    caliper: float | Literal["none"] | None = setting(
        None,
        "Largest distance between matched records, or none; it implies controls items. For propensity in "
        "standard deviations of the logit; for almost-exact the share of the controls' importance that may "
        "be given up. If not given: 0.2 for jaccard and propensity, 0.1 for almost-exact; for hamming and "
        "euclidean a twentieth of the controls may differ; for mahalanobis, half the root mean square "
        "distance of two random records.",
        label="Caliper",
        unset="depends on the matching",
        legal=at_least(0, ", or 'none'"),
    )
    ratio: int = setting(
        1,
        "Largest number of matches for each record of the smaller arm.",
        label="Partners for each record",
        legal=at_least(1),
    )
    replace: bool = setting(
        False,
        "Match with replacement: a record may be matched to several others.",
        label="Use partners again",
    )
    optimal: bool = setting(
        False,
        "Minimise the sum of distances instead of taking the closest pairs first, where the problem is small "
        "enough.",
        label="Optimal pairs",
    )
    exact_on: tuple[str, ...] = setting(
        (), "Columns on which matched records must agree exactly, whatever the distance."
    )
    epsilon: float | None = setting(
        None,
        "Largest number of records that an item may share with a pattern and still count as excluding it; "
        "such an item is not held fixed. It belongs to the paper's protocol and implies controls items.",
        label="Exclusive up to (records)",
        unset="the minimum support as a count",
        legal=at_least(0),
    )

    def __post_init__(self) -> None:
        self._refuse_what_the_matching_has_no_use_for()
        if self.controls != "auto" and self.matching == "auto":
            self.settle("matching", "exact")
        super().__post_init__()
        if self.replace and self.ratio != 1:
            raise SettingsError("ratio", "1 where partners are used again", self.ratio)
        if self.optimal and (self.ratio != 1 or self.replace):
            raise SettingsError(
                "optimal", "left alone with a ratio or with partners used again", self.optimal
            )
        if self.caliper is None:
            self.settle("caliper", DEFAULT_CALIPER.get(self.matching))

    def _refuse_what_the_matching_has_no_use_for(self) -> None:
        by_distance = self.matching not in ("auto", "exact", "almost-exact")
        for name, is_given in (
            ("caliper", self.caliper is not None and self.matching in ("auto", "exact")),
            ("exact_on", bool(self.exact_on) and self.matching in ("auto", "exact")),
            ("ratio", self.ratio != 1 and not by_distance),
            ("replace", self.replace and not by_distance),
            ("optimal", self.optimal and not by_distance),
        ):
            if is_given:
                raise SettingsError.saying(
                    name,
                    Setting(name, is_subject=True),
                    " needs a way of matching by distance, such as ",
                    Setting("matching", "jaccard"),
                    f"; matching is {self.matching!r}.",
                )

    @property
    def adjusted_for(self) -> tuple[str, ...]:
        """The columns that the user wants adjusted for."""
        return tuple(name.removeprefix("+").strip() for name in self.adjust)

    @property
    def adjusts_for_nothing_else(self) -> bool:
        """Whether these replace the columns that would be chosen."""
        return bool(self.adjust) and not self.adjust[0].startswith("+")

    @property
    def largest_distance(self) -> float | None:
        """The caliper as a number, infinite for none; None if it follows from the number of controls."""
        return inf if self.caliper == "none" else self.caliper


@dataclass(frozen=True, kw_only=True)
class JudgementSettings(CheckedFields):
    """How rules are judged.

    A minimum odds ratio, or the correction ``'none'``, implies ``judge='interval'``; judged
    by interval, the correction is ``'none'``. A correction of another kind contradicts it.
    """

    title: ClassVar[str] = "How rules are judged"

    judge: JudgeChoice = setting(
        "corrected",
        "corrected: by a p-value corrected for the number of rules tried; interval, as in the paper: each "
        "rule alone, causal if its interval lies above 1.",
        label="Judge by",
    )
    correction: CorrectionChoice = setting(
        "bh",
        "How to correct for the number of rules tried at one length and in one direction; none judges each "
        "rule alone, by its interval.",
        label="Correction for many rules",
    )
    alpha: float = setting(
        0.05, "Significance level of corrected p-values.", label="Level", legal=BETWEEN_0_AND_1
    )
    confidence: float = setting(
        0.95, "Confidence level of the intervals.", label="Confidence of intervals", legal=BETWEEN_0_AND_1
    )
    min_odds_ratio: float | None = setting(
        None,
        "If given, associations and causal rules need an odds ratio above this instead of an interval above "
        "1; each rule is then judged alone.",
        label="Minimum odds ratio",
        unset="none",
        legal=at_least(1),
    )
    test: TestChoice = setting(
        "auto",
        "matched-pairs: the paper's normal interval for discordant pairs; exact: the binomial one; "
        "mantel-haenszel: all records of each stratum; auto: the last with auto controls, otherwise the "
        "first.",
        label="Test",
    )
    mid_p: bool = setting(
        False,
        "For the exact test: count only half of the observed point's probability.",
        label="Mid-p",
    )
    holdout: float = setting(
        0.0,
        "Share of the records held out: hypotheses are chosen on the rest and tested on these; 0 uses all "
        "records for both.",
        label="Share held out",
        legal=SHARE,
    )
    pairs: PairsChoice = setting(
        "expected",
        "expected: average over all pairings; random: the paper's repeated random pairing.",
        label="Pairs",
    )
    runs: int = setting(
        3, "For random pairs: how often the whole search is run.", label="Runs", legal=at_least(1)
    )
    votes: int = setting(
        2,
        "For random pairs: in how many runs a rule must be causal.",
        label="Votes needed",
        legal=at_least(1),
    )
    seed: int = setting(0, "Fixes every random choice.", label="Seed", legal=at_least(0, most=2**63 - 1))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pairs == "random" and self.votes > self.runs:
            raise SettingsError("votes", f"at most the number of runs ({self.runs})", self.votes)
        if self.min_odds_ratio is not None or self.correction == "none":
            self.settle("judge", "interval")
        if self.judge == "interval":
            self._refuse_a_correction()
            self.settle("correction", "none")

    def _refuse_a_correction(self) -> None:
        if self.correction not in ("none", JudgementSettings.correction):
            cause = Setting("judge", "interval")
            if self.min_odds_ratio is not None:
                cause = Setting("min_odds_ratio", self.min_odds_ratio)
            raise SettingsError.saying(
                "correction",
                Setting("correction", is_subject=True),
                f" is {self.correction!r}, but ",
                cause,
                " judges each rule alone, without one. Leave one of them out.",
            )


@dataclass(frozen=True, kw_only=True)
class ScrutinySettings(CheckedFields):
    """What else is asked of the rules that were judged."""

    title: ClassVar[str] = "A closer look"

    explain: bool = setting(
        False,
        "Show, for each rejected rule, which controls explain it away, and how much each of them does.",
        label="Explain rejected rules",
    )
    bootstrap: int = setting(
        0,
        "Number of bootstrap samples in which each causal rule is judged again; 0 for none. It belongs to "
        "the paper's protocol and implies controls items.",
        label="Bootstrap tables",
        legal=at_least(0),
    )

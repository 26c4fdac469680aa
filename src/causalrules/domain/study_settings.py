"""Settings of the studies: what is held, who is compared, how rules are judged."""
# ruff: noqa: RUF009 - `setting` makes a `dataclasses.field`

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from causalrules.domain.setting_fields import BETWEEN_0_AND_1, SHARE, CheckedFields, at_least, setting
from causalrules.errors import Setting, SettingsError

MissingChoice = Literal["auto", "drop", "value"]
JudgeChoice = Literal["corrected", "interval"]
CorrectionChoice = Literal["none", "bonferroni", "holm", "bh", "by"]
MatchingChoice = Literal["auto", "exact", "propensity"]


@dataclass(frozen=True, kw_only=True)
class MatchingSettings(CheckedFields):
    """What is held fixed in a cohort study, and which records it compares."""

    title: ClassVar[str] = "What is held fixed, who is compared"

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
        "Who is compared: exact: records that agree on every control; propensity: records with a similar "
        "estimated chance of exposure; auto: the first, or records with equal scores where too few agree.",
        label="Matching",
    )

    @property
    def adjusted_for(self) -> tuple[str, ...]:
        """The columns that the user wants adjusted for."""
        return tuple(name.removeprefix("+").strip() for name in self.adjust)

    @property
    def adjusts_for_nothing_else(self) -> bool:
        """Whether these replace the columns that would be chosen."""
        return bool(self.adjust) and not self.adjust[0].startswith("+")


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
    holdout: float = setting(
        0.0,
        "Share of the records held out: hypotheses are chosen on the rest and tested on these; 0 uses all "
        "records for both.",
        label="Share held out",
        legal=SHARE,
    )
    seed: int = setting(0, "Fixes every random choice.", label="Seed", legal=at_least(0, most=2**63 - 1))
    explain: bool = setting(
        False,
        "Show, for each rejected rule, which controls explain it away, and how much each of them does.",
        label="Explain rejected rules",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
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

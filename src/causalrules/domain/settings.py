"""Every choice a run of the default depends on, with its default, its help and its legal values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from causalrules.domain.further_settings import FurtherSettings, OutcomeAs, WeightsAre
from causalrules.domain.missing_values import MissingGiven
from causalrules.domain.question_settings import (
    ColumnSettings,
    DirectionChoice,
    KnowledgeSettings,
    SearchSettings,
)
from causalrules.domain.resource_settings import EngineChoice, ResourceSettings
from causalrules.domain.setting_fields import CheckedFields, kinds_of
from causalrules.domain.study_settings import (
    CorrectionChoice,
    JudgeChoice,
    JudgementSettings,
    MatchingChoice,
    MatchingSettings,
    MissingChoice,
)
from causalrules.domain.table_settings import TableSettings, described
from causalrules.errors import Setting, SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOT_OF_A_SAMPLE = (
    "negative_outcome",
    "negative_exposure",
    "placebo",
    "matched_set",
    "explain",
)
_NOT_OF_A_MEAN = (*_NOT_OF_A_SAMPLE, "min_odds_ratio")
"""What is not answered for the weights of a sample, and for means."""

_LEAVE_OUT = "Leave out one of the two, "


def check_together(settings: Settings) -> None:
    """Refuse settings that have no answer beside each other."""
    _check_weights(settings)
    if settings.outcome_as == "mean":
        why = "is of records with and without an outcome, not of means"
        _refuse(settings, "outcome_as", _NOT_OF_A_MEAN, why)
    sets = settings.matched_set
    if sets is not None and not isinstance(sets, str):
        raise SettingsError("matched_set", "the name of a column", sets)
    if sets is not None and settings.cluster is not None:
        raise SettingsError("matched_set", "left out beside a cluster: sets are strata", sets)
    if settings.placebo and settings.holdout:
        raise SettingsError("placebo", "0 where records are held out", settings.placebo)


def _check_weights(settings: Settings) -> None:
    if settings.weights_are == "frequencies":
        return
    if settings.weights is None:
        raise SettingsError("weights", "a column where weights_are is 'sampling'", settings.weights)
    _refuse(settings, "weights_are", _NOT_OF_A_SAMPLE, "counts every record for itself, not by its weight")


def _refuse(settings: Settings, asked: str, others: Sequence[str], why: str) -> None:
    """Refuse what a question has no answer for yet."""
    for name in others:
        if getattr(settings, name) and _is_given(settings, name):
            raise SettingsError.saying(
                name,
                Setting(name, is_subject=True),
                f" {why}. {_LEAVE_OUT}",
                Setting(name, is_subject=True),
                " or ",
                Setting(asked, getattr(settings, asked)),
                ".",
            )


def _is_given(settings: Settings, name: str) -> bool:
    """Whether a setting is another than its default."""
    return bool(getattr(settings, name) != getattr(type(settings), name))


WITHOUT_EFFECT = ("engine", "memory", "threads")
"""Settings that never change a result."""

GROUPS: tuple[type[CheckedFields], ...] = (
    SearchSettings,
    KnowledgeSettings,
    MatchingSettings,
    JudgementSettings,
    FurtherSettings,
    ColumnSettings,
    ResourceSettings,
)
"""The settings in groups, in the order in which they are shown."""


@dataclass(frozen=True, kw_only=True)
class Settings(MatchingSettings, FurtherSettings, TableSettings):
    """What to look for and how to judge it.

    The functions, the terminal and the explorer draw names, defaults, help
    and legal values from here, so they cannot drift apart.

    Parameters
    ----------
    {parameters}

    Examples
    --------
    >>> Settings(min_support=0.01).max_length
    2
    >>> Settings(min_support=1.5)
    Traceback (most recent call last):
    ...
    causalrules.errors.SettingsError: min_support must be at least 0 and below 1; it is 1.5.

    To pass a default changes nothing:

    >>> Settings(judge="corrected", correction="bh", confidence=0.95) == Settings()
    True
    >>> Settings.from_dict(Settings.from_options(after="drug").to_dict()).after
    ('drug',)
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        check_together(self)

    @property
    def is_sampled(self) -> bool:
        """Whether records are a sample whose weights tell what they represent."""
        return self.weights is not None and self.weights_are == "sampling"

    @property
    def has_design(self) -> bool:
        """Whether records belong together or are a weighted sample: not each is evidence by itself."""
        return self.cluster is not None or self.is_sampled

    @property
    def group_column(self) -> str | None:
        """The column whose equal values mean that records belong together, as a cluster or a matched set."""
        return self.cluster if self.matched_set is None else self.matched_set


Settings.__doc__ = (Settings.__doc__ or "").replace("{parameters}", described(Settings))

NAME_LISTS = tuple(name for name, kind in kinds_of(Settings).items() if kind.type is tuple)
"""Settings that are lists of texts."""

TiersGiven = str | Sequence[Sequence[str]]
"""``"age,sex < smoking"``, or a list for each tier."""
ArrowsGiven = str | Sequence[str | tuple[str, str]]
"""``"smoking -> cancer"``, or pairs of cause and effect."""
CutsGiven = str | Sequence[str] | Mapping[str, str | Sequence[float | str]]
"""``"bmi=18.5,25"``, or points by column."""


class SettingsOptions(TypedDict, total=False):
    """The settings as keyword arguments, for editors and type checkers; `Settings` explains them."""

    direction: DirectionChoice
    max_length: int
    min_support: float
    exposures: str | Sequence[str]
    never_adjust: str | Sequence[str]
    before: str | Sequence[str]
    after: str | Sequence[str]
    tiers: TiersGiven
    require: ArrowsGiven
    forbid: ArrowsGiven
    adjust: str | Sequence[str]
    missing_controls: MissingChoice
    matching: MatchingChoice
    judge: JudgeChoice
    correction: CorrectionChoice
    alpha: float
    confidence: float
    min_odds_ratio: float | None
    holdout: float
    seed: int
    explain: bool
    outcome_as: OutcomeAs
    by: str | Sequence[str]
    negative_outcome: str | Sequence[str]
    negative_exposure: str | Sequence[str]
    ordered: str | Sequence[str]
    weights: str | None
    weights_are: WeightsAre
    matched_set: str | None
    placebo: int
    drop: str | Sequence[str]
    only: str | Sequence[str]
    categorical: str | Sequence[str]
    numeric: str | Sequence[str]
    bins: str
    cut: CutsGiven
    join: str | Sequence[str]
    missing: MissingGiven
    max_values: int
    cluster: str | None
    engine: EngineChoice
    memory: int | str | None
    threads: int | None

"""Every choice a run depends on, with its default, its help and its legal values, in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Literal, TypedDict

from causalrules.domain.further_settings import FurtherSettings, OutcomeAs, WeightsAre
from causalrules.domain.knowledge import Knowledge, read_arrow, read_tiers
from causalrules.domain.missing_values import MissingGiven
from causalrules.domain.pattern_grammar import columns_of_pattern
from causalrules.domain.question_settings import (
    ColumnSettings,
    DirectionChoice,
    KnowledgeSettings,
    SearchSettings,
)
from causalrules.domain.resource_settings import EngineChoice, ResourceSettings
from causalrules.domain.setting_fields import SHORT_OPTIONS, CheckedFields, kinds_of
from causalrules.domain.settings_together import (
    ONLY_DEFAULT,
    asking_for_the_paper,
    check_together,
    refuse_what_only_the_default_has,
)
from causalrules.domain.study_settings import (
    ControlsChoice,
    CorrectionChoice,
    JudgeChoice,
    JudgementSettings,
    MatchingChoice,
    MatchingSettings,
    MissingChoice,
    PairsChoice,
    ScrutinySettings,
    TestChoice,
)
from causalrules.errors import SettingsError

WITHOUT_EFFECT = ("engine", "memory", "threads")
"""Settings that never change a result."""

_FOLLOW_FROM_THE_PROTOCOL = ("controls", "matching", "caliper", "test")
"""What the paper's protocol settles where it was not given."""

GROUPS: tuple[type[CheckedFields], ...] = (
    SearchSettings,
    KnowledgeSettings,
    MatchingSettings,
    JudgementSettings,
    ScrutinySettings,
    FurtherSettings,
    ColumnSettings,
    ResourceSettings,
)
"""The settings in groups, in the order in which they are shown."""


@dataclass(frozen=True, kw_only=True)
class Settings(
    ResourceSettings,
    ColumnSettings,
    FurtherSettings,
    ScrutinySettings,
    JudgementSettings,
    MatchingSettings,
    KnowledgeSettings,
    SearchSettings,
):
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
    >>> Settings().as_the_paper().pairs
    'random'

    Some belong to the paper's protocol, and say so:

    >>> print(Settings(bootstrap=20).note.partition(",")[0])
    bootstrap (20) belongs to the paper's protocol
    """

    def __post_init__(self) -> None:
        switched_by = asking_for_the_paper(self) if self.controls == "auto" else ()
        self.settle("switched_by", switched_by)
        if switched_by:
            self.settle("_as_asked", {name: getattr(self, name) for name in _FOLLOW_FROM_THE_PROTOCOL})
            self.settle("controls", "items")
        if self.test == "auto":
            self.settle("test", "mantel-haenszel" if self.controls == "auto" else "matched-pairs")
        refuse_what_only_the_default_has(self)
        super().__post_init__()
        check_together(self)
        self.knowledge.check()

    @property
    def is_sampled(self) -> bool:
        """Whether records are a sample whose weights tell what they represent."""
        return self.weights is not None and self.weights_are == "sampling"

    @property
    def has_design(self) -> bool:
        """Whether records belong together or are a weighted sample: not each is evidence by itself."""
        return self.cluster is not None or self.is_sampled

    @property
    def frequencies(self) -> str | None:
        """The column that says how often each row counts, if there is one."""
        return None if self.is_sampled else self.weights

    def knowledge_about(self, columns: Sequence[str]) -> Knowledge:
        """What the user says about these columns; what is adjusted for by a condition is its column."""
        adjust = [
            name
            for text in self.adjusted_for
            for name in ([text] if text in columns else columns_of_pattern(text, columns))
        ]
        return replace(self.knowledge, adjust=tuple(dict.fromkeys(adjust)))

    @cached_property
    def knowledge(self) -> Knowledge:
        """What the user says about columns."""
        return Knowledge(
            exposures=self.exposures,
            adjust=self.adjusted_for,
            never_adjust=self.never_adjust,
            before=self.before,
            after=self.after,
            tiers=read_tiers(self.tiers),
            required=tuple(read_arrow(text, "require") for text in self.require),
            forbidden=tuple(read_arrow(text, "forbid") for text in self.forbid),
        )

    switched_by: ClassVar[tuple[str, ...]] = ()
    """Settings that made these ones of the paper's protocol, though nobody asked for it by its name."""
    _as_asked: ClassVar[dict[str, Any]] = {}
    """What followed from that, as it was asked."""

    @property
    def note(self) -> str:
        """What the reader of a result must know first of settings that changed the whole method."""
        if not self.switched_by:
            return ""
        named = " and ".join(f"{name} ({getattr(self, name)})" for name in self.switched_by)
        verb, it = ("belongs", "it") if len(self.switched_by) == 1 else ("belong", "them")
        return (
            f"{named} {verb} to the paper's protocol, which was therefore used in the place of the default: "
            "single items are held fixed, not whole columns. Numbers and columns of many values are held by "
            f"their items only, so what they confound may be called a cause. Leave {it} out for the default."
        )

    @property
    def group_column(self) -> str | None:
        """The column whose equal values mean that records belong together, as a cluster or a matched set."""
        return self.cluster if self.matched_set is None else self.matched_set

    @property
    def study_matching(self) -> Literal["auto", "exact", "propensity"]:
        """How the default studies compare records."""
        if self.matching in ("exact", "propensity"):
            return "exact" if self.matching == "exact" else "propensity"
        return "auto"

    @classmethod
    def from_options(cls, **options: Any) -> Settings:
        """Build settings from keyword arguments: a list may be None, an unknown name is refused."""
        return cls(**cls._understood(options))

    def changed(self, **options: Any) -> Settings:
        """These settings with some of them changed; what followed from others is kept.

        The paper's protocol, where nobody asked for it by its name, goes with the setting that brought it.

        Examples
        --------
        >>> Settings(min_support=0.01).changed(alpha=0.01).min_support
        0.01
        >>> Settings(bootstrap=20).controls, Settings(bootstrap=20).changed(bootstrap=0).controls
        ('items', 'auto')
        """
        return replace(self, **(self._as_asked | self._understood(options)))

    def noted(self, notes: Sequence[str]) -> Settings:
        """These settings as read from a file: what brought the paper's protocol is known again from its note.

        Examples
        --------
        >>> asked = Settings(bootstrap=20)
        >>> Settings.from_dict(asked.to_dict()).noted([asked.note]).switched_by
        ('bootstrap',)
        """
        if self.controls == "items":
            matching = "auto" if self.matching == "exact" else self.matching
            # Test and caliper may have followed from the protocol, or led to it.
            for test, caliper in product((self.test, "auto"), (self.caliper, None)):
                asked = replace(self, controls="auto", matching=matching, test=test, caliper=caliper)
                if asked.note and asked.note in notes:
                    return asked
        return self

    @classmethod
    def _understood(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options; None means the default of lists and words, and an unknown one is refused."""
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                meant = [one for one, short in SHORT_OPTIONS.items() if short == name.rstrip("_")]
                raise SettingsError.unknown(name, known, meant)
        kinds = kinds_of(Settings)
        return {
            name: getattr(cls, name) if value is None and kinds[name].type in (tuple, str) else value
            for name, value in options.items()
        }

    def as_the_paper(self) -> Settings:
        """The paper's protocol: random pairs, three runs, two votes, normal intervals, no correction."""
        return replace(
            self,
            controls="items" if self.controls == "auto" else self.controls,
            pairs="random",
            runs=3,
            votes=2,
            test="matched-pairs",
            judge="interval",
            correction="none",
            holdout=0.0,
        )

    def with_matching(self, matching: MatchingChoice, exact_on: tuple[str, ...]) -> Settings:
        """These settings with another way of matching, its own caliper, and columns to agree on always."""
        exact_on = () if matching in ("auto", "exact") else exact_on
        return replace(
            self, matching=matching, caliper=None, ratio=1, replace=False, optimal=False, exact_on=exact_on
        )

    def to_dict(self) -> dict[str, Any]:
        """Every setting by name, also those left at their default."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Settings:
        """Read back what `to_dict` wrote, also in an earlier version: what is no setting now is left out."""
        values = {field.name: entry[field.name] for field in fields(cls) if field.name in entry}
        if values.get("correction") != "none" and values.get("min_odds_ratio") is not None:
            # Before `judge` had a name, a minimum and a correction could be combined. The correction is
            # what the verdicts rest on.
            del values["min_odds_ratio"]
        if values.get("controls", "auto") != "auto":
            # What the paper's protocol did not heed, and later refuses.
            values = {name: value for name, value in values.items() if name not in ONLY_DEFAULT}
        return cls(**values)


def _described() -> str:
    """The settings as a docstring lists them."""
    lines = []
    for field in fields(Settings):
        kind = kinds_of(Settings)[field.name]
        words = f"{{{', '.join(map(repr, kind.choices))}}}" if kind.type is str and kind.choices else ""
        known = words or ("tuple of str" if kind.type is tuple else kind.type.__name__)
        default = "optional" if field.default is None else f"default {field.default!r}"
        unset = f" By default: {field.metadata['unset']}." if field.metadata["unset"] else ""
        lines += [f"{field.name} : {known}, {default}", f"    {field.metadata['help']}{unset}"]
    return "\n    ".join(lines)


Settings.__doc__ = (Settings.__doc__ or "").replace("{parameters}", _described())

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
    controls: ControlsChoice
    adjust: str | Sequence[str]
    missing_controls: MissingChoice
    matching: MatchingChoice
    caliper: float | Literal["none"] | None
    ratio: int
    replace: bool
    optimal: bool
    exact_on: str | Sequence[str]
    epsilon: float | None
    judge: JudgeChoice
    correction: CorrectionChoice
    alpha: float
    confidence: float
    min_odds_ratio: float | None
    test: TestChoice
    mid_p: bool
    holdout: float
    pairs: PairsChoice
    runs: int
    votes: int
    seed: int
    explain: bool
    bootstrap: int
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

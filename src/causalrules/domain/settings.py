"""Every choice a run depends on, with its default, its help and its legal values, in one place."""
# ruff: noqa: RUF009 - `setting` makes a `dataclasses.field`

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import inf
from typing import Any, ClassVar, Literal, TypedDict

from causalrules.domain.cut_points import Cuts, read_cuts, written_cuts
from causalrules.domain.knowledge import Knowledge, read_arrow, read_tiers, written_arrow, written_tiers
from causalrules.domain.pattern_grammar import columns_of_pattern
from causalrules.domain.setting_fields import (
    BETWEEN_0_AND_1,
    SHARE,
    CheckedFields,
    at_least,
    kinds_of,
    setting,
)
from causalrules.errors import Setting, SettingsError

DirectionChoice = Literal["both", "raises", "lowers"]
ControlsChoice = Literal["auto", "items", "columns"]
PairsChoice = Literal["expected", "random"]
EngineChoice = Literal["auto", "memory", "streaming", "spark"]
TestChoice = Literal["auto", "matched-pairs", "exact", "mantel-haenszel"]
MissingChoice = Literal["auto", "drop", "value"]
JudgeChoice = Literal["corrected", "interval"]
CorrectionChoice = Literal["none", "bonferroni", "holm", "bh", "by"]
MatchingChoice = Literal[
    "auto", "exact", "jaccard", "hamming", "euclidean", "mahalanobis", "propensity", "almost-exact"
]

DEFAULT_MISSING = ("?", "NA", "NaN", "null")
WITHOUT_EFFECT = ("engine", "memory", "threads")
"""Settings that never change a result."""

ONLY_DEFAULT = ("adjust", "missing_controls", "cluster", "require")
"""Settings that only the default studies, of whole columns, have a use for."""

DEFAULT_CALIPER: dict[str, float] = {"jaccard": 0.2, "propensity": 0.2, "almost-exact": 0.1}
"""Where no caliper is given; for the other distances it follows from the number of controls."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings(CheckedFields):
    """What to look for."""

    title: ClassVar[str] = "What to look for"

    direction: DirectionChoice = setting(
        "both", "Rules that raise the odds of the outcome, lower them, or both.", label="Direction"
    )
    max_length: int = setting(2, "Most items in one pattern.", label="Longest rule", legal=at_least(1))
    min_support: float = setting(
        0.05,
        "Share of the records with the outcome (without it, for rules that lower it) that must have the "
        "pattern; a pattern must exceed it.",
        label="Minimum support",
        legal=SHARE,
    )


@dataclass(frozen=True, kw_only=True)
class KnowledgeSettings(CheckedFields):
    """What is known beforehand about columns; it overrules what the data say."""

    title: ClassVar[str] = "What you know"

    exposures: tuple[str, ...] = setting((), "The only columns to ask about.", label="ask about these only")
    never_adjust: tuple[str, ...] = setting(
        (),
        "Columns that are never adjusted for: those on the way from an exposure to the outcome (mediators) "
        "and those that both act on (colliders).",
        label="never adjust for",
    )
    before: tuple[str, ...] = setting((), "Columns that come before the outcome.", label="before the outcome")
    after: tuple[str, ...] = setting(
        (),
        "Columns that come after the outcome: never a cause, never adjusted for.",
        label="after the outcome",
    )
    tiers: str = setting(
        "",
        "Columns in the order of time, such as 'age,sex < smoking < blood_pressure': no later one causes an "
        "earlier one. The outcome's column may be among them.",
        label="Order in time",
    )
    require: tuple[str, ...] = setting(
        (), "Arrows that there are, such as 'smoking -> cancer'.", label="Arrows that there are"
    )
    forbid: tuple[str, ...] = setting(
        (), "Arrows that there are not, such as 'smoking -> age'.", label="Arrows that there are not"
    )

    def __post_init__(self) -> None:
        given: Any = self.tiers
        if not isinstance(given, str):
            self.settle("tiers", written_tiers(given))
        for name in ("require", "forbid"):
            arrows: Any = getattr(self, name)
            if not isinstance(arrows, str):
                texts = [one if isinstance(one, str) else written_arrow(one) for one in arrows]
                self.settle(name, tuple(texts))
        super().__post_init__()


@dataclass(frozen=True, kw_only=True)
class MatchingSettings(CheckedFields):
    """What is held fixed in a cohort study, and which records it compares."""

    title: ClassVar[str] = "What is held fixed, who is compared"

    controls: ControlsChoice = setting(
        "auto",
        "What is adjusted for: auto holds whole columns that may confound, numbers as numbers; items (the "
        "paper's text) single items, columns (the authors' released program) what leaves enough records. "
        "Distances, random pairs and tests of pairs belong to items, which they imply.",
        label="Adjust for",
        former={"refined": "auto"},
    )
    adjust: tuple[str, ...] = setting(
        (),
        "Columns, or conditions such as 'bmi>=30', to adjust for instead of those that are chosen; a first "
        "one with a plus (+age) adds them to those.",
        label="adjust for these",
    )
    missing_controls: MissingChoice = setting(
        "auto",
        "Records with a missing value in a column adjusted for: left out (drop), or missing as a value of "
        "its own; auto leaves them out while a fifth and at least 50 records of the smaller arm stay.",
        label="Missing controls",
    )
    matching: MatchingChoice = setting(
        "auto",
        "Who is compared: auto takes records that agree on every control, or have equal scores where too "
        "few agree; exact those that agree; those nearest to each other by a distance "
        "over the controls or by the estimated chance of being exposed (propensity), or those that agree on "
        "all but the least important controls.",
        label="Matching",
    )
    caliper: float | Literal["none"] | None = setting(
        None,
        "Largest distance between partners, or none. For propensity in standard deviations of the logit; "
        "for almost-exact the share of the controls' importance that may be given up. Not given, it is 0.2 "
        "for jaccard and propensity, 0.1 for almost-exact; for hamming and euclidean a twentieth of the "
        "controls may differ; for mahalanobis it is half the root mean square distance of two random "
        "records.",
        label="Caliper",
        unset="fits the way of matching",
        legal=at_least(0, ", or 'none'"),
    )
    ratio: int = setting(
        1,
        "Most partners for each record of the smaller side.",
        label="Partners for each record",
        legal=at_least(1),
    )
    replace: bool = setting(False, "A record may be the partner of several.", label="Use partners again")
    optimal: bool = setting(
        False,
        "The smallest sum of distances instead of the closest pairs first, where the problem is small "
        "enough.",
        label="Optimal pairs",
    )
    exact_on: tuple[str, ...] = setting((), "Columns on which partners agree exactly whatever the distance.")
    epsilon: float | None = setting(
        None,
        "Overlap, in records, up to which an item is exclusive of a pattern.",
        label="Exclusive up to (records)",
        unset="the minimum support as a count",
        legal=at_least(0),
    )

    def __post_init__(self) -> None:
        if self.controls != "auto" and self.matching == "auto":
            self.settle("matching", "exact")
        self._refuse_what_the_matching_has_no_use_for()
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
        "By a p-value corrected for the number of rules tried, or, the paper's way, each rule alone by its "
        "interval: causal where it lies above 1.",
        label="Judge by",
    )
    correction: CorrectionChoice = setting(
        "bh",
        "How to account for the number of rules tried at one length and in one direction; none judges each "
        "rule alone, by its interval.",
        label="Correction for many rules",
    )
    alpha: float = setting(
        0.05, "Level that corrected p-values must not exceed.", label="Level", legal=BETWEEN_0_AND_1
    )
    confidence: float = setting(
        0.95, "Confidence of every interval.", label="Confidence of intervals", legal=BETWEEN_0_AND_1
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
        "The paper's normal interval for discordant pairs; the exact binomial one; or all records of each "
        "stratum (mantel-haenszel). auto takes the last with auto controls, else the first.",
        label="Test",
    )
    mid_p: bool = setting(
        False,
        "For the exact test: count half of the observed point's probability only.",
        label="Mid-p",
    )
    holdout: float = setting(
        0.0,
        "Share of the records kept aside: hypotheses come from the others and are tested on these; 0 uses "
        "all records for both.",
        label="Share held out",
        legal=SHARE,
    )
    pairs: PairsChoice = setting(
        "expected", "Average over all pairings, or the paper's repeated random pairing.", label="Pairs"
    )
    runs: int = setting(3, "For random pairs: how many pairings.", label="Random pairings", legal=at_least(1))
    votes: int = setting(
        2,
        "For random pairs: in how many pairings a rule must be causal.",
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

    @property
    def interval_confidence(self) -> float:
        """The confidence of every interval."""
        return self.confidence


@dataclass(frozen=True, kw_only=True)
class ScrutinySettings(CheckedFields):
    """What else is asked of the rules that were judged."""

    title: ClassVar[str] = "A closer look"

    explain: bool = setting(
        False,
        "Find out, for each rejected rule, which controls explain it away, and how far each of them does.",
        label="Explain rejected rules",
    )
    bootstrap: int = setting(
        0,
        "Resampled tables to judge each causal rule by; 0 for none.",
        label="Bootstrap tables",
        legal=at_least(0),
    )


@dataclass(frozen=True, kw_only=True)
class ColumnSettings(CheckedFields):
    """How columns are read."""

    title: ClassVar[str] = "How columns are read"

    drop: tuple[str, ...] = setting((), "Columns to ignore.", label="leave out")
    only: tuple[str, ...] = setting((), "The only columns to use.")
    categorical: tuple[str, ...] = setting(
        (), "Columns whose values are categories although they look like numbers.", label="as categories"
    )
    numeric: tuple[str, ...] = setting(
        (), "Columns whose values are numbers although they look like categories.", label="as numbers"
    )
    bins: str = setting(
        "mdl",
        "How numbers become items: mdl (where the outcome changes), quantile:4 (any number of bins) or none.",
        label="Cut numbers by",
    )
    cut: tuple[str, ...] = setting(
        (),
        "Cut points of single columns: bmi=18.5,25,30 (18.5 belongs to the interval above it), age=every:10 "
        "or income=quantile:5. The number is asked about by these intervals, and still held as a number.",
        label="Cut points",
    )
    missing: tuple[str, ...] = setting(
        DEFAULT_MISSING,
        "Texts that mean a missing value, besides null and empty.",
        label="Texts that mean missing",
    )
    max_values: int = setting(
        1000,
        "A column with more distinct values is left out.",
        label="Most values of a column",
        legal=at_least(2),
    )
    cluster: str | None = setting(
        None,
        "Column whose equal values mean that records belong together, such as those of one patient. It is "
        "no hypothesis and nothing to adjust for; intervals and tests then count clusters, not records.",
        label="Records belong together by",
        unset="every record stands for itself",
    )

    def __post_init__(self) -> None:
        given: Any = self.cut
        if isinstance(given, Mapping):
            self.settle("cut", tuple(written_cuts(column, how) for column, how in given.items()))
        super().__post_init__()
        self.n_quantiles  # noqa: B018 - reading it checks the spelling of `bins`
        if self.cluster is not None and not isinstance(self.cluster, str):
            raise SettingsError("cluster", "the name of a column", self.cluster)
        self.cuts  # noqa: B018 - and of `cut`

    @property
    def cuts(self) -> dict[str, Cuts]:
        """The columns that are cut where the user says."""
        found: dict[str, Cuts] = {}
        for cuts in map(read_cuts, self.cut):
            if cuts.column in found:
                raise SettingsError("cut", "one text a column", cuts.column)
            found[cuts.column] = cuts
        return found

    @property
    def n_quantiles(self) -> int | None:
        """Number of bins asked for by ``bins='quantile:N'``; None for the other ways."""
        if self.bins in ("mdl", "none"):
            return None
        kind, _, number = str(self.bins).partition(":")
        is_number = number.isdecimal() and len(number) <= 6
        if kind != "quantile" or not is_number or int(number) < 2:
            raise SettingsError("bins", "'mdl', 'none' or 'quantile:N' with N from 2 to 999999", self.bins)
        return int(number)


@dataclass(frozen=True, kw_only=True)
class ResourceSettings(CheckedFields):
    """Where and with what records are counted; none of it changes a result."""

    title: ClassVar[str] = "What a run may use"

    engine: EngineChoice = setting(
        "auto",
        "Where records are counted: in memory, in blocks on disk (streaming), or on Spark. auto takes Spark "
        "for its own tables, else memory if the table seems to fit. Never changes a result.",
    )
    memory: int | str | None = setting(
        None,
        "Bytes that records may take, also as text like 512MiB. Never changes a result.",
        unset="half of what is free",
    )
    threads: int | None = setting(
        None,
        "Threads to count with. Never changes a result.",
        unset="all cores",
        legal=at_least(1, most=4096),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.memory is not None:
            self.settle("memory", bytes_of(self.memory))
            if int(self.memory) < _LEAST_MEMORY:
                raise SettingsError("memory", "at least 16MiB", self.memory)
            if int(self.memory) > _MOST_MEMORY:
                raise SettingsError("memory", "at most 1024TiB", self.memory)

    @property
    def most_bytes(self) -> int | None:
        """The memory that records may take, if it was given."""
        return None if self.memory is None else int(self.memory)


GROUPS: tuple[type[CheckedFields], ...] = (
    SearchSettings,
    KnowledgeSettings,
    MatchingSettings,
    JudgementSettings,
    ScrutinySettings,
    ColumnSettings,
    ResourceSettings,
)
"""The settings in groups, in the order in which they are shown."""


@dataclass(frozen=True, kw_only=True)
class Settings(
    ResourceSettings,
    ColumnSettings,
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
    """

    def __post_init__(self) -> None:
        if self.controls == "auto" and self._asks_for_pairs_of_items():
            self.settle("controls", "items")
        if self.test == "auto":
            self.settle("test", "mantel-haenszel" if self.controls == "auto" else "matched-pairs")
        self._refuse_what_only_the_default_has()
        super().__post_init__()
        self.knowledge.check()

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

    def _refuse_what_only_the_default_has(self) -> None:
        """The paper's protocol must not look as if it had heeded what it knows nothing about."""
        for name in ONLY_DEFAULT:
            if self.controls == "auto" or getattr(self, name) in ((), getattr(Settings, name)):
                continue
            raise SettingsError.saying(
                name,
                Setting(name, is_subject=True),
                " belongs to studies of whole columns, ",
                Setting("controls", "auto"),
                f"; controls is {self.controls!r}, given or implied by the paper's protocol, distances, "
                "random pairs or tests of pairs. Leave one of them out.",
            )

    def _asks_for_pairs_of_items(self) -> bool:
        """Whether something was asked for that only the paper's protocol has."""
        return (
            self.matching not in ("auto", "exact", "propensity")
            or self.pairs == "random"
            or self.test in ("matched-pairs", "exact")
            or self.epsilon is not None
            or self.bootstrap > 0
            or bool(self.exact_on)
            or self.caliper is not None
            or self.ratio != 1
            or self.replace
            or self.optimal
        )

    @property
    def study_matching(self) -> Literal["auto", "exact", "propensity"]:
        """How the default studies compare records."""
        if self.matching in ("exact", "propensity"):
            return "exact" if self.matching == "exact" else "propensity"
        return "auto"

    @classmethod
    def from_options(cls, **options: Any) -> Settings:
        """Build settings from keyword arguments, naming the nearest setting for an unknown one."""
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                raise SettingsError.unknown(name, known)
        return cls(**options)

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
        """The same with another way of matching, its own caliper, and columns to agree on in any case."""
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


class SettingsOptions(TypedDict, total=False):
    """The settings as keyword arguments, for editors and type checkers; `Settings` explains them."""

    direction: DirectionChoice
    max_length: int
    min_support: float
    exposures: str | Sequence[str]
    never_adjust: str | Sequence[str]
    before: str | Sequence[str]
    after: str | Sequence[str]
    tiers: str
    require: str | Sequence[str]
    forbid: str | Sequence[str]
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
    drop: str | Sequence[str]
    only: str | Sequence[str]
    categorical: str | Sequence[str]
    numeric: str | Sequence[str]
    bins: str
    cut: str | Sequence[str]
    missing: str | Sequence[str]
    max_values: int
    cluster: str | None
    engine: EngineChoice
    memory: int | str | None
    threads: int | None


def bytes_of(size: int | str) -> int:
    """A size such as ``512MiB``, ``2 GB`` or ``100000`` in bytes.

    Examples
    --------
    >>> bytes_of("512MiB"), bytes_of("1.5 kB"), bytes_of(1000)
    (536870912, 1500, 1000)
    """
    is_small = not isinstance(size, int) or size <= _MOST_MEMORY
    found = _SIZE.fullmatch(str(size).strip()) if is_small else None
    if isinstance(size, bool) or found is None:
        raise SettingsError("memory", "a size such as 512MiB or 2GB", size)
    number, prefix, is_binary = found.groups()
    power = "kmgt".index(prefix.lower()) + 1 if prefix else 0
    return int(float(number) * (1024 if is_binary else 1000) ** power)


_SIZE = re.compile(r"(\d{1,20}(?:\.\d{0,20})?)\s*(?:([kmgt])(i)?)?b?", re.IGNORECASE)
_LEAST_MEMORY = 16 << 20
_MOST_MEMORY = 1 << 50

"""Every choice a run depends on, with its default, in one place."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from math import inf, isfinite
from typing import Any, Literal, get_args, get_type_hints

from causalrules.errors import SettingsError

DirectionChoice = Literal["both", "raises", "lowers"]
ControlsChoice = Literal["items", "columns", "refined"]
PairsChoice = Literal["expected", "random"]
EngineChoice = Literal["auto", "memory", "streaming", "spark"]
TestChoice = Literal["matched-pairs", "exact", "mantel-haenszel"]
CorrectionChoice = Literal["none", "bonferroni", "holm", "bh", "by"]
MatchingChoice = Literal[
    "exact", "jaccard", "hamming", "euclidean", "mahalanobis", "propensity", "almost-exact"
]

DEFAULT_MISSING = ("?", "NA", "NaN", "null")
NAME_LISTS = ("exact_on", "drop", "only", "categorical", "numeric", "missing")
"""Settings that are lists of texts."""

WITHOUT_EFFECT = ("engine", "threads")
"""Settings that never change a result."""

DEFAULT_CALIPER: dict[str, float] = {"jaccard": 0.2, "propensity": 0.2, "almost-exact": 0.1}
"""Where no caliper is given; for the other distances it follows from the number of controls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What to look for and how to judge it.

    The function, the estimator and the terminal draw their defaults from
    here, so they cannot drift apart.

    Parameters
    ----------
    direction : {'both', 'raises', 'lowers'}
        Rules that raise the odds of the outcome, lower them, or both.
    max_length : int
        Most items in one pattern.
    min_support : float
        Share of the records with the outcome (without it, for ``lowers``)
        that must have the pattern; a pattern must exceed it.
    confidence : float, optional
        Confidence of every interval, 0.95 if not given. Giving it asks for
        the paper's way of judging: each rule alone, by its interval, without
        a correction for many tests unless `correction` says otherwise.
    min_odds_ratio : float, optional
        If given, associations and causal rules need an odds ratio above this
        instead of an interval above 1.
    test : {'matched-pairs', 'exact', 'mantel-haenszel'}
        The paper's normal interval for discordant pairs; the exact binomial
        one; or all records of each stratum.
    mid_p : bool
        For ``exact``: count half of the observed point's probability only.
    correction : {'none', 'bonferroni', 'holm', 'bh', 'by'}, optional
        How to account for the number of rules tried at one length and in one
        direction. Not given, it is ``'bh'``, or ``'none'`` where `confidence`
        or `min_odds_ratio` is given.
    alpha : float
        Level that corrected p-values must not exceed.
    holdout : float
        Share of the records kept aside: hypotheses come from the others and
        are tested on these; 0 uses all records for both.
    bootstrap : int
        Resampled tables to judge each causal rule by; 0 for none.
    explain : bool
        Find out, for each rejected rule, which controls explain it away.
    pairs : {'expected', 'random'}
        Average over all pairings, or the paper's repeated random pairing.
    runs, votes : int
        For ``random``: how many pairings, and in how many of them a rule
        must be causal.
    seed : int
        Fixes every random choice.
    epsilon : float, optional
        Overlap, in records, up to which an item is exclusive of a pattern;
        by default the minimum support as a count.
    controls : {'items', 'columns', 'refined'}
        Hold single items fixed (the paper's text), whole columns (the
        authors' released program), or only the items that a network learnt
        around the outcome says are needed.
    matching : {'exact', 'jaccard', 'hamming', 'euclidean', 'mahalanobis', 'propensity', 'almost-exact'}
        Who is compared: records that agree on every control, those nearest
        to each other by a distance over the controls or by the estimated
        chance of being exposed, or those that agree on all but the least
        important controls.
    caliper : float or 'none', optional
        Largest distance between partners; for ``propensity`` in standard
        deviations of the logit; for ``almost-exact`` the share of the
        controls' importance that may be given up. Not given, it is 0.2 for
        ``jaccard`` and ``propensity``, 0.1 for ``almost-exact``; for
        ``hamming`` and ``euclidean`` a twentieth of the controls may differ; for
        ``mahalanobis`` it is half the root mean square distance of two
        random records.
    ratio : int
        Most partners for each record of the smaller side.
    replace : bool
        Whether a record may be the partner of several.
    optimal : bool
        The smallest sum of distances instead of the closest pairs first,
        where the problem is small enough.
    exact_on : tuple of str
        Columns on which partners agree exactly whatever the distance.
    drop, only : tuple of str
        Columns to ignore, or the only ones to use.
    categorical, numeric : tuple of str
        Columns whose values are categories although they look like numbers,
        or numbers although they look like categories.
    bins : str
        ``'mdl'``, ``'quantile:4'`` (any number of bins) or ``'none'``.
    missing : tuple of str
        Texts that mean a missing value, besides null and empty.
    max_values : int
        A column with more distinct values is left out.
    engine : {'auto', 'memory', 'streaming', 'spark'}
        Where records are counted: in memory, in blocks on disk, or on Spark.
        ``auto`` takes Spark for its own tables, else memory if the table
        seems to fit. Never changes a result.
    memory : int or str, optional
        Bytes that records may take, also as text like ``'512MiB'``; half of
        what is free by default. Never changes a result.
    threads : int, optional
        Threads to count with; all cores by default. Never changes a result.

    Examples
    --------
    >>> Settings(min_support=0.01).max_length
    2
    >>> Settings(min_support=1.5)
    Traceback (most recent call last):
    ...
    causalrules.errors.SettingsError: min_support must be at least 0 and below 1; it is 1.5.
    """

    direction: DirectionChoice = "both"
    max_length: int = 2
    min_support: float = 0.05
    confidence: float | None = None
    min_odds_ratio: float | None = None
    test: TestChoice = "matched-pairs"
    mid_p: bool = False
    correction: CorrectionChoice | None = None
    alpha: float = 0.05
    holdout: float = 0.0
    bootstrap: int = 0
    explain: bool = False
    pairs: PairsChoice = "expected"
    runs: int = 3
    votes: int = 2
    seed: int = 0
    epsilon: float | None = None
    controls: ControlsChoice = "items"
    matching: MatchingChoice = "exact"
    caliper: float | Literal["none"] | None = None
    ratio: int = 1
    replace: bool = False
    optimal: bool = False
    exact_on: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    bins: str = "mdl"
    missing: tuple[str, ...] = DEFAULT_MISSING
    max_values: int = 1000
    engine: EngineChoice = "auto"
    memory: int | str | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.correction is None:
            judges_by_interval = self.confidence is not None or self.min_odds_ratio is not None
            object.__setattr__(self, "correction", "none" if judges_by_interval else "bh")
        if self.confidence is None:
            object.__setattr__(self, "confidence", 0.95)
        for name in NAME_LISTS:
            _store_names(self, name)
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise SettingsError.choice(name, choices, getattr(self, name))
        for name, least in _WHOLE_NUMBERS.items():
            _require_whole_number(name, getattr(self, name), least)
        _require(0 <= _number(self, "min_support") < 1, "min_support", "at least 0 and below 1", self)
        _require(0 < _number(self, "confidence") <= 1 - 1e-9, "confidence", "between 0 and 1", self)
        _require(0 < _number(self, "alpha") < 1, "alpha", "between 0 and 1", self)
        _require(0 <= _number(self, "holdout") < 1, "holdout", "at least 0 and below 1", self)
        for name in ("mid_p", "explain", "replace", "optimal"):
            _require(isinstance(getattr(self, name), bool), name, "true or false", self)
        if self.min_odds_ratio is not None:
            _require(_number(self, "min_odds_ratio") >= 1, "min_odds_ratio", "at least 1", self)
        if self.epsilon is not None:
            _require(_number(self, "epsilon") >= 0, "epsilon", "at least 0", self)
        if self.threads is not None:
            _require_whole_number("threads", self.threads, 1)
        if self.memory is not None:
            object.__setattr__(self, "memory", bytes_of(self.memory))
            _require(int(self.memory) >= _LEAST_MEMORY, "memory", "at least 16MiB", self)
        _require(
            self.pairs != "random" or self.votes <= self.runs,
            "votes",
            f"at most the number of runs ({self.runs})",
            self,
        )
        self._check_matching()
        self.n_quantiles  # noqa: B018 - reading it checks the spelling of `bins`

    def _check_matching(self) -> None:
        """Fill in the caliper; refuse choices that the way of matching has no use for."""
        by_distance = self.matching not in ("exact", "almost-exact")
        for name, is_given in (
            ("caliper", self.caliper is not None and self.matching == "exact"),
            ("exact_on", bool(self.exact_on) and self.matching == "exact"),
            ("ratio", self.ratio != 1 and not by_distance),
            ("replace", self.replace and not by_distance),
            ("optimal", self.optimal and not by_distance),
        ):
            if is_given:
                needs = f"{name} needs a way of matching by distance, such as --matching jaccard"
                raise SettingsError.saying(name, f"{needs}; matching is {self.matching!r}.")
        _require(self.ratio == 1 or not self.replace, "ratio", "1 where partners are used again", self)
        _require(
            not self.optimal or (self.ratio == 1 and not self.replace),
            "optimal",
            "left alone with a ratio or with partners used again",
            self,
        )
        if self.caliper is None:
            object.__setattr__(self, "caliper", DEFAULT_CALIPER.get(self.matching))
        elif self.caliper != "none":
            _require(_number(self, "caliper") >= 0, "caliper", "at least 0, or 'none'", self)

    @property
    def most_bytes(self) -> int | None:
        """The memory that records may take, if it was given."""
        return None if self.memory is None else int(self.memory)

    @property
    def largest_distance(self) -> float | None:
        """The caliper as a number, infinite for none; None if it follows from the number of controls."""
        return inf if self.caliper == "none" else self.caliper

    @property
    def n_quantiles(self) -> int | None:
        """Number of bins asked for by ``bins='quantile:N'``; None for the other ways."""
        if self.bins in ("mdl", "none"):
            return None
        kind, _, number = str(self.bins).partition(":")
        if kind != "quantile" or not number.isdecimal() or int(number) < 2:
            raise SettingsError("bins", "'mdl', 'none' or 'quantile:N' with N of at least 2", self.bins)
        return int(number)

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
            self, pairs="random", runs=3, votes=2, test="matched-pairs", correction="none", holdout=0.0
        )

    def with_matching(self, matching: MatchingChoice, exact_on: tuple[str, ...]) -> Settings:
        """The same with another way of matching, its own caliper, and columns to agree on in any case."""
        exact_on = () if matching == "exact" else exact_on
        return replace(
            self, matching=matching, caliper=None, ratio=1, replace=False, optimal=False, exact_on=exact_on
        )

    @property
    def interval_confidence(self) -> float:
        """The confidence, which is settled once settings are made."""
        assert self.confidence is not None
        return self.confidence

    def to_dict(self) -> dict[str, Any]:
        """Every setting by name, also those left at their default."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def bytes_of(size: int | str) -> int:
    """A size such as ``512MiB``, ``2 GB`` or ``100000`` in bytes.

    Examples
    --------
    >>> bytes_of("512MiB"), bytes_of("1.5 kB"), bytes_of(1000)
    (536870912, 1500, 1000)
    """
    found = _SIZE.fullmatch(str(size).strip())
    if isinstance(size, bool) or found is None:
        raise SettingsError("memory", "a size such as 512MiB or 2GB", size)
    number, prefix, is_binary = found.groups()
    power = "kmgt".index(prefix.lower()) + 1 if prefix else 0
    return int(float(number) * (1024 if is_binary else 1000) ** power)


_SIZE = re.compile(r"(\d+(?:\.\d*)?)\s*(?:([kmgt])(i)?)?b?", re.IGNORECASE)
_LEAST_MEMORY = 16 << 20

_WHOLE_NUMBERS = {
    "max_length": 1,
    "runs": 1,
    "votes": 1,
    "seed": 0,
    "max_values": 2,
    "bootstrap": 0,
    "ratio": 1,
}
_CHOICES = {
    name: get_args(hint)
    for name, hint in get_type_hints(Settings).items()
    if hint in (DirectionChoice, ControlsChoice, PairsChoice, EngineChoice, TestChoice, MatchingChoice)
} | {"correction": get_args(CorrectionChoice)}


def _store_names(settings: Settings, name: str) -> None:
    value = getattr(settings, name)
    names = (value,) if isinstance(value, str) else tuple(value)
    if not all(isinstance(text, str) for text in names):
        raise SettingsError(name, "a list of texts", value)
    object.__setattr__(settings, name, names)


def _number(settings: Settings, name: str) -> float:
    value = getattr(settings, name)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not isfinite(value):
        raise SettingsError(name, "a finite number", value)
    return float(value)


def _require_whole_number(name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise SettingsError(name, f"a whole number of at least {least}", value)


def _require(holds: bool, name: str, demand: str, settings: Settings) -> None:
    if not holds:
        raise SettingsError(name, demand, getattr(settings, name))

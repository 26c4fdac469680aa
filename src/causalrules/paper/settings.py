"""What the paper's procedure is asked with: controls, ways of matching, pairs, runs and votes."""
# ruff: noqa: RUF009 - `setting` makes a `dataclasses.field`

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from causalrules.domain.setting_fields import at_least, setting
from causalrules.domain.table_settings import TableSettings, described
from causalrules.errors import Setting, SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

ControlsChoice = Literal["items", "columns"]
PairsChoice = Literal["expected", "random"]
TestChoice = Literal["matched-pairs", "exact", "mantel-haenszel"]
MatchingChoice = Literal[
    "exact", "jaccard", "hamming", "euclidean", "mahalanobis", "propensity", "almost-exact"
]

DEFAULT_CALIPER: dict[str, float] = {"jaccard": 0.2, "propensity": 0.2, "almost-exact": 0.1}
"""Where no caliper is given; for the other distances it follows from the number of controls."""

PROTOCOL: dict[str, Any] = {"pairs": "random", "runs": 3, "votes": 2, "judge": "interval"}
"""The paper's text: pairs are drawn, the search is run three times, each rule is judged alone."""


@dataclass(frozen=True, kw_only=True)
class PaperSettings(TableSettings):
    """Settings of Algorithm 1.

    Parameters
    ----------
    {parameters}

    Examples
    --------
    >>> PaperSettings().pairs, PaperSettings.of_the_protocol().pairs
    ('expected', 'random')
    >>> PaperSettings(matching="jaccard").largest_distance
    0.2
    >>> PaperSettings(ratio=3)
    Traceback (most recent call last):
    ...
    causalrules.errors.SettingsError: ratio needs a way of matching by distance, such as matching='jaccard'; \
matching is 'exact'.
    """

    holds_columns: ClassVar[bool] = False

    controls: ControlsChoice = setting(
        "items",
        "What is held fixed: items, as the paper's text has it, or columns: every whole column that leaves "
        "enough records, close to the authors' released program.",
    )
    matching: MatchingChoice = setting(
        "exact",
        "Who is compared: exact: records that agree on every control; propensity: records with a similar "
        "estimated chance of exposure; almost-exact: records that agree on all but the least important "
        "controls; otherwise the nearest ones by that distance over the controls.",
    )
    caliper: float | Literal["none"] | None = setting(
        None,
        "Largest distance between matched records, or none. For propensity in standard deviations of the "
        "logit; for almost-exact the share of the controls' importance that may be given up. If not given: "
        "0.2 for jaccard and propensity, 0.1 for almost-exact; for hamming and euclidean a twentieth of the "
        "controls may differ; for mahalanobis, half the root mean square distance of two random records.",
        unset="depends on the matching",
        legal=at_least(0, ", or 'none'"),
    )
    ratio: int = setting(
        1, "Largest number of matches for each record of the smaller arm.", legal=at_least(1)
    )
    replace: bool = setting(False, "Match with replacement: a record may be matched to several others.")
    optimal: bool = setting(
        False,
        "Minimise the sum of distances instead of taking the closest pairs first, where the problem is small "
        "enough.",
    )
    exact_on: tuple[str, ...] = setting(
        (), "Columns on which matched records must agree exactly, whatever the distance."
    )
    epsilon: float | None = setting(
        None,
        "An item is exclusive, and not held fixed, if at most this many records have it together with the "
        "pattern, or have it without the pattern.",
        unset="the minimum support as a count",
        legal=at_least(0),
    )
    test: TestChoice = setting(
        "matched-pairs",
        "matched-pairs: the paper's normal interval for discordant pairs; exact: the binomial one; "
        "mantel-haenszel: all records of each stratum.",
    )
    mid_p: bool = setting(False, "For the exact test: count only half of the observed point's probability.")
    pairs: PairsChoice = setting(
        "expected", "expected: average over all pairings; random: the paper's repeated random pairing."
    )
    runs: int = setting(3, "For random pairs: how often the whole search is run.", legal=at_least(1))
    votes: int = setting(2, "For random pairs: in how many runs a rule must be causal.", legal=at_least(1))
    bootstrap: int = setting(
        0,
        "Number of bootstrap samples in which each causal rule is judged again; 0 for none.",
        legal=at_least(0),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._refuse_what_the_matching_has_no_use_for()
        if self.replace and self.ratio != 1:
            raise SettingsError("ratio", "1 where partners are used again", self.ratio)
        if self.optimal and (self.ratio != 1 or self.replace):
            raise SettingsError(
                "optimal", "left alone with a ratio or with partners used again", self.optimal
            )
        if self.pairs == "random" and self.votes > self.runs:
            raise SettingsError("votes", f"at most the number of runs ({self.runs})", self.votes)

    def _refuse_what_the_matching_has_no_use_for(self) -> None:
        by_distance = self.matching not in ("exact", "almost-exact")
        for name, is_given in (
            ("caliper", self.caliper is not None and self.matching == "exact"),
            ("exact_on", bool(self.exact_on) and self.matching == "exact"),
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
    def largest_distance(self) -> float | None:
        """The caliper as a number, infinite for none; None if it follows from the number of controls."""
        if self.caliper == "none":
            return inf
        return DEFAULT_CALIPER.get(self.matching) if self.caliper is None else self.caliper

    @classmethod
    def of_the_protocol(cls, **options: Any) -> Self:
        """The protocol of the paper's text, but for these options."""
        return cls.from_options(**(PROTOCOL | options))

    def with_matching(self, matching: MatchingChoice, exact_on: tuple[str, ...]) -> Self:
        """These settings with another way of matching, its own caliper, and columns to agree on always."""
        exact_on = () if matching == "exact" else exact_on
        return self.changed(
            matching=matching, caliper=None, ratio=1, replace=False, optimal=False, exact_on=exact_on
        )

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Self:
        """Read back what `to_dict` wrote; a choice that an earlier version left open has its default."""
        return super().from_dict(
            {name: value for name, value in entry.items() if value not in ("auto", "refined")}
        )


PaperSettings.__doc__ = (PaperSettings.__doc__ or "").replace("{parameters}", described(PaperSettings))

"""What is found of factors: values with codes and numbers, no sentences, written to files as they are."""

from __future__ import annotations

from math import sqrt
from typing import Any, Literal

import msgspec

Triple = tuple[float, float, float]
"""An estimate and its interval: value, low, high."""

Verdict = Literal[
    "cause", "possible", "explained", "indirect", "no difference", "after", "not comparable", "set aside"
]
Grade = Literal["strong", "moderate", "fragile"]
Time = Literal["before", "after", "unknown"]
Estimand = Literal["total", "direct", "adjusted"]
"""`adjusted`: nobody said what comes after what, so it is the effect with the named columns held."""


class Note(msgspec.Struct, frozen=True):
    """A fact that a reader may need, as a code; the sentence is made in `report`.

    Parameters
    ----------
    code : str
        Such as ``leak`` or ``rare_level``.
    data : dict
        What the sentence needs: names, counts, shares.
    """

    code: str
    data: dict[str, Any] = {}


class Factor(msgspec.Struct, frozen=True, kw_only=True):
    """What may be a cause: a column, several that act together, or a pattern that the user asks about.

    Parameters
    ----------
    columns : tuple of str
        Its columns.
    pattern : str
        Only of a pattern: as the user wrote it. Its levels are ``yes`` and ``no``.
    """

    columns: tuple[str, ...]
    pattern: str = ""

    @property
    def name(self) -> str:
        """As people read it."""
        return self.pattern or " & ".join(self.columns)


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """What the study says of one level; differences and ratios are to the reference, whose own are 0 and 1.

    Parameters
    ----------
    level : str
        ``yes``, ``21 to 30``; of columns that act together the levels of both, ``yes & high``.
    records : int
        Compared records that have it.
    crude : float
        Share of these with the outcome, or their mean; nothing held.
    risk : Triple
        Adjusted risk; of a mean, the adjusted mean.
    difference : Triple
        Risk minus that of the reference.
    ratio, odds_ratio : Triple or None
        None for means, and where a risk is 0 or 1.
    within : (float or None, float or None), optional
        Of a number: beyond which value it begins, and the last one that it holds; None where it has no end.
    """

    level: str
    records: int
    crude: float
    risk: Triple
    difference: Triple
    ratio: Triple | None = None
    odds_ratio: Triple | None = None
    p: float | None = None
    within: tuple[float | None, float | None] | None = None

    def holds(self, value: str | float) -> bool:
        """Whether a value is this level, or a number is in it."""
        if self.within is None or isinstance(value, str):
            return str(value) == self.level
        low, high = self.within
        return (low is None or value > low) and (high is None or value <= high)


class Trend(msgspec.Struct, frozen=True, kw_only=True):
    """Of a number: by how much the risk (or mean) changes for one unit, and for one standard deviation."""

    per_unit: Triple
    per_sd: Triple
    p: float


class Interaction(msgspec.Struct, frozen=True, kw_only=True):
    """Columns that act together.

    Parameters
    ----------
    cell : str
        The cell that differs from the others, ``yes & high``.
    risk, expected : Triple
        Its adjusted risk, and what each column alone would make of it (sum of both differences); of three
        columns, what each and each two of them would.
    reri : Triple or None
        Relative excess risk due to interaction, of the ratio of risks; of three, beyond that of each two.
    p : float
        Of the difference between the two.
    """

    cell: str
    risk: Triple
    expected: Triple
    reri: Triple | None
    p: float


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """How much the factor changes the outcome.

    Parameters
    ----------
    estimand : {'total', 'direct', 'adjusted'}
    applies_to : int
        Records that the risks are standardised to: those for whom every level shown is plausible.
    left_out : dict of str to int
        Records that are not among them, by reason: ``missing``, ``implausible``.
    reference : str
        The level the others are compared with.
    levels : tuple of Level
        In the order in which people read them.
    trend : Trend, optional
        Of numbers and ordered columns.
    att : Triple, optional
        Of two levels: the difference of risks among the records that have the other level.
    interaction : Interaction, optional
        Of columns that act together.
    covariance : tuple of tuple of float
        Of the adjusted risks, in the order of the levels: any two of them can be compared.
    """

    estimand: Estimand
    applies_to: int
    left_out: dict[str, int]
    reference: str
    levels: tuple[Level, ...]
    trend: Trend | None = None
    att: Triple | None = None
    interaction: Interaction | None = None
    covariance: tuple[tuple[float, ...], ...] = ()


class SecondOpinion(msgspec.Struct, frozen=True, kw_only=True):
    """The matched cohort: the clearest contrast of the factor, among matched records.

    Parameters
    ----------
    level, against : str
        The two levels that are compared.
    pairs : int
        Matched pairs.
    difference : Triple
        Of their risks, or means.
    expected : float
        The difference that the study's model expects of the same records.
    agrees : bool
        Whether the two do not exclude each other, and the sign is that of the study.
    """

    level: str
    against: str
    pairs: int
    difference: Triple
    expected: float
    agrees: bool


class Sensitivity(msgspec.Struct, frozen=True, kw_only=True):
    """How strong an unknown confounder had to be to explain the finding away.

    Parameters
    ----------
    gamma : float or None
        Rosenbaum's, of the matched pairs.
    e_value : Triple or None
        VanderWeele and Ding's: of the estimate and of the limit nearer to no effect (in both other places).
    """

    gamma: float | None = None
    e_value: float | None = None
    e_value_of_limit: float | None = None


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """One column held: how far the two levels of the second opinion differ in it, in standard deviations.

    Parameters
    ----------
    column : str
    before, after : float
        Of all compared records, and of the matched ones; of a category the largest of its values.
    by_chance : float
        What so many pairs differ by chance: the standard error of `after`.
    """

    column: str
    before: float
    after: float
    by_chance: float

    @property
    def beyond_chance(self) -> float:
        """What is left of the difference after matching, less what chance alone would give; at least 0."""
        return sqrt(max(self.after**2 - self.by_chance**2, 0.0))


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the answer: a factor, or a group of factors that cannot be told apart.

    Parameters
    ----------
    factors : tuple of Factor
        Several where the table cannot tell them apart.
    verdict : Verdict
    grade : Grade or None
        Only of causes and possible causes.
    moves : Triple or None
        How much the factor matters in this table, in points (0.15 is 15 points) or in units of the mean.
    p, p_corrected : float or None
        Of the study, and corrected for the number of factors; None of what was not studied.
    p_link : float or None
        Probability of a direct link with the outcome; None with `test`.
    rivals : tuple of str
        Columns that take the place when this one leaves.
    explained_by : tuple of str
        Columns that take the association away, the strongest first.
    time : {'before', 'after', 'unknown'}
        What the user said.
    effect : Effect or None
    adjusted_for : tuple of str
    p_crude : float or None
        Before adjusting.
    """

    factors: tuple[Factor, ...]
    verdict: Verdict
    grade: Grade | None = None
    moves: Triple | None = None
    p: float | None = None
    p_corrected: float | None = None
    p_crude: float | None = None
    p_link: float | None = None
    rivals: tuple[str, ...] = ()
    explained_by: tuple[str, ...] = ()
    time: Time = "unknown"
    effect: Effect | None = None
    adjusted_for: tuple[str, ...] = ()
    second_opinion: SecondOpinion | None = None
    sensitivity: Sensitivity | None = None
    balance: tuple[Balance, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def name(self) -> str:
        """As people read it; of several factors the first."""
        return self.factors[0].name

    @property
    def is_cause(self) -> bool:
        """Whether it is called a cause."""
        return self.verdict in ("cause", "indirect")

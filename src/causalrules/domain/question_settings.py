"""Settings of the question: what to look for, what is known about columns, how columns are read."""
# ruff: noqa: RUF009 - `setting` makes a `dataclasses.field`

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from causalrules.domain.cut_points import Cuts, read_cuts, written_cuts
from causalrules.domain.knowledge import written_arrow, written_tiers
from causalrules.domain.missing_values import DEFAULT_MISSING, written_missing
from causalrules.domain.setting_fields import SHARE, CheckedFields, at_least, setting
from causalrules.errors import SettingsError

DirectionChoice = Literal["both", "raises", "lowers"]


@dataclass(frozen=True, kw_only=True)
class SearchSettings(CheckedFields):
    """What to look for."""

    title: ClassVar[str] = "What to look for"

    direction: DirectionChoice = setting(
        "both", "Rules that raise the odds of the outcome, lower them, or both.", label="Direction"
    )
    max_length: int = setting(
        2,
        "Largest number of items in one pattern; 1 looks for single causes only.",
        label="Longest rule",
        legal=at_least(1),
    )
    min_support: float = setting(
        0.05,
        "A pattern must cover more than this share of the records with the outcome (of those without it, for "
        "rules that lower it).",
        label="Minimum support",
        legal=SHARE,
    )


@dataclass(frozen=True, kw_only=True)
class KnowledgeSettings(CheckedFields):
    """What is known beforehand about columns; it overrules what the data say."""

    title: ClassVar[str] = "What you know"

    exposures: tuple[str, ...] = setting(
        (), "The only columns to test as possible causes.", label="ask about these only"
    )
    never_adjust: tuple[str, ...] = setting(
        (),
        "Columns that are never adjusted for: mediators, which lie between an exposure and the outcome, and "
        "colliders, which both of them affect.",
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
        "Columns in order of time, such as 'age,sex < smoking < blood_pressure': no later one causes an "
        "earlier one. The outcome's column may be among them.",
        label="Order in time",
    )
    forbid: tuple[str, ...] = setting(
        (), "Arrows that do not exist, such as 'smoking -> age'.", label="Arrows that there are not"
    )

    def __post_init__(self) -> None:
        given: Any = self.tiers
        if not isinstance(given, str):
            self.settle("tiers", written_tiers(given))
        self.settle("forbid", as_arrows(self.forbid))
        super().__post_init__()


def as_arrows(given: Any) -> Any:
    """Arrows as texts; pairs of cause and effect are written so."""
    if isinstance(given, str):
        return given
    return tuple(one if isinstance(one, str) else written_arrow(one) for one in given)


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
        "Cut points of single columns: bmi=18.5,25,30 (18.5 belongs to the interval above it), "
        "dose=upto:5,10 (5 belongs to the one below it), age=every:10 or income=quantile:5. The number is "
        "tested by these intervals, and still adjusted for as a number.",
        label="Cut points",
    )
    join: tuple[str, ...] = setting(
        (),
        "Values of a column that count as one: diabetes=yes|Yes, stage=3|4. The result names them so.",
        label="Values that count as one",
    )
    missing: tuple[str, ...] = setting(
        DEFAULT_MISSING,
        "Texts and numbers that mean a missing value: stage=9 in one column, beside the usual ones; -99 in "
        "every column, instead of the usual ones. Null and empty always do. A word among them, such as NA, "
        "that may be a value is named first in the result.",
        label="Texts that mean missing",
    )
    max_values: int = setting(
        1000,
        "A column with more distinct values is left out.",
        label="Most values of a column",
        legal=at_least(2),
    )
    weights: str | None = setting(
        None,
        "Column of numbers that says what each row stands for. As frequencies they are whole: the result is "
        "the same as if every row were repeated that many times.",
        label="Each row stands for",
        unset="one record",
    )

    def __post_init__(self) -> None:
        given: Any = self.cut
        if isinstance(given, Mapping):
            self.settle("cut", tuple(written_cuts(column, how) for column, how in given.items()))
        self.settle("missing", written_missing(self.missing))
        super().__post_init__()
        self.n_quantiles  # noqa: B018 - reading it checks the spelling of `bins`
        if self.weights is not None and not isinstance(self.weights, str):
            raise SettingsError("weights", "the name of a column", self.weights)
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

"""What each column becomes: categories, bins, or nothing, with the reason.

The user's word counts first, then that of the source, then what the values look like.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.data_summary import WhyLeftOut
from causalrules.domain.marker_phrases import WITHOUT_A_CUT
from causalrules.domain.missing_values import missing_in
from causalrules.domain.value_meaning import the_yes_of, value_meant
from causalrules.encode.bins import (
    bin_names,
    cuts_and_texts,
    fine_cuts,
    mdl_cuts,
    quantile_cuts,
)
from causalrules.encode.column_codings import Bins, Categories, FineBins
from causalrules.encode.conditions import coding_by
from causalrules.encode.cut_bins import cut_bins
from causalrules.encode.joined_values import joined, refuse_parts
from causalrules.encode.mostly_numeric import texts_among_numbers
from causalrules.encode.tally import MOST_VALUES
from causalrules.encode.values import Numbers
from causalrules.errors import Setting, SettingsError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.domain.cut_points import Cuts
    from causalrules.domain.pattern_grammar import Condition
    from causalrules.domain.table_settings import TableSettings
    from causalrules.encode.column_codings import Coding
    from causalrules.encode.column_roles import AskedOf, Roles
    from causalrules.encode.tally import Tally

FEW_WHOLE_VALUES = 5
"""A number with at most this many distinct values, all whole, is a category."""

MOST_FINE_BINS = 100
"""Bins that stand for a number in a study: the tails of a normal one then vary by a tenth of its variance."""

_ENOUGH_TO_TELL = 20
_MANY_NUMBERS = 50
_SPREAD_EVENLY = 0.4
_DENSITY_BY_QUARTILES = 0.38
_TIES_EXPECTED = 3.0
_NAMED_LIKE_AN_IDENTIFIER = re.compile(
    r"(^|[\W_])(id|uuid|guid|key|index|rowid|record)($|[\W_])", re.IGNORECASE
)


def choose_coding(
    name: str,
    tally: Tally,
    roles: Roles,
    asked: AskedOf | None = None,
    joins: Sequence[Condition] = (),
) -> Coding | str:
    """Decide how a column is coded, or give the reason why it is left out."""
    coding = _usual_coding(name, tally, roles)
    if joins and isinstance(coding, Categories):
        coding = joined(coding, joins)
        if asked is not None:
            refuse_parts(asked.condition, joins, coding, asked.role)
    elif joins and not tally.overflowed and tally.numbers is not None:
        raise SettingsError("join", "columns of categories; numbers have cut points", name)
    if asked is None or tally.overflowed or _has_item(coding, asked.condition):
        return coding
    return coding_by(asked.condition, tally, roles.settings.missing, asked.role)


def _has_item(coding: Coding | str, condition: Condition) -> bool:
    """Whether a condition names an item that there is anyway."""
    if isinstance(coding, str) or condition.kind == "within" or len(condition.values) > 1:
        return False
    if condition.kind == "yes":
        return the_yes_of(coding.names) is not None
    asked = condition.raw if condition.raw in coding.names else condition.values[0]
    return condition.kind == "is" and value_meant(asked, coding.names) is not None


def _usual_coding(name: str, tally: Tally, roles: Roles) -> Coding | str:
    """How a column is coded if nothing special is asked of it."""
    settings, is_categorical = roles.settings, roles.is_categorical(name)
    if tally.overflowed:
        if name in settings.numeric or name in settings.cuts:
            role = "numeric" if name in settings.numeric else "cut"
            subject = Setting(role, is_subject=True)
            raise SettingsError.saying(
                role, subject, f" must be columns of numbers; {quoted(name)} has texts."
            )
        return _TOO_MANY_TO_CODE
    numbers = None if is_categorical else tally.numbers
    if numbers is None:
        if name in settings.numeric or name in settings.cuts:
            _refuse_texts(name, tally, roles)
        order = roles.declared.orders.get(name, ())
        return _categories(name, tally, settings, may_be_identifier=not is_categorical, in_order=order)
    distinct = _DistinctNumbers.of(numbers, tally, are_finite=settings.holds_columns)
    if name in settings.cuts:
        return _given_bins(settings.cuts[name], numbers, distinct, settings)
    if settings.bins != "none" and (roles.is_numeric(name) or not distinct.are_few_and_whole):
        return _bins(name, numbers, distinct, roles)
    if len(distinct.values) > settings.max_values:
        return _too_many(len(distinct.values), settings.max_values)
    return _categories(name, tally, settings, may_be_identifier=False)


def choose_fine_bins(name: str, tally: Tally, roles: Roles, asked: AskedOf | None = None) -> FineBins | None:
    """Fine bins of a number, by which the default studies hold it; None for any other column.

    None also where the user says by which condition to hold it.
    """
    settings = roles.settings
    if asked is not None and asked.role == "adjust":
        return None
    if not settings.holds_columns or tally.overflowed or roles.is_categorical(name):
        return None
    numbers = tally.numbers
    if numbers is None:
        return None
    distinct = _DistinctNumbers.of(numbers, tally, are_finite=True)
    if len(distinct.values) < 2 or (distinct.are_few_and_whole and not roles.is_numeric(name)):
        return None
    if _is_identifier(name, distinct, roles, numbers):
        return None
    is_mean = settings.outcome_as == "mean"
    cuts, means = fine_cuts(distinct.values, distinct.counts, MOST_FINE_BINS, halve_tails=is_mean)
    cuts, _ = cuts_and_texts(cuts, distinct.values, are_dates=numbers.are_dates)
    names = [f"{mean:.6g}" for mean in means]
    return FineBins(names, cuts, numbers.kind, False, means, numbers.are_dates)


def _refuse_texts(name: str, tally: Tally, roles: Roles) -> None:
    """Complain of a column that was asked to be numbers and has texts."""
    settings = roles.settings
    names = Categories.of(tally, missing_in(settings.missing, name)).names
    if not names:
        return
    role = "numeric" if name in settings.numeric else "cut"
    subject, few = Setting(role, is_subject=True), texts_among_numbers(name, tally, roles)
    has = f" must be columns of numbers; {quoted(name)} has {few or f'the text {quoted(names[-1])}'}."
    mend = " Write them as numbers, or name those that mean nothing is known in "
    ways = (mend, Setting("missing", is_subject=True), ".") if few else ()
    raise SettingsError.saying(role, subject, has, *ways)


@dataclass(frozen=True, slots=True, eq=False)
class _DistinctNumbers:
    """Different numbers in ascending order, and how many records have each."""

    values: NDArray[np.float64]
    n_with: NDArray[np.int64]
    n_without: NDArray[np.int64]

    @classmethod
    def of(cls, numbers: Numbers, tally: Tally, *, are_finite: bool) -> _DistinctNumbers:
        """By value; with `are_finite`, infinite ones as the outermost finite one, which is at a distance."""
        occurs = (tally.counts > 0) & ~np.isnan(numbers.values)
        found = numbers.values[occurs]
        if are_finite:
            finite = found[np.isfinite(found)]
            found = np.clip(found, *((finite.min(), finite.max()) if len(finite) else (-1.0, 1.0)))
        values, number_of = np.unique(found, return_inverse=True)
        sums = (
            np.bincount(number_of, counts[occurs], len(values)).astype(np.int64)
            for counts in (tally.n_with, tally.n_without)
        )
        return cls(values, *sums)

    @property
    def counts(self) -> NDArray[np.int64]:
        return self.n_with + self.n_without

    @property
    def are_few_and_whole(self) -> bool:
        return len(self.values) <= FEW_WHOLE_VALUES and self.are_whole

    @property
    def are_whole(self) -> bool:
        return bool((self.values == np.floor(self.values)).all())


def _bins(name: str, numbers: Numbers, distinct: _DistinctNumbers, roles: Roles) -> Bins | str:
    """Intervals for a column of numbers or dates, or why there are none."""
    settings = roles.settings
    values = distinct.values
    if len(values) == 0:
        return WhyLeftOut("it never has a value", "empty")
    if len(values) == 1:
        return WhyLeftOut("it is constant", "constant")
    if _is_identifier(name, distinct, roles, numbers):
        return WhyLeftOut("it looks like an identifier: every record has a number of its own", "identifier")
    if settings.n_quantiles is not None:
        cuts = quantile_cuts(values, distinct.counts, settings.n_quantiles)
    else:
        cuts = mdl_cuts(values, distinct.n_with, distinct.n_without)
        if not cuts:
            what = "date" if numbers.are_dates else "number"
            why = f"{WITHOUT_A_CUT} point that separates records by outcome (MDL)"
            return f"it is a {what} {why}"
    if len(cuts) >= MOST_VALUES:
        return _too_many(len(cuts) + 1, MOST_VALUES)
    are_short = settings.holds_columns
    cuts, texts = cuts_and_texts(cuts, values, are_dates=numbers.are_dates, are_short=are_short)
    return Bins(bin_names(texts), cuts, numbers.kind, settings.n_quantiles is None)


def _given_bins(
    cuts: Cuts, numbers: Numbers, distinct: _DistinctNumbers, settings: TableSettings
) -> Bins | str:
    """Intervals between the user's points, or why there are none.

    Where they are points at which these records would be cut, as those of a former result of the same
    records are, they were chosen by looking at the outcome. As points given beforehand they would not pay
    for that. A point of the user's own is written as a bound from below (``bmi=30``) and never taken for one
    of these (``bmi=upto:30``).
    """
    values = distinct.values
    bins = cut_bins(cuts, numbers, values, distinct.counts)
    if isinstance(bins, str) or not cuts.is_upto or not settings.holds_columns:
        return bins
    own = mdl_cuts(values, distinct.n_with, distinct.n_without)
    _, texts = cuts_and_texts(own, values, are_dates=numbers.are_dates)
    return replace(bins, are_chosen=set(cuts.points) <= set(texts))


def _is_identifier(name: str, distinct: _DistinctNumbers, roles: Roles, numbers: Numbers) -> bool:
    """Whether a number only tells records apart.

    The default search also takes whole numbers with gaps for identifiers, unless
    the user names the column as a number or adjusts for it; the paper's protocol
    only running ones.
    """
    if len(distinct.values) != int(distinct.counts.sum()):
        return False
    if not roles.settings.holds_columns or numbers.are_dates or len(distinct.values) <= _MANY_NUMBERS:
        return _are_running_numbers(name, distinct)
    if name in roles.settings.numeric or name in roles.settings.adjusted_for:
        return False
    return _are_running_numbers(name, distinct) or _are_distinct_on_purpose(distinct)


def _are_distinct_on_purpose(distinct: _DistinctNumbers) -> bool:
    """Whether different whole numbers are more than chance: incomes also seldom agree in a small table.

    A quantity heaps up around its middle, where some records would agree: a bell
    curve of n values has about n² 0.38 / 2 pairs of equal ones per interquartile
    range. Numbers given out to records are spread evenly, or never agree although
    they are many.
    """
    if not distinct.are_whole:
        return False
    values, n = distinct.values, len(distinct.values)
    lower, upper = np.quantile(values, [0.25, 0.75])
    if upper - lower >= _SPREAD_EVENLY * (values[-1] - values[0]):
        return True
    return bool(_DENSITY_BY_QUARTILES * n * (n - 1) / 2 >= _TIES_EXPECTED * (upper - lower))


def _are_running_numbers(name: str, distinct: _DistinctNumbers) -> bool:
    """Whole numbers either packed like 1, 2, 3 … or named like an identifier."""
    values = distinct.values
    if len(values) < _ENOUGH_TO_TELL or not distinct.are_whole:
        return False
    is_packed = float(values[-1]) - float(values[0]) < 2 * len(values)
    return is_packed or _NAMED_LIKE_AN_IDENTIFIER.search(name) is not None


def _categories(
    name: str, tally: Tally, settings: TableSettings, *, may_be_identifier: bool, in_order: Sequence[str] = ()
) -> Categories | str:
    """Every value a category, or why that makes no sense."""
    if len(tally.values) > MOST_VALUES:
        return _TOO_MANY_TO_CODE
    categories = Categories.of(tally, missing_in(settings.missing, name), in_order)
    n_values, n_present = len(categories.names), int(categories.counts.sum())
    if n_values == 0:
        return WhyLeftOut("it never has a value", "empty")
    if n_values == 1 and n_present == tally.n_records:
        return WhyLeftOut(f"it is constant: always {quoted(categories.names[0])}", "constant")
    if may_be_identifier and n_present >= _ENOUGH_TO_TELL and 10 * n_values > 9 * n_present:
        found = f"it looks like an identifier: {n_values:,} different values in {n_present:,} records"
        return WhyLeftOut(found, "identifier")
    most = min(settings.max_values, MOST_VALUES)
    return categories if n_values <= most else _too_many(n_values, most)


_TOO_MANY_TO_CODE = WhyLeftOut(f"it has more than {MOST_VALUES:,} different values", "too_many_values")


def _too_many(n_values: int, most: int) -> str:
    return WhyLeftOut(f"it has {n_values:,} different values, more than {most:,}", "too_many_values")

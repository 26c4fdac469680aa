"""Crude associations of every item and column: contrasts that may be studied, and leaks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.association import chi_square_p, tenths_of
from causalrules.cohort.neighbours.window import LEAK_SHARE, RECORDS_A_VALUE
from causalrules.domain.data_summary import LeftOut
from causalrules.kernels.special_functions import betaincinv

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Rule, Settings
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine
    from causalrules.search_run import Reasons

SETTLING_SHARE, SETTLING_ODDS, SURE_ODDS = 1 / 3, 150.0, 30.0
"""A number is a leak as well if it takes away a third of the entropy (a two-valued cause with an odds
ratio of 20 takes at most 31 %) and settles the outcome of its lowest or highest quarter: the odds ratio
between this quarter and the others is at least the second of these, its limit at least the third. So does
follow-up time: who was seen to the end had no event. A number with an odds ratio of 20 between its halves
has at most 84 there."""

FEWEST_SETTLED, VALUE_ODDS, SURE_VALUE_ODDS = 20, 50.0, 15.0
"""A value settles the outcome of those who have it, at least so many records: the odds ratio to all others is
at least the second of these, its limit the third. It may be a cause, but is worth the question."""

_TAIL = 0.001
_FEWEST_RECORDS = 100
_TENTHS = 10
"""A column may have so many values, however few records have each."""

_AFFIRMATIVE = {"yes", "y", "true", "t", "1", "1.0", "present", "positive", "exposed"}


@dataclass(frozen=True, slots=True)
class Contrast:
    """A hypothesis: records with the item against records that are known not to have it."""

    item: int
    column: int
    p_value: float


class Screen:
    """Crude counts of all items, and what follows from them.

    Parameters
    ----------
    engine : Engine
        Where records are counted.
    vocabulary : Vocabulary
        Items, and the columns as studies hold them.
    largest_rare : (int, int)
        A contrast needs more exposed records than the first with the
        outcome, or more than the second without it.
    """

    def __init__(self, engine: Engine, vocabulary: Vocabulary, largest_rare: tuple[int, int]) -> None:
        self._vocabulary = vocabulary
        self._n_with, self._n_without = engine.n_with, engine.n_without
        self._largest_rare = largest_rare
        counts = engine.item_counts()
        self.counts: NDArray[np.int64] = np.stack([counts.without_outcome, counts.with_outcome], axis=1)

    def known(self, column: int) -> NDArray[np.int64]:
        """Records without and with the outcome whose value of the column is known."""
        known: NDArray[np.int64] = self.counts[self._vocabulary.items_in(column)].sum(axis=0)
        return known

    @cached_property
    def contrasts(self) -> list[Contrast]:
        """All hypotheses of one item, the strongest crude association first.

        A column of two values is one contrast, not two.
        """
        found = []
        for column in range(self._vocabulary.n_item_columns):
            known = self.known(column)
            items = self._vocabulary.items_in(column)
            for item in [self.exposure_of_two(items)] if len(items) == 2 else items:
                exposed = self.counts[item]
                if exposed[1] <= self._largest_rare[0] and exposed[0] <= self._largest_rare[1]:
                    continue
                unexposed = known - exposed
                if unexposed.sum() == 0:
                    continue
                found.append(Contrast(item, column, chi_square_p(np.stack([exposed, unexposed]))))
        return sorted(found, key=lambda contrast: (contrast.p_value, contrast.item))

    def exposure_of_two(self, items: range) -> int:
        """The one of two values that people would call the exposure: yes, the higher bin, or the rarer."""
        names = [self._vocabulary.items[item].value for item in items]
        if names[0].startswith("<=") and names[1].startswith(">"):
            return items[1]
        affirmative = [name.lower() in _AFFIRMATIVE for name in names]
        if affirmative[0] != affirmative[1]:
            return items[affirmative.index(True)]
        sizes = self.counts[list(items)].sum(axis=1)
        return items[0] if sizes[0] < sizes[1] else items[1]

    @cached_property
    def leaks(self) -> dict[str, str]:
        """Columns that nearly determine the outcome, and how, in a few words.

        A column with about as many values as records would always do so by chance.
        """
        n_records = self._n_with + self._n_without
        if n_records < _FEWEST_RECORDS:
            return {}
        whole = _entropy(np.array([[self._n_without, self._n_with]]))
        found = {}
        for column in self._vocabulary.held_columns:
            fine = self.counts[self._vocabulary.items_in(column.place)]
            table = tenths_of(fine) if column.is_number else fine
            missing = np.array([[self._n_without, self._n_with]]) - table.sum(axis=0)
            share = 1 - _entropy(np.concatenate([table, missing])) / whole if whole > 0 else 0.0
            if len(table) > max(_TENTHS, n_records / RECORDS_A_VALUE):
                continue
            if share > LEAK_SHARE:
                found[column.name] = known_only(table.sum(axis=0)) or f"{share:.0%} of it"
            elif share > SETTLING_SHARE and column.values is not None:
                settled = _settled(fine, column.values)
                if settled:
                    found[column.name] = settled
        return found

    @cached_property
    def settling_values(self) -> dict[int, str]:
        """Items that leave hardly any doubt about the outcome of those who have them, and how, in words."""
        found = {}
        for contrast in self.contrasts:
            exposed = self.counts[contrast.item]
            others = self.known(contrast.column) - exposed
            for outcome, does in ((1, "have"), (0, "lack")):
                many, few = int(exposed[outcome]), int(exposed[1 - outcome])
                if many + few < FEWEST_SETTLED or not others.all() or 9 * few > many:
                    continue
                odds = others[outcome] / others[1 - outcome]
                if _odds_are_beyond(few, many, odds, VALUE_ODDS, SURE_VALUE_ODDS):
                    found[contrast.item] = f"{many:,} of its {many + few:,} records {does} it"
        return found


def known_only(known: NDArray[np.int64]) -> str:
    """For which records a column is known, where they are those of one outcome only; counts without and with.

    Examples
    --------
    >>> known_only(np.array([0, 12])), known_only(np.array([3, 12]))
    ('known only for records with it', '')
    """
    without, with_it = known.tolist()
    if without and with_it:
        return ""
    return f"known only for records {'with' if with_it else 'without'} it"


def _odds_are_beyond(few: int, many: int, odds: float, ratio: float, sure: float) -> bool:
    """Whether the odds many : few, and their lower limit, are so many times others' odds."""
    limit = float(betaincinv(few + 1, many, 1 - _TAIL))  # of the risk (Clopper and Pearson 1934)
    return (many + 0.5) / (few + 0.5) >= ratio * odds and (1 - limit) / limit >= sure * odds


def _settled(table: NDArray[np.int64], values: NDArray[np.float64]) -> str:
    """For which quarter of its values a number settles the outcome, in words; empty if for none.

    Parameters
    ----------
    table : int64[n_bins, 2]
        Records without and with the outcome, in the order of the number.
    values : float64[n_bins]
        The mean of each bin.
    """
    for ordered, means, side in ((table, values, "up to"), (table[::-1], values[::-1], "from")):
        size = ordered.sum(axis=1).cumsum()
        n_bins = 1 + int((size >= size[-1] / 4).argmax())
        quarter, rest = ordered[:n_bins].sum(axis=0), ordered[n_bins:].sum(axis=0)
        for outcome, words in ((1, ("has", "have")), (0, ("lacks", "lack"))):
            few, many = int(quarter[outcome]), int(quarter[1 - outcome])
            if not rest.all() or 20 * few > many:
                continue
            odds = rest[1 - outcome] / rest[outcome]
            if _odds_are_beyond(few, many, odds, SETTLING_ODDS, SURE_ODDS):
                count = f"{few or 'none'} of the {few + many:,} records"
                return f"{count} {side} about {means[n_bins - 1]:.4g} {words[few > 1]} it"
    return ""


def _entropy(table: NDArray[np.int64]) -> float:
    """Entropy of the outcome within the rows of a table, times all records, in nats."""
    totals = table.sum(axis=1)
    logs = [values * np.log(np.maximum(values, 1)) for values in (totals, table[:, 0], table[:, 1])]
    return float(logs[0].sum() - logs[1].sum() - logs[2].sum())


def too_weak_or_rare(
    vocabulary: Vocabulary, contrasts: Sequence[Contrast], settings: Settings, level: float
) -> Callable[[str], str]:
    """A function that tells why none of a column's contrasts was studied."""
    smallest: dict[str, float] = {}
    for contrast in contrasts:  # the strongest first
        smallest.setdefault(vocabulary.items[contrast.item].column, contrast.p_value)

    def why(name: str) -> str:
        if name not in smallest:
            return (
                f"no value of it is frequent enough: none covers more than {100 * settings.min_support:g} % "
                "of the records with the outcome, or of those without it, and leaves others to compare with"
            )
        if smallest[name] > level:
            return f"it is not associated with the outcome, even before adjustment (p = {smallest[name]:.2g})"
        return (
            "other columns are more strongly associated with the outcome, and only the strongest were studied"
        )

    return why


def taken_away(candidates: Collection[str], before: Sequence[Rule], after: Sequence[Rule]) -> Reasons:
    """Columns that were to be studied and have no rule: theirs were left out, or never made."""
    studied, kept = ({item.column for rule in rules for item in rule.pattern} for rules in (before, after))
    other_way = "it changes the odds of the outcome in the direction that was not asked for"
    return tuple(
        LeftOut(name, other_way if name in studied else "the run was stopped before its study")
        for name in candidates
        if name not in kept
    )

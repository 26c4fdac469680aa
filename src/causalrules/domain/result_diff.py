"""Two results side by side: what both found, what only one did, and what was asked differently."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.domain.frame_libraries import Library, in_library
from causalrules.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain.item import Item
    from causalrules.domain.result import Result
    from causalrules.domain.rule import Rule

_Key = tuple[frozenset["Item"], str]
_Cut = tuple[frozenset[tuple[str, "str | None"]], str]


@dataclass(frozen=True, slots=True, repr=False)
class ResultDiff:
    """How a second result differs from a first one.

    Parameters
    ----------
    first, second : Result
        In this order.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=4000).table
    >>> every = causalrules.mine(patients, "ill=yes")
    >>> alone = causalrules.mine(patients, "ill=yes", max_length=1, drop="drug_a")
    >>> print(every.diff(alone))
    causal in both: severity=high, exercise=daily, smoker=yes, smoker_copy=yes
    causal only in the first: drug_a=yes & drug_b=yes (not tested in the second)
    settings: max_length 2 → 1, drop [] → ['drug_a']
    >>> diff = every.diff(alone)
    >>> len(diff.both), [rule.name for rule in diff.only_first], diff.only_second
    (4, ['drug_a=yes & drug_b=yes'], ())
    >>> diff.settings, diff.same_table
    ({'max_length': (2, 1), 'drop': ([], ['drug_a'])}, True)
    >>> diff.recut  # numbers that were cut at other points
    ()

    Of other records it says which:

    >>> later = causalrules.mine(patients.slice(2000), "ill=yes", max_length=1)
    >>> every.diff(later).tables, every.diff(later).has_nothing_in_common
    ('other records: 4,000 (1,249 with ill=yes) → 2,000 (624 with ill=yes)', False)
    """

    first: Result
    second: Result

    @property
    def both(self) -> tuple[tuple[Rule, Rule], ...]:
        """Rules that are causal in both, as they are in each."""
        mine, others = _causal(self.first), _causal(self.second)
        return tuple((rule, others[key]) for key, rule in mine.items() if key in others)

    @property
    def recut(self) -> tuple[tuple[tuple[Rule, ...], tuple[Rule, ...]], ...]:
        """Causal rules about a number in the same direction that was cut at other points: of each result."""
        mine, others = _causal(self.first), _causal(self.second)
        new_here = {*self._recut_in(mine, others, self.second), *self._recut_in(others, mine, self.first)}
        return tuple(
            (_about(mine, cut), _about(others, cut))
            for cut in dict.fromkeys(map(_cut_of, (*mine.values(), *others.values())))
            if cut in new_here
        )

    @property
    def only_first(self) -> tuple[Rule, ...]:
        """Rules that are causal in the first only, by whatever cut of a number."""
        return self._only(self.first, self.second)

    @property
    def only_second(self) -> tuple[Rule, ...]:
        """Rules that are causal in the second only, by whatever cut of a number."""
        return self._only(self.second, self.first)

    def _only(self, one: Result, other: Result) -> tuple[Rule, ...]:
        mine, others = _causal(one), _causal(other)
        recut = self._recut_in(mine, others, other)
        return tuple(rule for key, rule in mine.items() if key not in others and _cut_of(rule) not in recut)

    @staticmethod
    def _recut_in(mine: dict[_Key, Rule], others: dict[_Key, Rule], other: Result) -> set[_Cut]:
        """Numbers with a causal rule that the other result could not test, but has another one for."""
        tested = {frozenset(rule.pattern) for rule in other.tested}
        there = set(map(_cut_of, others.values())) - {None}
        missing = (rule for key, rule in mine.items() if key[0] not in tested)
        return {cut for rule in missing if (cut := _cut_of(rule)) is not None and cut in there}

    @property
    def settings(self) -> dict[str, tuple[Any, Any]]:
        """Settings that differ: what each result was asked."""
        mine, others = self.first.settings.to_dict(), self.second.settings.to_dict()
        return {name: (mine[name], others[name]) for name in mine if mine[name] != others[name]}

    @property
    def same_table(self) -> bool:
        """Whether both have the same outcome and as many records with and without it."""
        return self.first.data.outcome == self.second.data.outcome

    def to_frame(self, library: Library = "pandas") -> Any:
        """Every rule that either result tested, with both effects, as a data frame.

        `causal_in` says where it is causal (both, first, second, recut or neither), `change` is the second
        odds ratio over the first, or the second difference of means less the first. Its interval (Altman and
        Bland 2003) is that of other records and of the same adjustment; otherwise there is none.

        Parameters
        ----------
        library : {'pandas', 'polars', 'arrow'}
            Whose frame it is.

        Examples
        --------
        >>> import causalrules
        >>> months = [causalrules.simulate("hospital", seed=seed, n_records=2000).table for seed in (1, 2)]
        >>> old, new = (causalrules.mine(month, "ill=yes", max_length=1) for month in months)
        >>> frame = old.diff(new).to_frame()
        >>> list(frame.columns[-4:])
        ['change', 'change_low', 'change_high', 'same_adjustment']
        """
        from causalrules.report.changes import changes_table

        return in_library(changes_table(self.first, self.second), library)

    def __bool__(self) -> bool:
        """Whether different rules are causal."""
        return bool(self.only_first or self.only_second)

    def __repr__(self) -> str:
        lines = [self.tables] if self.tables else []
        if self.has_nothing_in_common:
            return one_line(lines[0])
        recut = self.recut
        moved = {id(rule) for rules, _ in recut for rule in rules}
        both = [rule.name for rule, _ in self.both if id(rule) not in moved]
        if both:
            lines.append(f"causal in both: {', '.join(both)}")
        if recut:
            moves = (f"{_names(before)} → {_names(after)}" for before, after in recut)
            lines.append(f"causal in both, cut at other points: {'; '.join(moves)}")
        for which, rules, other in (
            ("first", self.only_first, self.second),
            ("second", self.only_second, self.first),
        ):
            if rules:
                there = "second" if which == "first" else "first"
                told = ", ".join(f"{rule.name} ({_verdict(rule, other, there)})" for rule in rules)
                lines.append(f"causal only in the {which}: {told}")
        changed = [f"{name} {mine} → {other}" for name, (mine, other) in self.settings.items()]
        lines += [f"settings: {', '.join(changed)}"] if changed else []
        return "\n".join(map(one_line, lines or ["Nothing is causal in either."]))

    @property
    def has_nothing_in_common(self) -> bool:
        """Whether the two are of other outcomes and have no column in common."""
        return not self.same_table and set.isdisjoint(*map(_columns, (self.first, self.second)))

    @property
    def tables(self) -> str:
        """How the records differ, in words; nothing where they do not."""
        if self.same_table:
            return ""
        outcomes = [one.data.outcome for one in (self.first, self.second)]
        if str(outcomes[0]) == str(outcomes[1]):
            counts = (f"{one.n_records:,} ({one.n_with:,} with {one})" for one in outcomes)
            return f"other records: {' → '.join(counts)}"
        shown = " → ".join(f"{one} in {one.n_records:,} records" for one in outcomes)
        if self.has_nothing_in_common:
            return f"Nothing can be compared, the two have no column in common. outcomes: {shown}"
        return f"Causes of one outcome need not be causes of another. outcomes: {shown}"


def _causal(result: Result) -> dict[_Key, Rule]:
    return {(frozenset(rule.pattern), rule.direction): rule for rule in result.causal}


def _verdict(rule: Rule, other: Result, which: str) -> str:
    same = next((one for one in other.tested if set(one.pattern) == set(rule.pattern)), None)
    return f"not tested in the {which}" if same is None else f"{same.verdict} in the {which}"


_INTERVAL = re.compile(r"(<=|<|>=|>)-?\d[\d.e+:-]*|\(-?\d[\d.e+:-]*, -?\d[\d.e+:-]*\]")


def _cut_of(rule: Rule) -> _Cut | None:
    """What a rule is about but for where numbers are cut; None where it has no cut."""
    are_cuts = [item.kind != "text" and bool(_INTERVAL.fullmatch(item.value)) for item in rule.pattern]
    if not any(are_cuts):
        return None
    parts = (
        (item.column, None if is_cut else item.value)
        for item, is_cut in zip(rule.pattern, are_cuts, strict=True)
    )
    return frozenset(parts), rule.direction


def _about(causal: dict[_Key, Rule], cut: _Cut | None) -> tuple[Rule, ...]:
    return tuple(rule for rule in causal.values() if _cut_of(rule) == cut)


def _names(rules: Sequence[Rule]) -> str:
    return ", ".join(rule.name for rule in rules)


def _columns(result: Result) -> set[str]:
    """The columns that a result names anywhere."""
    named = {item.column for rule in result.tested for item in rule.pattern}
    return named | {entry.column for entry in (*result.data.left_out, *result.not_studied)}

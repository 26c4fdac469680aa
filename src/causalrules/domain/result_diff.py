"""Two results side by side: what both found, what only one did, and what was asked differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.errors import one_line

if TYPE_CHECKING:
    from causalrules.domain.item import Item
    from causalrules.domain.result import Result
    from causalrules.domain.rule import Rule

_Key = tuple[frozenset["Item"], str]


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
    >>> alone = causalrules.mine(patients, "ill=yes", max_length=1)
    >>> print(every.diff(alone))
    causal in both: severity=high, exercise=daily, smoker=yes, smoker_copy=yes
    causal only in the first: drug_a=yes & drug_b=yes (not tested in the second)
    settings: max_length 2 → 1
    >>> diff = every.diff(alone)
    >>> len(diff.both), [rule.name for rule in diff.only_first], diff.only_second
    (4, ['drug_a=yes & drug_b=yes'], ())
    >>> diff.settings, diff.same_table
    ({'max_length': (2, 1)}, True)
    """

    first: Result
    second: Result

    @property
    def both(self) -> tuple[tuple[Rule, Rule], ...]:
        """Rules that are causal in both, as they are in each."""
        mine, others = _causal(self.first), _causal(self.second)
        return tuple((rule, others[key]) for key, rule in mine.items() if key in others)

    @property
    def only_first(self) -> tuple[Rule, ...]:
        """Rules that are causal in the first only."""
        others = _causal(self.second)
        return tuple(rule for key, rule in _causal(self.first).items() if key not in others)

    @property
    def only_second(self) -> tuple[Rule, ...]:
        """Rules that are causal in the second only."""
        others = _causal(self.first)
        return tuple(rule for key, rule in _causal(self.second).items() if key not in others)

    @property
    def settings(self) -> dict[str, tuple[Any, Any]]:
        """Settings that differ: what each result was asked."""
        mine, others = self.first.settings.to_dict(), self.second.settings.to_dict()
        return {name: (mine[name], others[name]) for name in mine if mine[name] != others[name]}

    @property
    def same_table(self) -> bool:
        """Whether both have the same outcome and as many records with and without it."""
        return self.first.data.outcome == self.second.data.outcome

    def __bool__(self) -> bool:
        """Whether different rules are causal."""
        return bool(self.only_first or self.only_second)

    def __repr__(self) -> str:
        lines = [] if self.same_table else [self._tables()]
        if self.both:
            lines.append(f"causal in both: {', '.join(rule.name for rule, _ in self.both)}")
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

    def _tables(self) -> str:
        shown = (
            f"{one.data.outcome} in {one.data.outcome.n_records:,} records"
            for one in (self.first, self.second)
        )
        return f"outcomes: {' → '.join(shown)}"


def _causal(result: Result) -> dict[_Key, Rule]:
    return {(frozenset(rule.pattern), rule.direction): rule for rule in result.causal}


def _verdict(rule: Rule, other: Result, which: str) -> str:
    same = next((one for one in other.tested if set(one.pattern) == set(rule.pattern)), None)
    return f"not tested in the {which}" if same is None else f"{same.verdict} in the {which}"

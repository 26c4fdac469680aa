"""What a result has to tell: contrasts, combined causes, and groups that cannot be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from causalrules.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain.rule import Direction, Rule

FindingKind = Literal["contrast", "combination", "group"]


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """One thing to report.

    Parameters
    ----------
    kind : {'contrast', 'combination', 'group'}
        One value of a column against its others; several that act together; or several rules of which
        the data cannot tell which one is the cause.
    rules : tuple of Rule
        The causal rules behind it, the strongest first; more than one only in a group.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=4000).table
    >>> for finding in causalrules.mine(patients, "ill=yes").findings:
    ...     print(f"{finding.kind}: {finding}")
    contrast: severity=high
    combination: drug_a=yes & drug_b=yes
    contrast: exercise=daily
    group: smoker=yes or smoker_copy=yes
    >>> finding.name, finding.direction, finding.rule.name
    ('smoker=yes or smoker_copy=yes', 'raises', 'smoker=yes')
    """

    kind: FindingKind
    rules: tuple[Rule, ...]

    @property
    def rule(self) -> Rule:
        """The strongest rule behind it."""
        return self.rules[0]

    @property
    def direction(self) -> Direction:
        """Whether it raises or lowers the odds of the outcome."""
        return self.rule.direction

    @property
    def name(self) -> str:
        """The finding as people write it; of a group all members."""
        return " or ".join(rule.name for rule in self.rules)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        if self.rule.depends_on is not None:
            return one_line(
                f"<{self.kind}: {self.name} changes the odds, depending on {self.rule.depends_on}>"
            )
        return one_line(f"<{self.kind}: {self.name} {self.direction} the odds>")


def findings_of(causal: Sequence[Rule]) -> tuple[Finding, ...]:
    """Causal rules as findings, in their order; those that cannot be told apart are one."""
    found: list[Finding] = []
    taken: set[int] = set()
    for place, rule in enumerate(causal):
        if place in taken:
            continue
        others = [
            number
            for number in range(place + 1, len(causal))
            if number not in taken and _cannot_be_told_apart(rule, causal[number])
        ]
        taken.update(others)
        rules = (rule, *(causal[number] for number in others))
        kind: FindingKind = "group" if others else "combination" if rule.length > 1 else "contrast"
        found.append(Finding(kind, rules))
    return tuple(found)


def _cannot_be_told_apart(rule: Rule, other: Rule) -> bool:
    """By the columns of their groups, where they stand for nearly the same records."""
    columns, others = ({item.column for item in one.pattern} for one in (rule, other))
    are_grouped = columns.isdisjoint(others) and others <= set(rule.group)
    fewer, more = sorted((rule.exposed, other.exposed))
    # Values of columns that say nearly the same are one finding only where they stand for nearly the same
    # records: a low level of schooling and a doctorate are told apart well enough.
    return are_grouped and rule.direction == other.direction and fewer >= _NEARLY_ALL * more


_NEARLY_ALL = 0.9
"""Share of the records of one value that another must have to stand for the same ones."""

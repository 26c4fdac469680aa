"""Values that differ only in capitals or blanks (yes, Yes): asked about, since a machine cannot know.

Joining them would be wrong for genotypes, where A and a are two things; keeping
still would count half of the records with an outcome as records without it.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from causalrules.domain.missing_values import missing_in
from causalrules.domain.pattern_grammar import Condition
from causalrules.domain.quoted_names import in_list
from causalrules.domain.sentences import counted, listed
from causalrules.encode.column_codings import Categories
from causalrules.encode.values import is_text
from causalrules.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from causalrules.encode.outcome import OutcomeValue
    from causalrules.encode.tally import Tally

_MOST_NAMED = 3


@dataclass(slots=True)
class Spellings:
    """Gathers, column by column, what may be one value in several spellings.

    Parameters
    ----------
    missing : sequence of str
        Texts that mean a missing value.
    most_values : int
        Columns with more values are left out anyway.
    """

    missing: Sequence[str]
    most_values: int
    _of_outcome: list[str] = field(default_factory=list)
    _columns: dict[str, list[dict[str, int]]] = field(default_factory=dict)

    def add(self, name: str, tally: Tally, asked: Sequence[Condition]) -> None:
        """Look at another column; what the user joins already, by conditions, is settled."""
        for alike in self._alike(name, tally):
            if not any(set(one.values).issuperset(alike) for one in asked):
                self._columns.setdefault(name, []).append(alike)

    def add_outcome(self, outcome: OutcomeValue, tallies: Mapping[str, Tally]) -> None:
        """Look at the columns of the outcome."""
        conditions = (
            (Condition(outcome.column, "is", (outcome.text,)),)
            if outcome.pattern is None
            else outcome.pattern.conditions
        )
        for one in conditions:
            if one.kind in ("is", "is not"):
                self._add_condition(one, self._alike(one.column, tallies[one.column]))

    def _add_condition(self, condition: Condition, groups: Sequence[Mapping[str, int]]) -> None:
        taken = [group for group in groups if not set(group).isdisjoint(condition.values)]
        others = {text: n for group in taken for text, n in group.items() if text not in condition.values}
        if not others:
            return
        every = str(Condition(condition.column, condition.kind, (*condition.values, *sorted(others))))
        it = "it means" if len(others) == 1 else "they mean"
        differ = f"{'differs' if len(others) == 1 else 'differ'} from it only in capitals or blanks"
        counts = "counts" if len(others) == 1 else "count"
        which = "with" if condition.kind == "is not" else "without"
        self._of_outcome.append(
            f"Of the outcome {condition}: {_counted(others)} {differ}, and {counts} as {which} the outcome. "
            f"If {it} the same: --outcome {shlex.quote(every)}."
        )

    def _alike(self, name: str, tally: Tally) -> list[dict[str, int]]:
        """Groups of values that would be one if capitals and runs of blanks did not count."""
        if tally.overflowed or not is_text(tally.values.type) or len(tally.values) > self.most_values:
            return []
        found = Categories.of(tally, missing_in(self.missing, name))
        groups: dict[str, dict[str, int]] = {}
        for text, count in sorted(zip(found.names, found.counts.tolist(), strict=True)):
            groups.setdefault(" ".join(text.split()).casefold(), {})[text] = count
        return [group for group in groups.values() if len(group) > 1]

    def notes(self) -> list[str]:
        """What to ask: of the outcome first, then of a few columns."""
        named = list(self._columns.items())[:_MOST_NAMED]
        rest = list(self._columns)[_MOST_NAMED:]
        notes = [*self._of_outcome, *(_note(name, groups) for name, groups in named)]
        if rest:
            notes.append(f"Values that differ only in capitals or blanks are also in {listed(rest)}.")
        return notes


def _note(name: str, groups: Sequence[Mapping[str, int]]) -> str:
    alike = max(groups, key=lambda group: sum(group.values()))
    patterns = (in_list(str(Condition(name, "is", tuple(group)))) for group in groups)
    more = (
        f" (and {len(groups) - 1} more such group{'' if len(groups) == 2 else 's'})"
        if len(groups) > 1
        else ""
    )
    return (
        f"{name} has values that differ only in capitals or blanks, and count as different ones: "
        f"{_counted(alike)}{more}. If they mean the same: --join {shlex.quote(','.join(patterns))}."
    )


def _counted(values: Mapping[str, int]) -> str:
    return listed([f"{quoted(text)} ({counted(n, 'record')})" for text, n in values.items()])

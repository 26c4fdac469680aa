"""Causes as lines of a list: rank, name, what the outcome is at the levels, how far it moves, grade."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from rich.cells import cell_len

from causalrules.domain.sentences import listed
from causalrules.report.answer.sentences import from_fewer, sentence, why_only_possible
from causalrules.report.answer.wording import WIDTH, Line, Scale, curve, cut, fitting, padded, shown, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from causalrules.words.findings import Finding, Interaction, Level, SecondOpinion
    from causalrules.words.result import Result

MOST_OF_NAME = 22
"""Cells of a name in the list; longer ones lose their middle."""

STANDS_OUT = 0.2
"""Share of a curve's range by which a level between must exceed both ends to be named."""

SELDOM = 0.02
"""Share of the records that a level needs to stand in the list."""

_ORDERED = ("number", "ordered", "date")
_HINTS = ("may_be_consequence", "signs_differ")
"""Notes that stand with a cause in the list, not only on its card."""

_LONGEST_LEVEL = 30
"""Cells of a level's name in the list, where there is room for it."""

_MOST_BELOW = 2
"""Lines below a cause where not everything was asked for."""


@dataclass(frozen=True)
class CauseRows:
    """How causes of one result are written.

    Parameters
    ----------
    scale : Scale
        How its risks or means are written.
    ordered : frozenset of str
        The columns whose levels have an order.
    everything : bool
        Whether nothing is cut.
    """

    scale: Scale
    ordered: frozenset[str]
    everything: bool

    @classmethod
    def of_result(cls, result: Result, *, everything: bool) -> CauseRows:
        """As its outcome and its columns ask for."""
        ordered = frozenset(column.name for column in result.data.columns if column.kind in _ORDERED)
        return cls(Scale.of(result.data.outcome), ordered, everything)

    def of(self, findings: Sequence[Finding]) -> list[list[Line]]:
        """The lines of each, aligned with one another."""
        width = min(max((cell_len(shown(one.name)) for one in findings), default=0), MOST_OF_NAME)
        moves = ["" if one.moves is None else self.scale.spread(one.moves[0]) for one in findings]
        right = max(map(cell_len, moves), default=0)
        return [
            [self._row(finding, place + 1, width, padded(moved, right, right=True)), *self._below(finding)]
            for place, (finding, moved) in enumerate(zip(findings, moves, strict=True))
        ]

    def _row(self, finding: Finding, rank: int, width: int, moved: str) -> Line:
        start = f"{rank:2}  "
        name = shown(finding.name, width)
        end = f"  {moved}  {finding.grade or '':8}"
        room = WIDTH - len(start) - width - 2 - cell_len(end)
        text = f"{start}{padded(name, width)}  {padded(self._body(finding, room), room)}{end}"
        return Line(text.rstrip(), len(start), len(start + name))

    def _body(self, finding: Finding, width: int) -> str:
        """Why it is only possible; else what the outcome is at the levels, as much as fits."""
        effect = finding.effect
        if finding.verdict == "possible":
            return fitting(why_only_possible(finding), width)
        levels = [] if effect is None else [one for one in effect.levels if isfinite(one.risk[0])]
        if effect is None or not levels:
            return ""
        if effect.interaction is not None:
            return fitting(self._together(effect.interaction, len(finding.factors[0].columns)), width)
        if self._is_ordered(finding) and len(levels) > 2:
            return fitting(self._as_curve(levels), width)
        return self._as_levels(levels, finding.second_opinion, width)

    def _together(self, found: Interaction, n: int) -> list[str]:
        """The risk in the cell that differs, and what fewer of the columns would make of it."""
        risk, expected = self.scale.value(found.risk[0]), self.scale.possible(found.expected[0])
        return [f"{risk}, expected {expected} {from_fewer(n)}", f"{risk}, expected {expected}", risk]

    def _is_ordered(self, finding: Finding) -> bool:
        """Whether its levels have an order that a curve can show."""
        factor, effect = finding.factors[0], finding.effect
        if factor.pattern or len(factor.columns) > 1 or effect is None:
            return False
        return effect.trend is not None or factor.columns[0] in self.ordered

    def _as_curve(self, levels: Sequence[Level]) -> list[str]:
        """A curve with its ends, and the highest or lowest level between where it stands out."""
        values = [level.risk[0] for level in levels]
        drawn, ends = curve(values), f"{self._at(levels[0])} … {self._at(levels[-1])}"
        low, high = sorted((values[0], values[-1]))
        beyond = [max(value - high, low - value) for value in values]
        place = max(range(len(levels)), key=beyond.__getitem__)
        shorter = [
            f"{drawn}  {ends}",
            f"{drawn}  {self.scale.value(values[0])} … {self.scale.value(values[-1])}",
            drawn,
        ]
        if beyond[place] <= STANDS_OUT * (max(values) - min(values)):
            return shorter
        first, peak, last = map(self._at, (levels[0], levels[place], levels[-1]))
        return [f"{drawn}  {first}, {peak}, {last}", f"{drawn}  {first}, {peak}", *shorter]

    def _at(self, level: Level) -> str:
        return f"{self.scale.value(level.risk[0])} at {shown(level.level, 14)}"

    def _as_levels(self, levels: Sequence[Level], clearest: SecondOpinion | None, width: int) -> str:
        """The highest and the lowest level, and between them as many of the most frequent as fit.

        Of levels that hardly any record has, only the card tells, where two others are left: but for those
        that differ most clearly.
        """
        enough = SELDOM * sum(level.records for level in levels)
        clear = () if clearest is None else (clearest.level, clearest.against)
        often = [level for level in levels if level.records >= enough or level.level in clear]
        levels = often if len(often) > 1 else levels
        by_risk = sorted(levels, key=lambda level: (-level.risk[0], -level.records, level.level))
        frequent = sorted(by_risk[1:-1], key=lambda level: (-level.records, level.level))
        chosen = [*by_risk[:1], *by_risk[1:][-1:]]
        text = self._written(chosen, width)
        for level in frequent:
            chosen = sorted([*chosen, level], key=by_risk.index)
            longer = self._written(chosen)
            if cell_len(longer) > width:
                break
            text = longer
        return text

    def _written(self, levels: Sequence[Level], width: int = 1000) -> str:
        """Levels with their risks; names are cut where they must be."""
        return fitting(
            (
                ", ".join(
                    f"{shown(one.level, longest, at_end=True)} {self.scale.value(one.risk[0])}"
                    for one in levels
                )
                for longest in range(_LONGEST_LEVEL, 3, -1)
            ),
            width,
        )

    def _below(self, finding: Finding) -> list[Line]:
        """What stands below a cause: where it acts, what it cannot be told apart from, hints."""
        found = list(self._remarks(finding))
        if self.everything:
            return [Line("    " + text) for one in found for text in wrapped(one, 2, WIDTH - 4)]
        return [Line("    " + cut(one, WIDTH - 4)) for one in found[:_MOST_BELOW]]

    def _remarks(self, finding: Finding) -> Iterable[str]:
        if finding.effect is not None and finding.effect.interaction is not None:
            yield f"together: {shown(finding.effect.interaction.cell)}"
        others = [shown(factor.name, MOST_OF_NAME) for factor in finding.factors[1:]]
        if others:
            yield f"or {listed(others, None if self.everything else 2)} (the table cannot tell them apart)"
        if finding.verdict == "indirect" and finding.explained_by:
            yield f"acts through {listed(list(map(shown, finding.explained_by)), 2)}"
        yield from (sentence(note).rstrip(".") for note in finding.notes if note.code in _HINTS)

"""All that is known of one factor: levels, evidence, what was adjusted for, doubts, notes."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isfinite, log10
from typing import TYPE_CHECKING

from rich.cells import cell_len

from causalrules.domain.sentences import counted, listed
from causalrules.report.answer.sentences import from_fewer, left_out, sentence, verdict
from causalrules.report.answer.wording import WIDTH, Line, Scale, fitting, padded, ratio, shown, wrapped
from causalrules.report.words.formatting import p_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from causalrules.words.findings import Effect, Finding, Level, Triple
    from causalrules.words.result import Result

_LONGEST_LEVEL = 30
"""Cells of a level in the table, where there is room for it."""

_ROOM_FOR_LEVELS = 18
"""Cells that odds ratios must leave for the names of levels; else they stand below the table."""

_LEAST_ROOM = 6
"""Cells that the names of levels need in any case."""

_WHY_NOT_COMPARABLE = ("copy", "no_overlap")
"""Notes that the headline tells."""

_ESTIMANDS = {
    "total": "The total effect: not adjusted for what comes after it.",
    "direct": "The direct effect: adjusted for what comes after it, too.",
}


@dataclass(frozen=True)
class Card:
    """What a result says of one factor.

    Parameters
    ----------
    result : Result
    finding : Finding
        One of its findings.
    """

    result: Result
    finding: Finding

    def lines(self) -> list[Line]:
        """The headline, then paragraphs that are there for this finding, empty lines between."""
        first = wrapped(verdict(self.finding, self.result.data.outcome))
        found = [Line(text, 0, len(text)) for text in first]
        for paragraph in (
            self._compared(),
            self._levels(),
            [*self._numbers()],
            self._balance(),
            self._notes(),
        ):
            if paragraph:
                found += [Line(""), *(line if isinstance(line, Line) else Line(line) for line in paragraph)]
        return found

    @property
    def scale(self) -> Scale:
        """Digits that show the narrowest interval of its differences."""
        effect = self.finding.effect
        others = [] if effect is None else [one for one in effect.levels if one.level != effect.reference]
        whole = Scale.of(self.result.data.outcome)
        return whole.finer((one.difference[2] - one.difference[1]) / 2 for one in others)

    def _compared(self) -> list[str]:
        """Who was compared, and what they are alike in."""
        effect, finding = self.finding.effect, self.finding
        said = [f"Adjusted for: {listed(list(map(shown, finding.adjusted_for))) or 'nothing'}."]
        if effect is not None:
            among = f"{counted(effect.applies_to, 'record')} compared"
            out = left_out(effect.left_out)
            said.append(f"{among}; left out: {out}." if out else f"{among}.")
            said += [_ESTIMANDS[effect.estimand]] if effect.estimand in _ESTIMANDS else []
        return [line for text in said for line in wrapped(text)] if effect is not None else []

    def _levels(self) -> list[Line]:
        """A table with a row for each level; the cell that differs is emphasised."""
        effect, unit = self.finding.effect, self.scale.unit
        if effect is None or not effect.levels:
            return []
        head = ["", "records", "crude", "adjusted", f"difference,{unit}" if unit else "difference"]
        rows = [head, *(self._cells(level, effect) for level in effect.levels)]
        odds = ["odds ratio", *(self._odds(level, effect) for level in effect.levels)]
        has_odds = any(odds[1:])
        wide = [[*row, last] for row, last in zip(rows, odds, strict=True)]
        fits = has_odds and _room_for_names(wide) >= min(_ROOM_FOR_LEVELS, _widths(rows)[0])
        cell = effect.interaction.cell if effect.interaction is not None else None
        strong = [False, *(level.level == cell for level in effect.levels)]
        written = _aligned(wide if fits else rows)
        found = [Line(text, 0, len(text) if bold else 0) for text, bold in zip(written, strong, strict=True)]
        return found if fits or not has_odds else [*found, *map(Line, self._odds_ratios(effect))]

    def _cells(self, level: Level, effect: Effect) -> list[str]:
        scale, is_reference = self.scale, level.level == effect.reference
        return [
            shown(level.level, _LONGEST_LEVEL),
            f"{level.records:,}",
            scale.value(level.crude),
            scale.with_limits(level.risk),
            "reference" if is_reference else scale.with_limits(level.difference, signed=True),
        ]

    def _odds(self, level: Level, effect: Effect) -> str:
        return "" if level.level == effect.reference else ratio(level.odds_ratio)

    def _odds_ratios(self, effect: Effect) -> list[str]:
        """Odds ratios as a sentence, where the table has no room for them."""
        told = [
            f"{self._odds(one, effect)} of {shown(one.level)}"
            for one in effect.levels
            if self._odds(one, effect)
        ]
        return wrapped(f"Odds ratios to {shown(effect.reference)}: {', '.join(told)}.")

    def _numbers(self) -> Iterator[str]:
        """Everything that is one estimate: a line or two each."""
        finding, effect, scale = self.finding, self.finding.effect, self.scale
        if effect is not None and effect.trend is not None:
            more, per_unit = _in_round_steps(effect.trend.per_unit, scale)
            unit, deviation = (
                scale.finer([(one[2] - one[1]) / 2]) for one in (per_unit, effect.trend.per_sd)
            )
            yield from wrapped(
                f"Trend: {unit.with_limits(per_unit, signed=True)}{scale.unit} for {more} more, "
                f"{deviation.with_limits(effect.trend.per_sd, signed=True)}{scale.unit} for a standard "
                f"deviation; {p_text(effect.trend.p)}."
            )
        if effect is not None and effect.interaction is not None:
            yield from self._together(effect)
        if effect is not None and effect.att is not None:
            size = scale.with_limits(effect.att, signed=True) + scale.unit
            yield from wrapped(f"Among those with {self._other_level(effect)}: {size}.")
        if finding.moves is not None:
            value, low, high = map(scale.finer(finding.moves[:1]).amount, finding.moves)
            limits = "" if "–" in (low, high) else f" ({low}–{high})"
            yield from wrapped(
                f"How far it moves the adjusted {'risk' if scale.is_event else 'mean'} over the records: "
                f"±{value}{scale.unit}{limits}."
            )
        yield from wrapped(self._evidence()) if self._evidence() else ()
        yield from self._second_opinion()
        yield from wrapped(self._sensitivity()) if self._sensitivity() else ()

    def _other_level(self, effect: Effect) -> str:
        """Of two levels the one that is not the reference, as people say that a record has it."""
        factor = self.finding.factors[0]
        others = [one.level for one in effect.levels if one.level != effect.reference]
        return shown(factor.pattern or f"{factor.name} {others[0]}")

    def _together(self, effect: Effect) -> Iterator[str]:
        """What columns do together, beyond what fewer of them do."""
        found, scale = effect.interaction, self.scale
        assert found is not None
        fewer = from_fewer(len(self.finding.factors[0].columns))
        reri = f"; relative excess risk (RERI) {ratio(found.reri)}" if found.reri is not None else ""
        yield from wrapped(
            f"Together, {shown(found.cell)}: {scale.with_limits(found.risk)}; {fewer} "
            f"{scale.with_limits(found.expected)} would be expected{reri}; {p_text(found.p)}."
        )

    def _evidence(self) -> str:
        """P-values, and how probable a direct link is."""
        finding = self.finding
        is_one = self.result.question == "test"
        told = (
            (finding.p, ""),
            (None if is_one else finding.p_corrected, " corrected for the number of columns"),
            (finding.p_crude, " before adjusting"),
        )
        parts = [p_text(p) + which for p, which in told if p is not None and isfinite(p)]
        if finding.p_link is not None:
            parts.append(f"probability {finding.p_link:.2f} of a direct link")
        return f"Evidence: {'; '.join(parts)}." if parts else ""

    def _second_opinion(self) -> Iterator[str]:
        other = self.finding.second_opinion
        if other is not None:
            yield from wrapped(
                f"Second opinion: {counted(other.pairs, 'matched pair')} of {shown(other.level)} and "
                f"{shown(other.against)}: {self.scale.with_limits(other.difference, signed=True)}"
                f"{self.scale.unit}; for the same records the model gives "
                f"{self.scale.difference(other.expected)}: they {'agree' if other.agrees else 'disagree'}."
            )

    def _sensitivity(self) -> str:
        """How strong an unknown cause of both had to be."""
        found = self.finding.sensitivity
        if found is None or self.finding.verdict not in ("cause", "possible", "indirect"):
            return ""
        parts = []
        if found.gamma is not None:
            parts.append(f"multiply the odds of having it by {_factor(found.gamma)} (Γ)")
        if found.e_value is not None:
            limit = found.e_value_of_limit
            of_limit = "" if limit is None or not isfinite(limit) else f", of the limit {_factor(limit)}"
            parts.append(f"be linked to both by risk ratios of {_factor(found.e_value)} (E-value{of_limit})")
        return f"To undo this, an unknown cause had to {', or '.join(parts)}." if parts else ""

    def _balance(self) -> list[str]:
        """How alike two levels are in what was held, before matching and after."""
        if not self.finding.balance:
            return []
        by_chance = _two_digits(self.finding.balance[0].by_chance)
        rows = [["Difference in standard deviations", "before", "matched"]]
        rows += [
            ["  " + shown(one.column, _LONGEST_LEVEL), *map(_two_digits, (one.before, one.after))]
            for one in self.finding.balance
        ]
        return [*_aligned(rows), f"  (so many pairs differ by {by_chance} by chance)"]

    def _notes(self) -> list[str]:
        about = {column for factor in self.finding.factors for column in factor.columns}
        own = [
            note
            for note in self.result.notes
            if not about.isdisjoint((note.data.get("column"), *note.data.get("columns", ())))
        ]
        notes = [*self.finding.notes, *(note for note in own if note not in self.finding.notes)]
        if self.finding.verdict == "not comparable":
            notes = [note for note in notes if note.code not in _WHY_NOT_COMPARABLE]
        return [line for note in notes for line in wrapped(f"Note: {sentence(note)}")]


def _in_round_steps(per_unit: Triple, scale: Scale) -> tuple[str, Triple]:
    """A change for one more, or for ten, a hundred … more where that is too small to be written."""
    width = scale.factor * (per_unit[2] - per_unit[1]) / 2
    times = 10 ** max(0, ceil(-1 - scale.digits - log10(width))) if width > 0 else 1
    low, value, high = (times * one for one in (per_unit[1], per_unit[0], per_unit[2]))
    return "one" if times == 1 else f"{times:,}", (value, low, high)


def _factor(number: float) -> str:
    """A factor that nobody asks the digits of where it is large."""
    return f"{number:.2f}" if number < 100 else "over 100"


def _two_digits(number: float) -> str:
    return f"{number:.2f}" if isfinite(number) else "–"


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(cell_len, column)) for column in zip(*rows, strict=True)]


def _room_for_names(rows: Sequence[Sequence[str]]) -> int:
    """Cells that the other columns leave for the first."""
    others = _widths(rows)[1:]
    return WIDTH - sum(others) - 2 * len(others)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Cells below one another; names are cut where they must be, and what does not fit at all is left out."""
    while len(rows[0]) > 2 and _room_for_names(rows) < _LEAST_ROOM:
        rows = [row[:-1] for row in rows]
    first, *others = _widths(rows)
    first = min(first, _room_for_names(rows))
    return [
        "  ".join(
            [padded(fitting([row[0]], first), first)]
            + [padded(text, width, right=True) for text, width in zip(row[1:], others, strict=True)]
        ).rstrip()
        for row in rows
    ]


def card_lines(result: Result, finding: Finding) -> list[Line]:
    """The card of a finding, line by line."""
    return Card(result, finding).lines()

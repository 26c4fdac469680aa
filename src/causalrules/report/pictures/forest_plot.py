"""Forest plot: all effects below one another, adjusted beside crude."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from causalrules.report.pictures.drawing import GREY, INK, Rows, altair, message, picture
from causalrules.report.pictures.effect_axis import EffectAxis
from causalrules.report.pictures.odds_axis import (
    CRUDE,
    LOWERS_MEAN,
    RAISES_MEAN,
    kind_of,
    shape_and_colour,
    sorted_by_kind,
)
from causalrules.report.words.contrast_words import n_matched
from causalrules.report.words.measure import measure_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Estimate, Result, Rule

_WIDTH = 340
_ESTIMATES, _PAIRS = _WIDTH + 14, _WIDTH + 220
_OFFSET = 4
"""Pixels by which the adjusted estimate stands above the middle of its row, and the crude one below."""


def forest_chart(result: Result, rules: Sequence[Rule] | None, most: int) -> Any:
    """Effects on the outcome with their intervals, one row a rule.

    Parameters
    ----------
    result : Result
        Where the rules come from.
    rules : sequence of Rule, optional
        Those to draw; the causal ones if None.
    most : int
        Rows at most.
    """
    outcome = result.data.outcome
    what = f"mean of {outcome}" if outcome.is_mean else f"odds of {outcome}"
    title = f"What raises and what lowers the {what}"
    chosen = result.causal if rules is None else tuple(rules)
    testable = [rule for rule in chosen if rule.verdict != "untestable" and not rule.compares_nothing]
    drawn = sorted_by_kind(testable[:most])
    if not drawn:
        return message(title, _why_nothing(result, chosen))
    confidence = f"{100 * result.settings.confidence:g} %"
    notes = [
        f"Among records that are alike in what was adjusted for, with {confidence} intervals. A line that "
        f"crosses {measure_of(drawn[0]).nothing:g} can be chance; arrows lead off the axis."
    ]
    if len(drawn) < len(chosen):
        left_out = f"; {len(chosen) - len(testable)} cannot be tested" if len(testable) < len(chosen) else ""
        notes.append(f"{len(drawn)} of {len(chosen)} rules are drawn, the first of the result{left_out}.")
    return picture(_panel(drawn, confidence), title=title, notes=notes)


def _panel(drawn: list[Rule], confidence: str) -> Any:
    alt = altair()
    rows = Rows.of([rule.name for rule in drawn])
    measures = [measure_of(rule) for rule in drawn]
    axis = EffectAxis.of(measures[0], [one.adjusted for one in measures], [one.crude for one in measures])
    entries = [entry for rule, y in zip(drawn, rows.centres, strict=True) for entry in _entries(rule, y)]
    spans = [entry.drawn(axis) for entry in entries]
    ends = [end for entry in entries for end in axis.open_ends(entry.estimate, entry.y)]
    shown = [span for span, entry in zip(spans, entries, strict=True) if entry.is_on(axis)]
    looks = shape_and_colour(alt, [entry.kind for entry in entries])
    texts = [entry | {"y": entry["middle"]} for entry in spans if entry["kind"] != CRUDE]
    tips = [alt.Tooltip(f"{name}:N") for name in ("rule", "kind", "estimate", "pairs")]
    no_effect = alt.Chart(alt.Data(values=[{"effect": axis.measure.nothing}])).mark_rule(
        color=GREY, strokeDash=[4, 3]
    )
    intervals = alt.Chart(alt.Data(values=spans)).mark_rule(strokeWidth=1.5)
    points = alt.Chart(alt.Data(values=shown)).mark_point(filled=True, size=60, opacity=1)
    arrows = alt.Chart(alt.Data(values=ends)).mark_text(fontSize=13, baseline="middle", color=INK)
    return alt.layer(
        rows.stripes(alt),
        no_effect.encode(x=axis.channel(alt, "effect")),
        intervals.encode(x=axis.channel(alt, "low"), x2="high:Q", y=rows.y(alt), color=looks["color"]),
        points.encode(x=axis.channel(alt, "effect"), y=rows.y(alt), tooltip=tips, **looks),
        arrows.encode(x=axis.channel(alt, "effect"), y=rows.y(alt), text="arrow:N"),
        rows.names(alt),
        rows.heading(alt, f"{axis.measure.name} ({confidence} interval)", x=_ESTIMATES, align="left"),
        rows.texts(alt, texts, "estimate", x=_ESTIMATES, align="left", color=INK),
        rows.heading(alt, "matched", x=_PAIRS, align="right"),
        rows.texts(alt, texts, "pairs", x=_PAIRS, align="right", color=INK),
    ).properties(width=_WIDTH, height=rows.height)


class _Entry(NamedTuple):
    """One estimate of a rule, and where it stands."""

    rule: Rule
    kind: str
    estimate: Estimate
    y: float
    middle: float

    def drawn(self, axis: EffectAxis) -> dict[str, Any]:
        """As the picture's data have it."""
        return axis.numbers(self.estimate) | {
            "rule": self.rule.name,
            "kind": self.kind,
            "y": self.y,
            "middle": self.middle,
            "pairs": f"{n_matched(self.rule):,}",
            "estimate": axis.measure.with_limits(self.estimate),
        }

    def is_on(self, axis: EffectAxis) -> bool:
        """Whether the estimate itself is on the axis."""
        return axis.within(self.estimate.value) == self.estimate.value


def _entries(rule: Rule, y: float) -> list[_Entry]:
    """The adjusted estimate and the crude one, both of the outcome itself."""
    measure, kind = measure_of(rule), kind_of(rule)
    if rule.mean is not None and rule.verdict == "causal":
        kind = RAISES_MEAN if rule.direction == "raises" else LOWERS_MEAN
    return [
        _Entry(rule, kind, measure.adjusted, y - _OFFSET, y),
        _Entry(rule, CRUDE, measure.crude, y + _OFFSET, y),
    ]


def _why_nothing(result: Result, chosen: Sequence[Rule]) -> str:
    if chosen:
        return "None of these rules could be tested: too few matched pairs differ in the outcome."
    verdicts = result.n_by_verdict
    tested = f"{verdicts['rejected']} associations were rejected and {verdicts['untestable']} untestable"
    return f"There is no causal rule to draw; {tested}. forest(rules=result.tested) draws those instead."

"""Negative controls and placebo runs in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.report.words.contrast_words import listed
from causalrules.report.words.formatting import interval, number, p_text, printable

if TYPE_CHECKING:
    from causalrules.domain import Result
    from causalrules.domain.falsification import NegativeControl, Placebo


def falsification_lines(result: Result) -> list[str]:
    """What was tried to catch the run out, and what came of it; nothing where nothing was asked for."""
    lines = []
    if result.negative_controls:
        lines += [_headline(result), *(f"– {_control(one)}" for one in result.negative_controls)]
    elif result.settings.negative_outcome:
        lines.append("Negative outcomes: no rule is causal, so there was nothing to check with them.")
    if result.placebo is not None:
        lines.append(_placebo(result.placebo, result.settings.confidence, is_test=len(result.tested) == 1))
    return lines


def _headline(result: Result) -> str:
    controls = result.negative_controls
    n_alarms = sum(one.is_alarm for one in controls)
    n_able = sum(not one.untestable for one in controls)
    if n_alarms:
        return (
            f"Negative controls: {n_alarms} of {n_able} show an effect where there can be none. Something "
            "that is not adjusted for explains it, and may explain the findings too."
        )
    if not n_able:
        return "Negative controls: none of them could be studied."
    return f"Negative controls: none of {n_able} shows an effect, which raises no doubt (and proves nothing)."


def _control(one: NegativeControl) -> str:
    what = f"{printable(one.exposure)} on {printable(one.outcome)}"
    if one.untestable:
        return f"{what}: could not be studied, {one.untestable}"
    held = listed(one.held) or "nothing"
    found = f"odds ratio {number(one.odds_ratio.value)} ({interval(one.odds_ratio)}) adjusted for {held}"
    alarm = "ALARM: " if one.is_alarm else ""
    return f"{what}: {alarm}{found}, {p_text(one.p_value)}, {one.q_value:.2g} corrected"


def _placebo(placebo: Placebo, confidence: float, *, is_test: bool) -> str:
    share, within = placebo.share, listed(placebo.within)
    dealt = f"within strata of {within}" if within else "among all records"
    limits = f"{100 * confidence:g} % interval {share.low:.1%} – {share.high:.1%}"
    what = "the hypothesis was" if is_test else f"some rule{' of other columns' if within else ''} was"
    return (
        f"Placebo: the outcome was permuted {dealt}, {placebo.runs} times, so that nothing causes it there; "
        f"{what} still called causal in {placebo.with_causal}: {share.value:.1%} ({limits})."
    )

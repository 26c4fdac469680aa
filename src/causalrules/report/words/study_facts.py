"""The study behind one rule of the default search, point by point: the same lines wherever it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from causalrules.domain import Estimate
from causalrules.domain.evidence import NO_OPINION
from causalrules.domain.marker_phrases import ADJUSTED_FOR, LEFT_OUT_DIFFER, NOT_ADJUSTED_FOR
from causalrules.domain.quoted_names import typed_list
from causalrules.domain.sentences import counted
from causalrules.report.words.contrast_words import (
    inseparable,
    listed,
    n_matched,
    own_difference,
    percent_points,
    points_and_interval,
    standardised_risks,
    steps_held,
)
from causalrules.report.words.formatting import interval, number, p_text, printable, printable_text
from causalrules.report.words.interaction_words import other_measures, said_the_same, together_line
from causalrules.report.words.measure import means_of, measure_of, signed
from causalrules.report.words.risk_words import NO_RISKS_TOLD, e_value_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Rule
    from causalrules.domain.mean_effect import MeanEffect
    from causalrules.domain.rule import Arrow

ALIKE = 0.1
"""Standardised difference up to which two groups count as alike (Austin 2009)."""

_ALL, _SAME_NAMED = 40, 6


class Fact(NamedTuple):
    """One point of a study: what it is about, and the lines that tell it."""

    name: str
    lines: tuple[str, ...]


def study_facts(rule: Rule, show: Callable[[str], str] = printable) -> list[Fact]:
    """Who was compared and how, what was left out, what other methods say, and what could undo it."""
    facts = [
        Fact("adjusted for", (_adjusted_for(rule, show),)),
        Fact("matched", (_matched(rule, show),)),
        Fact("applies to", tuple(_speaks_for(rule, show))),
        Fact("clusters", tuple(_clusters(rule))),
        Fact("left out", tuple(_left_out(rule))),
        Fact("not told apart", tuple(_not_told_apart(rule, show))),
        Fact("step by step", tuple(steps_held(rule, show))),
        Fact("direction", tuple(_which_way(rule))),
        Fact("depends on", tuple(_depends_on(rule, show))),
        Fact("balance", tuple(_balance(rule, show))),
        Fact("second opinion", tuple(_second_opinion(rule))),
        Fact("sensitivity", tuple(_hidden(rule))),
        Fact("as a number", tuple(_per_unit(rule, show))),
        Fact("between strata", tuple(_between_strata(rule))),
        Fact("together", tuple(_together(rule))),
        Fact("says the same", tuple(_says_the_same(rule, show))),
    ]
    return [fact for fact in facts if fact.lines]


def contrast_readings(rule: Rule, target: str, show: Callable[[str], str] = printable) -> dict[str, str]:
    """What stands above the pictures on a rule's card; parts that have nothing to say are absent."""
    texts = {
        "effect": _effect(rule, target),
        "balance": ". ".join(_sentences(_balance(rule, show))),
        "partners": ". ".join(_sentences([f"The numbers apply to {rule.design.estimand}"])),
        "hidden": ". ".join(_sentences(_hidden(rule))),
    }
    return {part: f"{text}." for part, text in texts.items() if text}


def _sentences(lines: list[str]) -> list[str]:
    return [line[0].upper() + line[1:] for line in lines]


def _effect(rule: Rule, target: str) -> str:
    if rule.verdict == "untestable":
        return ""
    if rule.mean is not None:
        return _effect_on_mean(rule.mean, target)
    if not rule.has_risks:
        return NO_RISKS_TOLD.removesuffix(".")
    (crude,) = percent_points(own_difference(rule, _certain(rule.effects.crude_risk_difference)).value)
    value, _ = points_and_interval(own_difference(rule, rule.effects.risk_difference))
    risks = standardised_risks(rule)
    told = f"risk difference {value}, crude {crude}"
    if risks is None:
        return f"Standardised to the matched exposed, {told}"
    exposed, unexposed = (f"{risk:.1%}" for risk in risks)
    return f"Of the matched exposed {exposed} have {target}; without the exposure {unexposed} would: {told}"


def _effect_on_mean(mean: MeanEffect, target: str) -> str:
    told = f"difference {signed(mean.difference.value)}, crude {signed(mean.crude.value)}"
    exposed, unexposed = means_of(mean)
    return (
        f"The mean of {target} among the matched exposed is {exposed}; without the exposure it would be "
        f"{unexposed}: {told}"
    )


def _certain(value: float) -> Estimate:
    return Estimate(value, value, value)


def _adjusted_for(rule: Rule, show: Callable[[str], str]) -> str:
    design = rule.design
    if design.held:
        return listed(design.held, show, _ALL)
    if design.near_copies or rule.reason.startswith(NOT_ADJUSTED_FOR):
        return "nothing: no column that could be adjusted for was found to confound"
    return "nothing: no other column was found to confound"


def _matched(rule: Rule, show: Callable[[str], str]) -> str:
    design = rule.design
    if not design.held:
        return "on nothing: all records are compared"
    if design.second_opinion.method == NO_OPINION:
        others = f", and exactly on {listed(design.held[1:], show, _ALL)}" if design.held[1:] else ""
        return f"within the sets of {show(design.held[0])}, as they were gathered{others}"
    if design.matching == "exact":
        on = "it" if len(design.held) == 1 else "all of them"
        return f"exactly on {on}: compared records have equal values"
    text = (
        "by propensity and prognostic score: compared records have similar chances of being exposed and a "
        "similar outlook without it"
    )
    exact = f"; exactly on {listed(design.exact_on, show, _ALL)}" if design.exact_on else ""
    return text + exact


def _speaks_for(rule: Rule, show: Callable[[str], str]) -> list[str]:
    """The estimand, and how those it does not speak for differ."""
    design = rule.design
    matched = f" ({design.share_matched:.0%} matched)" if design.share_matched < 0.995 else ""
    lines = [f"{design.estimand}{matched}"]
    if rule.balance is not None:
        lines += [
            f"{show(one.item.name)}: {one.unmatched_share:.0%} of the unmatched, else {one.matched_share:.0%}"
            for one in rule.balance.unmatched[:3]
            if one.unmatched_share > one.matched_share
        ]
    return lines


def _clusters(rule: Rule) -> list[str]:
    count = rule.design.n_clusters
    told = "records that belong together count as one piece of evidence, in intervals and p-values"
    return [f"{count:,} compared: {told}"] if count else []


def _left_out(rule: Rule) -> list[str]:
    design, lines = rule.design, []
    if design.exposure_unknown:
        lines.append(f"{counted(design.exposure_unknown, 'record')} in neither arm: the exposure is missing")
    if design.left_out:
        lines.append(f"{counted(design.left_out, 'record')} with a missing value in what is adjusted for")
    if design.missing_controls == "value":
        lines.append(
            "none for missing values of confounders: too few records are complete, so missing is a level"
        )
    other = design.other_missing
    if other is not None:
        how = "if missing were a level" if other.missing_controls == "value" else "of complete records only"
        found, measure = Estimate(other.odds_ratio, other.low, other.high), measure_of(rule)
        if rule.mean is not None and rule.mean.other_missing is not None:
            found = rule.mean.other_missing
        lines.append(f"{measure.name} {measure.with_limits(found)} {how}")
    if rule.reason.startswith(LEFT_OUT_DIFFER):
        lines.append(printable_text(rule.reason))
    return lines


def _not_told_apart(rule: Rule, show: Callable[[str], str]) -> list[str]:
    others = inseparable(rule)
    if not others:
        return []
    copies = rule.design.near_copies
    why = ": nearly the same as the exposure, and could not be adjusted for" if copies else ""
    return [f"{listed(others, show, _ALL)}{why}; any of them may be the cause"]


_ARROWS: dict[Arrow, str] = {
    "cause": "the data say that it is no consequence of the outcome",
    "effect": "the data say that it does not cause the outcome",
    "undecided": "the data do not show which came first; the exposure is assumed to have",
}


def way_of(rule: Rule) -> str:
    """Which way the arrow between a rule's columns and the outcome points, and why; empty if nobody asked."""
    return "" if rule.arrow is None else printable_text(rule.witness) or _ARROWS[rule.arrow]


def _depends_on(rule: Rule, show: Callable[[str], str]) -> list[str]:
    """The estimate without columns that may come after the outcome, where it says something else."""
    other = rule.design.without_undecided
    if other is None:
        is_asked = rule.verdict == "causal" and rule.reason.startswith((ADJUSTED_FOR, NOT_ADJUSTED_FOR))
        return [printable_text(rule.reason)] if is_asked else []
    measure, names, without = measure_of(rule), listed(other.columns, show, _ALL), other.odds_ratio
    if rule.mean is not None and rule.mean.without_undecided is not None:
        without = rule.mean.without_undecided
    held, never = (show(typed_list(other.columns[:_ALL], before)) for before in ("+", ""))
    come = "comes" if len(other.columns) == 1 else "come"
    return [
        f"{measure.name} {measure.with_limits(measure.adjusted)} adjusted for {names}, "
        f"{measure.with_limits(without)} without: which is right depends on whether "
        f"{names} {come} before both exposure and outcome; if so, say --adjust {held}, else "
        f"--never-adjust {never}"
    ]


def _which_way(rule: Rule) -> list[str]:
    """The probability of standing next to the outcome, and where the arrow points."""
    lines = [way_of(rule)] if rule.arrow is not None else []
    if rule.p_next is not None:
        told = f"{rule.p_next:.2f}" if rule.p_next >= 0.01 else "below 0.01"
        lines.append(f"probability of a direct link to the outcome: {told}")
    return lines


def _balance(rule: Rule, show: Callable[[str], str]) -> list[str]:
    design = rule.design
    if rule.balance is None or not n_matched(rule):
        return []
    lines = []
    items = [one for one in rule.balance.items if one.item.column in design.held]
    before, after = design.worst_imbalance_before, design.worst_imbalance
    if before is None:  # a file of an earlier version: only of items
        before = max((abs(one.before) for one in items), default=0.0)
    if after is None:
        after = max((abs(one.after) for one in items), default=0.0)
    if design.held:
        lines.append(
            f"of what is adjusted for: largest standardised difference {difference_text(before)} before "
            f"matching, {difference_text(after)} after"
        )
    apart = [name for name in design.imbalanced if name not in design.near_copies]
    unlike = [name for name in apart if name in design.held]
    if unlike:
        lines.append(f"above {ALIKE} after, although adjusted for: {listed(unlike, show, _ALL)}")
    others = [name for name in apart if name not in design.held]
    if others:
        lines.append(f"above {ALIKE} after, not adjusted for: {listed(others, show, _ALL)}")
    return lines


def difference_text(value: float) -> str:
    """A standardised difference; one that is next to nothing has few digits.

    Examples
    --------
    >>> difference_text(0.127), difference_text(0.0004)
    ('0.13', 'below 0.01')
    """
    return number(value) if value >= 0.01 else "below 0.01"


def _second_opinion(rule: Rule) -> list[str]:
    if rule.verdict == "untestable" or not rule.design.second_opinion.is_made:
        return []
    opinion, agrees = rule.design.second_opinion, rule.design.opinions_agree
    found = Estimate(opinion.estimate, opinion.low, opinion.high)
    says = "agrees" if agrees else "does not agree"
    if rule.mean is not None:
        measure = measure_of(rule)
        both = f"{measure.with_limits(found)} by a doubly robust estimate, "
        return [f"{says}: mean difference {both}{measure.shown(measure.adjusted.value)} by matching"]
    value, limits = points_and_interval(found)
    own = points_and_interval(own_difference(rule, rule.effects.risk_difference))[0]
    return [f"{says}: risk difference {value} ({limits}) by a doubly robust estimate, {own} by matching"]


def _hidden(rule: Rule) -> list[str]:
    if rule.verdict not in ("causal", "possible"):
        return []
    doubts = rule.doubts
    gamma = (
        f"Γ {number(doubts.gamma)}: a hidden confounder would have to multiply the odds of exposure by "
        f"this{_to_undo(rule)}"
        if doubts.gamma > 1
        else "Γ 1: the slightest hidden confounder could explain it away"
    )
    return [gamma, e_value_line(rule)]


def _to_undo(rule: Rule) -> str:
    return "" if rule.mean is None else " to undo the effect on being in the upper half of the outcome"


def _per_unit(rule: Rule, show: Callable[[str], str]) -> list[str]:
    found = rule.per_unit
    if found is None:
        return []
    per_unit, per_deviation = (
        f"{number(one.value)} ({interval(one)})" for one in (found.odds_ratio, found.per_deviation)
    )
    step = "unit" if found.unit == 1 else f"{found.unit:,g}"
    return [
        f"odds ratio {per_unit} for each {step} of {show(found.column)}, {p_text(found.p_value)}, if all "
        "steps change the odds alike",
        f"{per_deviation} for each standard deviation, {found.standard_deviation:.3g}",
    ]


def _between_strata(rule: Rule) -> list[str]:
    p_value = rule.doubts.heterogeneity_p
    if p_value is None or rule.verdict == "untestable":
        return []
    if rule.doubts.is_mixed:
        return [f"the effect changes its sign between strata ({p_text(p_value)})"]
    differs = "differs" if p_value < 0.05 else "does not clearly differ"
    return [f"the effect {differs} between strata ({p_text(p_value)})"]


def _together(rule: Rule) -> list[str]:
    lines = [together_line(rule).removeprefix("together").removeprefix(": ").strip(), other_measures(rule)]
    return [line for line in lines if line]


def _says_the_same(rule: Rule, show: Callable[[str], str]) -> list[str]:
    if not rule.says_the_same:
        return []
    return [f"{said_the_same(rule, show, _SAME_NAMED)}: gone where the columns of this rule are held"]

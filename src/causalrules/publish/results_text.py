"""The results of a run in sentences and as a table, from its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.domain.progress import how_far
from causalrules.publish.design_words import is_case_control, listed, looked_at
from causalrules.publish.document import Line, Sheet
from causalrules.publish.further_analyses import further_results
from causalrules.publish.journal_p import bare_p, journal_p
from causalrules.publish.participant_flow import participant_flow
from causalrules.report.words.contrast_words import has_empty_cell
from causalrules.report.words.formatting import number, printable
from causalrules.report.words.measure import Measure, means_of, measure_of, signed
from causalrules.report.words.result_kinds import is_single_study
from causalrules.report.words.risk_words import e_value_line, number_needed_row, risk_ratio_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Result, Rule, Verdict
    from causalrules.domain.mean_effect import MeanEffect
    from causalrules.publish.participant_flow import Flow

MOST_TOLD = 10
"""Most findings that get a sentence; the table has all of them."""
_NO_DIRECTION = "‡"
_NO_DIRECTION_NOTE = (
    f"{_NO_DIRECTION} The data do not show which came first: a cause if it precedes the outcome."
)


def results_paragraphs(result: Result) -> list[str]:
    """What was found, the strongest findings one by one, and what could not be told."""
    if is_single_study(result):
        return [_one_rule(result, result.tested[0]), *further_results(result)]
    n = result.n_by_verdict
    studied, causal = len(result.tested), n["causal"]
    lead = (
        f"Of {looked_at(result)}, {studied:,} {'was' if studied == 1 else 'were'} studied; {causal:,} "
        f"{'was' if causal == 1 else 'were'} judged causal as far as the recorded columns can tell"
    )
    others: tuple[tuple[Verdict, str], ...] = (
        ("possible", "possible"),
        ("consequence", "consequences of the outcome"),
        ("rejected", "rejected"),
        ("untestable", "could not be tested"),
    )
    rest = [f"{n[verdict]:,} {what}" for verdict, what in others if n[verdict]]
    counted = f"{lead}, {', '.join(rest)}." if rest else f"{lead}."
    paragraphs = [counted + _without_direction(result.causal)]
    if result.interrupted:
        paragraphs.insert(0, f"The run was not finished ({how_far(result)}).")
    paragraphs += [_one_rule(result, rule) for rule in result.causal[:MOST_TOLD]]
    if len(result.causal) > MOST_TOLD:
        n_more = len(result.causal) - MOST_TOLD
        more = "One more finding is" if n_more == 1 else f"The other {n_more:,} findings are"
        paragraphs.append(f"{more} in the table.")
    return [*paragraphs, *further_results(result)]


def _has_no_direction(rule: Rule) -> bool:
    """Whether a rule that may be a cause might as well be a consequence."""
    return rule.arrow == "undecided" and rule.verdict in ("causal", "possible")


def _without_direction(causal: Sequence[Rule]) -> str:
    n = sum(map(_has_no_direction, causal))
    if not n:
        return ""
    which = "the one" if len(causal) == 1 else f"{n:,} of the {len(causal):,}"
    return f" For {which} judged causal the data do not show which came first, exposure or outcome."


def _one_rule(result: Result, rule: Rule) -> str:
    measure = measure_of(rule)
    name, outcome = printable(rule.name), printable(str(result.data.outcome))
    if rule.verdict == "untestable":
        what = "mean" if rule.mean is not None else "risk"
        return (
            f"Whether {name} changes the {what} of {outcome} could not be tested: {printable(rule.reason)}."
        )
    percent = f"{100 * result.settings.confidence:g}% CI"
    p = rule.p_value if rule.q_value is None else rule.q_value
    corrected = "" if rule.q_value is None or is_single_study(result) else " corrected"
    empty = " (an empty cell counted as one record)" if has_empty_cell(rule) else ""
    text = (
        f"{name} {_did(rule)} {outcome}: adjusted {measure.name} {_with_limits(measure, percent)}, "
        f"{journal_p(p, corrected)}; crude {measure.name} {measure.shown(measure.crude.value)}{empty}. "
        f"For this, {_matched(result, rule)}{_adjusted_for(rule)}."
    )
    if rule.mean is not None:
        text += f" {_means(rule.mean)}"
    elif rule.has_risks:
        text += f" {_risk(rule, percent)}"
    if _has_no_direction(rule):
        text += " The data do not show which came first; the exposure was taken to precede the outcome."
    if rule.verdict == "causal":
        text += _doubts(rule)
    return text + _second_opinion(rule)


def _matched(result: Result, rule: Rule) -> str:
    """How many records of each arm were matched; of each arm at all, where that is not known."""
    flow = participant_flow(result, rule)
    if flow.matched_exposed is None or flow.matched_unexposed is None:
        return f"{rule.exposed:,} records were exposed and {rule.unexposed:,} unexposed"
    return (
        f"{flow.matched_exposed:,} of {rule.exposed:,} exposed and {flow.matched_unexposed:,} of "
        f"{rule.unexposed:,} unexposed records were matched"
    )


def _adjusted_for(rule: Rule) -> str:
    """The columns held, as the end of a sentence."""
    if not rule.design.held:
        return ", and nothing was adjusted for"
    return f", and the comparison was adjusted for {listed(rule.design.held)}"


def _second_opinion(rule: Rule) -> str:
    """The doubly robust estimate and whether it agrees; empty where none was made."""
    if not rule.design.second_opinion.is_made:
        return ""
    opinion = rule.design.second_opinion
    agree = "in agreement" if rule.design.opinions_agree else "not in agreement"
    what, shown = ("risk", _points) if rule.mean is None else ("mean", signed)
    return (
        f" The doubly robust estimate of the {what} difference was {shown(opinion.estimate)} "
        f"({shown(opinion.low)} to {shown(opinion.high)}), {agree}."
    )


def _did(rule: Rule) -> str:
    """What the exposure did to the outcome, by the verdict."""
    moved = "mean" if rule.mean is not None else "odds"
    if rule.verdict == "rejected":
        return f"was not shown to change the {moved} of"
    if rule.verdict == "possible":
        return f"may change the {moved} of"
    if rule.verdict == "consequence":
        return "was taken for a consequence, not a cause, of"
    return _did_cause(rule, moved)


def _did_cause(rule: Rule, moved: str) -> str:
    """What a causal rule did; a causal verb takes strong evidence and a known direction.

    docs/understanding/claims.md has the reasons.
    """
    is_strong = rule.grade not in ("moderate", "fragile") and not _has_no_direction(rule)
    associated = f"was associated{' after adjustment' if rule.design.held else ''}"
    if rule.depends_on is not None:
        did = "changed" if is_strong else associated
        return f"{did}, depending on {printable(rule.depends_on)}, {'' if is_strong else 'with '}the odds of"
    if is_strong:
        return f"{'raised' if rule.direction == 'raises' else 'lowered'} the {moved} of"
    amount = "higher" if rule.direction == "raises" else "lower"
    article = "a " if rule.mean is not None else ""
    return f"{associated} with {article}{amount} {moved} of"


def _risk(rule: Rule, percent: str) -> str:
    difference = rule.of_the_outcome().effects.risk_difference
    ratio, needed = risk_ratio_row(rule), number_needed_row(rule)
    text = (
        f"Among the matched exposed the risk differed by {_points(difference.value)} percentage points "
        f"({percent} {_points(difference.low)} to {_points(difference.high)}), and the risk ratio was "
        f"{ratio.value} ({percent} {ratio.limits.replace(' – ', ' to ')})."
    )
    if needed is None:
        return text
    amount = needed.remark.removeprefix("exposed for ")
    limits = needed.limits.replace(" – ", " to ")
    return f"{text} That is {amount} with the outcome for every {needed.value} exposed ({percent} {limits})."


def _means(mean: MeanEffect) -> str:
    exposed, unexposed = means_of(mean)
    return (
        f"Among the matched exposed the mean was {exposed}, and {unexposed} "
        f"would be expected without the exposure (standard deviation {number(mean.spread)})."
    )


def _doubts(rule: Rule) -> str:
    hidden = (
        " The slightest unmeasured confounder could explain this away (Γ = 1)"
        if rule.doubts.gamma <= 1
        else " An unmeasured confounder would have to multiply the odds of exposure by "
        f"{number(rule.doubts.gamma)} (Γ) to explain this away"
    )
    text = f"{hidden}; {_e_values(rule)}."
    return text + (f" The evidence was graded {rule.grade}." if rule.grade else "")


def _e_values(rule: Rule) -> str:
    return e_value_line(rule).replace("E-value", "the E-value is", 1).replace(" – ", " to ")


def _points(share: float) -> str:
    """A difference of risks in percentage points.

    Examples
    --------
    >>> _points(0.1234), _points(-0.002)
    ('12.3', '−0.2')
    """
    return f"{100 * share:.1f}".replace("-", "−")


def _with_limits(measure: Measure, percent: str) -> str:
    value, low, high = (
        measure.shown(one) for one in (measure.adjusted.value, measure.adjusted.low, measure.adjusted.high)
    )
    return f"{value} ({percent} {low} to {high})"


def _both_arms(flow: Flow) -> str:
    """Matched records of both arms."""
    if flow.matched_exposed is None or flow.matched_unexposed is None:
        return "–"
    return f"{flow.matched_exposed:,}, {flow.matched_unexposed:,}"


def findings_sheet(result: Result) -> Sheet:
    """All rules as a table for a paper; numbers speak of the outcome itself."""
    percent = f"{100 * result.settings.confidence:g}% CI"
    are_graded = any(rule.grade for rule in result.tested)
    is_mean = result.data.outcome.is_mean
    has_risks = not is_case_control(result) and not is_mean
    short = "mean difference" if is_mean else "OR"
    named = "P" if all(rule.q_value is None for rule in result.tested) else "P, corrected"
    return Sheet(
        title=f"Exposures studied for {printable(str(result.data.outcome))}",
        columns=(
            "Exposure",
            "Verdict, grade" if are_graded else "Verdict",
            "Matched: exposed, others",
            f"Crude {short}",
            f"Adjusted {short} ({percent})",
            *((f"Risk difference, points ({percent})",) if has_risks else ()),
            named,
            "Γ",
        ),
        lines=tuple(_line(result, rule, has_risks=has_risks) for rule in result.tested),
        notes=(
            f"{'' if is_mean else 'OR: odds ratio; '}CI: confidence interval; Γ: factor by which an "
            "unmeasured confounder would have to multiply the odds of exposure to explain the finding away."
            + (" Risk differences are among the matched exposed." if has_risks else ""),
            *((_NO_DIRECTION_NOTE,) if any(map(_has_no_direction, result.tested)) else ()),
        ),
        name="Findings",
    )


def _line(result: Result, rule: Rule, *, has_risks: bool) -> Line:
    """One rule in the table of findings; what could not be tested has its crude estimate only."""
    measure, difference = measure_of(rule), rule.of_the_outcome().effects.risk_difference
    verdict = f"{rule.verdict} {_NO_DIRECTION}" if _has_no_direction(rule) else rule.verdict
    low, high = (measure.shown(one) for one in (measure.adjusted.low, measure.adjusted.high))
    estimates = [f"{measure.shown(measure.adjusted.value)} ({low} to {high})"]
    if has_risks:
        limits = f"{_points(difference.low)} to {_points(difference.high)}"
        estimates.append(f"{_points(difference.value)} ({limits})")
    estimates.append(bare_p(rule.p_value if rule.q_value is None else rule.q_value))
    estimates.append(number(rule.doubts.gamma))
    if rule.verdict == "untestable":
        estimates = ["–"] * len(estimates)
    return Line(
        rule.name,
        (
            f"{verdict}, {rule.grade}" if rule.grade else verdict,
            _both_arms(participant_flow(result, rule)),
            measure.shown(measure.crude.value),
            *estimates,
        ),
    )

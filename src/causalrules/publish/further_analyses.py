"""What was asked besides the main question, in sentences: subgroups, doses, checks of the whole run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.publish.journal_p import journal_p
from causalrules.report.words.contrast_words import listed
from causalrules.report.words.formatting import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from causalrules.domain import Result, Settings

MOST_TOLD = 5
"""Most subgroups that differ, and negative controls, that get a sentence; a result has all of them."""


def further_methods(result: Result) -> str:
    """How subgroups, doses and checks were analysed; empty where nothing of it was asked for."""
    return " ".join(_methods(result))


def _methods(result: Result) -> Iterator[str]:
    settings = result.settings
    if settings.by:
        yield (
            f"Effects were also estimated within the values of {listed(settings.by)}; whether they differ "
            f"was judged by {_test_of_interaction(settings)}, corrected by Holm's procedure for the number "
            "of such tests [Holm 1979]."
        )
    if any(rule.dose is not None for rule in result.tested):
        test = "Mantel's extension test [Mantel 1963]"
        if settings.cluster is not None or settings.is_sampled:
            test = "the generalised score test with variances of the design [Boos 1992]"
        enough = "ten records with and ten without the outcome"
        if settings.outcome_as == "mean":
            enough = "ten records"
        yield (
            "Where the values of an exposure have an order, every level was compared, within strata, "
            f"with the lowest one that had at least {enough}, and a trend was judged by {test}."
        )
    if settings.negative_outcome or settings.negative_exposure:
        yield (
            f"As a check for residual confounding, {_controls(settings)} were studied as negative controls "
            "[Lipsitch et al. 2010], with P values corrected by Holm's procedure [Holm 1979]."
        )
    if settings.placebo:
        yield (
            f"The whole analysis was repeated on {settings.placebo:,} tables whose outcome had been dealt "
            "out at random within strata."
        )


def _test_of_interaction(settings: Settings) -> str:
    """What tells whether effects differ between subgroups."""
    by_design = ", by the design" if settings.cluster is not None or settings.is_sampled else ""
    if settings.outcome_as == "mean":
        return f"the adjusted Wald test of equal mean differences{by_design} [Korn and Graubard 1990]"
    if by_design:
        return f"the adjusted Wald test of equal log odds ratios{by_design} [Korn and Graubard 1990]"
    return "the score test of equal odds ratios in conditional logistic regression [Breslow and Day 1980]"


def _controls(settings: Settings) -> str:
    kinds = (
        ("outcomes that none of the exposures can cause", settings.negative_outcome),
        ("exposures that cannot cause the outcome", settings.negative_exposure),
    )
    return " and ".join(f"{what} ({listed(names)})" for what, names in kinds if names)


def further_results(result: Result) -> list[str]:
    """What subgroups, doses and checks showed, a paragraph each."""
    return [text for text in (_subgroups(result), _doses(result), _checks(result)) if text]


def _subgroups(result: Result) -> str:
    tests = [
        (rule, one, one.interaction_q)
        for rule in result.tested
        for one in rule.subgroups
        if one.interaction_p is not None and one.interaction_q is not None
    ]
    if not tests:
        return ""
    differ = [(rule, one) for rule, one, q_value in tests if q_value <= result.settings.alpha]
    if not differ:
        if len(tests) == 1:
            return "The test of interaction gave no sign that an effect differs between subgroups."
        return f"None of {len(tests):,} tests of interaction gave a sign that an effect differs."
    lead = f"Of {len(tests):,} tests of interaction"
    told = "; ".join(
        f"the effect of {printable(rule.name)} differed between the values of {printable(one.column)} "
        f"({journal_p(one.interaction_q or 0.0, 'corrected')})"
        for rule, one in differ[:MOST_TOLD]
    )
    more = len(differ) - MOST_TOLD
    return f"{lead}, {len(differ):,} showed a difference: {told}{f'; and {more:,} more' if more > 0 else ''}."


def _doses(result: Result) -> str:
    trends = [
        f"{printable(rule.dose.column)} ({journal_p(rule.dose.trend_p)})"
        for rule in result.tested
        if rule.dose is not None and rule.dose.trend_p is not None
    ]
    return f"Tests of trend over the levels of an exposure: {', '.join(trends)}." if trends else ""


def _checks(result: Result) -> str:
    texts = []
    tested = [one for one in result.negative_controls if not one.untestable]
    if tested:
        alarms = [one for one in tested if one.is_alarm]
        named = "; ".join(
            f"{printable(one.exposure)} with {printable(one.outcome)}, {journal_p(one.q_value, 'corrected')}"
            for one in alarms[:MOST_TOLD]
        )
        texts.append(
            f"Of {len(tested):,} negative controls, {len(alarms):,} showed an association after adjustment"
            + (f": {named}." if named else ".")
        )
    if result.placebo is not None:
        share, runs = result.placebo.share, result.placebo
        texts.append(
            f"In {runs.with_causal:,} of {runs.runs:,} tables with a dealt-out outcome a rule was judged "
            f"causal ({100 * share.value:.1f}%, {100 * share.low:.1f}% to {100 * share.high:.1f}%)."
        )
    return " ".join(texts)

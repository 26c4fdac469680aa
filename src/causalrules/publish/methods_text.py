"""The methods of a run in sentences, from its settings: what was done, and whose idea it was.

Names in brackets are cited, see `references`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.domain.progress import how_far
from causalrules.domain.sentences import counted
from causalrules.publish.design_words import design_words, is_case_control, listed, looked_at
from causalrules.publish.further_analyses import further_methods
from causalrules.publish.methods_comparison import comparison
from causalrules.publish.methods_statistics import statistics
from causalrules.report.words.formatting import number, printable
from causalrules.report.words.result_kinds import is_single_study

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Outcome, Result, Settings


def methods_paragraphs(result: Result) -> list[str]:
    """Data, hypotheses, comparison, statistics, sensitivity and software, a paragraph each."""
    paragraphs = [
        _interruption(result),
        _data(result),
        _hypotheses(result),
        comparison(result),
        statistics(result),
        further_methods(result),
        _SENSITIVITY,
        _software(result),
    ]
    return [text for text in paragraphs if text]


def _interruption(result: Result) -> str:
    if not result.interrupted:
        return ""
    return (
        f"This run was interrupted: {how_far(result)}. It does not answer the question; run it to its end "
        "before anything of this is reported."
    )


def _data(result: Result) -> str:
    data, outcome = result.data, result.data.outcome
    share = 100 * outcome.n_with / max(outcome.n_records, 1)
    weighted = "" if outcome.weighted_mean is None else f", weighted {100 * outcome.weighted_mean:.1f}%"
    text = (
        f"{counted(data.rows, 'record')} with {counted(data.columns, 'column')} that could take part were "
        f"analysed as a {design_words(result)}. The outcome was {printable(str(outcome))}; "
    )
    if outcome.mean is not None and outcome.spread is not None:
        text += f"{_means(outcome)} in the {outcome.n_records:,} records in which it was known. "
    elif is_case_control(result):
        text += (
            f"the table has {counted(outcome.n_with, 'case')} and {outcome.n_records - outcome.n_with:,} "
            "others, gathered in sets by the outcome. "
        )
    else:
        text += (
            f"it was present in {outcome.n_with:,} of the {outcome.n_records:,} records in which it was "
            f"known ({share:.1f}%{weighted}). "
        )
    if data.rows_without_outcome:
        text += f"{counted(data.rows_without_outcome, 'record')} without a known outcome were excluded. "
    if result.settings.frequencies:
        text += f"Each row stood for as many records as its {printable(result.settings.frequencies)} says. "
    if result.settings.cluster:
        text += (
            f"Records with the same value of {printable(result.settings.cluster)} belong together; standard "
            "errors and tests rest on sums over these clusters [Liang and Zeger 1986]. "
        )
    if result.settings.is_sampled:
        text += (
            f"Records are a sample; estimates were weighted by {printable(str(result.settings.weights))}, "
            "and variances come from Taylor linearisation [Binder 1983]. "
        )
    return text.strip()


def _means(outcome: Outcome) -> str:
    """Mean and standard deviation of a number; of a weighted sample those of the population first."""
    assert outcome.mean is not None
    assert outcome.spread is not None
    plain = f"{number(outcome.mean)} (standard deviation {number(outcome.spread)})"
    if outcome.weighted_mean is None or outcome.weighted_spread is None:
        return f"its mean was {plain}"
    shown = f"{number(outcome.weighted_mean)} (standard deviation {number(outcome.weighted_spread)})"
    return f"its weighted mean was {shown}, unweighted {plain},"


def _hypotheses(result: Result) -> str:
    settings = result.settings
    if is_single_study(result):
        return (
            f"One hypothesis was studied: that {printable(result.tested[0].name)} changes the "
            f"{_moved(result)} of the outcome. Since it was the only one, P values were not corrected. "
            f"{_held_out(settings)}"
            f"{_known_beforehand(settings)}"
        )
    text = (
        f"Hypotheses were not stated beforehand: {looked_at(result)} were looked at, and "
        f"{len(result.tested):,} of them {'was' if len(result.tested) == 1 else 'were'} put to a matched "
        "study. "
        "Which columns are directly linked to the outcome, and in which direction, was judged by "
        "averaging over all Bayesian networks of the most strongly associated columns [Koivisto and Sood "
        "2004]; an exposure was called causal only if the posterior probability of a direct link to the "
        f"outcome was at least 0.5 and {_judged(settings)}; a combination only if its parts also "
        "interact beyond what so many combinations would show by chance. "
    )
    if result.data.outcome.is_mean:
        text += "For this the outcome was cut at its median; combinations were not looked for. "
    return text + _held_out(settings) + _known_beforehand(settings)


def _held_out(settings: Settings) -> str:
    text = ""
    if settings.holdout:
        text += (
            f"Hypotheses and controls came from about {1 - settings.holdout:.0%} of the records and were "
            "tested on the others, chosen at random [Webb 2007]. "
        )
    if settings.cut:
        text += f"Numbers were cut at points that the authors chose ({listed(settings.cut)}). "
    return text


def _judged(settings: Settings) -> str:
    """What makes a study count, as a clause."""
    if settings.min_odds_ratio is not None:
        return f"its odds ratio, or the reciprocal of it, exceeded {settings.min_odds_ratio:g}"
    if settings.judge == "interval":
        return "the interval of its odds ratio excluded 1"
    return "its study was significant at the level below"


def _moved(result: Result) -> str:
    return "mean" if result.data.outcome.is_mean else "risk"


def _known_beforehand(settings: Settings) -> str:
    known = [
        (settings.exposures, "only {} {} considered as {}"),
        (settings.before, "{} {} taken to precede the outcome"),
        (settings.after, "{} {} taken to follow the outcome and never adjusted for"),
        (settings.never_adjust, "{} {} never adjusted for"),
    ]
    said = [
        text.format(listed(names), *(("was", "an exposure") if len(names) == 1 else ("were", "exposures")))
        for names, text in known
        if names
    ]
    said += [f"{text.format(listed(arrows))}" for arrows, text in _arrows(settings) if arrows]
    if settings.tiers:
        said.append(f"the order in time was taken to be {printable(settings.tiers)}")
    return f"By prior knowledge, {'; '.join(said)}." if said else ""


def _arrows(settings: Settings) -> list[tuple[Sequence[str], str]]:
    return [
        (settings.require, "{} was taken to exist"),
        (settings.forbid, "{} was ruled out"),
    ]


_SENSITIVITY = (
    "How strong an unmeasured confounder would have to be to explain a finding away was expressed by "
    "Rosenbaum's bound Γ, the factor by which it would have to multiply the odds of exposure within "
    "matched sets [Rosenbaum 2002], and by the E-value [VanderWeele and Ding 2017]."
)


def _software(result: Result) -> str:
    return (
        f"All analyses were done with causalrules {printable(result.version)}, which extends the method of "
        f"causal rule mining [Li et al. 2015]; random choices were fixed by the seed {result.settings.seed}."
    )

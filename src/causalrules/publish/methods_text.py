"""The methods of a run in sentences, from its settings: what was done, and whose idea it was.

Names in brackets are cited, see `references`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.domain.how_far import how_far
from causalrules.domain.sentences import listed as sentence_list
from causalrules.publish.further_analyses import further_methods
from causalrules.report.words.formatting import number, printable
from causalrules.report.words.know_first import is_single_study, n_hypotheses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Outcome, Result, Settings


def methods_paragraphs(result: Result) -> list[str]:
    """Data, hypotheses, comparison, statistics, sensitivity and software, a paragraph each."""
    is_default = result.settings.controls == "auto"
    paragraphs = [
        _interruption(result),
        _data(result),
        _hypotheses(result),
        _comparison(result) if is_default else _paper_comparison(result),
        _statistics(result) if is_default else _paper_statistics(result),
        further_methods(result),
        _sensitivity(result),
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


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them.

    Examples
    --------
    >>> listed(["age"]), listed(["age", "sex", "site"])
    ('age', 'age, sex and site')
    """
    return sentence_list([printable(name) for name in names])


def is_case_control(result: Result) -> bool:
    """Whether matched sets were gathered by the outcome, as every study of them says."""
    return any(rule.design is not None and rule.design.gathered_by_outcome for rule in result.tested)


def design_words(result: Result) -> str:
    """The kind of study that the records were analysed as; whether anybody was followed, no table tells."""
    return f"matched {design_kind(result)} study"


def design_kind(result: Result) -> str:
    """What may be said of the design without asking the authors."""
    return "case-control" if is_case_control(result) else "observational"


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def looked_at(result: Result) -> str:
    """What might have been put to a study."""
    n_longer = sum(counts.get("candidates", 0) for length, counts in result.by_length.items() if length > 1)
    if result.settings.controls != "auto":
        n_single = result.by_length.get(1, {}).get("candidates", 0)
        return _count(n_single + n_longer, "pattern")
    text = _count(n_hypotheses(result), "contrast") + " of one column"
    return f"{text} and {_count(n_longer, 'combination')} of two" if n_longer else text


def _data(result: Result) -> str:
    data, outcome = result.data, result.data.outcome
    share = 100 * outcome.n_with / max(outcome.n_records, 1)
    weighted = "" if outcome.weighted_mean is None else f", weighted {100 * outcome.weighted_mean:.1f}%"
    text = (
        f"{_count(data.rows, 'record')} with {_count(data.columns, 'column')} that could take part were "
        f"analysed as a {design_words(result)}. The outcome was {printable(str(outcome))}; "
    )
    if outcome.mean is not None and outcome.spread is not None:
        text += f"{_means(outcome)} in the {outcome.n_records:,} records in which it was known. "
    elif is_case_control(result):
        text += (
            f"the table has {_count(outcome.n_with, 'case')} and {outcome.n_records - outcome.n_with:,} "
            "others, gathered in sets by the outcome. "
        )
    else:
        text += (
            f"it was present in {outcome.n_with:,} of the {outcome.n_records:,} records in which it was "
            f"known ({share:.1f}%{weighted}). "
        )
    if data.rows_without_outcome:
        text += f"{_count(data.rows_without_outcome, 'record')} without a known outcome were excluded. "
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
            f"and "
            "variances come from Taylor linearisation [Binder 1983]. "
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
    )
    if settings.controls == "auto":
        text += (
            "Which columns are directly linked to the outcome, and in which direction, was judged by "
            "averaging over all Bayesian networks of the most strongly associated columns [Koivisto and Sood "
            "2004]; an exposure was called causal only if the posterior probability of a direct link to the "
            f"outcome was at least 0.5 and {_judged(settings)}; a combination only if its parts also "
            "interact beyond what so many combinations would show by chance. "
        )
        if result.data.outcome.is_mean:
            text += "For this the outcome was cut at its median; combinations were not looked for. "
    else:
        text += (
            f"Candidates were association rules that exceed a support of {settings.min_support:g} among the "
            "records with the outcome (or without it), and whose odds ratio is above 1 by its interval [Li "
            "et al. 2015]. "
        )
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


def _comparison(result: Result) -> str:
    settings = result.settings
    text = (
        "Records with every part of the exposure were exposed, those known to differ in at least one part "
        "unexposed; records in which neither was known were excluded. "
        if _has_combinations(result)
        else "Records with the exposure were exposed, those known to be without it unexposed; records in "
        "which it was not known were excluded. "
    )
    if settings.matched_set is not None:
        others = f", and also adjusted for {listed(settings.adjusted_for)}" if settings.adjust else ""
        return text + (
            f"Records were compared within the sets in which they had been matched when the data were "
            f"collected (equal {printable(settings.matched_set)}){others}; sets without both exposed and "
            "unexposed records do not take part."
        )
    if settings.adjust:
        also = "" if settings.adjusts_for_nothing_else else ", besides those chosen from the data as follows"
        text += f"Studies adjusted for {listed(settings.adjusted_for)}, chosen by the authors{also}. "
    if not settings.adjusts_for_nothing_else:
        text += (
            f"{'The' if is_single_study(result) else 'Each'} study adjusted for all other columns with a "
            "posterior probability of at least 0.2 of a direct link to the outcome, unless they follow it or "
            "nearly determine it, and for columns that remained imbalanced and may confound. "
        )
    text += f"{_missing(result)} {_matching(result)}"
    return text + (
        " Estimates apply to the exposed records that were matched. Balance was judged by "
        "standardised differences; those above 0.1 were marked [Austin 2009]."
    )


def _has_combinations(result: Result) -> bool:
    """Whether exposures of several parts were studied, or looked for."""
    n_sought = sum(counts.get("candidates", 0) for length, counts in result.by_length.items() if length > 1)
    return n_sought > 0 or any(rule.length > 1 for rule in result.tested)


def _missing(result: Result) -> str:
    """What became of missing controls: of one study what was done, of many the rule."""
    design = result.tested[0].design if is_single_study(result) else None
    if design is None:
        return _MISSING[result.settings.missing_controls]
    if design.missing_controls == "none":
        return "No record lacked a value in any of them."
    return _MISSING[design.missing_controls]


def _matching(result: Result) -> str:
    """How records were compared: of one study what was done, of many the rule."""
    design = result.tested[0].design if is_single_study(result) else None
    if design is None:
        return _MATCHING[result.settings.study_matching]
    if not design.held:
        return "No column was found to confound; all records were compared."
    return _MATCHING[design.matching]


_MISSING = {
    "auto": "Records with a missing value in a column adjusted for were excluded as long as at least a "
    "fifth, and 50, of the records of the smaller group remained; otherwise a missing value counted as a "
    "level of its own.",
    "drop": "Records with a missing value in a column adjusted for were excluded.",
    "value": "A missing value in a column adjusted for counted as a level of its own.",
}
_SCORES = (
    "strata of similar propensity to be exposed [Rosenbaum and Rubin 1983] and similar prognosis without "
    "exposure [Hansen 2008], used together [Leacy and Stuart 2014], with about 20 records per stratum and "
    "exact agreement on as many of the strongest categories as leave matches for 80% of the smaller group"
)
_MATCHING = {
    "auto": "Exposed and unexposed records were compared within strata that agree exactly on all of these "
    "columns where they are categories, at least 80% of the smaller group find matches and strata have five "
    "records on average, and otherwise within " + _SCORES + ".",
    "exact": "Exposed and unexposed records were compared within strata that agree exactly on all of these "
    "columns (numbers, if any, by deciles).",
    "propensity": "Exposed and unexposed records were compared within " + _SCORES + ".",
}


def _statistics(result: Result) -> str:
    settings = result.settings
    percent = f"{100 * settings.confidence:g}%"
    if result.data.outcome.is_mean:
        return _statistics_of_means(percent, settings) + _corrected(result)
    if settings.is_sampled:
        text = (
            f"Weighted odds ratios were pooled over strata [Mantel and Haenszel 1959], with {percent} "
            f"confidence "
            "intervals and two-sided P values from linearised variances and Student's t. Risk differences "
            "and "
            "risk ratios were standardised to the matched exposed records. As a second opinion, a weighted "
            "doubly robust risk difference was estimated from the same columns [Robins et al. 1994]. "
        )
        return text + _corrected(result)
    if settings.matched_set is not None:
        return (
            f"Odds ratios are conditional maximum likelihood estimates over the matched sets, as of "
            f"conditional logistic regression, with {percent} confidence intervals [Breslow and Day 1980]. P "
            f"values are two-sided. {_corrected(result)}"
        ).strip()
    p_values = (
        "P values are two-sided and rest on the variance of sums over clusters."
        if settings.cluster
        else "P values are two-sided and come from the exact conditional distribution or its saddle-point "
        "approximation."
    )
    text = (
        f"Odds ratios were pooled over strata [Mantel and Haenszel 1959] with {percent} confidence intervals "
        "[Robins et al. 1986]; where counts were small, conditional maximum likelihood and exact mid-P "
        f"intervals were used instead [Agresti 2013]. {p_values} Risk differences and risk ratios were "
        "standardised to the matched exposed records. As a second opinion, a doubly robust risk difference "
        "was estimated from the same columns [Robins et al. 1994]. "
    )
    return text + _corrected(result)


def _statistics_of_means(percent: str, settings: Settings) -> str:
    means, opinion = ("Weighted means", "a weighted") if settings.is_sampled else ("Means", "a")
    variances = (
        "linearised variances"
        if settings.is_sampled or settings.cluster
        else "variances that may differ between groups and strata [MacKinnon and White 1985] [Bell and "
        "McCaffrey 2002]"
    )
    return (
        f"{means} of exposed and unexposed records were compared within strata, and the differences averaged "
        f"over the matched exposed records, with {percent} confidence intervals and two-sided P values from "
        f"Student's t with {variances}. As a second opinion, {opinion} doubly robust mean difference was "
        "estimated from the same columns [Robins et al. 1994]. "
    )


_CORRECTIONS = {
    "bh": "the Benjamini-Hochberg procedure [Benjamini and Hochberg 1995]",
    "by": "the Benjamini-Yekutieli procedure [Benjamini and Yekutieli 2001]",
    "holm": "Holm's procedure [Holm 1979]",
    "bonferroni": "Bonferroni's correction",
}


def _corrected(result: Result) -> str:
    settings = result.settings
    if is_single_study(result):
        return ""
    if settings.correction == "none":
        return "P values were not corrected for the number of hypotheses."
    way = _CORRECTIONS[settings.correction]
    return f"P values were corrected for the number of hypotheses by {way} at a level of {settings.alpha:g}."


def _paper_comparison(result: Result) -> str:
    settings = result.settings
    parts = "every part of the exposure" if _has_combinations(result) else "the exposure"
    held = (
        "items that are frequent and associated with the outcome"
        if settings.controls == "items"
        else "columns of which an item is associated with the outcome"
    )
    text = (
        f"Records with {parts} were exposed, all others unexposed. Each study held fixed "
        f"the {held}, other than the exposure's own columns and those that hardly occur with or without it. "
    )
    if settings.matching == "exact":
        text += "Exposed and unexposed records were paired within strata that agree on all of them"
    else:
        text += f"Exposed and unexposed records were paired by {settings.matching} matching over them"
    drawn = (
        f"; pairs were drawn at random {settings.runs} times, and a rule had to hold in {settings.votes} of "
        "them"
        if settings.pairs == "random"
        else "; counts of pairs are averages over all pairings"
    )
    return f"{text}{drawn} [Li et al. 2015]."


def _paper_statistics(result: Result) -> str:
    settings = result.settings
    percent = f"{100 * settings.confidence:g}%"
    tests = {
        "exact": "the exact binomial test of discordant pairs [McNemar 1947]",
        "mantel-haenszel": "the Mantel-Haenszel test over strata [Mantel and Haenszel 1959]",
    }
    test = tests.get(
        settings.test, "the normal interval of the log odds ratio of discordant pairs [Li et al. 2015]"
    )
    text = f"Associations were judged by {test}, with {percent} confidence intervals. "
    if is_single_study(result):
        return text.strip()
    if settings.correction == "none":
        return text + "P values were not corrected for the number of hypotheses."
    way = _CORRECTIONS[settings.correction]
    return text + f"P values were corrected by {way} at a level of {settings.alpha:g}."


def _sensitivity(result: Result) -> str:
    text = (
        "How strong an unmeasured confounder would have to be to explain a finding away was expressed by "
        "Rosenbaum's bound Γ, the factor by which it would have to multiply the odds of exposure within "
        "matched sets [Rosenbaum 2002], and by the E-value [VanderWeele and Ding 2017]."
    )
    if result.settings.bootstrap:
        text += f" Findings were judged again in {result.settings.bootstrap:,} resampled tables."
    return text


def _software(result: Result) -> str:
    return (
        f"All analyses were done with causalrules {printable(result.version)}, which extends the method of "
        f"causal rule mining [Li et al. 2015]; random choices were fixed by the seed {result.settings.seed}."
    )

"""The methods of a run: how effects were estimated, tested and corrected.

Names in brackets are cited, see `references`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.report.words.result_kinds import is_single_study

if TYPE_CHECKING:
    from causalrules.domain import Result, Settings


def statistics(result: Result) -> str:
    """How effects were estimated, tested and corrected."""
    settings = result.settings
    percent = f"{100 * settings.confidence:g}%"
    if result.data.outcome.is_mean:
        return _statistics_of_means(percent, settings) + _corrected(result)
    if settings.is_sampled:
        text = (
            f"Weighted odds ratios were pooled over strata [Mantel and Haenszel 1959], with {percent} "
            "confidence intervals and two-sided P values from linearised variances and Student's t. Risk "
            "differences and risk ratios were standardised to the matched exposed records. As a second "
            "opinion, a weighted doubly robust risk difference was estimated from the same columns [Robins "
            "et al. 1994]. "
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

"""How to read the tables of a result: what words and columns mean, and what they do not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from causalrules.report.words.contrast_words import contrast_tag_meanings
from causalrules.report.words.interaction_words import RERI

if TYPE_CHECKING:
    from causalrules.domain import Result

CAUTION = (
    "Causal means: the difference remains among records that are alike in everything adjusted for. "
    "A confounder that is not in the table could still explain it."
)
GAMMA = (
    "Γ: how much a hidden confounder would have to multiply the odds of exposure to explain the rule away. "
    "Matched: exposed records with a comparable unexposed one."
)
GRADE = (
    "Grade, by the weakest criterion: strong from Γ 2, interval 1.25 away from 1, balance within 0.1, 80% "
    "matched; moderate from Γ 1.2, 1.05, 0.25, 50%; else, or if the second opinion differs, fragile."
)
MEAN_GAMMA = (
    "Γ: by how much a hidden confounder would have to multiply the odds of exposure to undo the effect on "
    "being in the upper half. Matched: exposed records with a comparable unexposed one."
)
MEAN_GRADE = (
    "Grade, by the weakest criterion: strong from Γ 2, interval 0.12 standard deviations away from 0, "
    "balance within 0.1, 80% matched; moderate from Γ 1.2, 0.03, 0.25, 50%; else, or if the second opinion "
    "differs, fragile."
)
UPPER_HALF = (
    "Which columns are directly linked to the outcome, and so P and what is adjusted for, was found with "
    "the outcome cut at its median; the differences are of the numbers themselves. Combined causes are not "
    "looked for."
)
WHAT_TO_ADJUST_FOR = (
    "Do not adjust for anything that comes after the exposure; --adjust COLUMN,COLUMN sets what is adjusted "
    "for."
)
P_NEXT = "P: probability that the column is directly linked to the outcome, with no other column in between."
PROTECTIVE = "An odds ratio below 1 is protective where the outcome is unwanted."
AGAINST_ALL_OTHERS = (
    "Each value is compared with all other values of its column together, lower and higher ones alike."
)


def reading_aids(result: Result) -> list[str]:
    """How to read the tables."""
    shown = [rule for rule in result.tested if rule.verdict in ("causal", "possible", "consequence")]
    if not shown:
        return []
    lines, is_mean = [CAUTION] if result.causal else [], result.data.outcome.is_mean
    if any(rule.direction == "lowers" for rule in shown) and not is_mean:
        lines.append(PROTECTIVE)
    columns = Counter(rule.pattern[0].column for rule in result.tested if rule.length == 1)
    lines += [AGAINST_ALL_OTHERS] if max(columns.values(), default=0) > 1 else []
    lines += [P_NEXT] if any(rule.p_next is not None for rule in shown) else []
    lines += [RERI] if any(rule.interaction is not None for rule in shown) else []
    lines += [MEAN_GAMMA, UPPER_HALF] if is_mean else [GAMMA]
    grade = [MEAN_GRADE if is_mean else GRADE] if result.causal else []
    return [*lines, *grade, *contrast_tag_meanings(shown)]

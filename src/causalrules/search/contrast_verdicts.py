"""Which verdict a study gets, and the reason in one sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log
from typing import TYPE_CHECKING

from causalrules.cohort.explaining_columns import what_explains
from causalrules.domain.marker_phrases import (
    ADJUSTED_FOR,
    BESIDE_LEAKS,
    BY_ALL_HELD,
    EXPLAINED_AWAY_BY,
    NEARLY_DECIDES,
    NO_CLEAR_DIFFERENCE,
    NOT_ADJUSTED_FOR,
    NOT_SIGNIFICANT,
    NOT_TOLD_APART,
    SEARCH_DISAGREES,
    TOO_FEW_RECORDS,
)
from causalrules.domain.rule import Arrow
from causalrules.domain.sentences import listed
from causalrules.search.balance_guard import is_decisive

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.domain import Estimate, Settings, Verdict
    from causalrules.encode import Vocabulary
    from causalrules.search.contrast_study import ContrastStudy

PROBABLE, LEAST_POSSIBLE = 0.5, 0.1
"""Probabilities of standing next to the outcome from which a rule is causal, and possible."""

ALONE = 0.05
"""Level at which a study would be significant if it were the only one."""

MOSTLY = 0.5
"""Share of an association that may be left, on the log scale, of what is said to be explained away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an exposure stands, as far as the search around the outcome can tell.

    Parameters
    ----------
    p_next, p_cause, p_effect : float
        Probabilities of standing next to the outcome, as its cause, as its effect.
    arrow : {'cause', 'effect', 'undecided'}
        Which way the data, or the user, say that the arrow points.
    witness : str
        Why, in one sentence.
    explained_by : tuple of str
        Columns that explain its association away.
    group : tuple of str
        Columns that cannot be told apart from it.
    is_combined : bool
        The exposure is an accepted combination, whatever each column is alone.
    is_declared_after : bool
        The user says that it comes after the outcome.
    outdone_by : tuple of str
        Columns that nearly determine the exposure, cannot be held, and stand next to the outcome instead.
    later : frozenset of str
        Columns that the user says come after the exposure.
    """

    p_next: float
    p_cause: float
    p_effect: float
    arrow: Arrow
    witness: str
    explained_by: tuple[str, ...]
    group: tuple[str, ...]
    is_combined: bool
    is_declared_after: bool
    outdone_by: tuple[str, ...]
    later: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictContext:
    """What decides besides a study's own numbers.

    Parameters
    ----------
    n_hypotheses : int
        All contrasts that might have been studied, numbers without a cut included.
    leaks : dict of str to str
        Columns that nearly are the outcome, and how.
    is_mined : bool
        Whether hypotheses were searched for: then they are corrected for, and must stand next to the
        outcome. The user's own hypothesis is judged by its study alone.
    places : sequence of Place
        Where each study's exposure stands.
    settled : dict of str to str
        Columns with a value that leaves hardly any doubt about the outcome, and which.
    unsaid_leaks : collection of str
        Leaks of which the user does not say that they come after the outcome.
    asked_when : collection of str
        Leaks of which nobody says whether they come before the outcome or after it. None for what was
        mined, which has to stand next to the outcome beside them.
    """

    n_hypotheses: int
    leaks: dict[str, str]
    is_mined: bool
    places: Sequence[Place]
    settled: dict[str, str] = field(default_factory=dict)
    unsaid_leaks: Collection[str] = ()
    asked_when: Collection[str] = ()


class ContrastVerdicts:
    """Gives studies their verdicts.

    Parameters
    ----------
    vocabulary : Vocabulary
        Names.
    settings : Settings
        How to judge.
    known : VerdictContext
        What decides besides a study's own numbers.
    """

    def __init__(self, vocabulary: Vocabulary, settings: Settings, known: VerdictContext) -> None:
        self._vocabulary = vocabulary
        self._settings = settings
        self._known = known

    @property
    def n_hypotheses(self) -> int:
        """All contrasts that might have been studied."""
        return self._known.n_hypotheses

    @property
    def level(self) -> float:
        """What a p-value, corrected or of the only hypothesis, must not exceed."""
        settings = self._settings
        return settings.alpha if settings.judge == "corrected" else 1 - settings.confidence

    def verdict_of(
        self, study: ContrastStudy, place: Place, p_value: float, q_value: float | None
    ) -> tuple[Verdict, str]:
        """The verdict and, unless it is causal, the reason in one sentence."""
        without_estimate = self._verdict_without_estimate(study, place)
        if without_estimate is not None:
            return without_estimate
        estimate, least = study.compared.odds_ratio.odds_ratio, self._settings.min_odds_ratio
        if least is not None and max(estimate.value, estimate.inverted().value) <= least:
            return "rejected", f"the odds ratio, {estimate.value:.2f}, is not beyond the minimum of {least:g}"
        is_significant = least is not None or (p_value if q_value is None else q_value) <= self.level
        if not self._known.is_mined:
            if is_significant:
                return "causal", self.leak_of(study)
            return "rejected", self._no_difference(study)
        alone = study.compared.p_value
        is_unlikely = place.p_next < LEAST_POSSIBLE and not place.is_combined
        if is_unlikely and is_significant:
            return "untestable", self._disagreement(study)
        if is_unlikely:
            why = self._why_unlikely(study, place, alone, q_value or p_value)
            return "rejected", why + _not_counted(study, place)
        if is_significant and (place.p_next >= PROBABLE or place.is_combined):
            return "causal", f"{NOT_TOLD_APART}{', '.join(place.group)}" if place.group else ""
        if is_significant or alone <= ALONE:
            return self._too_little(study, place, alone, None if is_significant else q_value)
        return "rejected", self._no_difference(study) + _not_counted(study, place)

    def _verdict_without_estimate(self, study: ContrastStudy, place: Place) -> tuple[Verdict, str] | None:
        """The verdict on what comes after the outcome or cannot be studied, whatever the estimate says."""
        if place.is_declared_after:
            return "consequence", place.witness + _known_for_one_outcome(study)
        if place.arrow == "effect" and self._known.is_mined:
            return "consequence", place.witness
        leak = self.leak_of(study)
        if leak and self._known.is_mined:
            return "untestable", leak
        if study.untestable:
            return "untestable", study.untestable + _known_for_one_outcome(study)
        if place.outdone_by:
            they, s = ("it", "s") if len(place.outdone_by) == 1 else ("they", "")
            return "untestable", (
                f"{NOT_TOLD_APART}{', '.join(place.outdone_by)}: {they} nearly determine{s} the "
                f"exposure, and tell{s} more about the outcome"
            )
        return None

    def _disagreement(self, study: ContrastStudy) -> str:
        """Matched records differ, but the search sees no place for the exposure next to the outcome.

        Neither is evidence that the exposure does nothing, so it is not rejected.
        """
        why = "other columns tell the outcome without it"
        leaks = self._known.unsaid_leaks
        if leaks:
            s = "s" if len(leaks) == 1 else ""
            why = f"beside {' and '.join(leaks)}, {BESIDE_LEAKS}{s} the outcome, it looks unlikely"
        return f"{SEARCH_DISAGREES}, {_effect_of(study.compared)}, but {why}"

    def leak_of(self, study: ContrastStudy) -> str:
        """A sentence for an exposure that nearly is the outcome; empty for any other."""
        for name in self._vocabulary.columns_of(study.pattern):
            if name in self._known.leaks:
                return (
                    f"{name}{NEARLY_DECIDES} ({self._known.leaks[name]}): a leak, a "
                    "consequence, or the outcome in other words"
                )
        return ""

    def settled_by(self, study: ContrastStudy) -> str:
        """A question about an exposure's column that nearly settles the outcome; empty for any other."""
        columns = self._vocabulary.columns_of(study.pattern)
        found = [self._known.settled[name] for name in columns if name in self._known.settled]
        return f"{found[0]}: known before the outcome, or only afterwards?" if found else ""

    def rests_on_what_settles(self, study: ContrastStudy) -> str:
        """A question about a column held that nearly settles the outcome, where that moved the estimate.

        A fee that only those pay who cancel a yearly contract leaves no yearly contract that was cancelled
        without it: adjusted for, monthly contracts have an odds ratio without an end.
        """
        crude, estimate = study.crude_odds_ratio(0.95), study.compared.odds_ratio.odds_ratio
        if estimate.low <= crude.value <= estimate.high:
            return ""
        held = [one.name for one in study.held if one.name in self._known.settled]
        if not held:
            return ""
        how = self._known.settled[held[0]]
        return f"{ADJUSTED_FOR} {held[0]}, and {how}: known before the outcome, or only afterwards?"

    def differs_in_a_leak(self, study: ContrastStudy) -> str:
        """A question about what nearly is the outcome and differs between the arms; empty without any.

        It is not held, as what comes after the outcome must not be. But the same number a year before, or at
        the start of a trial, nearly decides the outcome too, and there is no stronger confounder.
        """
        held = {column.name for column in study.held}
        apart = [
            name
            for name in self._known.asked_when
            if name not in held and name in study.imbalance and is_decisive(study.imbalance[name])
        ]
        if not apart:
            return ""
        does, ask = ("decides", "is it") if len(apart) == 1 else ("decide", "are they")
        return (
            f"{NOT_ADJUSTED_FOR} {listed(apart)}, which nearly {does} the outcome, and in which the arms "
            f"differ: {ask} known before the outcome, or only afterwards? Say --before or --after"
        )

    def _too_little(
        self, study: ContrastStudy, place: Place, alone: float, q_value: float | None
    ) -> tuple[Verdict, str]:
        """Significant alone, but not after correction, or not probably next to the outcome.

        A column that may stand next to the outcome is possible: of odds ratios of 1.5 beside three
        confounders and 2,000 records, 70 % are causal and 21 % only possible.
        """
        after = "" if q_value is None else f": p = {alone:.2g} alone, {q_value:.2g} corrected for "
        few = f"{TOO_FEW_RECORDS}{after}{self._corrected_for(study)}" if after else ""
        if place.is_combined:
            return "untestable", few
        is_probable = place.p_next >= PROBABLE
        others = "" if is_probable else "; other columns could stand there instead"
        linked = "is" if is_probable else "is only"
        link = f"the probability of a direct link to the outcome {linked} {place.p_next:.0%}{others}"
        return "possible", f"{link}; {few}" if few else link

    def _corrected_for(self, study: ContrastStudy) -> str:
        """What a corrected p-value pays for: readers who multiply by the hypotheses alone find less."""
        hypotheses = f"{self._known.n_hypotheses} hypotheses"
        has_cut = any(map(self._vocabulary.is_chosen_cut, study.pattern))
        return f"{hypotheses} and the choice of cut points" if has_cut else hypotheses

    def _no_difference(self, study: ContrastStudy) -> str:
        held = ", ".join(column.name for column in study.held)
        among = f"adjusted for {held}" if held else "with nothing to adjust for"
        text = f"{NO_CLEAR_DIFFERENCE} no clear difference: {_effect_of(study.compared)} {among}"
        return text + _taken_away(study)

    def _why_unlikely(self, study: ContrastStudy, place: Place, alone: float, corrected_p: float) -> str:
        """What became of an association: explained away only where most of it is gone, not for lost power."""
        if alone <= ALONE:
            after = f"{NOT_SIGNIFICANT} after correction for {self._corrected_for(study)}"
            return f"{after}: corrected p = {corrected_p:.2g}"
        if not _is_mostly_gone(study):
            return self._no_difference(study)
        if place.explained_by:
            return f"{EXPLAINED_AWAY_BY}{listed(place.explained_by)}"
        held = [column.name for column in study.held]
        if not held:
            return "it is not directly linked to the outcome"
        few = _explaining(study) or (held if len(held) == 1 else ())
        return f"{EXPLAINED_AWAY_BY}{listed(few)}" if few else f"{BY_ALL_HELD} together ({', '.join(held)})"


def _explaining(study: ContrastStudy) -> tuple[str, ...]:
    """The columns held that take most of the crude association away, where it was clear."""
    if side_of(study.crude_odds_ratio(0.95), 1) == 0 or not _is_mostly_gone(study):
        return ()
    return what_explains(study.arms.rows, study.compared.odds_ratio.odds_ratio.value)


def _taken_away(study: ContrastStudy) -> str:
    """Which of several columns held take the association away; empty where that is not clear."""
    few = _explaining(study) if len(study.held) > 1 else ()
    if not few:
        return ""
    alone = "alone takes" if len(few) == 1 else "take"
    return f"; {listed(few)} {alone} most of the association away"


def _effect_of(compared: ArmsCompared) -> str:
    """The effect with its interval, by name."""
    name, estimate, digits = "odds ratio", compared.odds_ratio.odds_ratio, ".2f"
    if compared.mean is not None:
        name, estimate, digits = "mean difference", compared.mean.adjusted.difference, ".3g"
    return f"{name} {estimate.value:{digits}} ({estimate.low:{digits}} to {estimate.high:{digits}})"


def _known_for_one_outcome(study: ContrastStudy) -> str:
    """That an exposure is known only for records with the outcome, or without it; empty for any other."""
    exposed_with, exposed_without, unexposed_with, unexposed_without = study.crude_cells
    n_with, n_without = exposed_with + unexposed_with, exposed_without + unexposed_without
    if n_with and n_without:
        return ""
    return (
        f"; it is known only for records {'with' if n_with else 'without'} the outcome, so there is nothing "
        "to compare"
    )


def _not_counted(study: ContrastStudy, place: Place) -> str:
    """What the study of a search leaves out of the whole effect, by what the user said about time."""
    between = [column.name for column in study.held if column.name in place.later]
    come = "comes" if len(between) == 1 else "come"
    return (
        f"; its effect through {' and '.join(between)}, which {come} after it, is left out" if between else ""
    )


def _is_mostly_gone(study: ContrastStudy) -> bool:
    """Whether less than half of the crude association is left, or it has turned round."""
    compared = study.compared
    if compared.mean is not None:
        crude, adjusted = compared.mean.crude.difference.value, compared.mean.adjusted.difference.value
        return adjusted * crude < MOSTLY * crude * crude
    crude, ratio = log(study.crude_odds_ratio(0.95).value), compared.odds_ratio.odds_ratio.value
    return 0 < ratio < inf and log(ratio) * crude < MOSTLY * crude * crude


HARDLY_APART = 1.1
"""The usual limit of a change in an odds ratio that counts (Maldonado and Greenland 1993)."""


def are_nearly_equal(one: Estimate, other: Estimate) -> bool:
    """Whether two odds ratios of one effect differ neither by much nor beyond chance.

    Examples
    --------
    >>> from causalrules.domain import Estimate
    >>> are_nearly_equal(Estimate(0.88, 0.73, 1.05), Estimate(0.86, 0.75, 0.99))
    True
    >>> are_nearly_equal(Estimate(1.05, 1.02, 1.08), Estimate(1.0, 0.97, 1.03))  # of a large table
    False
    """
    return all(
        its.low <= that.value <= its.high and that.value <= HARDLY_APART * its.value
        for its, that in ((one, other), (other, one))
    )


def side_of(estimate: Estimate, nothing: float) -> int:
    """On which side of what no effect would be an interval lies; 0 for one with that in it."""
    return (estimate.low > nothing) - (estimate.high < nothing)

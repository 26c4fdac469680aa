"""From studies of contrasts to rules with verdicts; no engine in sight."""

from __future__ import annotations

from dataclasses import replace
from math import exp, inf, isnan
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess import expected_pairs, fair_odds_ratio
from causalrules.assess.association import selected_cut_p
from causalrules.assess.balance import balance_of, unmatched_items
from causalrules.assess.correction import corrected
from causalrules.assess.doubts import doubts_of, shows_both_signs
from causalrules.assess.effects import ratio_of
from causalrules.assess.grade import criteria_of, do_agree, grade_of
from causalrules.assess.interaction_measures import interaction_of
from causalrules.domain import Direction, Effects, Estimate, Rule, Settings
from causalrules.domain.evidence import (
    NO_OPINION,
    NO_RISKS,
    NOT_ASKED,
    Design,
    OtherMissing,
    SecondOpinion,
    WithoutUndecided,
)
from causalrules.domain.histogram import weight_unit
from causalrules.domain.mean_effect import AS_ODDS_RATIO, AS_RISK_RATIO, MeanEffect
from causalrules.domain.rule import Grade
from causalrules.search.contrast_verdicts import (
    ContrastVerdicts,
    Place,
    VerdictContext,
    are_nearly_equal,
    side_of,
)
from causalrules.search.left_out_records import left_out_differ

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.domain import Balance
    from causalrules.domain.evidence import TestName
    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.interaction import Interaction
    from causalrules.encode import Vocabulary
    from causalrules.search.contrast_study import ContrastStudy


class ContrastRules:
    """Makes rules of studies.

    Parameters
    ----------
    vocabulary : Vocabulary
        Names.
    settings : Settings
        How to judge.
    """

    def __init__(self, vocabulary: Vocabulary, settings: Settings) -> None:
        self._vocabulary = vocabulary
        self._settings = settings

    def judged(
        self,
        studies: Sequence[ContrastStudy],
        context: VerdictContext,
        side_by_side: Callable[..., Iterable[Rule]] = map,
    ) -> list[Rule]:
        """Give each study its verdict, taking into account how many hypotheses there were.

        Parameters
        ----------
        studies : sequence of ContrastStudy
            Of all hypotheses that were asked about together.
        context : VerdictContext
            What decides besides the numbers of each study.
        side_by_side : callable
            Like `map`, by as many threads as there are.
        """
        is_corrected = context.is_mined and self._settings.judge == "corrected"
        p_values = np.array([self._p_value(study, is_corrected=is_corrected) for study in studies])
        how = self._settings.correction if is_corrected else "none"
        q_values = corrected(p_values, how, max(context.n_hypotheses, len(studies)))
        judge = ContrastVerdicts(self._vocabulary, self._settings, context)

        def rule_of(number: int) -> Rule:
            q_value = float(q_values[number]) if is_corrected else None
            return self._rule(
                studies[number], context.places[number], float(p_values[number]), q_value, judge
            )

        return list(side_by_side(rule_of, range(len(studies))))

    def _p_value(self, study: ContrastStudy, *, is_corrected: bool) -> float:
        """The study's p-value; a cut that was chosen by looking at the outcome pays for that.

        Not where the hypothesis is the user's own.
        """
        p_value = 1.0 if study.untestable else study.compared.p_value
        has_cut = any(self._vocabulary.is_chosen_cut(item) for item in study.pattern)
        return selected_cut_p(p_value) if is_corrected and has_cut else p_value

    @property
    def _sets(self) -> tuple[str, ...]:
        """The column of matched sets, if there are any: it is held."""
        return () if self._settings.matched_set is None else (self._settings.matched_set,)

    def _test(self, compared: ArmsCompared) -> TestName:
        """How the effect was estimated: sparse strata and matched sets have the conditional estimate."""
        if compared.mean is not None:
            return "stratified-means"
        return "conditional" if compared.odds_ratio.is_exact or self._sets else "mantel-haenszel"

    def _rule(
        self,
        study: ContrastStudy,
        place: Place,
        p_value: float,
        q_value: float | None,
        judge: ContrastVerdicts,
    ) -> Rule:
        settings, compared = self._settings, study.compared
        confidence = settings.confidence
        verdict, reason = judge.verdict_of(study, place, p_value, q_value)
        doubt = ""
        if verdict == "causal":
            doubt = (
                judge.settled_by(study)
                or judge.rests_on_what_settles(study)
                or judge.differs_in_a_leak(study)
                or left_out_differ(study)
            )
            reason = reason or doubt
        estimate = compared.odds_ratio.odds_ratio
        direction: Direction = "raises" if compared.raises else "lowers"
        mean = _mean_effect(study)
        strata = compared.strata if direction == "raises" else compared.strata.flipped()
        adjusted = estimate if direction == "raises" else estimate.inverted()
        pairs = expected_pairs(strata)
        cells, crude = study.crude_cells, study.crude_odds_ratio(confidence)
        if direction == "lowers":
            cells, crude = (cells[1], cells[0], cells[3], cells[2]), crude.inverted()
        doubts = doubts_of(
            strata,
            pairs,
            _level_for(p_value, q_value, judge),
            settings,
            _ratio_for_e_value(compared, mean),
            design_effect=compared.design_effect,
        )
        corrected_level = settings.alpha / max(judge.n_hypotheses, 1)
        doubts = replace(doubts, is_mixed=shows_both_signs(strata, doubts, corrected_level))
        design = self._design(study)
        strength = adjusted if mean is None else mean.as_ratio(AS_ODDS_RATIO)
        grade: Grade | None = None
        if verdict == "causal":
            criteria = criteria_of(doubts.gamma, strength, _worst_imbalance(study), design.share_matched)
            # What nearly is or settles the outcome is fragile until it is said when it was known.
            is_doubtful = bool(doubt or judge.leak_of(study))
            grade = "fragile" if is_doubtful else grade_of(criteria, opinions_agree=design.opinions_agree)
        return Rule(
            pattern=tuple(self._vocabulary.items[item] for item in study.pattern),
            direction=direction,
            verdict=verdict,
            reason=reason,
            support=cells[0],
            local_support=cells[0] / max(cells[0] + cells[2], 1),
            odds_ratio=crude,
            exposed=study.arms.rows.n_exposed,
            unexposed=study.arms.rows.n_unexposed,
            pairs=pairs,
            fair_odds_ratio=fair_odds_ratio(pairs, confidence),
            test=self._test(compared),
            adjusted_odds_ratio=adjusted,
            p_value=p_value,
            q_value=q_value,
            effects=_effects(compared, direction, cells),
            doubts=doubts,
            balance=self._balance(study),
            arrow=place.arrow,
            witness=place.witness,
            p_next=place.p_next,
            p_cause=place.p_cause,
            p_effect=place.p_effect,
            group=place.group,
            interaction=self._interaction(study, direction),
            grade=grade,
            design=design,
            mean=mean,
        )

    def _design(self, study: ContrastStudy) -> Design:
        """What was held, who was compared, and how far that can be trusted."""
        compared, strata = study.compared, study.compared.strata
        opinion, own_difference = compared.second_opinion, compared.risks.difference
        if compared.mean is not None:
            opinion, own_difference = compared.mean.second_opinion, compared.mean.adjusted.difference
        return Design(
            held=(*self._sets, *(column.name for column in study.held)),
            matching=compared.method,
            exact_on=compared.exact_on,
            estimand=_estimand(study),
            share_matched=strata.matched_exposed / max(study.arms.rows.n_exposed, 1),
            exposure_unknown=study.arms.exposure_unknown,
            missing_controls=compared.missing,
            left_out=compared.n_left_out,
            near_copies=study.near_copies,
            imbalanced=tuple(name for name, one in sorted(study.imbalance.items()) if one.after > 0.1),
            second_opinion=_second_opinion(compared, opinion, NO_OPINION if self._sets else "aipw"),
            opinions_agree=isnan(opinion.value) or do_agree(own_difference, opinion),
            gathered_by_outcome=compared.gathered_by_outcome,
            worst_imbalance=_worst_imbalance(study),
            worst_imbalance_before=max(
                (float(study.imbalance[column.name].before) for column in study.held), default=0.0
            ),
            matched_exposed=strata.matched_exposed,
            matched_unexposed=strata.matched_unexposed,
            other_missing=_other_missing(study.other_missing),
            n_clusters=compared.n_clusters,
        )

    def beside(self, rule: Rule, other: ContrastStudy, undecided: tuple[str, ...]) -> Rule:
        """The rule with its estimate without columns that may come after the outcome, if that matters.

        It matters if it turns the sign, or if only one of the two intervals
        leaves out 1, unless they are nearly equal and differ in precision only; until the
        user says what comes first, the rule is fragile.
        """
        if other.untestable:
            return rule
        without, mean = other.compared.odds_ratio.odds_ratio, rule.mean
        own, found = rule.of_the_outcome().adjusted_odds_ratio, without
        if mean is not None and other.compared.mean is not None:
            difference = other.compared.mean.adjusted.difference
            own, found = (_weighing_as_much(one, mean.spread) for one in (mean.difference, difference))
            mean = replace(mean, without_undecided=difference)
        if side_of(found, 1) == side_of(own, 1) or are_nearly_equal(own, found):
            return rule
        design = replace(rule.design, without_undecided=WithoutUndecided(undecided, without))
        return replace(rule, design=design, mean=mean, grade="fragile" if rule.grade else None)

    def _interaction(self, study: ContrastStudy, direction: Direction) -> Interaction | None:
        """Of several parts that could be studied: what they do together."""
        if study.combinations is None or study.untestable or self._vocabulary.carried:
            return None  # its risks count records, not weights
        if study.compared.gathered_by_outcome:
            return None
        return interaction_of(study.combinations, direction, self._settings.confidence)

    def _balance(self, study: ContrastStudy) -> Balance:
        """Standardised differences of all items but those of the pattern's own columns."""
        items = self._vocabulary.hypotheses
        own = self._vocabulary.columns_of(study.pattern)
        is_counted = np.array([item.column not in own for item in items], np.bool_)
        assert study.sums is not None
        sums = study.sums[: len(items)]
        n_exposed, n_unexposed = study.arms.rows.n_exposed, study.arms.rows.n_unexposed
        strata = study.compared.strata
        n_matched = strata.matched_exposed
        before = _share(sums[:, 0], n_exposed), _share(sums[:, 1], n_unexposed)
        unit = weight_unit(n_exposed + n_unexposed)
        weight = float((strata.rows[:, 4] * _mantel_haenszel_weights(strata)).sum()) * unit
        after = sums[:, 2] / max(weight, 1.0), sums[:, 3] / max(weight, 1.0)
        matched = sums[:, 4]
        balance = balance_of(items, is_counted, before, after)
        return replace(
            balance, unmatched=unmatched_items(items, is_counted, matched, sums[:, 0], n_matched, n_exposed)
        )


def _worst_imbalance(study: ContrastStudy) -> float:
    """The largest difference that is left in a column that is held."""
    return max((study.imbalance[column.name].after for column in study.held), default=0.0)


def _level_for(p_value: float, q_value: float | None, judge: ContrastVerdicts) -> float:
    """The level that a p-value itself is judged by, where the correction multiplies it."""
    if q_value is None:
        return judge.level
    return judge.level * (p_value / q_value if q_value else 1 / max(judge.n_hypotheses, 1))


def _mantel_haenszel_weights(strata: StrataHistogram) -> NDArray[np.float64]:
    exposed, unexposed = strata.rows[:, 0] + strata.rows[:, 1], strata.rows[:, 2] + strata.rows[:, 3]
    return exposed.astype(np.float64) * unexposed / (exposed + unexposed)  # too large for whole numbers


def _weighing_as_much(difference: Estimate, spread: float) -> Estimate:
    """A difference of means as an odds ratio, above 1 where the mean is higher (Chinn 2000)."""
    scale = AS_ODDS_RATIO / (spread or 1.0)
    limits = (difference.value, difference.low, difference.high)
    return Estimate(*(exp(min(scale * one, 700.0)) for one in limits))


def _mean_effect(study: ContrastStudy) -> MeanEffect | None:
    """The effect on a mean, where one was asked for."""
    found, other = study.compared.mean, study.other_missing
    if found is None:
        return None
    return MeanEffect(
        difference=found.adjusted.difference,
        exposed_mean=found.adjusted.exposed_mean,
        unexposed_mean=found.adjusted.unexposed_mean,
        crude=found.crude.difference,
        spread=found.spread,
        other_missing=None if other is None or other.mean is None else other.mean.adjusted.difference,
    )


def _ratio_for_e_value(compared: ArmsCompared, mean: MeanEffect | None) -> Estimate:
    """The risk ratio; of cases and controls the odds ratio, which is nearly that of a rare outcome."""
    if mean is not None:
        return mean.as_ratio(AS_RISK_RATIO)
    return compared.odds_ratio.odds_ratio if compared.gathered_by_outcome else compared.risks.ratio


def _second_opinion(compared: ArmsCompared, opinion: Estimate, method: str) -> SecondOpinion:
    if compared.gathered_by_outcome:
        return SecondOpinion(inf, inf, inf, method)
    if isnan(opinion.value):
        return SecondOpinion(inf, inf, inf, NOT_ASKED)
    return SecondOpinion(opinion.value, opinion.low, opinion.high, method)


def _share(counts: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    return counts / max(total, 1)


def _effects(compared: ArmsCompared, direction: Direction, cells: tuple[int, int, int, int]) -> Effects:
    """The size of the effect, in the direction's sense."""
    if compared.gathered_by_outcome:
        return NO_RISKS
    n_exposed, n_unexposed = max(cells[0] + cells[1], 1), max(cells[2] + cells[3], 1)
    crude_exposed, crude_unexposed = cells[0] / n_exposed, cells[2] / n_unexposed
    spared_exposed, spared_unexposed = cells[1] / n_exposed, cells[3] / n_unexposed
    if compared.crude is not None:
        crude_exposed, crude_unexposed = compared.crude.exposed_risk, compared.crude.unexposed_risk
        spared_exposed, spared_unexposed = 1 - crude_exposed, 1 - crude_unexposed
        if direction == "lowers":
            crude_exposed, spared_exposed = spared_exposed, crude_exposed
            crude_unexposed, spared_unexposed = spared_unexposed, crude_unexposed
    difference, ratio, opposite = compared.risks.difference, compared.risks.ratio, compared.opposite_ratio
    if direction == "lowers":
        difference, ratio, opposite = difference.negated(), opposite, ratio
    n_matched = compared.strata.matched_exposed
    return Effects(
        risk_difference=difference,
        risk_ratio=ratio,
        opposite_risk_ratio=opposite,
        crude_risk_difference=crude_exposed - crude_unexposed,
        crude_risk_ratio=ratio_of(crude_exposed, crude_unexposed),
        crude_opposite_risk_ratio=ratio_of(spared_exposed, spared_unexposed),
        attributable=difference.value * n_matched,
        number_needed=1 / difference.value if difference.value else inf,
    )


def _other_missing(other: ArmsCompared | None) -> OtherMissing | None:
    if other is None:
        return None
    ratio = other.odds_ratio.odds_ratio
    return OtherMissing(other.missing, ratio.value, ratio.low, ratio.high, other.n_left_out)


def _estimand(study: ContrastStudy) -> str:
    """Whom the numbers speak for: exposed records that are complete in what is held, and found partners."""
    n_matched, n_exposed = study.compared.strata.matched_exposed, study.arms.rows.n_exposed
    crude = study.compared.crude
    weighted = ", weighted to the population" if crude is not None and crude.is_weighted else ""
    if n_matched == n_exposed:
        return f"all {n_exposed:,} exposed records{weighted}"
    n_incomplete = n_exposed - study.compared.strata.n_exposed
    if not n_incomplete:
        return f"{n_matched:,} of {n_exposed:,} exposed records, those that found a match{weighted}"
    who = "those that are complete in what is adjusted for"
    if study.compared.strata.lonely_exposed:
        who += " and found partners"
    return f"{n_matched:,} of {n_exposed:,} exposed records, {who}{weighted}"

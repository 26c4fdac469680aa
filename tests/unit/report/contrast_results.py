"""A small result of the default search, made by hand: what it says does not depend on the search."""

from dataclasses import replace

from causalrules.domain import (
    Balance,
    DataSummary,
    Doubts,
    Effects,
    Estimate,
    Item,
    ItemBalance,
    LeftOut,
    Outcome,
    PairCounts,
    Result,
    Rule,
    Settings,
)
from causalrules.domain.evidence import Design, SecondOpinion, Unmatched
from causalrules.domain.interaction import CombinationRisk, Interaction

OUTCOME = Outcome("ill", "yes", 3_200, 6_800)


def rule(name, verdict="causal", direction="raises", **changes):
    """A rule with an adjusted odds ratio of 2, in the direction's sense; `changes` replace fields."""
    sign = 1 if direction == "raises" else -1
    made = Rule(
        pattern=(Item(*name.split("=", 1)),),
        direction=direction,
        verdict=verdict,
        support=1_249,
        local_support=0.39,
        odds_ratio=Estimate(1.83, 1.68, 2.01),
        exposed=3_010,
        unexposed=6_990,
        pairs=PairCounts(n11=390.0, n12=860.0, n21=450.0, n22=1_308.0),
        fair_odds_ratio=Estimate(1.9, 1.7, 2.1),
        test="mantel-haenszel",
        adjusted_odds_ratio=Estimate(2.0, 1.75, 2.28),
        p_value=1.2e-42,
        q_value=3e-41,
        effects=Effects(
            risk_difference=Estimate(0.136, 0.116, 0.156),
            risk_ratio=Estimate(1.49, 1.41, 1.57),
            opposite_risk_ratio=Estimate(0.81, 0.78, 0.84),
            crude_risk_difference=0.14,
            crude_risk_ratio=1.51,
            crude_opposite_risk_ratio=0.8,
            attributable=0.136 * 3_000,
            number_needed=7.35,
        ),
        doubts=Doubts(
            gamma=1.63,
            e_value=2.34,
            e_value_limit=2.16,
            heterogeneity_p=0.95,
            is_mixed=False,
            stability=1.0,
            bootstrap=None,
            unmatched_exposed=10,
            unmatched_unexposed=0,
        ),
        balance=Balance(
            worst_before=1.0,
            mean_before=0.1,
            worst_after=1.0,
            mean_after=0.05,
            items=(
                ItemBalance(Item("smoker_copy", "yes"), 1.0, 1.0),
                ItemBalance(Item("severity", "high"), 0.41, 0.02),
            ),
            unmatched=(Unmatched(Item("severity", "high"), 0.35, 0.9),),
        ),
        grade="moderate" if verdict == "causal" else None,
        arrow="undecided",
        p_next=0.98,
        design=Design(
            held=("exercise", "severity"),
            matching="exact",
            exact_on=("exercise", "severity"),
            estimand="3,000 of 3,010 exposed records, those that found a match",
            share_matched=0.9967,
            exposure_unknown=0,
            missing_controls="none",
            left_out=0,
            near_copies=(),
            imbalanced=(),
            second_opinion=SecondOpinion(sign * 0.137, *sorted((sign * 0.117, sign * 0.157)), "aipw"),
            opinions_agree=True,
        ),
    )
    return replace(made, **changes)


def with_design(one, **changes):
    return replace(one, design=replace(one.design, **changes))


SMOKER = with_design(rule("smoker=yes"), near_copies=("smoker_copy",), exposure_unknown=7, left_out=1)
EXERCISE = with_design(
    rule(
        "exercise=daily",
        direction="lowers",
        grade="fragile",
        odds_ratio=Estimate(1.6, 1.4, 1.8),
        effects=replace(
            SMOKER.effects,
            risk_difference=Estimate(0.00012, 0.00001, 0.00023),
            risk_ratio=Estimate(1.0002, 1.0, 1.0004),
            attributable=0.00012 * 2_000,
            crude_risk_difference=0.0002,
        ),
    ),
    matching="propensity",
    exact_on=("smoker",),
    held=("smoker", "severity"),
    share_matched=0.66,
    estimand="2,000 of 3,010 exposed records, those that found a match",
    imbalanced=("age", "severity"),
    opinions_agree=False,
)
POSSIBLE = rule("diet=poor", "possible", p_next=0.3, reason="it stands next to the outcome with 30% only")
CONSEQUENCE = rule("fever=yes", "consequence", reason="ill comes before fever", arrow="effect")
REJECTED = rule(
    "treatment=new",
    "rejected",
    adjusted_odds_ratio=Estimate(1.02, 0.93, 1.11),
    reason="explained away by severity",
)
TOO_FEW = rule(
    "noise=z", "untestable", reason="too few records to tell: p = 0.03 alone, 0.16 among 9 hypotheses"
)
APART = rule(
    "ward=3",
    "untestable",
    reason="cannot be told apart from severity: exposed and unexposed remain different in it",
)
LEAK = rule("sick_days=>3", "untestable", reason="sick_days nearly decides the outcome (91% of it): a leak")
LEAK_NOTE = "sick_days nearly decides the outcome (91% of it): a leak. --drop sick_days leaves it out."


def _risk(exposed, records, cases):
    share = cases / records
    return CombinationRisk(
        exposed=exposed, records=records, cases=cases, risk=Estimate(share, share - 0.02, share + 0.02)
    )


DRUGS = rule(
    "drug_a=yes",
    pattern=(Item("drug_a", "yes"), Item("drug_b", "yes")),
    interaction=Interaction(
        contrast=Estimate(0.9, 0.5, 1.3),
        reri=Estimate(1.25, 0.61, 1.89),
        attributable_proportion=Estimate(0.38, 0.22, 0.54),
        synergy=Estimate(2.3, 1.4, 3.8),
        standardised_to=1_000,
        risks=(
            _risk((False, False), 4_000, 800),
            _risk((True, False), 3_000, 750),
            _risk((False, True), 2_000, 520),
            _risk((True, True), 1_000, 660),
        ),
    ),
)


def contrasts(*rules, **changes):
    """A result with these rules."""
    tested = rules or (SMOKER, EXERCISE, POSSIBLE, CONSEQUENCE, REJECTED, TOO_FEW, APART, LEAK)
    result = Result(
        settings=Settings(),
        data=DataSummary(
            source="patients.csv",
            rows=10_000,
            rows_without_outcome=0,
            columns=9,
            items=20,
            outcome=OUTCOME,
            left_out=(
                LeftOut("id", "it looks like an identifier: every record has a number of its own"),
                LeftOut("bmi", "it is a number without a cut point that separates records by outcome (MDL)"),
                LeftOut("secret", "not among the columns asked for"),
                LeftOut("ward_name", "dropped on request"),
            ),
            notes=(LEAK_NOTE,),
        ),
        tested=tested,
        by_length={1: {"candidates": 9, "frequent": 8, "associations": 8}},
        timings={},
        version="0",
        created="2026-01-01T00:00:00+00:00",
    )
    return replace(result, **changes)


def study_of(one):
    """A result of `test`."""
    alone = contrasts(replace(one, q_value=None), by_length={})
    return replace(alone, data=replace(alone.data, notes=()))

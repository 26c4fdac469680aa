"""The default search as it is told: in the terminal, in Markdown and on the page."""

import io
import json
from dataclasses import replace
from math import inf

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

import causalrules
from causalrules.domain import Estimate, Explanation, ExplanationStep, Item
from causalrules.domain.decisions import Decision
from causalrules.report.markdown import mining_markdown, study_markdown
from causalrules.report.page.view import view_of
from causalrules.report.terminal.mining import mining_report
from causalrules.report.terminal.study_report import study_report
from causalrules.report.words.contrast_words import contrast_sentence, headline, percent_points
from causalrules.report.words.interaction_words import other_measures, together_line
from unit.report.contrast_results import (
    APART,
    DRUGS,
    EXERCISE,
    LEAK,
    OUTCOME,
    REJECTED,
    SMOKER,
    TOO_FEW,
    contrasts,
    rule,
    study_of,
    with_design,
)
from unit.report.results import ODD_NAMES, named

MINED = """\
2 causal rules for ill=yes among 9 hypotheses (10,000 records, 3,200 with it).

Read this first
  sick_days nearly decides the outcome (91% of it): a leak. --drop sick_days leaves it out.
  Left out: id (looks like an identifier: every record has a number of its own).
  bmi was not tested as a cause: no cut point separates records by outcome; studies may still adjust
  for it.
      to test it anyway: --cut bmi=quantile:4
  Left out: ward_name (dropped on request).
  2 hypotheses could not be tested:
  – 1 would be significant alone, but not after correction for 9 hypotheses: too few records to
    tell: noise=z.
      to test one alone: causalrules test … --exposure noise=z
  – 1 cannot be told apart from columns that are too closely associated with the exposure: ward=3
    (from severity).
      to leave out what is a copy, or comes after the exposure: --drop severity

Causes, if they come before the outcome
The data do not show which came first. Each of these is a cause if it comes before the outcome,
which you may know; otherwise it may be a consequence.
                              odds ratio          95 % interval crude     matched    P    Γ grade
lowers the odds
exercise=daily                      0.50 ████████   0.44 – 0.57  0.62 2,000 (66%) 0.98 1.63 fragile
  · second opinion differs

Columns that cannot be told apart
These columns carry nearly the same information. One of them may be the cause, or all of them; the
table cannot tell.
                      odds ratio          95 % interval crude matched    P    Γ grade
smoker or smoker_copy
smoker=yes                  2.00 ████████   1.75 – 2.28  1.83   3,000 0.98 1.63 moderate

Possible, but not shown
Comparable records differ, but not clearly enough for so many hypotheses, or another column may be
the one that is directly linked to the outcome.
                odds ratio          95 % interval crude matched    P    Γ
raises the odds
diet=poor             2.00 ████████   1.75 – 2.28  1.83   3,000 0.30 1.63

Consequences
They do not cause the outcome, as shown by the data or declared by you.
                odds ratio          95 % interval crude matched    P    Γ
raises the odds
fever=yes             2.00 ████████   1.75 – 2.28  1.83   3,000 0.98 1.63

1 association was rejected:
– treatment=new: odds ratio 1.83 crude, 1.02 (0.93 – 1.11) adjusted for exercise and severity;
  explained away by severity
To see one in full: causalrules test … --exposure treatment=new

Causal means: the difference remains among records that are alike in everything adjusted for. A
confounder that is not in the table could still explain it.
An odds ratio below 1 is protective where the outcome is unwanted.
P: probability that the column is directly linked to the outcome, with no other column in between.
Γ: how much a hidden confounder would have to multiply the odds of exposure to explain the rule
away. Matched: exposed records with a comparable unexposed one.
Grade, by the weakest criterion: strong from Γ 2, interval 1.25 away from 1, balance within 0.1, 80%
matched; moderate from Γ 1.2, 1.05, 0.25, 50%; else, or if the second opinion differs, fragile.
second opinion differs: a doubly robust estimate of the same records contradicts this one
Corrected for many tests (bh, level 0.05).
"""

STUDIED = """\
smoker=yes: causal, raises the odds of ill=yes, moderate evidence
smoker=yes raises the odds of ill=yes: odds ratio 2.00 (1.75 – 2.28) adjusted for exercise and
severity; crude 1.83. It cannot be told apart from smoker_copy.

                      estimate    95 % interval
odds ratio, crude         1.83      1.68 – 2.01  3,010 exposed, 6,990 not
odds ratio, adjusted      2.00      1.75 – 2.28  Mantel-Haenszel, p = 1.2e-42
risk ratio                1.49      1.41 – 1.57  crude 1.51
risk difference         +13.6%  +11.6% – +15.6%  crude +14.0%
  doubly robust         +13.7%  +11.7% – +15.7%  agrees
number needed                8            7 – 9  exposed for one more
Risks are standardised to the matched exposed: 41.4% as they are, 27.8% without
the exposure.

adjusted for    exercise and severity
matched         exactly on all of them: compared records have equal values
applies to      3,000 of 3,010 exposed records, those that found a match
                severity=high: 90% of the unmatched, else 35%
left out        7 records in neither arm: the exposure is missing
                1 record with a missing value in what is adjusted for
not told apart  smoker_copy: nearly the same as the exposure, and could not be adjusted for; any
                of them may be the cause
direction       the data do not show which came first; the exposure is assumed to have
                probability of a direct link to the outcome: 0.98
balance         of what is adjusted for: largest standardised difference 0.41 before matching,
                0.02 after
sensitivity     Γ 1.63: a hidden confounder would have to multiply the odds of exposure by this
                E-value 2.34 for the risk ratio 1.49 (1.41 – 1.57), 2.16 for the limit of its
                interval
between strata  the effect does not clearly differ between strata (p = 0.95)

Grade: moderate, the weakest of these
criterion       value       says      bounds
Γ               1.63        moderate  strong from 2, moderate from 1.2
interval        limit 1.75  strong    strong from 1.25, moderate from 1.05
balance         within 0.1  strong    strong within 0.1, moderate within 0.25
matched         100%        strong    strong from 80%, moderate from 50%
second opinion  agrees      strong    strong if it agrees, else fragile

Causal means: the difference remains among records that are alike in everything adjusted for. A
confounder that is not in the table could still explain it.
Do not adjust for anything that comes after the exposure; --adjust COLUMN,COLUMN sets what is
adjusted for.
The p-value is for one hypothesis, chosen before looking at this table; mine corrects for many.
"""


def printed(report, width=100):
    console = Console(file=io.StringIO(), width=width, highlight=False)
    console.print(report)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_a_mined_result_line_by_line():
    assert printed(mining_report(contrasts())) == MINED.splitlines()


def test_one_hypothesis_line_by_line():
    assert printed(study_report(study_of(SMOKER))) == STUDIED.splitlines()


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    odd = [replace(SMOKER, pattern=named(name)) for name in ODD_NAMES]
    odd += [replace(EXERCISE, pattern=named(name)) for name in ODD_NAMES]
    for result in (contrasts(), contrasts(*odd)):
        assert max(map(cell_len, printed(mining_report(result), width))) <= width
    assert max(map(cell_len, printed(study_report(study_of(EXERCISE)), width))) <= width


def test_columns_are_left_out_only_as_far_as_names_need_the_room():
    def headings(rule):
        lines = printed(mining_report(contrasts(rule)), 80)
        return next(line.split() for line in lines if line.split()[:2] == ["odds", "ratio"])

    assert {"crude", "P", "Γ"} < set(headings(SMOKER))
    long = headings(replace(SMOKER, pattern=named("a long name " * 6 + "=yes")))
    assert "P" not in long


def test_what_lowers_speaks_of_the_outcome_itself():
    text = "\n".join(printed(study_report(study_of(EXERCISE))))
    assert "odds ratio 0.50 (0.44 – 0.57)" in text
    assert "not having" not in text
    assert "−0.012%  −0.023% – −0.001%" in text
    assert "does not agree" in text


def test_no_interval_of_nothing():
    assert percent_points(0.0001, -0.0001, 0.0003) == ["+0.010%", "−0.010%", "+0.030%"]
    assert percent_points(-0.0002) == ["−0.020%"]
    assert percent_points(0.0, 0.0, 0.0) == ["+0.0%"] * 3


def test_one_rule_is_one_and_none_is_an_answer():
    assert printed(mining_report(contrasts(SMOKER)))[0].startswith("1 causal rule for ill=yes")
    text = " ".join(printed(mining_report(contrasts(REJECTED, TOO_FEW))))
    assert text.startswith("No causal rule")
    assert "of these, 1 rejected and 1 not testable." in text
    nothing = contrasts(by_length={1: {"candidates": 9, "frequent": 8, "associations": 0}})
    lines = printed(mining_report(replace(nothing, tested=())))
    assert "Nothing found: none of 9 hypotheses is associated with ill=yes, even before adjustment." in lines


def test_a_leak_is_told_once():
    text = "\n".join(printed(mining_report(contrasts(SMOKER, LEAK))))
    assert text.count("nearly decides") == 1
    unnoted = contrasts(SMOKER, LEAK)
    unnoted = replace(unnoted, data=replace(unnoted.data, notes=()))
    assert "--drop sick_days" in "\n".join(printed(mining_report(unnoted)))


@pytest.mark.parametrize("one", [REJECTED, APART, TOO_FEW, LEAK, SMOKER, EXERCISE])
def test_a_study_is_never_rejected_where_its_interval_excludes_one(one):
    clear = replace(
        one,
        verdict="rejected",
        reason="matched records show no difference",
        adjusted_odds_ratio=Estimate(2, 1.5, 3),
    )
    assert "rejected" not in headline(clear, OUTCOME)
    assert "no clear difference" not in contrast_sentence(clear, OUTCOME)


def test_the_weakest_criterion_is_the_grade():
    ranks = ["fragile", "moderate", "strong"]
    small_arms = with_design(replace(SMOKER, grade="fragile"), imbalanced=("severity",))
    for one in (SMOKER, EXERCISE, small_arms, with_design(SMOKER, imbalanced=("severity",))):
        criteria = view_of(study_of(one))["rules"][0]["criteria"]
        assert min((says for _, _, says, _ in criteria), key=ranks.index) == one.grade


def test_markdown_tells_the_same():
    text = mining_markdown(contrasts())
    row = next(line for line in text.splitlines() if line.startswith("| `exercise=daily`"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1:4] == ["causal, lowers", "0.50", "0.44 – 0.57"]
    assert cells[6:] == ["1.63", "fragile", "smoker and severity", "second opinion differs"]
    assert "### Read this first" in text
    assert "- **adjusted for**: exercise and severity" in study_markdown(study_of(SMOKER))


def test_markdown_keeps_long_texts_whole_and_escaped():
    long = with_design(SMOKER, held=tuple(f"column_{i}" for i in range(60)))
    text = study_markdown(study_of(long))
    assert r"column\_39 and 20 more" in text
    assert "…" not in text.replace("--exposure …", "").replace("test …", "")


def test_risk_ratio_and_number_needed_stand_wherever_a_study_is_told():
    crosses = replace(
        SMOKER,
        effects=replace(
            SMOKER.effects,
            risk_ratio=Estimate(4.76, 0.75, 30.4),
            risk_difference=Estimate(0.08, -0.02, 0.18),
        ),
    )
    told = "\n".join(printed(study_report(study_of(crosses))))
    assert "risk ratio                4.76     0.75 – 30.40" in told
    assert "number needed" not in told  # its interval would hold infinity
    assert "which holds 1" in told.replace("\n" + 16 * " ", " ")
    (seen,) = view_of(study_of(SMOKER))["rules"]
    assert seen["risk_rows"] == [
        ["risk ratio", "1.49", "1.41 – 1.57", "1.51"],
        ["number needed, exposed for one more", "8", "7 – 9", ""],
    ]
    protects = replace(SMOKER, direction="lowers")
    assert "risk ratio, adjusted" in protects._repr_html_()
    assert "0.81" in protects._repr_html_()
    assert "exposed for one fewer" in "\n".join(printed(study_report(study_of(protects))))
    text = str(study_of(SMOKER).methods())
    assert "risk ratio was 1.49 (95% CI 1.41 to 1.57)" in text
    assert "one more with the outcome for every 8 exposed (95% CI 7 to 9)" in text
    assert "for every" not in str(study_of(crosses).methods())


def test_the_page_shows_the_same_study():
    view = view_of(contrasts())
    json.dumps(view, allow_nan=False)
    assert view["answer"]["first"][0][0].startswith("sick_days nearly decides")
    by_name = {"=".join(view["items"][one["pattern"][0]]): one for one in view["rules"]}
    smoker, rejected = by_name["smoker=yes"], by_name["treatment=new"]
    assert smoker["grade"] == "moderate"
    assert smoker["matched"] == 3_000
    assert dict(smoker["facts"])["adjusted for"] == ["exercise and severity"]
    assert smoker["opinion"] == [[0.137, 0.117, 0.157], True]
    assert "smoker_copy" not in {view["items"][item][0] for item, *_ in smoker["balance"]}
    assert set(smoker["readings"]) == {"effect", "balance", "partners", "hidden"}
    assert rejected["reason"] == "explained away by severity"


def test_names_cannot_disturb_a_terminal():
    odd = with_design(rule("a\x1b[31m=\n"), near_copies=("b\x1b[2J",), held=("c\x07",))
    for report in (mining_report(contrasts(odd)), study_report(study_of(odd))):
        assert not any(ord(character) < 32 for line in printed(report) for character in line)


def test_one_is_one_rule_in_the_summary():
    result = contrasts()
    assert result.summary().startswith(f"2 causal rules for ill=yes among {len(result.tested)} associations")
    one = replace(result, tested=(SMOKER,))
    assert one.summary().startswith("1 causal rule for ill=yes among 1 association tested")


def test_a_combined_cause_is_told_with_what_its_parts_do_together():
    mined = "\n".join(printed(mining_report(contrasts(DRUGS, SMOKER))))
    line = "drug_a=yes & drug_b=yes, together: more than additive, RERI 1.25 (0.61 – 1.89)"
    assert f"– {line}" in mined
    assert "RERI: relative excess risk due to interaction" in mined
    assert "RERI" not in "\n".join(printed(mining_report(contrasts(SMOKER))))
    assert "- drug\\_a=yes & drug\\_b=yes, together: more than additive" in mining_markdown(contrasts(DRUGS))


def test_a_study_of_a_combined_cause_shows_all_four_adjusted_risks():
    told = "\n".join(printed(study_report(study_of(DRUGS))))
    assert "attributable proportion 0.38 (0.22 – 0.54); synergy index 2.30 (1.40 – 3.80)" in told
    rows = [line.split() for line in told.splitlines() if "█" in line]
    assert [row[-3:] for row in rows] == [
        ["800", "of", "4,000"],
        ["750", "of", "3,000"],
        ["520", "of", "2,000"],
        ["660", "of", "1,000"],
    ]
    assert rows[0][0] == "neither"
    assert rows[3][0] == "both"
    assert "66.0%" in rows[3]
    assert "| both | 1,000 | 660 | 66.0% | 64.0% – 68.0% |" in study_markdown(study_of(DRUGS))


def test_the_page_has_the_adjusted_risks():
    together = view_of(contrasts(DRUGS))["rules"][0]["together"]
    assert together["risks"][1] == ["drug_a=yes only", [0.25, 0.23, 0.27], 750, 3_000, [True, False]]
    assert together["reading"].startswith("Together: more than additive, RERI 1.25")
    assert "together" not in view_of(contrasts(SMOKER))["rules"][0]


def test_less_than_additive_and_neither():
    less = replace(DRUGS.interaction, reri=Estimate(-0.5, -0.9, -0.1))
    unclear = replace(DRUGS.interaction, reri=Estimate(0.1, -0.9, 1.1))
    unknown = replace(DRUGS.interaction, reri=Estimate(inf, inf, inf), synergy=Estimate(inf, inf, inf))
    assert "less than additive, RERI −0.50 (−0.90 – −0.10)" in together_line(replace(DRUGS, interaction=less))
    assert "not clearly different from additive" in together_line(replace(DRUGS, interaction=unclear))
    assert "no record without the parts has the outcome" in together_line(replace(DRUGS, interaction=unknown))
    assert "synergy" not in other_measures(replace(DRUGS, interaction=unknown))
    lowers = replace(DRUGS, direction="lowers")
    assert together_line(lowers).startswith("together (of being without them): more than additive")


def test_what_holds_only_because_of_a_rule_is_listed_under_it():
    same = replace(DRUGS, says_the_same=("drug_a=yes & dose=high", "drug_a=yes & ward=3"))
    line = "drug_a=yes & dose=high and drug_a=yes & ward=3 look like combined causes, but are explained by"
    assert f"– {line} drug_a=yes & drug_b=yes" in "\n".join(printed(mining_report(contrasts(same)), 130))
    assert "gone where the columns of this rule are held" in json.dumps(view_of(contrasts(same)))


@pytest.mark.parametrize(
    ("crude", "told"),
    [
        (
            Estimate(1.56, 0.9, 2.7),
            "is not clearly associated with ill=yes (crude odds ratio 1.56), and comparable",
        ),
        (
            Estimate(1.83, 1.68, 2.01),
            "is associated with more ill=yes (crude odds ratio 1.83), but comparable",
        ),
    ],
)
def test_a_study_that_finds_nothing_contradicts_only_a_clear_association(crude, told):
    nothing = rule(
        "rare=yes",
        verdict="rejected",
        reason="matched records show no difference",
        odds_ratio=crude,
        adjusted_odds_ratio=Estimate(1.2, 0.8, 1.8),
    )
    assert told in contrast_sentence(nothing, OUTCOME)


def test_what_is_too_close_to_the_outcome_is_named_first():
    close = replace(EXERCISE, adjusted_odds_ratio=Estimate(inf, 687.0, inf))
    said = "exercise=daily is more closely associated with the outcome than causes usually are"
    lines = printed(mining_report(contrasts(close, SMOKER)), 250)
    (at,) = [place for place, line in enumerate(lines) if said in line]
    assert lines[at + 1] == "      if it comes after: --after exercise"
    for others in ([EXERCISE, SMOKER], [replace(close, arrow="cause"), SMOKER]):
        assert said not in "\n".join(printed(mining_report(contrasts(*others)), 250))


def test_what_the_user_said_stands_first_in_every_report_of_one_study():
    said = replace(study_of(SMOKER), decisions=(Decision("never-adjust bp", "not adjusted for"),))
    line = "You said: never-adjust bp: not adjusted for."
    assert printed(study_report(said))[0] == line
    assert view_of(said)["answer"]["first"] == [[line, ""]]
    assert study_markdown(said).startswith("You said: never-adjust bp")


def test_what_explains_a_rejection_is_told_where_it_was_asked_for():
    steps = (
        ExplanationStep(Item("severity", "high"), Estimate(1.3, 1.1, 1.5), 900.0),
        ExplanationStep(Item("ward", "3"), Estimate(1.02, 0.93, 1.11), 800.0),
    )
    explained = replace(REJECTED, explanation=Explanation(REJECTED.pattern, steps, ()))
    told = " ".join(line.strip() for line in printed(mining_report(contrasts(SMOKER, explained))))
    first = "odds ratio 1.30 (1.10 – 1.50) adjusted for severity=high"
    second = "odds ratio 1.02 (0.93 – 1.11) also adjusted for ward=3"
    assert f"adjusting for one more at a time: {first}; {second}" in told


@pytest.mark.parametrize("outcome", ["dead=yes", "dead=no"])
def test_a_finite_crude_ratio_beside_an_infinite_one_says_why(outcome):
    chance = np.random.default_rng(4)
    dead, old = chance.random((2, 2000))
    dead = dead < 0.2 + 0.2 * (old < 0.5)
    named_columns = {"dead": dead, "old": old < 0.5, "autopsy": dead & (chance.random(2000) < 0.4)}
    table = {name: np.where(column, "yes", "no") for name, column in named_columns.items()}
    result = causalrules.test(table, outcome, "autopsy=yes", adjust="old")
    (rule_,) = result.rules
    assert rule_.adjusted_odds_ratio.value == inf
    assert rule_.odds_ratio.value < inf
    assert "crude counts 0 as 1" in "\n".join(printed(study_report(result), 120))
    assert "crude counts 0 as 1" in result._repr_html_()
    assert "(an empty cell counted as one record)" in str(result.methods())
    mined = causalrules.mine(table, outcome, max_length=1)
    assert mining_markdown(mined).count("crude counts 0 as 1") == 2  # behind the rule, and what it means
    wide, narrow = (printed(mining_report(mined), width) for width in (120, 64))
    assert any("crude" in line and "odds ratio" in line for line in wide)
    assert any("autopsy=yes · crude counts 0 as 1" in line for line in wide)
    assert not any("· crude counts 0 as 1" in line for line in narrow)
    usual = causalrules.test(table, outcome, "old=yes")
    assert "crude counts 0 as 1" not in "\n".join(printed(study_report(usual), 120)) + usual._repr_html_()

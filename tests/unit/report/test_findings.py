"""What the page says of a result: findings by section, and an answer for every column."""

from dataclasses import replace

import pytest

from causalrules.domain import Item, LeftOut, Result
from causalrules.report.page.view import view_of
from causalrules.report.words.column_answers import column_answers
from causalrules.report.words.findings import findings_of, next_steps
from unit.report.contrast_results import (
    APART,
    CONSEQUENCE,
    DRUGS,
    EXERCISE,
    LEAK,
    POSSIBLE,
    REJECTED,
    SMOKER,
    TOO_FEW,
    contrasts,
    rule,
    with_design,
)

SEVERITY = rule("severity=high", arrow="cause", witness="severity and smoker are independent")


def sections(*rules):
    """Kinds of sections with the names of the rules below each finding."""
    result = contrasts(*rules)
    return {
        section["kind"]: [
            [result.tested[place - 1].name for place in finding["rules"]] for finding in section["findings"]
        ]
        for section in findings_of(result)
    }


def test_every_finding_stands_once_in_the_section_of_its_arrow():
    found = sections(SEVERITY, SMOKER, EXERCISE, POSSIBLE, CONSEQUENCE, REJECTED, TOO_FEW)
    assert found == {
        "causes": [["severity=high"]],
        "consequences": [["fever=yes"]],
        "undecided": [["exercise=daily"]],
        "groups": [["smoker=yes"]],
        "possible": [["diet=poor"]],
    }
    assert list(found) == ["causes", "undecided", "groups", "possible", "consequences"]


def test_without_a_cause_the_section_says_so_and_others_are_absent():
    (causes,) = findings_of(contrasts(REJECTED, TOO_FEW))
    assert (causes["note"], causes["findings"]) == ("None was found.", [])
    causes, undecided = findings_of(contrasts(EXERCISE))
    assert "follows below" in causes["note"]
    assert "a cause if it comes before" in undecided["note"]


def test_contrasts_of_one_column_are_one_finding_and_intervals_stand_in_their_order():
    cuts = [rule(f"age={value}") for value in (">60", "(40, 60]", "<=40")]
    assert sections(*cuts)["undecided"] == [["age<=40", "age=(40, 60]", "age>60"]]


def test_other_values_are_ordered_by_direction_and_strength():
    weak = replace(SEVERITY, adjusted_odds_ratio=replace(SEVERITY.adjusted_odds_ratio, low=1.1))
    weak = replace(weak, pattern=(Item("severity", "low"),))
    lowers = replace(SEVERITY, pattern=(Item("severity", "none"),), direction="lowers")
    assert sections(lowers, weak, SEVERITY)["causes"] == [["severity=high", "severity=low", "severity=none"]]


def test_columns_that_cannot_be_told_apart_are_one_finding_with_all_their_contrasts():
    copy = with_design(rule("smoker_copy=yes"), near_copies=("pack_years",))
    other = rule("smoker=often")  # another value of a column that is in the group
    ((_, group),) = [
        (section["kind"], section["findings"])
        for section in findings_of(contrasts(SMOKER, copy, other))
        if section["kind"] == "groups"
    ]
    (finding,) = group
    assert finding["columns"] == ["smoker", "smoker_copy", "pack_years"]
    assert finding["between"] == " or "
    assert sorted(finding["rules"]) == [1, 2, 3]


def test_a_combined_cause_is_one_finding_named_by_its_columns():
    finding = findings_of(contrasts(replace(DRUGS, arrow="cause")))[0]["findings"][0]
    assert (finding["columns"], finding["between"]) == (["drug_a", "drug_b"], " & ")
    assert finding["p_next"] is None  # that of a part alone would mislead


def test_what_to_do_next_is_said_for_what_the_data_leave_open():
    steps = next_steps(contrasts(SMOKER, EXERCISE))
    assert [step.advice for step in steps] == ["--before COLUMN,COLUMN --after COLUMN", "--drop COLUMN"]
    assert "exercise" in steps[0].text
    assert "smoker and smoker_copy" in steps[1].text
    assert next_steps(contrasts(SEVERITY)) == []


def test_a_part_of_a_combined_cause_that_has_a_direction_is_not_asked_about():
    drug_a = rule("drug_a=yes", arrow="cause", witness="drug_a and smoker are independent")
    (step,) = next_steps(contrasts(drug_a, replace(DRUGS, arrow="undecided")))
    assert step.text.startswith("1 column has no direction: drug_b.")


def test_one_study_is_one_finding_whatever_its_verdict():
    (section,) = findings_of(contrasts(TOO_FEW, by_length={}))
    assert (section["kind"], section["findings"][0]["rules"]) == ("study", [1])
    assert view_of(contrasts(TOO_FEW, by_length={}))["columns"] == []


def answers(*rules, **changes):
    return {one.column: one for one in column_answers(contrasts(*rules, **changes))}


@pytest.mark.parametrize(
    ("column", "status", "words"),
    [
        ("ill", "outcome", "It is the outcome."),
        ("id", "identifier", "looks like an identifier"),
        ("bmi", "not studied", "(MDL). To test it anyway: --cut bmi=quantile:4"),
        ("secret", "left out", "Not among the columns asked for."),
        ("ward_name", "left out", "Dropped on request."),
        ("height", "not studied", "p = 0.4"),
        ("smoker", "cause or consequence", "smoker_copy may be the cause instead"),
        (
            "severity",
            "cause",
            "severity=high raises the odds, odds ratio 2.00 (1.75 – 2.28), moderate evidence.",
        ),
        ("diet", "possible", "diet=poor may raise the odds"),
        ("fever", "consequence", "ill comes before fever"),
        (
            "treatment",
            "rejected",
            "treatment=new: explained away by severity; odds ratio 1.02 (0.93 – 1.11).",
        ),
        ("noise", "not testable", "too few records to tell"),
        ("ward", "not testable", "cannot be told apart from severity"),
        ("sick_days", "not testable", "nearly decides the outcome"),
    ],
)
def test_every_column_has_an_answer(column, status, words):
    rules = (SEVERITY, SMOKER, EXERCISE, POSSIBLE, CONSEQUENCE, REJECTED, TOO_FEW, APART, LEAK)
    weak = LeftOut("height", "it is not associated with the outcome, even before adjustment (p = 0.4)")
    answer = answers(*rules, not_studied=(weak,))[column]
    assert answer.status == status
    assert words in answer.text


def test_what_is_not_here_comes_first():
    statuses = [one.status for one in column_answers(contrasts())]
    is_found = [status in ("cause or consequence", "possible", "consequence") for status in statuses]
    assert is_found == sorted(is_found)
    assert len(set(is_found)) == 2


def test_a_column_that_matters_only_with_another_says_both():
    alone = LeftOut("drug_b", "it is not associated with the outcome, even before adjustment (p = 0.3)")
    drug_b = answers(replace(DRUGS, arrow="cause"), not_studied=(alone,))["drug_b"]
    assert drug_b.status == "part of a cause"
    assert drug_b.text.startswith("drug_a=yes & drug_b=yes raises the odds")
    assert drug_b.text.endswith(
        "By itself: it is not associated with the outcome, even before adjustment (p = 0.3)."
    )


def test_why_columns_were_not_studied_is_saved_and_older_files_load(tmp_path):
    result = contrasts(not_studied=(LeftOut("height", "too weak"),))
    result.save(tmp_path / "result.json")
    assert Result.load(tmp_path / "result.json").not_studied == result.not_studied
    entry = result.to_dict()
    del entry["not_studied"]
    assert Result.from_dict(entry).not_studied == ()

"""Small things that readers stumbled over: plurals, repetitions, flat lists, numbers that tell nothing."""

import csv
import io
from dataclasses import replace
from math import inf

import pytest
from rich.console import Console

from causalrules.domain import Estimate
from causalrules.domain.answers import Answers
from causalrules.errors import SourceError
from causalrules.publish.document import PAGE_WIDTH, column_widths
from causalrules.read import read_table
from causalrules.read.table_at import TableAt
from causalrules.report.markdown import mining_markdown
from causalrules.report.notebook import result_html
from causalrules.report.table_files import csv_bytes
from causalrules.report.terminal.mining import mining_report
from causalrules.report.terminal.several_outcomes import answers_report
from causalrules.report.words.column_answers import column_answers
from causalrules.report.words.interaction_words import other_measures, together_lines
from unit.report.contrast_results import DRUGS, LEAK_NOTE, SMOKER, TOO_FEW, contrasts, rule

SAID = "it comes after the outcome, as was said: 'after rework'"


def test_what_is_explained_by_a_rule_is_said_in_words():
    one = replace(SMOKER, says_the_same=("fee>39 & campaign=spring",))
    assert together_lines([one]) == [
        "– fee>39 & campaign=spring looks like a combined cause, but is explained by smoker=yes"
    ]


@pytest.mark.parametrize(
    ("synergy", "is_told"), [(Estimate(2.3, 1.4, 3.8), True), (Estimate(28.66, 0.0056, 147_006), False)]
)
def test_a_synergy_index_that_could_be_anything_is_not_told(synergy, is_told):
    combined = replace(DRUGS, interaction=replace(DRUGS.interaction, synergy=synergy))
    assert ("synergy" in other_measures(combined)) is is_told
    assert "attributable proportion" in other_measures(combined)


def test_why_a_column_comes_after_is_said_once():
    values = [
        rule(f"rework={cut}", "consequence", reason=SAID) for cut in ("<=0.05", "(0.05, 0.55]", ">0.55")
    ]
    (answer,) = (one for one in column_answers(contrasts(*values)) if one.column == "rework")
    assert answer.text == "it comes after the outcome, as was said: 'after rework'."
    assert len(answer.rules) == 3


def test_infinite_ratios_are_infinite_in_csv_and_what_compares_nothing_has_none():
    strong = replace(SMOKER, adjusted_odds_ratio=Estimate(inf, 2480.6, inf))
    nothing = rule(
        "reason=price",
        "consequence",
        odds_ratio=Estimate(0.33, 0.02, 5.2),
        adjusted_odds_ratio=Estimate(1.0, 0.0, inf),
    )
    rows = list(csv.DictReader(io.StringIO(csv_bytes(contrasts(strong, nothing)).decode())))
    assert [rows[0][f"adjusted_{name}"] for name in ("odds_ratio", "low", "high")] == ["inf", "2480.6", "inf"]
    assert [rows[1][name] for name in ("adjusted_odds_ratio", "adjusted_low", "odds_ratio")] == [""] * 3
    assert rows[1]["exposed"]


def test_reasons_stand_below_what_they_belong_to():
    result = contrasts(SMOKER, TOO_FEW)
    html = result_html(result)
    assert "could not be tested:<ul" in html
    lines = mining_markdown(result).splitlines()
    (head,) = (place for place, line in enumerate(lines) if line.endswith("could not be tested:"))
    assert lines[head].startswith("- ")
    assert lines[head + 1].startswith("  - ")


def test_what_is_true_of_all_outcomes_is_said_once():
    answers = Answers((contrasts(SMOKER), contrasts(SMOKER, TOO_FEW)))
    assert all(LEAK_NOTE in result.data.notes for result in answers)
    console = Console(file=io.StringIO(), width=200)
    console.print(answers_report(answers, mining_report))
    text = console.file.getvalue()
    assert text.count("sick_days nearly decides") == 1
    assert text.count("Γ: how much a hidden confounder") == 1
    assert text.count("could not be tested:") == 1


def test_a_line_too_long_for_one_column_is_told_in_the_singular(tmp_path):
    path = tmp_path / "title.csv"
    path.write_text("Quality report\n\nlot,shift,defect\n1,a,no\n")
    with pytest.raises(SourceError, match="but there is one column"):
        read_table(path)


def test_what_a_database_says_ends_with_one_sign(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "crm.duckdb")) as made:
        made.execute("create table customers (a integer)")
    with pytest.raises(SourceError) as caught:
        read_table(TableAt(tmp_path / "crm.duckdb", table="customer"))
    told = str(caught.value)
    assert "it has no table 'customer'. Did you mean 'customers'" in told
    assert not any(signs in told for signs in ("!.", "?.", "..", "! "))


def test_our_own_words_are_not_broken_in_a_table_of_many_columns():
    heads = ["Exposure", "Verdict, grade", "Matched: exposed, others", "Crude mean difference"]
    heads += ["Adjusted mean difference (95% CI)", "Risk difference of >1800, points (95% CI)"]
    heads += ["P, corrected", "Γ"]
    line = ["Satisfied_with_the_job=strongly agree", "consequence", "518, 2,432", "+1,026"]
    line += ["+561 (+513 to +609)", "18.4 (15.4 to 21.4)", "< 0.001", "6.14"]
    widths = column_widths([heads, line])
    assert sum(widths) == pytest.approx(PAGE_WIDTH)
    assert widths[1] >= 0.42 + 0.17 * len("consequence")

"""A column that is filled in only where the outcome happened compares nothing: words, and no numbers."""

import io

import numpy as np
import pyarrow as pa
import pytest
from rich.console import Console

import causalrules
from causalrules.report.markdown import mining_markdown
from causalrules.report.notebook import result_html
from causalrules.report.page.view import view_of
from causalrules.report.terminal.mining import mining_report
from causalrules.report.terminal.study_report import study_report


def customers(n=3_000, seed=2):
    draw = np.random.default_rng(seed)
    contract = draw.random(n) < 0.5
    churned = draw.random(n) < np.where(contract, 0.4, 0.15)
    reasons = draw.choice(["price", "moved", "other"], n)
    return pa.table(
        {
            "contract": np.where(contract, "monthly", "annual"),
            "reason": [str(why) if left else None for why, left in zip(reasons, churned, strict=True)],
            "churned": np.where(churned, "yes", "no"),
        }
    )


@pytest.fixture(scope="module")
def declared():
    return causalrules.mine(customers(), "churned=yes", after=["reason"])


def in_terminal(result):
    console = Console(file=io.StringIO(), width=160)
    console.print(mining_report(result))
    return console.file.getvalue()


def test_the_note_says_that_the_column_is_known_only_for_records_with_the_outcome():
    result = causalrules.mine(customers(), "churned=yes")
    (note,) = (note for note in result.data.notes if note.startswith("reason "))
    assert note.startswith("reason nearly decides the outcome (known only for records with it):")
    assert "--after reason" in note
    (note,) = (
        note for note in causalrules.mine(customers(), "churned=no").data.notes if note.startswith("reason ")
    )
    assert note.startswith("reason nearly decides the outcome (known only for records without it):")


def test_a_declared_consequence_says_so_too(declared):
    rules = [rule for rule in declared.tested if rule.pattern[0].column == "reason"]
    assert rules
    for rule in rules:
        assert rule.verdict == "consequence"
        assert "known only for records with the outcome" in rule.reason
        assert rule.compares_nothing
    assert not any(rule.compares_nothing for rule in declared.tested if rule not in rules)


def test_no_number_is_shown_that_means_nothing(declared):
    for text in (in_terminal(declared), mining_markdown(declared), result_html(declared)):
        assert "reason=moved" in text
        assert "∞" not in text
        assert "0.00" not in text
    terminal = in_terminal(declared)
    assert "nothing to compare" in terminal
    assert "raises the odds" not in terminal.partition("Consequences")[2]
    study = Console(file=io.StringIO(), width=160)
    study.print(study_report(causalrules.test(customers(), "churned=yes", "reason=moved")))
    assert "∞" not in study.file.getvalue()
    assert "it is known only for records with the outcome" in study.file.getvalue()


def test_the_page_draws_nothing_for_it(declared):
    shown = {rule["sentence"].split(" ")[0]: rule for rule in view_of(declared)["rules"]}
    rule = shown["reason=moved"]
    assert rule["nothing"]
    assert "risk_difference" not in rule
    assert "opinion" not in rule
    assert "odds ratio" not in rule["sentence"]
    assert "nothing" not in shown["contract=monthly"]


def test_what_settles_the_outcome_in_clusters_has_no_bar_and_no_second_opinion():
    draw = np.random.default_rng(4)
    batch = np.repeat(np.arange(60), 50)
    hot, is_scrap = draw.random(3_000) < 0.3, draw.random(3_000) < 0.03
    table = pa.table(
        {
            "batch": batch,
            "hot": np.where(hot, "yes", "no"),
            "rework": np.where(is_scrap, draw.gamma(2, 3, 3_000).round(1) + 0.1, 0.0),
            "scrap": np.where(is_scrap, "yes", "no"),
        }
    )
    result = causalrules.mine(table, "scrap=yes", after=["rework"], cluster="batch")
    consequences = in_terminal(result).partition("Consequences")[2]
    assert "nothing to compare" in consequences
    assert "█" not in consequences
    assert "second opinion" not in consequences
    assert "counts 0 as 1" not in consequences

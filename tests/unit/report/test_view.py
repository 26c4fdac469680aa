"""What the page is told: the same from a saved file, safe for JSON, and every text in it."""

import json
from dataclasses import replace
from math import inf, nan

import pytest

import causalrules
from causalrules.domain import Estimate, Result
from causalrules.report.page.view import view_of
from causalrules.report.words.contrast_words import contrast_sentence
from causalrules.simulation import planted_table


@pytest.fixture(scope="module")
def result():
    return causalrules.mine(planted_table(4000), outcome="ill=yes", explain=True)


def with_first(result, **changes):
    return replace(result, tested=(replace(result.tested[0], **changes), *result.tested[1:]))


def test_a_saved_result_gives_the_same_view(result, tmp_path):
    result.save(tmp_path / "result.json")
    assert view_of(Result.load(tmp_path / "result.json")) == view_of(result)


def test_every_rule_has_its_place_its_sentence_and_its_items(result):
    view = view_of(result)
    assert [rule["id"] for rule in view["rules"]] == list(range(1, len(result.tested) + 1))
    for entry, rule in zip(view["rules"], result.tested, strict=True):
        assert entry["sentence"] == contrast_sentence(rule, result.data.outcome)
        assert [view["items"][number] for number in entry["pattern"]] == [
            [item.column, item.value] for item in rule.pattern
        ]


def test_numbers_without_an_end_become_null(result):
    endless = with_first(
        result,
        adjusted_odds_ratio=Estimate(inf, 2.0, inf),
        p_value=nan,
        doubts=replace(result.tested[0].doubts, gamma=inf, e_value=inf),
    )
    view = view_of(endless)
    assert view["rules"][0]["adjusted"] == [None, 2, None]
    assert view["rules"][0]["hidden"][:2] == [None, None]
    json.dumps(view, allow_nan=False)


def test_causal_rules_have_a_reading_for_every_part(result):
    causal = [rule for rule in view_of(result)["rules"] if rule["verdict"] == "causal"]
    parts = {"effect", "balance", "partners", "hidden"}
    assert causal
    assert all(set(rule["readings"]) == parts for rule in causal)


def test_one_hypothesis_is_told_as_one():
    study = causalrules.test(planted_table(4000), outcome="ill=yes", exposure="severity=high")
    view = view_of(study)
    assert view["is_single"]
    assert view["answer"]["title"] == "Does severity=high cause ill=yes?"
    assert view["answer"]["lead"] == view["rules"][0]["sentence"]


def test_nothing_found_is_an_answer_too(result):
    nothing = replace(result, tested=())
    view = view_of(nothing)
    assert "none was shown to cause ill=yes" in view["answer"]["lead"]
    assert any(text.startswith("Nothing found") for text in view["answer"]["cautions"])


def test_an_interrupted_run_says_so(result):
    assert "interrupted" in view_of(replace(result, interrupted=True))["answer"]["first"][0][0]


def test_names_from_right_to_left_are_isolated():
    table = planted_table(4000)
    hebrew = "חומרה"
    table = table.rename_columns([hebrew if name == "severity" else name for name in table.column_names])
    view = view_of(causalrules.mine(table, outcome="ill=yes"))
    sentences = [rule["sentence"] for rule in view["rules"] if [hebrew, "high"] in _items(view, rule)]
    assert sentences
    assert all(f"\u2066{hebrew}=high" in text for text in sentences)


def _items(view, rule):
    return [view["items"][number] for number in rule["pattern"][:1]]


def test_a_name_stands_in_the_page_once(result):
    view = view_of(result)
    assert len({tuple(item) for item in view["items"]}) == len(view["items"])

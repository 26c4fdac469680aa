"""A second opinion is asked for wherever the answer may be a cause, and nowhere else."""

import pytest

import causalrules
from causalrules.domain.evidence import NOT_ASKED
from causalrules.report.words.study_facts import study_facts
from causalrules.simulation import planted_table


@pytest.fixture(scope="module")
def patients():
    return planted_table(3_000, seed=5)


def test_mined_causes_have_one_and_what_is_far_from_the_outcome_has_none(patients):
    rules = causalrules.mine(patients, "ill=yes").tested
    made = {rule.name: rule.design.second_opinion.is_made for rule in rules}
    assert {made[rule.name] for rule in rules if rule.verdict in ("causal", "possible")} == {True}
    far = [rule for rule in rules if rule.length == 1 and rule.p_next < 0.1]
    assert far
    assert {rule.verdict for rule in far} <= {"rejected", "untestable"}
    for rule in far:
        assert not made[rule.name]
        assert rule.design.second_opinion.method == NOT_ASKED
        assert rule.design.opinions_agree
        facts = {fact.name: fact.lines for fact in study_facts(rule, str)}
        assert not facts.get("second opinion")
        assert "as they were gathered" not in facts["matched"][0]


def test_a_hypothesis_of_the_user_always_has_one(patients):
    rule = causalrules.test(patients, "ill=yes", "treatment=new").tested[0]
    assert rule.p_next < 0.1
    assert rule.design.second_opinion.is_made


def test_it_is_read_back_as_not_asked(patients, tmp_path):
    result = causalrules.mine(patients, "ill=yes")
    result.save(tmp_path / "result.json")
    again = causalrules.Result.load(tmp_path / "result.json")
    assert [rule.design.second_opinion for rule in again.tested] == [
        rule.design.second_opinion for rule in result.tested
    ]

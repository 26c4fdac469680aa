"""The participant flow against the records of the table, counted with pandas."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

import causalrules
from causalrules.domain import Result
from causalrules.errors import OutputNameError
from unit.publish.patients import patients


@pytest.fixture(scope="module")
def frame():
    return patients()


@pytest.fixture(scope="module")
def result(frame):
    return causalrules.test(frame, "ill=yes", "drug=yes", adjust=["age", "sex"])


def test_every_step_is_what_pandas_counts(result, frame):
    flow = result.flow()
    known = frame[frame["ill"].notna()]
    arms = known[known["drug"].notna()]
    complete = arms[arms["age"].notna() & arms["sex"].notna()]
    matched = result.matched(0, frame)
    assert flow.read == len(frame)
    assert flow.outcome_known == len(known)
    assert flow.exposure_unknown == len(known) - len(arms)
    for arm, value in (("exposed", "yes"), ("unexposed", "no")):
        assert getattr(flow, arm) == (arms["drug"] == value).sum()
        n_complete = (complete["drug"] == value).sum()
        n_matched = (matched["arm"] == arm).sum()
        assert getattr(flow, f"missing_{arm}") == getattr(flow, arm) - n_complete
        assert getattr(flow, f"matched_{arm}") == n_matched
        assert getattr(flow, f"unmatched_{arm}") == n_complete - n_matched
    assert flow.discordant == pytest.approx(result.tested[0].pairs.n_discordant)
    assert flow.missing_exposed > 0
    assert flow.unmatched_exposed > 0


def test_nobody_is_lost_between_the_steps_of_any_rule(frame):
    for settings in ({}, {"holdout": 0.4}, {"missing_controls": "value"}):
        result = causalrules.mine(frame, "ill=yes", **settings)
        assert result.tested
        for rule in result.tested:
            flow = result.flow(rule)
            in_arms = flow.outcome_known - flow.kept_aside - flow.exposure_unknown
            assert in_arms == flow.exposed + flow.unexposed
            for arm in ("exposed", "unexposed"):
                parts = [getattr(flow, f"{what}_{arm}") for what in ("missing", "unmatched", "matched")]
                assert min(parts) >= 0
                assert sum(parts) == getattr(flow, arm)


def test_files_of_earlier_versions_have_a_flow_too(result, tmp_path):
    (rule,) = result.tested
    design = replace(rule.design, matched_exposed=None, matched_unexposed=None)
    older = replace(result, tested=(replace(rule, design=design),))
    older.save(tmp_path / "older.json")
    flow = Result.load(tmp_path / "older.json").flow(0)
    assert flow.missing == result.flow(0).missing
    assert flow.missing_exposed is None
    assert "of both arms left out" in flow.svg
    assert flow.sheet.lines[4].cells[0] == result.flow(0).sheet.lines[4].cells[0]


def test_the_drawing_shows_the_numbers_and_is_harmless(result):
    drawn = result.flow().svg
    texts = [one.text for one in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    flow = result.flow()
    assert f"{flow.exposed:,} exposed" in texts
    assert f"{flow.matched_unexposed:,} matched" in texts
    assert f"{flow.read - flow.outcome_known:,} left out: outcome not known" in texts
    evil = replace(flow, rule='<script>alert("x")</script>=1 & ' + "long " * 60).svg
    assert "<script" not in evil
    assert "<style" not in evil
    ElementTree.fromstring(evil)


def test_it_is_saved_by_its_ending(result, tmp_path):
    for name in ("flow.svg", "flow.png", "flow.html"):
        result.flow().save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    with pytest.raises(OutputNameError):
        result.flow().save(tmp_path / "flow.pdf")

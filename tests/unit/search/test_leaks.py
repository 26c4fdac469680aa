"""Columns that nearly are the outcome are named, and strong causes are not taken for them."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules


def table_of(z, **columns):
    n = len(z)
    noise = np.random.default_rng(n).integers(0, 2, n).astype(str)
    return pa.table({**columns, "noise": noise, "z": np.where(z, "yes", "no")})


def leaks_of(table):
    notes = causalrules.mine(table, "z=yes", max_length=1).data.notes
    return {note.split(" nearly decides")[0] for note in notes if " nearly decides" in note}


def risk(score):
    return 1 / (1 + np.exp(-score))


def follow_up(rng, n, until):
    """Events come at any time; who had none was seen to the end, or dropped out before."""
    seen = np.where(rng.random(n) < 0.2, rng.uniform(0, 1000, n), 1000 + rng.uniform(0, 30, n))
    return until < seen, np.minimum(until, seen).round()


def test_follow_up_time_is_a_leak():
    rng = np.random.default_rng(0)
    has_event, days = follow_up(rng, 3000, rng.exponential(2500, 3000))
    age = rng.normal(50, 10, 3000).round()
    assert leaks_of(table_of(has_event, days=days, age=age)) == {"days"}
    assert leaks_of(table_of(~has_event, days=-days, age=age)) == {"days"}


@pytest.mark.parametrize("n", [300, 1000, 3000])
@pytest.mark.parametrize("base", [0.0, -1.5, -3.0])
def test_strong_causes_are_no_leaks(n, base):
    """An odds ratio of 20 between two values, and of about 20 between the halves of a number."""
    rng = np.random.default_rng(n)
    called = []
    for _ in range(6):
        number = rng.normal(size=n)
        z = rng.random(n) < risk(2.4 * number + base)
        called += leaks_of(table_of(z, number=number))
        value = rng.random(n) < 0.5
        z = rng.random(n) < risk(np.log(20) * (value - 0.5) + base)
        called += leaks_of(table_of(z, value=np.where(value, "yes", "no")))
    assert len(called) == 0


def test_a_leak_is_never_adjusted_for():
    rng = np.random.default_rng(3)
    x = rng.random(6000) < 0.4
    has_event, days = follow_up(rng, 6000, rng.exponential(np.where(x, 1500, 3500)))
    table = table_of(has_event, days=days, x=np.where(x, "yes", "no"))
    rule = causalrules.test(table, "z=yes", "x=yes").tested[0]
    assert "days" not in rule.design.held
    assert rule.verdict == "causal"


def test_a_leak_explains_nothing_away():
    """Within its values nothing else can differ; what matched records show is not rejected for that."""
    rng = np.random.default_rng(3)
    x = rng.random(6000) < 0.4
    has_event, days = follow_up(rng, 6000, rng.exponential(np.where(x, 1500, 3500)))
    table = table_of(has_event, days=days, x=np.where(x, "yes", "no"))
    (rule,) = [one for one in causalrules.mine(table, "z=yes").tested if one.name == "x=yes"]
    assert rule.adjusted_odds_ratio.low > 1
    assert rule.verdict != "rejected"
    assert "days" in rule.reason or rule.verdict == "causal"


def test_what_comes_before_the_outcome_is_no_leak():
    rng = np.random.default_rng(5)
    z = rng.random(2000) < 0.3
    copy = np.where(z ^ (rng.random(2000) < 0.02), "yes", "no")
    result = causalrules.mine(table_of(z, copy=copy), "z=yes", before=("copy",), max_length=1)
    assert not any("nearly" in note for note in result.data.notes)
    assert [rule.name for rule in result.causal] == ["copy=yes"]
    held = causalrules.test(table_of(z, copy=copy), "z=yes", "noise=1", before=("copy",)).tested[0]
    assert held.design.held == ("copy",)


def test_values_that_settle_the_outcome_are_asked_about():
    """Few records have the value, but nearly all of them the outcome: refused insurance, refused loan."""
    rng = np.random.default_rng(7)
    z = rng.random(3000) < 0.1
    refused = np.where(z & (rng.random(3000) < 0.2) | (rng.random(3000) < 0.001), "yes", "no")
    table = table_of(z, refused=refused)
    (note,) = causalrules.mine(table, "z=yes", max_length=1).data.notes
    assert note.startswith("refused=yes (")
    assert "nearly settles the outcome" in note
    assert note.endswith("Say --before refused or --after refused.")
    (rule,) = causalrules.mine(table, "z=yes", max_length=1).causal
    assert rule.grade == "fragile", "until it is said when it was known"
    for said in ({"before": ("refused",)}, {"after": ("refused",)}):
        assert not causalrules.mine(table, "z=yes", max_length=1, **said).data.notes
    (rule,) = causalrules.mine(table, "z=yes", max_length=1, before=("refused",)).causal
    assert rule.grade == "strong"


def test_what_rests_on_adjusting_for_a_value_that_settles_the_outcome_is_fragile_until_its_time_is_said():
    """Only who leaves a yearly contract pays a fee: adjusted for, monthly contracts are beyond all odds."""
    rng = np.random.default_rng(5)
    n = 6000
    is_monthly = rng.random(n) < 0.55
    has_left = rng.random(n) < risk(-2.2 + 1.1 * is_monthly)
    columns = {
        "contract": np.where(is_monthly, "monthly", "yearly"),
        "fee": np.where(has_left & ~is_monthly, "paid", "none"),
    }
    table = table_of(has_left, **columns)
    rule = causalrules.mine(table, "z=yes", max_length=1).find("contract=yearly")
    assert rule.reason.startswith("adjusted for fee, and fee=paid nearly settles it")
    assert rule.grade == "fragile"
    known = causalrules.mine(table, "z=yes", max_length=1, after="fee").find("contract=yearly")
    assert known.reason == ""
    assert known.adjusted_odds_ratio.value == pytest.approx(3, rel=0.25)

"""Two results of the same process, a month apart: what moved is a cut point, not a cause."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.domain import DataSummary, Item, Outcome
from unit.report.contrast_results import contrasts, rule


def customers(seed, n=4_000):
    draw = np.random.default_rng(seed)
    age = np.round(draw.normal(42, 14, n).clip(18, 90))
    contract = draw.random(n) < 0.5
    log_odds = -1.2 + contract - 0.06 * (age - 42)
    churned = draw.random(n) < 1 / (1 + np.exp(-log_odds))
    columns = {"age": age, "contract": np.where(contract, "monthly", "annual")}
    return pa.table({**columns, "churned": np.where(churned, "yes", "no")})


def test_next_month_the_same_columns_are_causal_in_both():
    january, february = (causalrules.mine(customers(seed), "churned=yes", max_length=1) for seed in (1, 2))
    cuts = [{one.name for one in result.causal if "age" in one.name} for result in (january, february)]
    assert cuts[0] != cuts[1]
    diff = january.diff(february)
    assert not diff
    assert diff.only_first == diff.only_second == ()
    told = repr(diff)
    assert "causal in both: contract=" in told
    assert "causal in both, cut at other points: age" in told
    assert "not tested" not in told


LOW, MIDDLE, HIGH = (rule("age=" + value) for value in ("<=31.5", "(31.5, 40]", ">40"))


def test_a_cut_that_the_other_tested_and_rejected_is_a_difference():
    diff = contrasts(LOW, MIDDLE).diff(contrasts(LOW, replace(MIDDLE, verdict="rejected")))
    assert [one.name for one in diff.only_first] == ["age=(31.5, 40]"]
    assert diff.recut == ()


def test_a_cut_that_acts_the_other_way_is_a_difference():
    diff = contrasts(LOW).diff(contrasts(rule("age=<=32", direction="lowers")))
    assert ([one.name for one in diff.only_first], diff.recut) == (["age<=31.5"], ())


def test_texts_that_look_like_cuts_are_values():
    text = rule("pay=>50", pattern=(Item("pay", ">50", "text"),))
    other = rule("pay=>60", pattern=(Item("pay", ">60", "text"),))
    assert contrasts(text).diff(contrasts(other))


def test_a_combined_cause_keeps_its_other_part():
    pairs = [
        rule("age=<=30", pattern=(Item("age", f"<={cut}"), Item("campaign", campaign)))
        for cut, campaign in ((30, "spring"), (31, "spring"), (31, "autumn"))
    ]
    assert not contrasts(pairs[0]).diff(contrasts(pairs[1]))
    assert contrasts(pairs[0]).diff(contrasts(pairs[2]))


@pytest.mark.parametrize(
    ("column", "says"),
    [("ill", "Causes of one outcome need not be causes of another."), ("", "no column in common")],
)
def test_other_outcomes_and_other_tables_are_pointed_out(column, says):
    mine = contrasts(LOW)
    data = replace(mine.data, outcome=Outcome("defect", "yes", 10, 20), left_out=())
    other = replace(mine, data=data, not_studied=())
    if not column:
        other = replace(other, tested=(rule("moisture=>3"),))
    told = repr(mine.diff(other))
    assert says in told.splitlines()[0]
    assert isinstance(other.data, DataSummary)


def test_the_crude_ratio_has_the_sign_of_the_adjusted_one():
    lowers = rule("contract=annual", direction="lowers")
    assert "odds ÷ 2.00" in repr(contrasts(lowers))
    assert repr(contrasts(lowers)).endswith("crude ÷ 1.83")
    turned = replace(lowers, odds_ratio=lowers.odds_ratio.inverted())
    assert repr(contrasts(turned)).endswith("crude × 1.83")

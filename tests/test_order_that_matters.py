"""Where the answer depends on what comes first, tables of known truth say so; and only there."""

import numpy as np
import pandas as pd
import pytest

import causalrules


def chance_of(score):
    return 1 / (1 + np.exp(-score))


def m_structure(chance, n):
    """Hidden u and v: holding c makes up an effect of x."""
    u, v = chance.normal(size=(2, n))
    c = chance.random(n) < chance_of(2 * u + 2 * v)
    return c, chance.random(n) < chance_of(1.5 * u), chance.random(n) < chance_of(1.5 * v - 0.5)


def mediator(chance, n):
    """All of the effect of x goes through c."""
    x = chance.random(n) < 0.5
    c = chance.random(n) < chance_of(2.0 * x - 1)
    return c, x, chance.random(n) < chance_of(1.2 * c - 1)


def beside(chance, n):
    """Both act on y, and have nothing to do with each other."""
    c, x = chance.random(n) < 0.5, chance.random(n) < 0.4
    return c, x, chance.random(n) < chance_of(1.5 * c + 0.25 * x - 1)


def number_beside(chance, n):
    """Both act on a number y, and have nothing to do with each other."""
    c, x = chance.random(n) < 0.5, chance.random(n) < 0.4
    return c, x, 1.5 * c + 0.14 * x + chance.normal(size=n)


def n_that_depend(make, n, n_tables=20, **options):
    """In how many tables the answer depends on whether c comes first."""
    found = 0
    for seed in range(n_tables):
        c, x, y = make(np.random.default_rng(1000 * n + seed), n)
        rule = causalrules.test(pd.DataFrame({"c": c, "x": x, "y": y}), "y", "x", **options).rules[0]
        if rule.design.without_undecided is not None:
            found += 1
            assert rule.grade in ("fragile", None)
    return found


@pytest.mark.parametrize("make", [m_structure, mediator])
@pytest.mark.parametrize("n", [1000, 4000])
def test_where_the_order_decides_it_is_asked_for(make, n):
    assert n_that_depend(make, n) >= 14


def test_where_it_changes_nothing_it_is_not():
    assert n_that_depend(beside, 1000) <= 1
    assert n_that_depend(number_beside, 1000, outcome_as="mean") <= 1


def hospital_with_a_collider(seed, n=4000):
    """Age and severity confound, the drug does nothing; drug and death both lead to a readmission."""
    chance = np.random.default_rng([seed, 31])
    age, severe = chance.normal(60, 15, n).round(), chance.random(n) < 0.3
    score = 0.04 * (age - 60) + 0.8 * severe
    drug, ill = (chance.random(n) < chance_of(score - shift) for shift in (1.2, 2.0))
    readmitted = chance.random(n) < chance_of(-2 + 1.5 * drug + 1.5 * ill)
    columns = {"age": age, "severe": severe, "readmitted": readmitted}
    return pd.DataFrame({**columns, "drug": drug, "ill": ill})


@pytest.mark.parametrize("seed", range(3))
def test_the_one_column_is_asked_about_without_which_the_answer_is_another(seed):
    """All columns held were asked about at once, so that the answer seemed to hang on age as well."""
    rule = causalrules.test(hospital_with_a_collider(seed), "ill", "drug").rules[0]
    assert {"age", "severe", "readmitted"} <= set(rule.design.held)
    assert rule.grade == "fragile"
    beside = rule.design.without_undecided
    assert beside.columns == ("readmitted",)
    assert beside.odds_ratio.low < 1 < beside.odds_ratio.high

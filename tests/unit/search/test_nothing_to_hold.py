"""Where nothing looks likely to stand next to the outcome, studies hold what goes with it."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules


@pytest.fixture(scope="module")
def small():
    """A table too small to tell what stands next to the outcome; smoking and age plainly matter."""
    rng = np.random.default_rng(10)
    n = 160
    smoker, age = rng.random(n) < 0.4, rng.normal(30, 6, n).round()
    x = rng.random(n) < 0.15 + 0.25 * smoker
    z = rng.random(n) < 1 / (1 + np.exp(1.0 - 0.75 * smoker - 0.06 * (age - 30) - 0.4 * x))
    columns = {"smoker": smoker, "x": x, "z": z, "coin": rng.random(n) < 0.5}
    return pa.table({"age": age, **{name: np.where(has, "yes", "no") for name, has in columns.items()}})


def held(table, **said):
    return set(causalrules.test(table, "z=yes", "x=yes", **said).tested[0].design.held)


def test_what_goes_with_the_outcome_is_held(small):
    assert held(small) == {"smoker", "age"}


def test_what_is_said_of_columns_is_kept(small):
    assert held(small, after=("age",)) == {"smoker"}
    assert held(small, never_adjust=("age",)) == {"smoker"}
    assert held(small, tiers="x < smoker") == {"age"}
    assert held(small, adjust=("coin",)) == {"coin"}


def test_columns_that_go_with_nothing_are_not_held():
    rng = np.random.default_rng(1)
    table = pa.table({name: rng.choice(["yes", "no"], 400) for name in ("x", "z", "a", "b")})
    assert held(table) == set()


@pytest.fixture(scope="module")
def pension():
    """Everybody above 60 has a pension, nobody else; only age matters."""
    rng = np.random.default_rng(4)
    age = rng.normal(55, 12, 3000).round()
    z = rng.random(3000) < 1 / (1 + np.exp(1 - (age - 55) / 10))
    texts = {"pension": age > 60, "z": z, "coin": rng.random(3000) < 0.5}
    return pa.table({"age": age, **{name: np.where(has, "yes", "no") for name, has in texts.items()}})


def test_an_exposure_without_overlap_cannot_be_told_apart(pension):
    """It was causal, with strong evidence, adjusted for nothing."""
    rule = causalrules.test(pension, "z=yes", "pension=yes").tested[0]
    assert rule.design.near_copies == ("age",)
    assert rule.verdict == "untestable"
    assert rule.reason.startswith("cannot be told apart from age")
    mined = causalrules.mine(pension, "z=yes", max_length=1).tested
    assert {one.verdict for one in mined if one.pattern[0].column == "pension"} == {"untestable"}


def test_a_column_is_not_studied_within_its_own_coarser_words(pension):
    """Ages 60 to 70 were once found to lower the risk: among pensioners they are the young."""
    rules = [rule for rule in causalrules.mine(pension, "z=yes").tested if rule.pattern[0].column == "age"]
    assert len(rules) > 2
    assert all("pension" not in rule.design.held for rule in rules)
    assert all(rule.design.near_copies == ("pension",) for rule in rules)


def test_all_values_of_a_column_hold_the_same(small):
    rules = causalrules.mine(small, "z=yes", max_length=1, bins="quantile:4").tested
    by_column = {}
    for rule in rules:
        by_column.setdefault(rule.pattern[0].column, set()).add(rule.design.held)
    assert by_column
    assert all(len(held) == 1 for held in by_column.values())


@pytest.mark.parametrize("after", [[], ["severity"]])
def test_exact_copies_get_one_verdict(after):
    """They share the probability; a hair more than half on one side is no difference."""
    patients = causalrules.simulate("hospital", n_records=2000).table
    rules = causalrules.mine(patients, "ill=yes", max_length=1, after=after).rules
    verdicts = {rule.name: rule.verdict for rule in rules}
    assert verdicts["smoker=yes"] == verdicts["smoker_copy=yes"] == "causal"

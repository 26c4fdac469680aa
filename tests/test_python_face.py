"""What users of Python meet first: the printed result, the estimator's outcome, and odd arguments."""

import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules import CausalRuleMiner
from causalrules.errors import ExposureError, SettingsError


@pytest.fixture(scope="module")
def customers():
    rng = np.random.default_rng(9)
    n = 3000
    age = rng.integers(18, 80, n)
    contract = rng.choice(["monthly", "yearly", "two-year"], n, p=[0.5, 0.3, 0.2])
    monthly = contract == "monthly"
    discount = rng.random(n) < 1 / (1 + np.exp(1 - 1.5 * monthly))
    calls, area, promo = rng.poisson(1.5, n), rng.integers(10_000, 10_400, n), rng.random(n) < 0.5
    odds = -1.5 + 1.2 * monthly + 0.35 * calls - 0.5 * promo + 0.01 * (age - 50)
    return pd.DataFrame(
        {
            "age": age,
            "contract": contract,
            "discount": discount,
            "calls": calls,
            "area": area,
            "promo": promo,
            "churn": rng.random(n) < 1 / (1 + np.exp(-odds)),
        }
    )


@pytest.fixture(scope="module")
def mined(customers):
    return causalrules.mine(customers, "churn", max_length=1)


@pytest.fixture
def fitted_on(customers):
    return customers.drop(columns="churn"), customers["churn"]


def test_a_crude_number_on_the_other_side_has_its_own_sign(customers):
    result = causalrules.test(customers, "churn", "discount")
    (rule,) = result.rules
    crude = rule.of_the_outcome().odds_ratio.value
    assert rule.direction == "lowers"
    assert crude > 1
    assert repr(result).endswith(f"; crude × {crude:.2f}")


def test_the_estimators_result_names_column_and_class(fitted_on):
    X, y = fitted_on  # noqa: N806 - scikit-learn's name
    status = y.map({True: "left", False: "stay"}).rename("status")
    for outcome, named in ((None, "status=stay"), ("left", "status=left")):
        miner = CausalRuleMiner(max_length=1, outcome=outcome).fit(X, status)
        assert str(miner.result_.data.outcome) == named
    assert str(CausalRuleMiner(max_length=1).fit(X, y.to_numpy(int)).result_.data.outcome) == "y=1"
    unnamed = CausalRuleMiner(max_length=1).fit(X, np.where(y, "NA", "EU")).result_
    assert (str(unnamed.data.outcome), unnamed.data.outcome.n_with) == ("y=true", y.sum())


def test_the_estimator_refuses_means_in_a_sentence(fitted_on):
    X, _ = fitted_on  # noqa: N806 - scikit-learn's name
    with pytest.raises(SettingsError, match=r"causalrules.mine\(X, y=y, outcome_as='mean'\)"):
        CausalRuleMiner(outcome_as="mean").fit(X, X["age"] + 0.5)
    assert causalrules.mine(X, y=X["age"] + 0.5, outcome_as="mean", max_length=1).data.outcome.is_mean


def test_a_summary_adds_up_and_tells_of_records_held_out(customers, mined):
    for result in (mined, causalrules.mine(customers, "churn", max_length=1, holdout=0.5)):
        counts = result.n_by_verdict
        for verdict in ("possible", "consequence"):
            assert (f"{counts[verdict]} {verdict}" in result.summary()) == (counts[verdict] > 0)
    assert "about 50% of them, tests from the rest" in result.summary()
    assert "tests from the rest" not in mined.summary()


def test_nothing_to_adjust_for_is_refused_and_so_is_the_exposure(customers):
    with pytest.raises(SettingsError, match=r"adjust names no column.*rule\.odds_ratio"):
        causalrules.test(customers, "churn", "discount", adjust=[])
    with pytest.raises(ExposureError, match="'discount' is the exposure itself"):
        causalrules.test(customers, "churn", "discount", adjust="discount")
    beside = causalrules.test(customers, "churn", "discount", adjust=["discount", "age"])
    assert beside.rules[0].design.held == ("age",)

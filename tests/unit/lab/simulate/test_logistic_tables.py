"""Wide logistic tables: causes have their odds ratio, bystanders none, and the prevalence is as asked."""

import numpy as np
import pytest
import statsmodels.api as sm

from causalrules.errors import SettingsError
from causalrules_lab.simulate import logistic_table, simulate


def test_an_independent_fit_finds_the_coefficients():
    simulated = logistic_table(
        n_records=60_000, n_predictors=10, n_causes=4, n_followers=2, odds_ratio=2.0, seed=5
    )
    frame = simulated.table.to_pandas() == "yes"
    columns = [name for name in frame if name != "z"]
    fit = sm.Logit(frame["z"].astype(float), sm.add_constant(frame[columns].astype(float))).fit(disp=0)
    sign = {"raises": 1, "lowers": -1}
    causes = dict(simulated.truth.causes)
    for name in columns:
        expected = sign[causes[name]] * np.log(2) if name in causes else 0.0
        assert abs(fit.params[name] - expected) < 4.5 * fit.bse[name]
    assert frame["z"].mean() == pytest.approx(0.198, abs=0.01)


def test_followers_follow_their_cause():
    simulated = logistic_table(n_records=20_000, n_predictors=30, n_causes=5, n_followers=10, seed=2)
    frame = simulated.table.to_pandas()
    assert len(simulated.truth.followers) == 10
    for follower, cause in simulated.truth.followers:
        assert (frame[follower] == frame[cause]).mean() == pytest.approx(0.8, abs=0.02)
        assert cause in dict(simulated.truth.causes)
        assert follower not in dict(simulated.truth.causes)


@pytest.mark.parametrize("n", [200, 1000])
def test_the_papers_tables(n):
    simulated = simulate(f"V{n}-10K", seed=3)
    assert simulated.table.shape == (10_000, n)
    assert len(simulated.truth.causes) == n // 10
    assert np.mean(simulated.table["z"].to_numpy() == "yes") == pytest.approx(0.198, abs=0.015)


def test_the_seed_decides():
    assert logistic_table(100, seed=1).table == logistic_table(100, seed=1).table
    assert logistic_table(100, seed=1).table != logistic_table(100, seed=2).table


@pytest.mark.parametrize(
    "wrong", [{"n_causes": 0}, {"n_causes": 300}, {"prevalence": 1.0}, {"odds_ratio": 0.0}]
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        logistic_table(10, **wrong)

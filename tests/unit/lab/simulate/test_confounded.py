"""A known effect behind confounders: stated truth against a large sample and against an independent sum."""

from itertools import product
from math import exp, log

import numpy as np
import pytest

from causalrules.errors import SettingsError
from causalrules_lab.simulate import confounded_table


def _mean_risk(frame, rows):
    return frame["z"][rows].mean()


def _odds_ratio(risk, other):
    return risk / (1 - risk) / (other / (1 - other))


@pytest.mark.parametrize("n_controls", [0, 2, 4])
def test_stated_effects_are_those_of_a_large_sample(n_controls):
    simulated = confounded_table(400_000, n_controls, odds_ratio=2.5, confounding=3.0, seed=1)
    truth, frame = simulated.truth, simulated.table.to_pandas() == "yes"
    crude = _odds_ratio(_mean_risk(frame, frame["x"]), _mean_risk(frame, ~frame["x"]))
    assert crude == pytest.approx(truth.crude_odds_ratio, rel=0.03)
    assert frame["x"].mean() == pytest.approx(0.4, abs=0.005)
    effects, sizes, n_exposed = [], [], []
    groups = frame.groupby(list(truth.controls)) if n_controls else [((), frame)]
    for _, stratum in groups:
        risks = _mean_risk(stratum, stratum["x"]), _mean_risk(stratum, ~stratum["x"])
        effects.append(risks[0] - risks[1])
        sizes.append(len(stratum))
        n_exposed.append(stratum["x"].sum())
        if len(stratum) > 20_000:
            assert _odds_ratio(*risks) == pytest.approx(truth.conditional_odds_ratio, rel=0.15)
    assert np.average(effects, weights=n_exposed) == pytest.approx(truth.effect_on_exposed, abs=0.008)
    assert np.average(effects, weights=sizes) == pytest.approx(truth.average_effect, abs=0.008)


def test_monte_carlo_says_so_and_is_near():
    few, many = confounded_table(10, 16, seed=2).truth, confounded_table(10, 17, seed=2).truth
    assert (few.computed_by, many.computed_by) == ("enumeration", "monte carlo")
    assert many.conditional_odds_ratio == pytest.approx(2.0)
    assert 1 < many.marginal_odds_ratio < 2


def test_without_confounding_all_is_one():
    truth = confounded_table(10, 3, odds_ratio=3.0, confounding=1.0).truth
    ratios = truth.crude_odds_ratio, truth.marginal_odds_ratio, truth.exposed_odds_ratio
    assert ratios == pytest.approx((3.0, 3.0, 3.0))


def test_the_crude_odds_ratio_by_a_plain_sum():
    """With one control of share s, by hand from the definition of the logistic model."""
    simulated = confounded_table(10, 1, odds_ratio=1.0, confounding=4.0, seed=3)
    truth = simulated.truth
    share = float(np.random.default_rng(3).spawn(3)[0].uniform(0.2, 0.8, 1)[0])

    def risk(constant, c):
        return 1 / (1 + exp(-(constant + log(4) * c)))

    def constant_for(mean):
        grid = np.linspace(-10, 10, 400_001)
        means = [np.average([risk(b, 0), risk(b, 1)], weights=[1 - share, share]) for b in grid[::1000]]
        near = grid[::1000][int(np.argmin(np.abs(np.array(means) - mean)))]
        fine = np.linspace(near - 0.1, near + 0.1, 20_001)
        average = (1 - share) / (1 + np.exp(-fine)) + share / (1 + np.exp(-fine - log(4)))
        return fine[int(np.argmin(np.abs(average - mean)))]

    a, b = constant_for(0.4), constant_for(0.3)
    cells = dict.fromkeys(product((0, 1), repeat=2), 0.0)
    for c, weight in ((0, 1 - share), (1, share)):
        for x, z in cells:
            p_x, p_z = risk(a, c), risk(b, c)
            cells[x, z] += weight * (p_x if x else 1 - p_x) * (p_z if z else 1 - p_z)
    crude = cells[1, 1] * cells[0, 0] / (cells[1, 0] * cells[0, 1])
    assert truth.crude_odds_ratio == pytest.approx(crude, rel=1e-3)


def test_the_seed_decides():
    assert confounded_table(50, seed=1).table == confounded_table(50, seed=1).table
    assert confounded_table(50, seed=1).table != confounded_table(50, seed=2).table


@pytest.mark.parametrize(
    "wrong", [{"n_controls": -1}, {"odds_ratio": 0}, {"exposed_share": 1.5}, {"prevalence": 0}]
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        confounded_table(10, **wrong)

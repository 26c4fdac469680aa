"""Laboratory values: strongly skewed numbers that confound on the scale of their logarithms."""

import numpy as np
import pyarrow as pa

import causalrules


def patients(seed, n_records, log_odds_ratio=0.0):
    draw = np.random.default_rng([seed, n_records])
    crp, age = draw.normal(size=(2, n_records))

    def happens(log_odds):
        return draw.random(n_records) < 1 / (1 + np.exp(-log_odds))

    treated = happens(-0.4 + 0.8 * crp + 0.6 * age)
    ill = happens(-1.2 + log_odds_ratio * treated + 0.8 * crp + 0.6 * age)
    columns = {"crp": np.exp(1.5 * crp), "age": 50 + 12 * age}
    return pa.table({**columns, "treated": np.where(treated, "yes", "no"), "ill": np.where(ill, "yes", "no")})


def mean_log_odds_ratio(n_tables, *made):
    found = []
    for seed in range(n_tables):
        rule = causalrules.test(patients(seed, *made), "ill=yes", "treated=yes", adjust=["crp", "age"]).rules[
            0
        ]
        found.append(np.log(rule.of_the_outcome().adjusted_odds_ratio.value))
    return np.mean(found)


def test_a_skewed_confounder_is_adjusted_for_on_its_own_scale():
    assert abs(mean_log_odds_ratio(40, 500)) < 0.05  # 0.06 by the number as it is written
    assert abs(mean_log_odds_ratio(40, 2000)) < 0.03  # 0.04


def test_an_effect_beside_a_skewed_confounder_has_its_size():
    assert abs(mean_log_odds_ratio(30, 2000, 0.7) - 0.7) < 0.05

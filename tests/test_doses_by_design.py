"""Dose-responses of records that belong together, or are a weighted sample."""

import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules.assess.trend import trend_p, trend_parts
from causalrules.cohort.study_records import Design
from causalrules.search.effects_by_design import trend_by_design

ORDER = "dose=none<some<much"


def visits(seed, n_persons=300, n_visits=4, slope=0.5):
    """Doses and inclinations that belong to persons, who come several times."""
    draw = np.random.default_rng(seed)
    person = np.repeat(np.arange(n_persons), n_visits)
    dose = draw.integers(0, 3, n_persons)[person]
    log_odds = draw.normal(-0.8, 1.5, n_persons)[person] + slope * dose
    ill = draw.random(len(person)) < 1 / (1 + np.exp(-log_odds))
    return pd.DataFrame(
        {
            "person": [f"P{one}" for one in person],
            "dose": np.array(["none", "some", "much"])[dose],
            "w": np.round(np.exp(draw.normal(0, 0.6, len(person))), 2),
            "ill": np.where(ill, "yes", "no"),
        }
    )


def dose_of(table, **options):
    return causalrules.test(table, "ill=yes", "dose=much", ordered=ORDER, **options).tested[0].dose


SAMPLING = {"weights": "w", "weights_are": "sampling"}


@pytest.mark.parametrize("options", [{}, SAMPLING], ids=["clusters", "clusters and weights"])
def test_levels_are_those_of_a_clustered_logistic_regression(options):
    table = visits(1)
    found = dose_of(table if options else table.drop(columns="w"), cluster="person", **options)
    y, weight = (table.ill == "yes").to_numpy(float), table.w.to_numpy() if options else np.ones(len(table))
    design = np.stack([(table.dose == name).to_numpy(float) for name in ("none", "some", "much")]).T
    design[:, 0] = 1
    effects = np.zeros(3)
    for _ in range(30):  # Newton's steps of a weighted logistic regression
        risk = 1 / (1 + np.exp(-design @ effects))
        bread = np.linalg.inv((design.T * (weight * risk * (1 - risk))) @ design)
        effects = effects + bread @ design.T @ (weight * (y - risk))
    sums = pd.DataFrame(design * (weight * (y - risk))[:, None]).groupby(table.person).sum().to_numpy()
    error = np.sqrt(np.diag(bread @ sums.T @ sums @ bread))
    for place in (1, 2):
        ratio = found.levels[place].odds_ratio
        assert np.log(ratio.value) == pytest.approx(effects[place], abs=1e-6)
        assert np.log(ratio.high / ratio.low) / (2 * 1.97) == pytest.approx(error[place], rel=0.03)


def test_the_trend_is_a_generalised_score_test():
    api = pytest.importorskip("statsmodels.api")
    table = visits(2, slope=0.2).drop(columns="w")
    score = table.dose.map({"none": 0, "some": 1, "much": 2}).to_numpy(float)
    y, groups = (table.ill == "yes").to_numpy(float), pd.factorize(table.person)[0]
    of_all = api.GEE(y, np.stack([np.ones(len(y)), score]).T, groups, family=api.families.Binomial())
    alone = api.GEE(y, np.ones((len(y), 1)), groups, family=api.families.Binomial()).fit()
    expected = of_all.compare_score_test(alone)["p-value"]
    assert dose_of(table, cluster="person").trend_p == pytest.approx(float(np.squeeze(expected)), rel=0.05)


def test_of_independent_records_it_is_nearly_mantels():
    draw = np.random.default_rng(3)
    stratum, level = draw.integers(0, 40, 4000), draw.integers(0, 4, 4000)
    ill = draw.random(4000) < 0.3 + 0.01 * level
    counts = np.stack([~ill, ill], axis=1).astype(np.int64)
    found = trend_by_design(stratum, level.astype(float), counts, Design(np.ones(4000), None))
    cases, records = (np.zeros((40, 4), np.int64) for _ in range(2))
    np.add.at(cases, (stratum, level), ill)
    np.add.at(records, (stratum, level), 1)
    assert found == pytest.approx(trend_p(cases, records, np.arange(4.0)), rel=0.1)
    parts = trend_parts(stratum, level.astype(float), counts, np.ones(4000))
    assert abs((counts * parts).sum()) > 0


def test_visits_of_one_person_are_no_independent_evidence():
    clustered = alone = 0
    for seed in range(60):
        table = visits(seed, n_persons=80, n_visits=8, slope=0.0).drop(columns="w")
        clustered += dose_of(table, cluster="person").trend_p < 0.05
        alone += dose_of(table, drop="person").trend_p < 0.05
    assert clustered <= 7
    assert alone >= 12


def test_engines_agree_and_the_text_for_methods_names_the_test():
    table = visits(4)
    assert dose_of(table, cluster="person", engine="streaming", memory="16MiB") == dose_of(
        table, cluster="person"
    )
    result = causalrules.test(table, "ill=yes", "dose=much", ordered=ORDER, cluster="person", **SAMPLING)
    text = str(result.methods())
    assert "generalised score test" in text
    assert "Boos DD." in text
    assert "Mantel's extension test" not in text

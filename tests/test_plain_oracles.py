"""What the method says of effects, through its public doors, against statsmodels and against permutation."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

import naive_aipw
from test_plain_method import asked, words

N = 3_000


def confounded(seed, k, n=N):
    """Two confounders, an exposure of k values, clusters of three that share luck, and log odds."""
    draw = np.random.default_rng([3, seed])
    a, b, person = draw.integers(0, 2, n), draw.integers(0, 3, n), np.arange(n) // 3
    score = 0.7 * (a + 0.5 * (b == 2) - 0.7)[:, None] * np.arange(k) + draw.normal(size=(n // 3, k))[person]
    chances = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    x = (draw.random(n)[:, None] > chances.cumsum(axis=1)[:, :-1]).sum(axis=1)
    log_odds = 0.5 * x + 0.8 * a - 0.6 * (b == 1) - 1 + 0.7 * draw.normal(size=n // 3)[person]
    return {"a": a, "b": b, "x": x, "person": person}, log_odds, draw


def spread_of(covariance):
    """Errors of the differences from the first level."""
    return np.sqrt(np.diag(covariance)[1:] + covariance[0, 0] - 2 * covariance[0, 1:])


@pytest.mark.parametrize("is_mean", [False, True], ids=["events", "means"])
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("counted", ["", "cluster", "weights"])
def test_adjusted_risks_are_the_textbooks(counted, k, is_mean):
    """Ours shrink: the difference that this makes is below a sixth of an error."""
    columns, log_odds, draw = confounded(k + 2 * is_mean, k)
    y = log_odds + draw.normal(size=N) if is_mean else (draw.random(N) < 1 / (1 + np.exp(-log_odds))) * 1.0
    weight = draw.choice([1, 2, 4], N) if counted == "weights" else None
    table = pd.DataFrame({name: words(columns[name], name) for name in "abx"})
    said = {"outcome": "y", "outcome_as": "mean"} if is_mean else {}
    if counted == "cluster":
        table, said = table.assign(person=words(columns["person"], "p")), said | {"cluster": "person"}
    elif counted == "weights":
        table, said = table.assign(w=weight), said | {"weights": "w", "weights_are": "sampling"}
    table["y"] = y if is_mean else np.where(y == 1, "yes", "no")
    effect = asked(table, "x", adjust=["a", "b"], **said).findings[0].effect
    order = np.argsort([level.level for level in effect.levels])
    risk = np.array([level.risk[0] for level in effect.levels])[order]
    covariance = np.array(effect.covariance)[np.ix_(order, order)]
    cluster = columns["person"] if counted == "cluster" else None
    expected, of = naive_aipw.adjusted_risks(
        columns["x"], y, [columns["a"], columns["b"]], is_mean=is_mean, weight=weight, cluster=cluster
    )
    assert effect.applies_to == N
    assert risk - risk[0] == pytest.approx(expected - expected[0], abs=spread_of(of).min() / 6)
    assert spread_of(covariance) == pytest.approx(spread_of(of), rel=0.03)


def test_odds_ratios_of_clusters_are_those_of_estimating_equations():
    columns, log_odds, draw = confounded(11, 2)
    x, person = columns["x"], columns["person"]
    y = (draw.random(N) < 1 / (1 + np.exp(-log_odds))) * 1.0
    table = pd.DataFrame({"x": words(x, "x"), "person": words(person, "p"), "y": np.where(y, "yes", "no")})
    own = asked(table, "x", cluster="person", reference="x=x0").effect("x", "x1").odds_ratio
    model = sm.GEE(y, sm.add_constant(x), person, family=sm.families.Binomial()).fit()
    assert np.log(own[0]) == pytest.approx(model.params[1], abs=1e-6)
    assert np.log(own[2] / own[1]) / 2 / 1.959964 == pytest.approx(model.bse[1], rel=0.005)


@pytest.mark.parametrize("are", ["frequencies", "sampling"])
def test_odds_ratios_of_weighted_records_are_those_of_a_weighted_regression(are):
    columns, log_odds, draw = confounded(12, 2, 900)
    x, weight = columns["x"], draw.choice([1, 2, 4], 900)
    y = (draw.random(900) < 1 / (1 + np.exp(-log_odds))) * 1.0
    table = pd.DataFrame({"x": words(x, "x"), "w": weight, "y": np.where(y, "yes", "no")})
    own = asked(table, "x", weights="w", weights_are=are, reference="x=x0").effect("x", "x1").odds_ratio
    held = sm.add_constant(x)
    model = sm.GLM(y, held, sm.families.Binomial(), freq_weights=weight).fit()
    assert np.log(own[0]) == pytest.approx(model.params[1], abs=1e-6)
    error = model.bse[1]
    if are == "sampling":  # a record that stands for four is one: the sandwich by hand
        added = held * (weight * (y - model.predict()))[:, None] @ model.cov_params()
        error = np.sqrt((added[:, 1] ** 2).sum())
    assert np.log(own[2] / own[1]) / 2 / 1.959964 == pytest.approx(error, rel=0.01)


@pytest.mark.parametrize("counted", ["", "cluster", "weights"])
def test_a_slope_beside_a_category_is_that_of_a_regression(counted):
    draw = np.random.default_rng(13)
    person, a = np.arange(N) // 3, draw.integers(0, 3, N)
    x = (draw.normal(size=N) + draw.normal(size=N // 3)[person] + a).round(2)
    y = 0.3 * x - a + draw.normal(size=N) + draw.normal(size=N // 3)[person]
    weight = draw.choice([1, 2, 4], N) if counted == "weights" else np.ones(N, int)
    table = pd.DataFrame({"x": x, "a": words(a, "a"), "w": weight, "person": words(person, "p"), "y": y})
    said = {"": {}, "cluster": {"cluster": "person"}, "weights": {"weights": "w", "weights_are": "sampling"}}
    kept = {"": ["x", "a", "y"], "cluster": ["x", "a", "person", "y"], "weights": ["x", "a", "w", "y"]}
    asked_of = table[kept[counted]]
    found = asked(asked_of, "x", "y", outcome_as="mean", adjust="a", **said[counted]).findings[0]
    held = np.column_stack([np.ones(N), x, a == 1, a == 2])
    groups = person if counted == "cluster" else np.arange(N)
    model = sm.WLS(y, held, weight).fit(cov_type="cluster", cov_kwds={"groups": groups})
    value, low, high = found.effect.trend.per_unit
    assert value == pytest.approx(model.params[1], abs=model.bse[1] / 6)
    assert (high - low) / 2 / 1.959964 == pytest.approx(model.bse[1], rel=0.03)


N_DEALS = 2_000


def permutation_p(x, y, cell, stratum, draw):
    """Exposure dealt out again among records of equal chances; the outcome's surplus is summed."""
    k = x.max() + 1
    surplus = y - (np.bincount(cell, y) / np.bincount(cell))[cell]
    order = np.argsort(stratum, kind="stable")
    by_stratum, placed = surplus[order], stratum[order]
    sums = np.empty((N_DEALS, k))
    for deal in range(N_DEALS):
        dealt = x[order][np.argsort(placed + draw.random(len(x)))]
        sums[deal] = np.bincount(dealt, by_stratum, k)
    scale = np.linalg.pinv(np.cov(sums[:, 1:], rowvar=False).reshape(k - 1, k - 1))
    own = np.bincount(x, surplus, k)[1:]
    far = np.einsum("ti,ij,tj->t", sums[:, 1:], scale, sums[:, 1:])
    return float((far >= own @ scale @ own - 1e-9).mean())


@pytest.mark.parametrize("k", [2, 3])
def test_p_is_that_of_dealing_the_exposure_within_strata_of_its_chances(k):
    """Cells of two categories decide the outcome, four strata of them the exposure: then dealing is exact."""
    for seed in range(10):
        draw = np.random.default_rng([k, seed])
        n = 1_200
        a, b = draw.integers(0, 3, n), draw.integers(0, 4, n)
        cell, stratum = 4 * a + b, (a + b) % 4
        chances = np.array([[0.2, 0.2], [0.35, 0.3], [0.5, 0.3], [0.4, 0.15]])[stratum]
        x = (draw.random(n)[:, None] < chances.cumsum(axis=1)[:, : k - 1]).sum(axis=1)
        risk = 0.15 + 0.6 * draw.random(12)[cell] + 0.008 * seed * (x == 1)
        y = (draw.random(n) < risk) * 1.0
        table = pd.DataFrame({"a": words(a, "a"), "b": words(b, "b"), "x": words(x, "x")})
        found = asked(table.assign(y=np.where(y, "yes", "no")), "x", adjust=["a", "b"]).findings[0]
        dealt = permutation_p(x, y, cell, stratum, draw)
        assert found.p == pytest.approx(dealt, abs=4 * np.sqrt(dealt * (1 - dealt) / N_DEALS) + 0.005), seed

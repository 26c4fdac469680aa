"""Studies against the textbook: adjusted risks, their errors, and a test that permutes the exposure."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import binom, norm, spearmanr

import naive_aipw
from causalrules.estimate import effects
from causalrules.estimate.effects import clearest, effect_of
from causalrules.estimate.levels import levels_of
from causalrules.estimate.study import study
from causalrules.words.records import Records
from causalrules.words.studies import Levels
from unit.find.made_records import records_of


def levels_as_numbered(records, name):
    """The levels of a column of 0, 1, …, in that order."""
    column = records.column(name)
    level = np.append(-1, np.array(column.levels).astype(int))[column.codes]
    return Levels(names=tuple(sorted(column.levels)), level=level, reference=0)


def studied(records, exposure, **more):
    controls = [column for column in records.columns if column.name != exposure]
    return study(records, levels_as_numbered(records, exposure), controls, **more)


def confounded(seed, n, k=2, effect=0.6, *, base=-1.0, pull=0.7, strength=1.0):
    """Two binary confounders a and b, an exposure x of k values, an outcome y; log odds add up."""
    draw = np.random.default_rng(seed)
    a, b = draw.integers(0, 2, n), draw.integers(0, 2, n)
    score = pull * (a + b - 1)[:, None] * np.arange(k)
    chances = np.exp(score - score.max(axis=1, keepdims=True))
    x = (draw.random(n)[:, None] > np.cumsum(chances / chances.sum(axis=1, keepdims=True), axis=1)).sum(
        axis=1
    )
    y = draw.random(n) < 1 / (1 + np.exp(-(base + effect * x + strength * (0.8 * a - 0.6 * b))))
    return {"a": a, "b": b, "x": x}, y.astype(float)


class Difference(NamedTuple):
    """Of two levels, and the standard error that its interval has."""

    difference: float
    error: float


def contrast(found, level, against):
    value, low, high = effects.contrast(found, level, against, effects.risks_of(found, 0.95)).difference
    return Difference(value, (high - low) / 2 / norm.ppf(0.975))


@pytest.mark.parametrize(
    ("seed", "k", "effect", "strength", "n"),
    [
        (1, 2, 0.6, 1.0, 5_000),
        (2, 2, 0.0, 1.0, 5_000),
        (3, 4, 0.3, 1.0, 5_000),
        (4, 2, 0.5, 4.0, 5_000),
        (5, 3, 0.4, 1.0, 60_000),
    ],
)
def test_risks_are_the_textbooks(seed, k, effect, strength, n):
    """Ours are penalised, and hold a product where the data ask for it: hence a third of an error.

    Of 60,000 records models begin with 20,000.
    """
    columns, y = confounded(seed, n, k, effect, strength=strength)
    least = 0.004 * (5_000 / n) ** 0.5
    found = studied(records_of(columns, y), "x")
    risk, covariance = naive_aipw.adjusted_risks(columns["x"], y, [columns["a"], columns["b"]])
    assert found.applies_to == n
    assert found.risk == pytest.approx(risk, abs=least)
    assert np.sqrt(np.diag(found.covariance)) == pytest.approx(np.sqrt(np.diag(covariance)), rel=0.03)
    for level in range(1, k):
        ours = contrast(found, level, 0)
        error = np.sqrt(covariance[level, level] + covariance[0, 0] - 2 * covariance[level, 0])
        assert ours.difference == pytest.approx(risk[level] - risk[0], abs=least)
        assert ours.error == pytest.approx(error, rel=0.03)


def test_a_difference_of_means_is_that_of_a_regression():
    columns, _ = confounded(4, 5_000)
    y = columns["x"] * 1.5 + columns["a"] - 0.5 * columns["b"] + np.random.default_rng(5).normal(0, 2, 5_000)
    found = studied(records_of(columns, y, is_mean=True), "x")
    table = np.column_stack([np.ones(5_000), columns["x"], columns["a"], columns["b"]])
    regression = sm.OLS(y, table).fit(cov_type="HC1")
    ours = contrast(found, 1, 0)
    assert ours.difference == pytest.approx(regression.params[1], abs=0.01)
    assert ours.error == pytest.approx(regression.bse[1], rel=0.03)
    assert found.p == pytest.approx(0, abs=1e-12)


def test_a_trend_of_a_number_is_that_of_a_regression():
    draw = np.random.default_rng(6)
    z = draw.integers(0, 3, 4_000)
    x = draw.normal(0, 2, 4_000) + z
    y = 0.4 * x + z + draw.normal(0, 1, 4_000)
    records = records_of({"x": x, "z": z}, y, is_mean=True)
    column = records.column("x")
    found = study(records, levels_of(records, column), [records.column("z")], number=column)
    table = np.column_stack([np.ones(4_000), x, z == 1, z == 2])
    regression = sm.OLS(y, table).fit()
    assert found.slope.per_unit == pytest.approx(regression.params[1], abs=0.02)
    assert found.slope.error == pytest.approx(regression.bse[1], rel=0.1)


def test_nothing_held_is_the_table_itself():
    columns, y = confounded(7, 800)
    records = records_of({"x": columns["x"]}, y)
    found = study(records, levels_as_numbered(records, "x"), [])
    shares = np.array([y[columns["x"] == level].mean() for level in (0, 1)])
    assert found.risk == pytest.approx(shares, abs=1e-9)
    assert found.crude == pytest.approx(shares, abs=1e-12)
    n = np.array([(columns["x"] == level).sum() for level in (0, 1)])
    assert np.diag(found.covariance) == pytest.approx(shares * (1 - shares) / n, rel=0.01)
    assert found.att[0] == pytest.approx(shares[1] - shares[0], abs=1e-9)


def naive_permutation_p(x, y, z, draw, n_times=1_000):
    """Exposure dealt out again within strata; the statistic is the summed surplus of the outcome.

    It is one of few whole numbers, so deals that are as far off count half (the middle p-value).
    """
    deal = np.argsort(
        draw.random((n_times, len(x))) + z, axis=1
    )  # each stratum by itself, one after the other
    expected = np.array([y[z == value].mean() for value in range(z.max() + 1)])[z]
    order = np.argsort(z, kind="stable")
    left = (y - expected)[order]
    own = abs(x[order] @ left)
    dealt = np.abs(x[deal] @ left)
    return ((dealt > own + 1e-9).mean() + (dealt > own - 1e-9).mean()) / 2


def test_p_is_that_of_permuting_the_exposure():
    draw = np.random.default_rng(8)
    ours, theirs = [], []
    for number in range(40):
        n = 200
        z = draw.integers(0, 3, n)
        x = (draw.random(n) < np.array([0.3, 0.5, 0.7])[z]).astype(int)
        y = (draw.random(n) < np.array([0.2, 0.4, 0.6])[z] + 0.01 * (number % 20) * x).astype(float)
        ours.append(studied(records_of({"x": x, "z": z}, y), "x").p)
        theirs.append(naive_permutation_p(x, y, z, draw))
    ours, theirs = np.array(ours), np.array(theirs)
    assert spearmanr(ours, theirs).statistic > 0.97
    assert ((ours <= 0.05) != (theirs <= 0.05)).mean() <= 0.05
    assert np.abs(ours - theirs).max() < 0.08


def null_p(seed, n, k):
    """A null exposure beside a confounder of three values."""
    draw = np.random.default_rng(seed)
    z = draw.integers(0, 3, n)
    x = draw.binomial(k - 1, np.array([0.3, 0.5, 0.7])[z])
    y = (draw.random(n) < np.array([0.2, 0.4, 0.6])[z]).astype(float)
    return studied(records_of({"x": x, "z": z}, y), "x").p


@pytest.mark.parametrize(("n", "k"), [(60, 2), (150, 2), (150, 3)])
def test_level_of_a_null_exposure(n, k):
    """Found at 5 % in no more and no fewer of 300 tables than chance would have in 1 of 1,000 tries."""
    p = np.array([null_p(1_000 * n + 10_000 * k + seed, n, k) for seed in range(300)])
    low, high = binom.ppf([0.0005, 0.9995], 300, 0.05)
    assert low <= (p <= 0.05).sum() <= high


def repeated(records, times):
    """Every record several times, each with its own cluster."""
    rows = np.repeat(np.arange(records.n_rows), times)
    found = records.only(rows)
    return replace(found, cluster=rows.astype(np.int32))


def same_study(one, other, tolerance):
    assert one.p == pytest.approx(other.p, rel=tolerance, abs=1e-300)
    assert one.p_crude == pytest.approx(other.p_crude, rel=tolerance, abs=1e-300)
    assert one.risk == pytest.approx(other.risk, abs=tolerance)
    assert one.covariance == pytest.approx(other.covariance, abs=tolerance)
    assert one.applies_to == other.applies_to


def test_counts_are_records_written_out():
    columns, y = confounded(11, 400, 3)
    once = records_of(columns, y)
    keys = np.column_stack([*columns.values(), y])
    rows, count = np.unique(keys, axis=0, return_counts=True)
    joined = records_of({name: rows[:, i].astype(int) for i, name in enumerate(columns)}, rows[:, -1], count)
    assert joined.n_rows < once.n_rows / 5
    same_study(studied(joined, "x"), studied(once, "x"), 1e-9)


def test_equal_weights_weigh_nothing():
    columns, y = confounded(12, 400, 3)
    records = records_of(columns, y)
    weighted = replace(records, weight=np.full(records.n_rows, 3.0))
    same_study(studied(weighted, "x"), studied(records, "x"), 1e-9)


def test_clusters_of_one_record_change_nothing():
    columns, y = confounded(13, 400, 3)
    records = records_of(columns, y)
    alone = replace(records, cluster=np.arange(records.n_rows, dtype=np.int32))
    same_study(studied(alone, "x"), studied(records, "x"), 1e-9)


def test_a_record_said_five_times_is_one_witness():
    """Penalties see five times the records, so agreement is to a few per cent."""
    columns, y = confounded(14, 600, effect=0.4)
    records = records_of(columns, y)
    one, five = studied(records, "x"), studied(repeated(records, 5), "x")
    unclustered = studied(replace(repeated(records, 5), cluster=None), "x")
    assert np.log(five.p) == pytest.approx(np.log(one.p), abs=0.4)
    assert contrast(five, 1, 0).error == pytest.approx(contrast(one, 1, 0).error, rel=0.03)
    assert contrast(five, 1, 0).difference == pytest.approx(contrast(one, 1, 0).difference, abs=0.004)
    assert np.log(unclustered.p) < 2 * np.log(one.p)


def clustered_null_p(seed):
    """Twelve records a cluster that share exposure and luck."""
    draw = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(40), 8)
    x = draw.integers(0, 2, 40)[cluster]
    y = (draw.random(320) < 1 / (1 + np.exp(-draw.normal(0, 1, 40)[cluster]))).astype(float)
    records = replace(
        records_of({"x": x, "z": draw.integers(0, 2, 320)}, y), cluster=cluster.astype(np.int32)
    )
    return studied(records, "x").p, studied(replace(records, cluster=None), "x").p


def test_level_where_records_come_in_clusters():
    p, unclustered = np.array([clustered_null_p(seed) for seed in range(300)]).T
    low, high = binom.ppf([0.0005, 0.9995], 300, 0.05)
    assert low <= (p <= 0.05).sum() <= high
    assert (unclustered <= 0.05).sum() > 2 * high


def test_errors_of_clusters_are_those_of_estimating_equations():
    draw = np.random.default_rng(15)
    cluster = np.repeat(np.arange(300), 10)
    luck, a = draw.normal(0, 1, 300)[cluster], draw.integers(0, 2, 3_000)
    x = (draw.random(3_000) < (draw.random(300) * 0.8)[cluster] + 0.2 * a).astype(int)
    y = 0.5 * x + a + luck + draw.normal(0, 1, 3_000)
    records = records_of({"x": x, "a": a}, y, is_mean=True)
    found = contrast(studied(replace(records, cluster=cluster.astype(np.int32)), "x"), 1, 0)
    table = np.column_stack([np.ones(3_000), x, a])
    equations = sm.GEE(y, table, groups=cluster, cov_struct=sm.cov_struct.Independence()).fit()
    assert found.difference == pytest.approx(equations.params[1], abs=0.02)
    assert found.error == pytest.approx(equations.bse[1], rel=0.1)
    assert found.error > 1.1 * contrast(studied(records, "x"), 1, 0).error


def test_weights_stand_for_records_that_were_not_sampled():
    """Half of those without the outcome sampled, each for two: risks are those of all."""
    columns, y = confounded(16, 8_000)
    whole = studied(records_of(columns, y), "x")
    draw = np.random.default_rng(17)
    kept = (y == 1) | (draw.random(8_000) < 0.5)
    some = replace(
        records_of({name: values[kept] for name, values in columns.items()}, y[kept]),
        weight=np.where(y[kept] == 1, 1.0, 2.0),
    )
    found = studied(some, "x")
    assert found.risk == pytest.approx(whole.risk, abs=0.02)
    assert contrast(found, 1, 0).error > contrast(whole, 1, 0).error


def test_missing_controls_leave_complete_records():
    columns, y = confounded(18, 3_000)
    draw = np.random.default_rng(19)
    lost = draw.random(3_000) < 0.2
    found = studied(records_of(columns | {"a": np.where(lost, -1, columns["a"])}, y), "x")
    complete = {name: values[~lost] for name, values in columns.items()}
    expected = studied(records_of(complete, y[~lost]), "x")
    assert found.treats_missing == "complete"
    assert found.left_out["missing"] == lost.sum()
    assert found.risk == pytest.approx(expected.risk, abs=1e-6)
    assert found.p == pytest.approx(expected.p, rel=1e-6)


def test_risks_of_an_effect_are_told_with_the_right_contrasts():
    """Ratios, odds ratios and differences are those of the risks; intervals hold their value."""
    columns, y = confounded(20, 2_000, 3)
    found = studied(records_of(columns, y), "x")
    effect = effect_of(found, 0.95, "adjusted", is_mean=False)
    base = next(level for level in effect.levels if level.level == effect.reference)
    assert (base.difference, base.ratio, base.odds_ratio) == ((0.0,) * 3, (1.0,) * 3, (1.0,) * 3)
    odds = base.risk[0] / (1 - base.risk[0])
    for level in effect.levels:
        risk = level.risk[0]
        assert level.difference[0] == pytest.approx(risk - base.risk[0])
        assert level.ratio[0] == pytest.approx(risk / base.risk[0])
        assert level.odds_ratio[0] == pytest.approx(risk / (1 - risk) / odds)
        for value, low, high in (level.risk, level.difference, level.ratio, level.odds_ratio):
            assert low <= value <= high
    best = max(effects.contrast(found, a, 0, effects.risks_of(found, 0.95)).clearness for a in (1, 2))
    assert clearest(found, 0.95).clearness >= best


def test_records_are_not_changed():
    columns, y = confounded(21, 300)
    records = records_of(columns, y)
    before = [column.codes.copy() for column in records.columns], records.outcome.copy()
    studied(records, "x")
    assert isinstance(records, Records)
    assert all((one == column.codes).all() for one, column in zip(before[0], records.columns, strict=True))
    assert (before[1] == records.outcome).all()


def test_ratios_without_controls_are_katzs_and_woolfs():
    y = np.repeat([1.0, 0.0, 1.0, 0.0], [30, 170, 60, 140])
    records = records_of({"x": np.repeat([0, 1], 200)}, y)
    found = study(records, levels_as_numbered(records, "x"), [])
    level = next(one for one in effect_of(found, 0.95, "adjusted", is_mean=False).levels if one.level == "1")
    katz = np.sqrt(1 / 30 - 1 / 200 + 1 / 60 - 1 / 200)
    woolf = np.sqrt(1 / 30 + 1 / 170 + 1 / 60 + 1 / 140)
    odds = 60 * 170 / (30 * 140)
    for told, value, error in ((level.ratio, 2.0, katz), (level.odds_ratio, odds, woolf)):
        assert told[0] == pytest.approx(value)
        assert np.log(told[2] / told[1]) == pytest.approx(2 * 1.959964 * error, rel=0.03)


def test_errors_of_weighted_shares_are_those_of_linearisation():
    """Squared weights: a record that stands for many says no more than one."""
    draw = np.random.default_rng(22)
    x, y = draw.integers(0, 2, 1_000), (draw.random(1_000) < 0.3).astype(float)
    weight = draw.choice([0.2, 1.0, 5.0], 1_000)
    records = replace(records_of({"x": x}, y), weight=weight)
    found = study(records, levels_as_numbered(records, "x"), [])
    for level in (0, 1):
        w, own = weight[x == level], y[x == level]
        share = w @ own / w.sum()
        assert found.risk[level] == pytest.approx(share, abs=1e-9)
        error = np.sqrt((w**2 * (own - share) ** 2).sum()) / w.sum()
        assert np.sqrt(found.covariance[level, level]) == pytest.approx(error, rel=0.01)


def test_ratios_of_risks_that_depend_on_each_other_are_surer():
    y = np.repeat([1.0, 0.0, 1.0, 0.0], [30, 170, 60, 140])
    records = records_of({"x": np.repeat([0, 1], 200)}, y)
    found = study(records, levels_as_numbered(records, "x"), [])
    found = replace(found, covariance=np.array([[4e-4, 2e-4], [2e-4, 9e-4]]))
    level = next(one for one in effect_of(found, 0.95, "adjusted", is_mean=False).levels if one.level == "1")
    error = np.sqrt(4e-4 / 0.15**2 + 9e-4 / 0.3**2 - 2 * 2e-4 / (0.15 * 0.3))
    assert np.log(level.ratio[2] / level.ratio[1]) == pytest.approx(2 * 1.959964 * error, rel=0.03)
    assert level.difference[2] - level.difference[1] == pytest.approx(2 * 1.959964 * np.sqrt(9e-4), rel=0.02)

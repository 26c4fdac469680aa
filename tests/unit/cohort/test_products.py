"""Two numbers that confound by their product: the strata hold it where scores that add up would miss it."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.cohort.compare_arms import compare_arms
from causalrules.cohort.products import with_products
from causalrules.cohort.study_rows import Control, StudyRows


def _table(seed, n, log_odds, effect=0.0):
    chance = np.random.default_rng(seed)
    a, b = chance.normal(size=(2, n))
    score = log_odds(a, b)
    x = chance.random(n) < 1 / (1 + np.exp(-score))
    y = chance.random(n) < 1 / (1 + np.exp(-(score - 1 + effect * x)))
    return pa.table({"a": a, "b": b, "x": x, "y": y})


def _tested(table):
    (rule,) = causalrules.test(table, "y", "x", adjust=["a", "b"]).rules
    return rule


@pytest.mark.parametrize("seed", range(3))
def test_a_product_confounds_no_more(seed):
    rule = _tested(_table(seed, 5000, lambda a, b: 1.2 * a * b)).of_the_outcome()
    assert rule.odds_ratio.value > 1.8
    assert rule.adjusted_odds_ratio.value == pytest.approx(1, abs=0.2)
    assert rule.design.held == ("a", "b")


@pytest.mark.parametrize("seed", range(3))
def test_the_effect_beside_a_product_is_found(seed):
    rule = _tested(_table(10 + seed, 5000, lambda a, b: 1.0 * a * b, effect=np.log(2)))
    assert rule.adjusted_odds_ratio.low < 2 < rule.adjusted_odds_ratio.high
    assert rule.design.opinions_agree


def _rows(seed, log_odds, n=4000):
    table = _table(seed, n, log_odds)
    controls = []
    for name in ("a", "b"):
        values = table[name].to_numpy()
        bins = np.searchsorted(np.quantile(values, np.arange(1, 50) / 50), values)
        means = np.bincount(bins, values) / np.bincount(bins)
        controls.append(Control(name, (bins + 1).astype(np.int32), 50, means))
    y = table["y"].to_numpy(zero_copy_only=False)
    counts = np.column_stack([~y, y]).astype(np.int64)
    return StudyRows(table["x"].to_numpy(zero_copy_only=False), counts, tuple(controls))


def test_what_adds_up_needs_no_product():
    for seed in range(5):
        rows = _rows(seed, lambda a, b: 0.8 * a + 0.8 * b)
        assert with_products(rows, compare_arms(rows).stratum) is rows


def test_the_order_of_the_rows_does_not_matter():
    rows = _rows(1, lambda a, b: 1.2 * a * b)
    order = np.random.default_rng(2).permutation(rows.n_rows)
    shuffled = StudyRows(rows.exposed[order], rows.counts[order], tuple(c.take(order) for c in rows.controls))
    found, again = compare_arms(rows), compare_arms(shuffled)
    assert found.odds_ratio.odds_ratio.value == pytest.approx(again.odds_ratio.odds_ratio.value, rel=1e-12)
    assert np.array_equal(found.stratum[order] >= 0, again.stratum >= 0)


def test_a_number_that_is_missing_leaves_its_product_missing():
    rows = _rows(3, lambda a, b: 1.2 * a * b)
    a, b = rows.controls
    gone = np.random.default_rng(4).random(rows.n_rows) < 0.1
    rows = StudyRows(rows.exposed, rows.counts, (Control("a", np.where(gone, 0, a.codes), 50, a.values), b))
    wider = with_products(rows, np.zeros(rows.n_rows, np.int64))
    (product,) = [control for control in wider.controls if control.name == "a × b"]
    assert np.array_equal(product.codes == 0, gone)

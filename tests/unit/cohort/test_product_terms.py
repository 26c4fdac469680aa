"""Controls that confound by their product: the strata hold it where scores that add up would miss it."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.cohort import product_terms
from causalrules.cohort.compare_arms import compare_arms
from causalrules.cohort.product_terms import with_products
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


def _grouped_table(seed, n, slope_in_group, effect=0.0):
    """Age has another slope in a quarter of the records; there are too many cells to hold all exactly."""
    chance = np.random.default_rng(seed)
    age, group = chance.normal(size=n), chance.random(n) < 0.25
    region, site = chance.integers(0, 6, n), chance.integers(0, 8, n)
    score = np.where(group, slope_in_group, 0.5) * age + 0.3 * region + 0.2 * site - 1.5
    x = chance.random(n) < 1 / (1 + np.exp(-score))
    y = chance.random(n) < 1 / (1 + np.exp(-(score - 1 + effect * x)))
    texts = {"region": region.astype(str), "site": site.astype(str)}
    return pa.table({"age": age, "group": group, **texts, "x": x, "y": y})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("effect", [0.0, np.log(2)])
def test_a_number_that_acts_otherwise_in_a_group_confounds_no_more(seed, effect):
    table = _grouped_table(20 + seed, 6000, slope_in_group=-1.5, effect=effect)
    held = ["age", "group", "region", "site"]
    (rule,) = causalrules.test(table, "y", "x", adjust=held, categorical=["region", "site"]).rules
    found = rule.of_the_outcome().adjusted_odds_ratio
    assert np.log(found.value) == pytest.approx(effect, abs=0.2)
    assert set(rule.design.held) == set(held)


def _differs(records, product):
    """The arms' difference in a product, record by record: strata weigh n₁n₀/(n₁+n₀), over its deviation."""
    spread = np.std([product(*record[3:]) for record in records])
    total = weight_of_all = 0.0
    for stratum in {record[0] for record in records} - {-1}:
        arms = [
            [product(*record[3:]) for record in records if record[0] == stratum and record[1] == arm]
            for arm in (True, False)
        ]
        weight = len(arms[0]) * len(arms[1]) / (len(arms[0]) + len(arms[1]))
        total += weight * (np.mean(arms[0]) - np.mean(arms[1]))
        weight_of_all += weight
    return abs(total / weight_of_all) / spread


def test_differences_are_those_of_the_records():
    chance = np.random.default_rng(8)
    n = 60
    codes = chance.integers(1, 5, (2, n)).astype(np.int32)
    group = chance.integers(0, 4, n).astype(np.int32)
    values = np.array([-2.0, 0.5, 1.0, 7.0])
    exposed, stratum = chance.random(n) < 0.5, chance.integers(-1, 3, n)
    counts = chance.integers(1, 4, (n, 2))
    controls = (Control("a", codes[0], 4, values), Control("b", codes[1], 4, values), Control("g", group, 3))
    rows = StudyRows(exposed, counts, controls)
    raw = [
        (stratum[i], exposed[i], group[i], values[codes[0, i] - 1], values[codes[1, i] - 1])
        for i in range(n)
        for _ in range(counts[i].sum())
    ]
    centre = [np.mean([record[j] for record in raw]) for j in (3, 4)]
    scale = [np.std([record[j] for record in raw]) for j in (3, 4)]
    records = [
        (*one[:3], (one[3] - centre[0]) / scale[0], (one[4] - centre[1]) / scale[1], one[2]) for one in raw
    ]
    known = product_terms.spreads_of(rows, list(controls[:2]))
    shares = known.lines * product_terms.shares_of_arms(rows, stratum)[0][:, None]
    found = known.differences(shares)
    assert found[0, 1] == pytest.approx(_differs(records, lambda a, b, g: a * b))
    within = known.within["g"].differences(controls[2], shares)
    sizes = [np.mean([record[2] == code for record in raw]) for code in range(4)]
    for code in range(4):
        expected = _differs(records, lambda a, b, g, code=code: b * ((g == code) - sizes[code]))
        assert within[code, 1] == pytest.approx(0 if code == np.argmax(sizes) else expected)


def test_values_of_few_records_are_not_looked_at():
    chance = np.random.default_rng(9)
    n = 4000
    a = chance.integers(1, 41, n).astype(np.int32)
    is_rare = (np.arange(n) % 25 == 0).astype(np.int32)  # 4 %
    exposed = np.where(is_rare, a > 20, chance.random(n) < 0.5).astype(bool)
    counts = np.column_stack([np.ones(n, np.int64), np.zeros(n, np.int64)])
    rows = StudyRows(exposed, counts, (Control("a", a, 40, np.arange(40.0)), Control("g", is_rare + 1, 2)))
    assert with_products(rows, np.zeros(n, np.int64)) is rows
    often = (np.arange(n) % 10 == 0).astype(np.int32)
    exposed = np.where(often, a > 20, chance.random(n) < 0.5).astype(bool)
    rows = StudyRows(exposed, counts, (Control("a", a, 40, np.arange(40.0)), Control("g", often + 1, 2)))
    assert [c.name for c in with_products(rows, np.zeros(n, np.int64)).controls] == ["a", "g", "a × g 2"]

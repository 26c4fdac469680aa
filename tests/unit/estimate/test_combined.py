"""Columns that act together: their cells, what fewer of them would make of these, and RERI."""

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import binom, chi2, spearmanr

from causalrules.estimate.combined import interaction_of, moves_together, together
from causalrules.estimate.levels import levels_of
from causalrules.estimate.study import study
from unit.find.made_records import records_of


def cells(counts, names="ab"):
    """Records of columns of no and yes; counts are (records, with the outcome) of 00, 01, 10, 11."""
    rows = [(i, k < having) for i, (n, having) in enumerate(counts) for k in range(n)]
    cell, y = np.array(rows).T
    has = {name: cell >> place & 1 for place, name in enumerate(reversed(names))}
    return records_of({name: np.where(has[name], "yes", "no") for name in names}, y)


def found_in(records, controls=(), names="ab"):
    columns = [records.column(name) for name in names]
    levels = [levels_of(records, one) for one in columns]
    return together(records, columns, levels, [records.column(name) for name in controls])


XOR = [(400, 80), (300, 150), (200, 100), (100, 20)]
"""One but not both: half of them have the outcome, a fifth of the others."""


def test_cells_of_one_but_not_both():
    records = cells(XOR)
    acts = found_in(records)
    assert acts.p < 1e-10
    one = study(records, acts.levels, [])
    risk = dict(zip(acts.levels.names, one.risk, strict=True))
    shares = {"no & no": 0.2, "no & yes": 0.5, "yes & no": 0.5, "yes & yes": 0.2}
    assert risk == pytest.approx(shares, abs=1e-9)
    told = interaction_of(one, acts.p, 0.95)
    # each cell differs from the mean of the others by .2 or .2: ties are broken by place
    neither, both = risk["no & no"], risk["yes & yes"]
    expected = {"no & no": 0.8, "yes & yes": 0.8, "no & yes": -0.1, "yes & no": -0.1}[told.cell]
    assert told.risk[0] == pytest.approx(risk[told.cell], abs=1e-9)
    assert told.expected[0] == pytest.approx(expected, abs=1e-9)
    assert neither == pytest.approx(both, abs=1e-9)


def test_reri_and_its_interval_by_hand():
    """Risks .1, .2, .3 and .9: the cell is both; alone they would make .4; RERI is 9 - 2 - 3 + 1 = 5."""
    records = cells([(1_000, 100), (1_000, 200), (1_000, 300), (1_000, 900)])
    acts = found_in(records)
    told = interaction_of(study(records, acts.levels, []), acts.p, 0.95)
    assert told.cell == "yes & yes"
    assert told.risk[0] == pytest.approx(0.9, abs=1e-9)
    assert told.expected[0] == pytest.approx(0.4, abs=1e-9)
    assert told.reri[0] == pytest.approx(5.0, abs=1e-6)
    r00, r01, r10, r11 = 0.1, 0.2, 0.3, 0.9
    variance = [r * (1 - r) / 1_000 for r in (r00, r01, r10, r11)]
    error = np.sqrt(variance[1] + variance[2] + variance[0])
    assert told.expected[2] - told.expected[1] == pytest.approx(2 * 1.959964 * error, rel=0.01)
    slopes = [-(r11 - r10 - r01) / r00**2, -1 / r00, -1 / r00, 1 / r00]
    error = np.sqrt(sum(s**2 * v for s, v in zip(slopes, variance, strict=True)))
    assert told.reri[2] - told.reri[1] == pytest.approx(2 * 1.959964 * error, rel=0.01)


def test_reri_of_risks_that_depend_on_each_other():
    """Its interval is that of a derivative taken by small steps."""
    records = cells([(1_000, 100), (1_000, 200), (1_000, 300), (1_000, 900)])
    acts = found_in(records)
    one = study(records, acts.levels, [])
    places = [one.levels.names.index(name) for name in ("no & no", "no & yes", "yes & no", "yes & yes")]
    v = 1e-4 * (np.eye(4) + 0.5)

    def reri(risk):
        r00, r01, r10, r11 = risk[places]
        return (r11 - r10 - r01 + r00) / r00

    slopes = np.array([reri(one.risk + step) - reri(one.risk - step) for step in 1e-6 * np.eye(4)]) / 2e-6
    told = interaction_of(replace(one, covariance=v), acts.p, 0.95)
    assert told.reri[2] - told.reri[0] == pytest.approx(1.959964 * np.sqrt(slopes @ v @ slopes), rel=1e-5)


def test_what_acting_together_moves_is_the_part_no_sum_says():
    """The residual of a regression of the four risks on both columns, over the records, less chance."""
    records = cells([(n, round(n * r)) for n, r in [(400, 0.2), (300, 0.3), (200, 0.4), (100, 0.9)]])
    acts = found_in(records)
    one = study(records, acts.levels, [])
    weights = np.array([400, 300, 200, 100]) / 1_000
    table = np.array([[1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]], float)
    risk = dict(zip(acts.levels.names, one.risk, strict=True))
    risk = np.array([risk[name] for name in ("no & no", "no & yes", "yes & no", "yes & yes")])
    root = np.sqrt(weights)
    fitted = table @ np.linalg.lstsq(table * root[:, None], risk * root, rcond=None)[0]
    size = np.sqrt(weights @ (risk - fitted) ** 2)
    value, low, high = moves_together(one, 0.95)
    assert low <= value <= high
    assert (low + high) / 2 == pytest.approx(size, rel=1e-6)
    assert value == pytest.approx(np.sqrt(size**2 - ((high - low) / 2 / 1.959964) ** 2), rel=1e-6)


@pytest.mark.parametrize(("values", "others"), [(2, 2), (4, 3)])
def test_causes_that_add_up_do_not_act_together(values, others):
    """On the scale of log odds: found at 5 % and at 50 % in as many of 200 tables as chance finds."""
    draw = np.random.default_rng(1)
    p = []
    for _ in range(200):
        a, b = draw.integers(0, values, 700), draw.integers(0, others, 700)
        y = draw.random(700) < 1 / (1 + np.exp(-(-1 + 0.5 * a + 0.8 * b)))
        p.append(found_in(records_of({"a": a, "b": b}, y)).p)
    for alpha in (0.05, 0.5):
        low, high = binom.ppf([0.0005, 0.9995], 200, alpha)
        assert low <= (np.array(p) <= alpha).sum() <= high


def test_p_goes_with_the_likelihood_ratio_of_the_product():
    draw = np.random.default_rng(2)
    ours, theirs = [], []
    for number in range(30):
        a, b = draw.integers(0, 2, 500), draw.integers(0, 2, 500)
        y = (draw.random(500) < 1 / (1 + np.exp(-(-1 + 0.5 * a + 0.5 * b + 0.1 * number * a * b)))).astype(
            float
        )
        ours.append(found_in(records_of({"a": a, "b": b}, y)).p)
        tables = [np.column_stack([np.ones(500), a, b]), np.column_stack([np.ones(500), a, b, a * b])]
        small, large = (sm.Logit(y, table).fit(disp=0).llf for table in tables)
        theirs.append(chi2.sf(2 * (large - small), 1))
    assert spearmanr(ours, theirs).statistic > 0.98
    assert np.abs(np.array(ours) - theirs).max() < 0.05


def test_the_clearest_part_is_where_they_act():
    """A number that acts from 60 on, within women only."""
    draw = np.random.default_rng(3)
    n = 4_000
    a, b = draw.choice(["man", "woman"], n), draw.integers(20, 80, n).astype(float)
    y = draw.random(n) < 0.2 + 0.4 * ((a == "woman") & (b >= 56))
    records = records_of({"a": a, "b": b}, y)
    acts = found_in(records)
    assert acts.p < 1e-10
    level = acts.levels.level
    women = [part for part in range(4) if (a[level == part] == "woman").all()]
    assert len(women) == 2
    assert sorted(b[level == part].min() >= 50 for part in women) == [False, True]


def test_nothing_to_compare_is_none():
    records = cells([(40, 0), (30, 0), (20, 0), (10, 0)])
    assert found_in(records) is None
    one_value = cells([(40, 10), (30, 20), (0, 0), (0, 0)])
    assert found_in(one_value) is None


# Three columns

EIGHT = [(1_000, 1_000 * r // 100) for r in (10, 15, 20, 25, 20, 30, 25, 80)]
"""Cells 000 to 111; pairs would make .30 + .25 + .25 - .20 - .20 - .15 + .10 = .35 of the last."""


def test_three_columns_by_hand():
    records = cells(EIGHT, "abc")
    acts = found_in(records, names="abc")
    assert acts.p < 1e-10
    assert len(acts.levels.names) == 8
    told = interaction_of(study(records, acts.levels, []), acts.p, 0.95)
    assert told.cell == "yes & yes & yes"
    assert told.risk[0] == pytest.approx(0.8, abs=1e-9)
    assert told.expected[0] == pytest.approx(0.35, abs=1e-9)
    variance = np.array([h / n * (1 - h / n) / n for n, h in EIGHT])
    error = np.sqrt(variance[:7].sum())
    assert told.expected[2] - told.expected[1] == pytest.approx(2 * 1.959964 * error, rel=0.01)
    assert told.reri[0] == pytest.approx((0.8 - 0.35) / 0.1, abs=1e-6)
    slopes = np.array([-1, 1, 1, -1, 1, -1, -1, 1]) / 0.1
    slopes[0] -= 0.45 / 0.1**2
    error = np.sqrt(slopes**2 @ variance)
    assert told.reri[2] - told.reri[1] == pytest.approx(2 * 1.959964 * error, rel=0.01)


def test_what_three_columns_move_is_the_part_no_pairs_say():
    counts = [(n, round(n * h / 1_000)) for n, (_, h) in zip((400, 300, 200, 100) * 2, EIGHT, strict=True)]
    records = cells(counts, "abc")
    one = study(records, found_in(records, names="abc").levels, [])
    has = np.array([[name.split(" & ")[k] == "yes" for k in range(3)] for name in one.levels.names], float)
    a, b, c = has.T
    table = np.column_stack([np.ones(8), has, a * b, a * c, b * c])
    weights = np.array([n for n, _ in counts])[(has @ [4, 2, 1]).astype(int)] / 2_000
    root = np.sqrt(weights)
    fitted = table @ np.linalg.lstsq(table * root[:, None], one.risk * root, rcond=None)[0]
    _, low, high = moves_together(one, 0.95)
    assert (low + high) / 2 == pytest.approx(np.sqrt(weights @ (one.risk - fitted) ** 2), rel=1e-6)


@pytest.mark.parametrize("values", [(2, 2, 2), (3, 2, 4)])
def test_pairs_that_add_up_do_not_act_as_three(values):
    draw = np.random.default_rng(4)
    p = []
    for _ in range(120):
        a, b, c = (draw.integers(0, k, 900) for k in values)
        y = draw.random(900) < 1 / (
            1 + np.exp(-(-1 + 0.5 * a - 0.4 * c + 0.9 * (a > 0) * b + 0.6 * b * (c > 0)))
        )
        p.append(found_in(records_of({"a": a, "b": b, "c": c}, y), names="abc").p)
    for alpha in (0.05, 0.5):
        low, high = binom.ppf([0.0005, 0.9995], 120, alpha)
        assert low <= (np.array(p) <= alpha).sum() <= high


def test_three_of_more_cells_than_a_product_may_have_are_not_asked_about():
    draw = np.random.default_rng(5)
    a, b, c = draw.integers(0, 8, (3, 2_000))
    records = records_of({"a": a, "b": b, "c": c}, draw.random(2_000) < 0.5)
    assert found_in(records, names="abc") is None
    assert found_in(records) is not None

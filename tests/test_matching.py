"""The paper's protocol with every way of matching: the same answer however the table is laid out, and no
crash."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.domain.histogram import WEIGHT_UNIT
from causalrules.encode import encode
from causalrules.engines import MemoryEngine
from causalrules.paper import PaperSettings
from causalrules.paper.fair_data import FairDataSets
from causalrules.simulation import planted_table
from causalrules_lab.simulate.confounded import confounded_table
from datasets import require

BY_DISTANCE = ["jaccard", "hamming", "euclidean", "mahalanobis", "propensity"]
EVERY_WAY = [*BY_DISTANCE, "almost-exact"]


def rules_of(table, outcome="ill=yes", **settings):
    rules = causalrules.mine(table, outcome, controls="items", **settings).to_dict()["rules"]
    return sorted(rules, key=lambda rule: (rule["direction"], str(rule["pattern"])))


CALIPERS = {"jaccard": 0.3, "hamming": 4, "euclidean": 2, "mahalanobis": 4, "almost-exact": 0.4}
"""Wide enough for partners that differ."""


@pytest.fixture(scope="module")
def confounded():
    """Ten confounders and three hundred records: hardly anybody has an equal."""
    return confounded_table(300, 10, odds_ratio=3.0, confounding=1.5, seed=5).table


@pytest.mark.parametrize("pairs", ["expected", "random"])
@pytest.mark.parametrize("matching", EVERY_WAY)
def test_order_of_records_and_columns_and_number_of_threads_change_nothing(matching, pairs, confounded):
    chance = np.random.default_rng(1)
    shuffled = confounded.take(chance.permutation(confounded.num_rows))
    shuffled = shuffled.select(chance.permutation(confounded.column_names).tolist())
    settings = {
        "matching": matching,
        "caliper": CALIPERS.get(matching),
        "pairs": pairs,
        "judge": "interval",
        "confidence": 0.9,
    }
    first = summaries(confounded, threads=1, **settings)
    assert any(worst > 0 for *_, worst in first.values())  # partners do differ
    again = summaries(shuffled, threads=2, **settings)
    assert again.keys() == first.keys()
    for name, numbers in first.items():
        assert again[name] == pytest.approx(numbers), name


def summaries(table, **settings):
    """Each rule's numbers; the order of controls in a rule is that of the table and does not count."""
    rules = causalrules.mine(table, "z=yes", controls="items", max_length=2, **settings).tested
    return {
        " & ".join([rule.direction, *sorted(map(str, rule.pattern))]): (
            rule.verdict == "causal",
            rule.pairs.n11,
            rule.pairs.n12,
            rule.pairs.n21,
            rule.p_value,
            rule.closeness.worst_distance,
        )
        for rule in rules
    }


@pytest.mark.parametrize("matching", ["jaccard", "hamming", "euclidean"])
def test_without_any_distance_it_is_exact_matching(matching):
    table = planted_table(1500)
    exact = rules_of(table)
    near = rules_of(table, matching=matching, caliper=0)
    for rule in near:
        assert rule.pop("closeness") == {
            "method": matching,
            "mean_distance": 0.0,
            "worst_distance": 0.0,
            "caliper": 0.0,
            "overlap_exposed": None,
            "overlap_unexposed": None,
            "is_optimal": False,
            "given_up": [],
        }
    for rule in exact:
        assert rule.pop("closeness") is None
    assert near == exact


@pytest.mark.parametrize("matching", EVERY_WAY)
@pytest.mark.parametrize("pairs", ["expected", "random"])
def test_what_was_planted_is_found(matching, pairs):
    options = {"controls": "items", "matching": matching, "pairs": pairs, "max_length": 1}
    result = causalrules.mine(planted_table(8000), "ill=yes", **options)
    found = {rule.name for rule in result.causal}
    assert {"severity=high", "smoker=yes"} <= found


@pytest.mark.parametrize("matching", ["propensity", "almost-exact"])
def test_more_records_are_used_without_bias(matching):
    """Twelve confounders and no effect: the crude odds ratio is far from 1, the matched one is not."""
    table = confounded_table(8000, 12, odds_ratio=1.0, confounding=1.6, seed=2).table
    options = {"controls": "items", "direction": "raises"}
    exact = causalrules.test(table, "z=yes", "x=yes", **options).tested[0]
    rule = causalrules.test(table, "z=yes", "x=yes", matching=matching, **options).tested[0]
    assert rule.odds_ratio.low > 1.3
    assert rule.adjusted_odds_ratio.low < 1 < rule.adjusted_odds_ratio.high
    assert rule.pairs.n_pairs > exact.pairs.n_pairs


@pytest.mark.parametrize("matching", EVERY_WAY)
def test_a_result_survives_being_saved(matching, tmp_path):
    options = {"controls": "items", "matching": matching}
    result = causalrules.test(planted_table(1500), "ill=yes", "smoker=yes", **options)
    result.save(tmp_path / "result.json")
    again = causalrules.load(tmp_path / "result.json")
    assert again.settings == result.settings
    assert again.tested == result.tested


def test_comparing_from_python():
    with pytest.raises(causalrules.CausalRulesError, match="ratio must be left alone"):
        causalrules.compare_matching(planted_table(100), "ill=yes", "smoker=yes", ratio=2)
    comparison = causalrules.compare_matching(planted_table(1500), "ill=yes", "smoker=yes")
    assert "as the paper chooses them" in str(comparison).splitlines()[-1]
    table = comparison.table.set_index("matching")
    assert list(table.index) == ["exact", *EVERY_WAY]
    for matching in EVERY_WAY:
        options = {"controls": "items", "matching": matching}
        rule = causalrules.test(planted_table(1500), "ill=yes", "smoker=yes", **options).tested[0]
        assert table.loc[matching, "odds_ratio"] == rule.adjusted_odds_ratio.value
        assert table.loc[matching, "worst_imbalance"] == rule.balance.worst_after


def test_the_default_stays_right_where_single_items_hold_a_number_in_part():
    """A drug without effect beside a strong number: seven ways by items agree on a wrong answer."""
    chance = np.random.default_rng(21)
    x = chance.normal(size=3000)
    drug, ill = (chance.random(3000) < 1 / (1 + np.exp(-1.5 * x - shift)) for shift in (0, -0.5))
    table = pa.table({"x": x, "drug": drug, "ill": ill})
    found = causalrules.compare_matching(table, "ill", "drug").table.set_index("matching")
    assert found.loc["exact", "low"] > 1.5
    default = causalrules.test(table, "ill", "drug").tested[0].adjusted_odds_ratio
    assert default.low < 1 < default.high


def table_of(**columns):
    return pa.table({name: list(values) for name, values in columns.items()})


@pytest.mark.parametrize("matching", EVERY_WAY)
def test_perfect_separation_is_untestable(matching):
    """The control is there exactly when the exposure is, and partners must agree on it."""
    chance = np.random.default_rng(0)
    x = chance.random(2000) < 0.4
    z = chance.random(2000) < 0.2 + 0.4 * x
    table = pa.table({name: np.where(column, "y", "n") for name, column in {"a": x, "b": x, "z": z}.items()})
    result = causalrules.mine(table, "z=y", controls="items", matching=matching, exact_on=["b"], max_length=1)
    verdicts = {(rule.name, rule.verdict) for rule in result.tested if rule.pattern[0].column == "a"}
    assert verdicts == {("a=y", "untestable"), ("a=n", "untestable")}


@pytest.mark.parametrize("matching", EVERY_WAY)
def test_constant_columns_do_no_harm(matching):
    table = planted_table(1500)
    constant = table.append_column("same", pa.array(["x"] * table.num_rows))
    assert rules_of(constant, matching=matching) == rules_of(table, matching=matching)


@pytest.mark.parametrize("matching", ["exact", *EVERY_WAY])
def test_an_exposure_that_nobody_has_is_untestable(matching, disjoint_table):
    options = {"controls": "items", "matching": matching, "categorical": ("a", "b")}
    rule = causalrules.test(disjoint_table, "z=ill", "a=p & b=q", **options).tested[0]
    assert (rule.verdict, rule.exposed, rule.pairs.n_pairs) == ("untestable", 0, 0)


@pytest.fixture
def disjoint_table():
    """No record has both a=p and b=q."""
    a, b = ["p"] * 40 + ["q"] * 40, ["p"] * 40 + ["q"] * 20 + ["p"] * 20
    return table_of(a=a, b=b, z=["ill", "well"] * 40)


@pytest.mark.parametrize("matching", ["hamming", "mahalanobis", "propensity"])
def test_a_caliper_that_matches_nobody_is_untestable(matching):
    table = confounded_table(300, 30, seed=1).table
    options = {"controls": "items", "matching": matching, "caliper": 1e-9, "epsilon": 0}
    rule = causalrules.test(table, "z=yes", "x=yes", **options).tested[0]
    assert rule.verdict == "untestable"
    assert rule.doubts.unmatched_exposed > 0.9 * rule.exposed  # a few records are identical


def test_matchit_s_numbers_on_adult():
    """R's MatchIt 4.5.1 with the same 32 controls, by experiments/matchit.R."""
    data = require("adult")
    outcome, nominal = data.outcome, tuple(data.nominal)
    arrow = data.arrow([*nominal, "income"])
    options = {"controls": "items", "direction": "raises", "min_support": 0.01, "categorical": nominal}
    rule = causalrules.test(arrow, outcome, "sex=Male", **options).tested[0]
    assert len(rule.controls) == 32
    assert rule.exposed - rule.doubts.unmatched_exposed == 27_516
    assert rule.unexposed - rule.doubts.unmatched_unexposed == 13_342

    table = encode(arrow, outcome, PaperSettings(categorical=nominal))
    names = [str(item) for item in table.items]
    controls = [names.index(str(item)) for item in rule.controls]
    held = np.isin(np.arange(len(names)), controls)[None, :]
    pattern = np.array([[names.index("sex=Male")]])
    for settings, n_pairs, tolerance, mean_difference in (
        (PaperSettings(matching="mahalanobis", caliper="none"), 16_192, 0, 0.0352),
        (PaperSettings(matching="propensity", caliper=0.2), 10_841, 150, 0.0040),
    ):
        (fair,) = FairDataSets(MemoryEngine(table), table.items, settings).of(pattern, held, ["sex=Male"])
        rows = fair.strata.rows
        found = (np.minimum(rows[:, :2].sum(axis=1), rows[:, 2:4].sum(axis=1)) * rows[:, 4]).sum()
        gaps = np.abs(fair.items.weight_exposed - fair.items.weight_unexposed)[controls] / WEIGHT_UNIT / found
        assert found == pytest.approx(n_pairs, abs=tolerance)
        assert gaps.mean() == pytest.approx(mean_difference, abs=0.0015)

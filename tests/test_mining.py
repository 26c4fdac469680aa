"""The whole walk from a table to rules, against the oracle and against itself."""

import random

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import causalrules
import naive
from strategies import arrow_of, columns_of, record_lists


def mined(rows, **options):
    return causalrules.mine(arrow_of(rows), "z=yes", categorical=columns_of(rows), threads=1, **options)


def by_rule(result):
    return {
        (rule.direction, tuple((i.column, i.value) for i in rule.pattern)): rule for rule in result.tested
    }


def assert_same_as_the_oracle(result, expected):
    found = by_rule(result)
    assert set(found) == set(expected)
    for key, study in expected.items():
        rule = found[key].as_printed
        assert rule.support == study["support"]
        assert rule.exposed == study["exposed"]
        assert (rule.verdict == "causal") == study["causal"]
        assert {(item.column, item.value) for item in rule.controls} == study["controls"]
        assert (rule.odds_ratio.value, rule.odds_ratio.low, rule.odds_ratio.high) == pytest.approx(
            study["odds_ratio"], rel=1e-9
        )
        for name in ("n11", "n12", "n21", "n22"):
            assert getattr(rule.pairs, name) == pytest.approx(study[name], rel=1e-9, abs=1e-9)
        fair = rule.fair_odds_ratio
        assert (fair.value, fair.low, fair.high) == pytest.approx(study["fair"], rel=1e-9)


@settings(max_examples=150)
@given(
    rows=record_lists(max_rows=120),
    controls=st.sampled_from(["items", "columns"]),
    min_support=st.sampled_from(["0", "0.05", "0.07", "0.2"]),
    confidence=st.sampled_from([0.5, 0.8, 0.95]),
    epsilon=st.sampled_from([None, 0, 3]),
    min_odds_ratio=st.sampled_from([None, None, 1.2071]),
)
def test_mining_is_the_oracle_s(rows, controls, min_support, confidence, epsilon, min_odds_ratio):
    options = {
        "controls": controls,
        "confidence": confidence,
        "epsilon": epsilon,
        "min_odds_ratio": min_odds_ratio,
    }
    result = mined(rows, max_length=3, min_support=float(min_support), judge="interval", **options)
    has_outcome = [row["z"] for row in rows]
    expected = naive.mine(
        rows, columns_of(rows), has_outcome, max_length=3, min_support=min_support, **options
    )
    assert_same_as_the_oracle(result, expected)


def confounded_rows(n=600, seed=0):
    chance = random.Random(seed)
    rows = []
    for _ in range(n):
        severe = chance.random() < 0.5
        treated = chance.random() < (0.8 if severe else 0.2)
        smoker = chance.random() < 0.3
        z = chance.random() < 0.2 + 0.4 * severe + 0.2 * smoker
        words = {"severe": severe, "treated": treated, "smoker": smoker, "coin": chance.random() < 0.5}
        rows.append({name: "q" if holds else "p" for name, holds in words.items()} | {"z": z})
    return rows


def essence(result):
    """All that must not change, in an order of its own."""
    return sorted(result.to_dict()["rules"], key=lambda rule: (rule["direction"], str(rule["pattern"])))


@pytest.fixture(scope="module")
def rows():
    return confounded_rows()


@pytest.fixture(params=["items", "auto"])
def controls(request):
    """The paper's protocol and the default."""
    return request.param


@pytest.mark.parametrize("options", [{"controls": "items"}, {"controls": "items", "pairs": "random"}, {}])
def test_shuffling_records_changes_nothing(rows, options):
    shuffled = random.Random(1).sample(rows, len(rows))
    assert essence(mined(shuffled, **options)) == essence(mined(rows, **options))


def test_shuffling_columns_changes_only_the_order_of_items(rows, controls):
    reordered = [{name: row[name] for name in ("coin", "smoker", "treated", "severe", "z")} for row in rows]
    found, expected = (by_rule(mined(table, controls=controls)) for table in (reordered, rows))
    assert {(d, frozenset(p)) for d, p in found} == {(d, frozenset(p)) for d, p in expected}
    for (direction, pattern), rule in found.items():
        same = next(r for (d, p), r in expected.items() if d == direction and set(p) == set(pattern))
        assert (rule.pairs, rule.fair_odds_ratio, rule.verdict) == (
            same.pairs,
            same.fair_odds_ratio,
            same.verdict,
        )


def test_renaming_columns_and_values_renames_the_rules(rows, controls):
    renamed = [
        {f"{k}!": v and v.upper() for k, v in row.items() if k != "z"} | {"z": row["z"]} for row in rows
    ]
    found, expected = (by_rule(mined(table, controls=controls)) for table in (renamed, rows))
    assert {key: rule.pairs for key, rule in found.items()} == {
        (d, tuple((f"{c}!", v.upper()) for c, v in p)): rule.pairs for (d, p), rule in expected.items()
    }


def test_a_constant_column_changes_nothing_and_is_named(rows, controls):
    result = mined([{**row, "constant": "same"} for row in rows], controls=controls)
    assert essence(result) == essence(mined(rows, controls=controls))
    assert [(entry.column, entry.reason) for entry in result.data.left_out] == [
        ("constant", "it is constant: always 'same'")
    ]


def test_the_number_of_threads_changes_nothing(rows, controls):
    table, options = arrow_of(rows), {"controls": controls, "min_support": 0.01}
    results = [causalrules.mine(table, "z=yes", threads=threads, **options) for threads in (1, 2, 5)]
    assert essence(results[0]) == essence(results[1]) == essence(results[2])


def test_doubling_the_records_doubles_every_count(rows):
    options = {"controls": "items", "judge": "interval", "confidence": 0.5}
    single, double = (by_rule(mined(table, **options)) for table in (rows, rows + rows))
    comparable = [key for key in set(single) & set(double) if single[key].controls == double[key].controls]
    assert comparable
    for key in comparable:
        assert double[key].support == 2 * single[key].support
        assert double[key].pairs.n12 == pytest.approx(2 * single[key].pairs.n12)


def test_directions_mirror_each_other(rows, controls):
    """What raises the outcome lowers its absence, with the same numbers."""
    mirrored = [{**row, "z": not row["z"]} for row in rows]
    found = {p: r for (d, p), r in by_rule(mined(rows, controls=controls)).items() if d == "raises"}
    expected = {p: r for (d, p), r in by_rule(mined(mirrored, controls=controls)).items() if d == "lowers"}
    assert found
    assert {p: r.verdict for p, r in found.items()} == {p: r.verdict for p, r in expected.items()}
    for pattern, rule in found.items():
        mirror = getattr(expected[pattern], "as_printed", expected[pattern])
        assert rule.pairs.n12 == pytest.approx(mirror.pairs.n12, rel=1e-12)
        assert rule.p_value == pytest.approx(expected[pattern].p_value, rel=1e-9)


def test_confounding_is_seen_through(rows, controls):
    verdicts = {rule.name: rule.verdict for rule in mined(rows, controls=controls).tested}
    assert verdicts["severe=q"] == "causal"
    assert verdicts["smoker=q"] == "causal"
    assert verdicts["treated=q"] == "rejected"


def test_one_hypothesis_is_studied_as_in_mining(rows, controls):
    tested = mined(rows, controls=controls).tested
    in_mining = {rule.name: rule for rule in tested if rule.direction == "raises"}["treated=q"]
    options = {"controls": controls, "categorical": columns_of(rows)}
    (alone,) = causalrules.test(arrow_of(rows), "z=yes", "treated=q", **options).tested
    held = [one.controls if controls == "items" else one.design.held for one in (alone, in_mining)]
    assert held[0] == held[1]
    assert (alone.pairs, alone.p_value) == (in_mining.pairs, in_mining.p_value)
    assert alone.verdict == in_mining.verdict == "rejected"


@pytest.mark.parametrize("direction", ["raises", "lowers"])
def test_a_direction_asked_for_is_the_only_one_told_and_changes_no_number(rows, controls, direction):
    table = rows if direction == "raises" else [{**row, "z": not row["z"]} for row in rows]
    both = mined(table, controls=controls)
    one = mined(table, controls=controls, direction=direction)
    expected = [rule for rule in both.tested if rule.direction == direction]
    assert expected
    assert list(one.tested) == expected
    assert all(
        sum(counts[verdict] for verdict in ("causal", "rejected", "untestable")) == counts["associations"]
        for counts in one.by_length.values()
    )


def test_a_minimum_odds_ratio_replaces_the_interval(rows, controls):
    def adjusted(rule):
        return rule.as_printed.fair_odds_ratio if controls == "items" else rule.adjusted_odds_ratio

    result = mined(rows, controls=controls, min_odds_ratio=2)
    assert {rule.verdict for rule in result.tested} == {"causal", "rejected"}
    assert all((rule.verdict == "causal") == (adjusted(rule).value > 2) for rule in result.tested)


def test_the_level_decides_whatever_judges(rows, controls):
    """Also where a hypothesis is the only one and nothing is corrected."""

    def verdict(**options):
        return causalrules.test(table, "z=yes", "smoker=q", controls=controls, **options).tested[0].verdict

    table = arrow_of(rows)
    p_value = causalrules.test(table, "z=yes", "smoker=q", controls=controls).tested[0].p_value
    assert p_value < 0.01
    assert verdict(alpha=p_value * 1.01) == "causal"
    assert verdict(alpha=p_value * 0.99) != "causal"
    assert verdict(judge="interval", confidence=1 - p_value / 2) != "causal"


def test_a_column_to_adjust_for_has_to_exist(rows):
    with pytest.raises(causalrules.CausalRulesError, match="adjust column 'severity' is not among"):
        mined(rows, adjust="severity")
    constant = [{**row, "constant": "same"} for row in rows]
    with pytest.raises(causalrules.CausalRulesError, match="adjust names 'constant', which is left out"):
        mined(constant, adjust="constant")
    (alone,) = causalrules.test(arrow_of(rows), "z=yes", "treated=q", adjust="severe").tested
    assert alone.design.held == ("severe",)


def test_a_saved_result_comes_back_the_same(rows, tmp_path, controls):
    result = mined(rows, controls=controls)
    result.save(tmp_path / "result.json")
    assert causalrules.load(tmp_path / "result.json") == result


def test_rules_are_a_data_frame(rows):
    frame = mined(rows, controls="items").to_frame(columns="all")
    assert list(frame["verdict"].unique()) == ["causal", "rejected"]
    assert frame.loc[frame["rule"] == "severe=q", "direction"].tolist() == ["raises"]


def test_repr_tells_the_answer_in_text_and_html(rows):
    result = mined(rows)
    assert "severe=q raises it" in repr(result)
    assert ">severe=q</td>" in result._repr_html_()


def test_html_repr_escapes_what_the_data_say():
    rows = [{"<script>": "q" if i % 2 else "p", "z": i % 2 == 0} for i in range(100)]
    table = pa.table({"<script>": [r["<script>"] for r in rows], "z": [str(r["z"]) for r in rows]})
    html = causalrules.mine(table, "z=True", controls="items")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html

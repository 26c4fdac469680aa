"""Numbers in files speak of the outcome itself, and rules come back from files as they were."""

import csv
import json
from dataclasses import replace
from functools import cache
from io import StringIO
from math import inf, isclose, isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import causalrules
from causalrules.domain import (
    Doubts,
    Effects,
    Estimate,
    Explanation,
    ExplanationStep,
    Item,
    PairCounts,
    Rule,
    StratumTable,
)
from causalrules.domain.estimate import reciprocal
from causalrules.domain.evidence import Design, SecondOpinion
from causalrules.domain.falsification import Placebo
from causalrules.domain.interaction import CombinationRisk, Interaction
from causalrules.domain.result_files import from_file, to_file
from causalrules.report.table_files import csv_bytes, write_parquet
from causalrules.simulation import planted_table

ITEMS = [Item(column, value) for column in "abc" for value in ("no", "yes")]
PROTOCOLS = {"whole columns": "auto", "items": "items", "columns of items": "columns"}

ratios = st.floats(0, allow_nan=False) | st.sampled_from([0.0, 1.0, inf, 5e-324, 1.7e308])
sizes = st.floats(0, 1e6)
differences = st.floats(-1, 1)
counts = st.integers(0, 10**6)
items = st.sampled_from(ITEMS)
names = st.lists(st.sampled_from("abc"), unique=True).map(tuple)


def estimates(numbers):
    return st.builds(Estimate, numbers, numbers, numbers)


def tuples_of(values):
    return st.lists(values, max_size=3).map(tuple)


effects = st.builds(
    Effects,
    risk_difference=estimates(differences),
    risk_ratio=estimates(ratios),
    opposite_risk_ratio=estimates(ratios),
    crude_risk_difference=differences,
    crude_risk_ratio=ratios,
    crude_opposite_risk_ratio=ratios,
    attributable=st.floats(-1e6, 1e6),
    number_needed=st.floats(-1e6, 1e6) | st.just(inf),
)
doubts = st.builds(
    Doubts,
    gamma=ratios,
    e_value=ratios,
    e_value_limit=ratios,
    heterogeneity_p=st.none() | st.floats(0, 1),
    is_mixed=st.booleans(),
    stability=st.floats(0, 1),
    bootstrap=st.none(),
    unmatched_exposed=counts,
    unmatched_unexposed=counts,
)
explanations = st.builds(
    Explanation,
    tuples_of(items),
    tuples_of(st.builds(ExplanationStep, items, estimates(ratios), sizes)),
    tuples_of(st.builds(StratumTable, items, st.booleans(), counts, counts, counts, counts, ratios)),
)
designs = st.builds(
    Design,
    held=names,
    matching=st.sampled_from(["exact", "propensity"]),
    exact_on=names,
    estimand=st.text(),
    share_matched=st.floats(0, 1),
    exposure_unknown=counts,
    missing_controls=st.sampled_from(["none", "drop", "value"]),
    left_out=counts,
    near_copies=names,
    imbalanced=names,
    second_opinion=st.builds(SecondOpinion, differences, differences, differences, st.just("aipw")),
    opinions_agree=st.booleans(),
)
interactions = st.builds(
    Interaction,
    contrast=estimates(differences),
    reri=estimates(sizes | st.just(inf)),
    attributable_proportion=estimates(differences),
    synergy=estimates(ratios),
    standardised_to=counts,
    risks=tuples_of(
        st.builds(
            CombinationRisk,
            exposed=tuples_of(st.booleans()),
            records=counts,
            cases=counts,
            risk=estimates(differences),
        )
    ),
)


@st.composite
def rules(draw):
    """Rules of the default."""
    return Rule(
        pattern=(draw(items),),
        direction=draw(st.sampled_from(["raises", "lowers"])),
        verdict="causal",
        support=draw(counts),
        local_support=draw(st.floats(0, 1)),
        odds_ratio=draw(estimates(ratios)),
        exposed=draw(counts),
        unexposed=draw(counts),
        pairs=draw(st.builds(PairCounts, n11=sizes, n12=sizes, n21=sizes, n22=sizes)),
        fair_odds_ratio=draw(estimates(ratios)),
        test="conditional",
        adjusted_odds_ratio=draw(estimates(ratios)),
        p_value=draw(st.floats(0, 1)),
        q_value=None,
        effects=draw(effects),
        doubts=draw(doubts),
        explanation=draw(st.none() | explanations),
        group=draw(names),
        says_the_same=draw(names),
        interaction=draw(st.none() | interactions),
        design=draw(designs),
    )


@given(ratios)
def test_what_is_a_reciprocal_is_that_of_its_reciprocal(ratio):
    once = reciprocal(ratio)
    assert reciprocal(reciprocal(once)) == once


@given(rules())
def test_turning_a_rule_round_twice_changes_nothing(rule):
    assert rule.of_the_outcome().of_the_outcome() == rule


@given(rules())
def test_a_rule_survives_a_file(rule):
    entry = json.loads(json.dumps(to_file(rule), allow_nan=False))
    again = from_file(entry)
    assert again == rule
    assert to_file(again) == entry


@given(rules())
def test_what_raises_is_about_the_outcome_already(rule):
    raises = replace(rule, direction="raises")
    assert raises.of_the_outcome() is raises


@cache
def mined(controls, n_records=1500):
    return causalrules.mine(planted_table(n_records), outcome="ill=yes", controls=controls, explain=True)


@pytest.mark.parametrize("controls", PROTOCOLS.values(), ids=PROTOCOLS)
def test_a_result_survives_a_file(controls, tmp_path):
    result = mined(controls)
    assert {rule.direction for rule in result.causal} == {"raises", "lowers"}
    result.save(tmp_path / "result.json")
    assert causalrules.load(tmp_path / "result.json") == result


PLACEBO = Placebo(runs=20, with_causal=1, share=Estimate(0.05, 0.0, 0.25), within=("severity",))


@pytest.mark.parametrize("controls", PROTOCOLS.values(), ids=PROTOCOLS)
@pytest.mark.parametrize(
    "changes",
    [{}, {"tested": ()}, {"placebo": PLACEBO}],
    ids=["as it is", "no rules", "with what follows the rules"],
)
def test_a_file_written_rule_by_rule_holds_the_whole_dictionary(controls, changes, tmp_path):
    if "placebo" in changes and controls != "auto":
        return  # of the default alone
    result = replace(mined(controls), **changes)
    result.save(tmp_path / "result.json")
    text = (tmp_path / "result.json").read_text(encoding="utf-8")
    assert text == json.dumps(result.to_dict(), ensure_ascii=False)


def formats(result, folder):
    """The rules of a result in every format: dicts with numbers."""
    write_parquet(result, folder / "rules.parquet")
    return {
        "json": json.loads(json.dumps(result.to_dict()))["rules"],
        "frame": result.to_frame(columns="all").to_dict("records"),
        "parquet": parquet.read_table(folder / "rules.parquet").to_pylist(),
        "csv": list(csv.DictReader(StringIO(csv_bytes(result).decode()))),
    }


@pytest.mark.parametrize("controls", PROTOCOLS.values(), ids=PROTOCOLS)
def test_what_lowers_is_below_one_in_every_format(controls, tmp_path):
    result = mined(controls)
    for rows in formats(result, tmp_path).values():
        for row, rule in zip(rows, result.tested, strict=True):
            if rule.verdict == "causal":
                raises = rule.direction == "raises"
                assert (float(row["adjusted_odds_ratio"]) > 1) == raises
                assert (float(row["adjusted_low"]) > 1) == (float(row["adjusted_high"]) > 1) == raises
                assert (float(row["fair_odds_ratio"]) > 1) == raises
                assert (float(row["risk_ratio"]) > 1) == raises
                assert (float(row["risk_ratio_low"]) > 1) == (float(row["risk_ratio_high"]) > 1) == raises
                assert float(row["number_needed"]) == pytest.approx(1 / float(row["risk_difference"]))
                assert float(row["e_value_limit"]) == pytest.approx(rule.doubts.e_value_limit)
                assert (float(row["risk_difference"]) > 0) == raises
                assert (float(row["n12"]) > float(row["n21"])) == raises
            assert int(row["support"]) == rule.support


@pytest.mark.parametrize("controls", PROTOCOLS.values(), ids=PROTOCOLS)
def test_numbers_of_a_rule_fit_each_other(controls):
    for rule, entry in zip(mined(controls).tested, mined(controls).to_dict()["rules"], strict=True):
        exposed_with = rule.support if rule.direction == "raises" else rule.exposed - rule.support
        risk = exposed_with / rule.exposed
        unexposed_risk = risk - entry["crude_risk_difference"]
        assert isclose(entry["crude_risk_ratio"], risk / unexposed_risk)
        assert isclose(entry["crude_opposite_risk_ratio"], (1 - risk) / (1 - unexposed_risk))
        odds = risk / (1 - risk) / (unexposed_risk / (1 - unexposed_risk))
        assert isclose(entry["odds_ratio"], odds)
        assert isclose(entry["pairs"], entry["n11"] + entry["n12"] + entry["n21"] + entry["n22"])
        for table in (entry["explanation"] or {"tables": []})["tables"]:
            cells = [table[f"{arm}_{has}"] for arm in ("exposed", "unexposed") for has in ("with", "without")]
            assert isclose(table["odds_ratio"], cells[0] * cells[3] / (cells[1] * cells[2]))


def test_controls_are_names_or_numbers_into_one_list():
    by_name = mined("auto").to_dict()
    assert "items" not in by_name
    for rule, entry in zip(mined("auto").tested, by_name["rules"], strict=True):
        assert entry["controls"] == list(rule.design.held)
    by_number = mined("items").to_dict()
    for rule, entry in zip(mined("items").tested, by_number["rules"], strict=True):
        held = [by_number["items"][number] for number in entry["controls"]]
        assert held == [{"column": item.column, "value": item.value} for item in rule.controls]


PROMISED = [
    *["arrow", "p_next", "p_cause", "p_effect", "grade", "exposure_unknown", "controls", "matching"],
    *["estimand", "share_matched", "second_opinion", "group", "interaction", "reason"],
]


def test_every_promised_name_is_there():
    result = mined("auto")
    assert result.to_dict()["schema"] == "causalrules/2"
    for entry in result.to_dict()["rules"]:
        assert set(PROMISED) <= set(entry)
        assert "held" not in entry
        assert set(entry["second_opinion"]) == {"estimate", "low", "high", "method"}
    assert {
        *["adjusted_for", "grade", "reason", "share_matched", "exposure_unknown"],
        *["second_opinion", "second_opinion_low", "second_opinion_high"],
    } <= set(result.to_frame(columns="all").columns)


def test_a_combined_cause_has_its_interaction_in_every_format(tmp_path):
    result = mined("auto", 6000)
    (rule,) = (rule for rule in result.causal if rule.length == 2)
    rows = formats(result, tmp_path)
    entry = rows.pop("json")[result.tested.index(rule)]["interaction"]
    assert set(entry) >= {"contrast", "reri", "attributable_proportion", "synergy", "risks"}
    assert [one["exposed"] for one in entry["risks"]][-1] == [True, True]
    for table in rows.values():
        row = table[result.tested.index(rule)]
        assert float(row["reri"]) == entry["reri"] == rule.interaction.reri.value
        assert float(row["reri_low"]) == entry["reri_low"]
        # With both drugs people fall ill as often as with neither: no excess that an index could divide by.
        assert entry["synergy"] is None
        assert row["synergy"] in (None, "") or isnan(row["synergy"])


def test_a_second_opinion_has_the_sign_of_the_file():
    causal = [rule for rule in mined("auto").to_dict()["rules"] if rule["verdict"] == "causal"]
    assert {rule["direction"] for rule in causal} == {"raises", "lowers"}
    for rule in causal:
        assert rule["second_opinion"]["estimate"] * rule["risk_difference"] > 0

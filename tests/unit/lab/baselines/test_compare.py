"""Methods side by side on one table."""

import json

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.domain import Settings
from causalrules.errors import NothingToMineError, SettingsError
from causalrules.simulation import planted_table
from causalrules_lab.baselines import code_table, compare, pc_select
from causalrules_lab.baselines.comparison import USUAL_METHODS

COUNTED = ("default", "ccc", "ccu", "pc-select", "hiton-pc")


@pytest.fixture(scope="module")
def hospital():
    return compare(planted_table(), "ill=yes")


def test_every_method_has_a_column(hospital):
    assert hospital.methods == ("default", *USUAL_METHODS)
    assert set(hospital.seconds) == set(hospital.methods)
    assert hospital.stopped == {}
    assert list(hospital.rules.columns) == ["rule", "length", *hospital.methods, "n_agreeing"]


def test_the_search_is_the_one_of_mine(hospital):
    result = causalrules.mine(planted_table(), "ill=yes")
    combined = {(rule.pattern, rule.direction) for rule in result.causal if len(rule.pattern) > 1}
    rows = {
        (cause.pattern, cause.directions["default"]) for cause in hospital.causes if len(cause.pattern) > 1
    }
    assert rows == combined
    assert len(hospital.found["default"].causal) == len(result.causal)


def test_two_values_of_a_column_are_one_row(hospital):
    """smoker=no lowers is smoker=yes raises."""
    by_name = {cause.name: cause for cause in hospital.causes}
    assert "smoker=no" not in by_name
    assert by_name["smoker=yes"].directions["default"] == "raises"
    assert by_name["severity=low"].directions["default"] == "lowers"
    assert by_name["severity=low"].n_agreeing >= 3


def test_agreement_counts_methods_that_name_causes(hospital):
    for cause in hospital.causes:
        said = [cause.directions[method] for method in COUNTED if method in cause.directions]
        assert cause.n_agreeing == max(said.count("raises"), said.count("lowers")) > 0
    assert hospital.n_causes["default"] == sum("default" in cause.directions for cause in hospital.causes)


def test_a_comparison_can_be_written_as_json(hospital):
    entry = json.loads(json.dumps(hospital.to_dict(), allow_nan=False))
    assert set(entry["methods"]) == set(hospital.methods)
    assert len(entry["causes"]) == len(hospital.causes)


def test_methods_over_their_budget_are_named():
    comparison = compare(planted_table(2000), "ill=yes", max_tests=3, methods=["ccc", "pc-select"])
    assert set(comparison.stopped) == {"default", "ccc", "pc-select"}
    assert comparison.stopped["ccc"] == "it needs more than 3 tests"
    assert comparison.found["default"].n_tests == 3


def test_an_unknown_method_is_refused():
    with pytest.raises(SettingsError, match="methods must be one of 'association', 'non-redundant'"):
        compare(planted_table(200), "ill=yes", methods=["pc"])


def numbers(n_records=1500):
    """A number that raises the risk, and one without a cut that tells anything."""
    chance = np.random.default_rng(1)
    age, noise = chance.normal(size=(2, n_records))
    ill = chance.random(n_records) < 1 / (1 + np.exp(-age))
    return pa.table({"age": age, "noise": noise, "ill": np.where(ill, "yes", "no")})


def test_the_fine_bins_of_numbers_are_nobodys_causes():
    """Studies hold numbers by up to a hundred bins; other methods see them cut as hypotheses are."""
    found = compare(numbers(), "ill=yes", methods=["pc-select", "ccc", "association"])
    table = code_table(numbers(), "ill=yes", Settings())
    hypotheses = {item.name for item in table.items[: table.n_items]}
    assert {cause.name for cause in found.causes if len(cause.pattern) == 1} <= hypotheses
    assert {finding.name for finding in pc_select(numbers(), "ill=yes").findings} <= hypotheses


def test_numbers_without_a_cut_leave_nothing_to_compare():
    with pytest.raises(NothingToMineError, match="without a cut point that separates records by outcome"):
        compare(numbers().select(["noise", "ill"]), "ill=yes")


def test_combined_causes_of_other_methods_are_rows_too():
    found = compare(planted_table(4000), "ill=yes", methods=["cr-pa", "cdt", "ml-hiton-pc"], controls="items")
    together = [cause for cause in found.causes if len(cause.pattern) == 2]
    assert any({"cr-pa", "ml-hiton-pc"} & set(cause.directions) for cause in together)
    assert not any("cdt" in cause.directions for cause in together)


def test_the_papers_protocol_has_its_own_name():
    comparison = compare(planted_table(1000), "ill=yes", methods=["ccc"], controls="items")
    assert comparison.methods == ("cr-cs", "ccc")
    assert comparison.found["cr-cs"].method == "cr-cs"

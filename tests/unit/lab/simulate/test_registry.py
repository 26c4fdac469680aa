"""Simulation by name, as the terminal asks for it."""

import json

import pytest

from causalrules.errors import SettingsError
from causalrules.simulation import PLANTED, planted_table
from causalrules_lab.simulate import KINDS, simulate


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "bif"])
def test_every_kind_gives_a_table_and_a_truth_that_json_knows(kind):
    simulated = simulate(kind, seed=2, n_records="300")
    assert simulated.table.num_rows == 300
    column, _, value = simulated.truth.outcome.partition("=")
    assert value in simulated.table[column].to_pylist()
    assert json.loads(json.dumps(simulated.truth.to_dict(), allow_nan=False)) == simulated.truth.to_dict()


def test_the_hospital_is_the_planted_table():
    simulated = simulate("hospital", seed=3, n_records=50)
    assert simulated.table == planted_table(50, seed=3)
    assert len(simulated.truth.to_dict()["causes"]) == len(PLANTED)


def test_the_papers_settings_can_be_changed():
    assert simulate("V20-2K", n_records=70).table.shape == (70, 20)


@pytest.mark.parametrize(
    ("kind", "parameters", "complaint"),
    [
        ("hospitel", {}, "kind must be one of 'hospital', 'network'.* Did you mean 'hospital'"),
        ("network", {"n_node": 3}, "Did you mean 'n_nodes'"),
        ("network", {"n_nodes": "many"}, "n_nodes must be a whole number; it is 'many'"),
        ("network", {"n_nodes": 4.5}, "n_nodes must be a whole number; it is 4.5"),
        ("logistic", {"odds_ratio": "big"}, "odds_ratio must be a number"),
        ("logistic", {"n_records": 0}, "n_records must be a whole number from 1 to"),
        ("bif", {"path": "x.bif"}, "the kind 'bif' needs outcome: --set outcome=NODE=VALUE"),
    ],
)
def test_mistakes_are_named(kind, parameters, complaint):
    with pytest.raises(SettingsError, match=complaint):
        simulate(kind, **parameters)

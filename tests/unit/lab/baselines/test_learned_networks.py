"""Hill climbing and MIIC, as pyAgrum has them, on tables whose network is known."""

import os
import sys
from importlib.util import find_spec

import numpy as np
import pyarrow as pa
import pytest

from causalrules.engines import MemoryEngine
from causalrules.errors import MissingPackageError, SettingsError
from causalrules.paper import PaperSettings
from causalrules.simulation import planted_table
from causalrules_lab.baselines import code_table, compare, hill_climbing, hiton_pc, miic
from causalrules_lab.baselines.learned_networks import learn_arrows
from causalrules_lab.simulate import simulate

needs_pyagrum = pytest.mark.skipif(
    find_spec("pyagrum") is None and os.environ.get("CI") != "true",
    reason="pyAgrum is not installed (the extra peers)",
)


def collider(n_records=4000, seed=0):
    """a → z ← b, z → d, and e that follows d; of three values each but z."""
    chance = np.random.default_rng(seed)
    a, b = chance.integers(0, 3, (2, n_records))
    z = chance.random(n_records) < 0.05 + 0.2 * (a + b)
    d = np.where(chance.random(n_records) < 0.7, 2 * z, chance.integers(0, 3, n_records))
    e = np.where(chance.random(n_records) < 0.7, d, chance.integers(0, 3, n_records))
    columns = {"a": a, "b": b, "d": d, "e": e}
    table = {name: np.char.add("v", values.astype(str)) for name, values in columns.items()}
    return pa.table({**table, "z": np.where(z, "yes", "no")})


def arrows_of(table, learner, **options):
    coded = code_table(table, "z=yes", PaperSettings())
    names = [coded.items[first].column for first in coded.first_item[:-1]]
    found = learn_arrows(MemoryEngine(coded, 1), learner, **options)
    return {names[column]: arrow for column, arrow in found.items()}


every_learner = pytest.mark.parametrize(
    ("learner", "options"),
    [("hill-climbing", {}), ("hill-climbing", {"score": "bdeu"}), ("miic", {})],
    ids=["bic", "bdeu", "miic"],
)


@needs_pyagrum
@every_learner
def test_neighbours_are_found_and_followers_are_not(learner, options):
    assert set(arrows_of(collider(), learner, **options)) == {"a", "b", "d"}


@needs_pyagrum
@every_learner
def test_arrows_of_a_collider_have_a_direction(learner, options):
    only_causes = collider().select(["a", "b", "z"])
    assert arrows_of(only_causes, learner, **options) == {"a": "cause", "b": "cause"}


@needs_pyagrum
def test_miic_tells_an_effect_from_causes():
    assert arrows_of(collider(), "miic") == {"a": "cause", "b": "cause", "d": "effect"}


@needs_pyagrum
@pytest.mark.parametrize("learner", ["hill-climbing", "miic"])
def test_nothing_tells_which_way_a_lonely_arrow_points(learner):
    assert arrows_of(collider().select(["a", "z"]), learner) == {"a": "undecided"}


@needs_pyagrum
def test_a_column_is_one_finding_of_its_clearest_item():
    found = miic(collider(), "z=yes")
    assert [finding.pattern[0].column for finding in found.causal] == ["a", "b"]
    reasons = {finding.pattern[0].column: finding.reason for finding in found.findings}
    assert reasons == {
        "a": "an arrow points to the outcome",
        "b": "an arrow points to the outcome",
        "d": "an arrow points away from the outcome",
        "e": "not directly linked to the outcome",
    }


@needs_pyagrum
def test_missing_values_and_constant_columns_do_no_harm():
    table = collider()
    holes = [None if number % 5 == 0 else value for number, value in enumerate(table["a"].to_pylist())]
    table = table.set_column(0, "a", pa.array(holes)).append_column("same", pa.array(["x"] * table.num_rows))
    assert set(arrows_of(table, "hill-climbing")) == {"a", "b", "d"}


@needs_pyagrum
def test_combinations_of_causes_that_no_record_has_do_no_harm():
    """A network with its probabilities could not be learnt from these records; its arrows can."""
    simulated = simulate("V80-2K", seed=30_000)
    found = arrows_of(simulated.table, "hill-climbing")
    assert len(set(found) & set(simulated.truth.neighbours)) >= 6


@needs_pyagrum
def test_they_stand_beside_the_others():
    found = compare(planted_table(4000), "ill=yes", methods=["hiton-pc", "hill-climbing", "miic"])
    assert found.methods == ("default", "hiton-pc", "hill-climbing", "miic")
    assert found.n_causes["hill-climbing"] > 0


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyagrum", None)
    with pytest.raises(
        MissingPackageError, match=r"miic needs pyAgrum.*pip install 'causalrules-lab\[peers\]'"
    ):
        miic(collider(500), "z=yes")
    assert hiton_pc(collider(500), "z=yes").causal


def test_an_unknown_score_is_refused():
    with pytest.raises(SettingsError, match="score must be one of 'bic', 'bdeu'; it is 'aic'"):
        hill_climbing(collider(500), "z=yes", score="aic")

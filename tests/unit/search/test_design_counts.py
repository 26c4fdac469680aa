"""What a rule keeps of its study's design, counted again in plain Python."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import causalrules


def test_matched_records_and_the_worst_imbalance():
    rng = np.random.default_rng(5)
    side = rng.integers(0, 4, 900)
    x = np.where(side == 3, True, rng.random(900) < 0.2 + 0.2 * side)  # nobody of side 3 is unexposed
    z = rng.random(900) < 0.1 + 0.1 * side + 0.2 * x
    table = pa.table({"side": side.astype(str), "x": np.where(x, "yes", "no"), "z": np.where(z, "yes", "no")})
    rule = causalrules.test(table, "z=yes", "x=yes", adjust="side", matching="exact").tested[0]
    exposed, unexposed = Counter(side[x].tolist()), Counter(side[~x].tolist())
    both = set(exposed) & set(unexposed)
    assert rule.design.matched_exposed == sum(exposed[one] for one in both)
    assert rule.design.matched_unexposed == sum(unexposed[one] for one in both)
    assert rule.design.worst_imbalance == pytest.approx(0, abs=1e-6)
    apart = causalrules.test(table, "z=yes", "x=yes", adjust="side", matching="propensity").tested[0]
    assert 0 <= apart.design.worst_imbalance < 0.25


def test_a_number_without_a_cut_can_be_adjusted_for():
    rng = np.random.default_rng(6)
    x, z = rng.random((2, 300)) < 0.5
    table = pa.table({"age": rng.normal(size=300), "x": x.astype(str), "z": z.astype(str)})
    rule = causalrules.test(table, "z=True", "x=True", adjust="age").tested[0]
    assert rule.design.held == ("age",)

"""Where nothing looks likely to stand next to the outcome, studies hold what goes with it."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules


@pytest.fixture(scope="module")
def small():
    """A table too small to tell what stands next to the outcome; smoking and age plainly matter."""
    rng = np.random.default_rng(10)
    n = 160
    smoker, age = rng.random(n) < 0.4, rng.normal(30, 6, n).round()
    x = rng.random(n) < 0.15 + 0.25 * smoker
    z = rng.random(n) < 1 / (1 + np.exp(1.0 - 0.75 * smoker - 0.06 * (age - 30) - 0.4 * x))
    columns = {"smoker": smoker, "x": x, "z": z, "coin": rng.random(n) < 0.5}
    return pa.table({"age": age, **{name: np.where(has, "yes", "no") for name, has in columns.items()}})


def held(table, **said):
    return set(causalrules.test(table, "z=yes", "x=yes", **said).tested[0].design.held)


def test_what_goes_with_the_outcome_is_held(small):
    assert held(small) == {"smoker", "age"}


def test_what_is_said_of_columns_is_kept(small):
    assert held(small, after=("age",)) == {"smoker"}
    assert held(small, never_adjust=("age",)) == {"smoker"}
    assert held(small, tiers="x < smoker") == {"age"}
    assert held(small, adjust=("coin",)) == {"coin"}


def test_columns_that_go_with_nothing_are_not_held():
    rng = np.random.default_rng(1)
    table = pa.table({name: rng.choice(["yes", "no"], 400) for name in ("x", "z", "a", "b")})
    assert held(table) == set()

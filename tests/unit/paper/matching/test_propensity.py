import numpy as np
import pytest
import statsmodels.api as sm

from causalrules.paper.matching.distances import exposure_logits, overlap_of


def test_logits_are_those_of_statsmodels():
    chance = np.random.default_rng(1)
    bits = np.array([[i >> k & 1 for k in range(5)] for i in range(32)], np.bool_)
    sizes = chance.integers(5, 40, (32, 2))
    model = sm.GLM(sizes, sm.add_constant(bits.astype(float)), family=sm.families.Binomial())
    expected = model.fit().predict(which="linear")
    assert exposure_logits(bits, sizes) == pytest.approx(expected, abs=1e-4)


def test_collinear_controls_do_no_harm():
    """Two columns that are each other's complement say the same as one."""
    chance = np.random.default_rng(2)
    bits = np.array([[i >> k & 1 for k in range(3)] for i in range(8)], np.bool_)
    sizes = chance.integers(5, 40, (8, 2))
    doubled = np.column_stack([bits, ~bits[:, 0]])
    assert exposure_logits(doubled, sizes) == pytest.approx(exposure_logits(bits, sizes), abs=1e-3)


def test_separation_gives_finite_scores_without_overlap():
    bits = np.array([[True], [False]])
    sizes = np.array([[50, 0], [0, 50]])
    logits = exposure_logits(bits, sizes)
    assert np.isfinite(logits).all()
    assert logits[0] > 5 > -5 > logits[1]
    assert overlap_of(logits, sizes) == (0.0, 0.0)


@pytest.mark.parametrize("sizes", [[[3, 0]], [[0, 3]], [[0, 0]]])
def test_one_side_only(sizes):
    assert exposure_logits(np.array([[True]]), np.array(sizes)).tolist() == [0.0]
    assert overlap_of(np.zeros(1), np.array(sizes)) == (0.0, 0.0)


def test_overlap_by_hand():
    logits = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    sizes = np.array([[0, 4], [1, 3], [2, 2], [3, 1], [4, 0]])
    exposed, unexposed = overlap_of(logits, sizes)
    assert exposed == pytest.approx(6 / 10)
    assert unexposed == pytest.approx(6 / 10)

"""The change of an effect between two tables, against a plain simulation and a published example."""

import numpy as np
import pytest

from causalrules.assess.effect_change import difference_of_differences, ratio_of_ratios
from causalrules.domain import Estimate

_Z = 1.959963984540054


def test_the_published_example():
    found = ratio_of_ratios(Estimate(0.88, 0.71, 1.08), Estimate(0.67, 0.46, 0.98), 0.95)
    assert [round(one, 2) for one in (found.value, found.low, found.high)] == [0.76, 0.49, 1.17]


def test_it_covers_the_true_change_as_often_as_it_says():
    draw = np.random.default_rng(5)
    first, second = draw.normal(0.5, 0.2, 4_000), draw.normal(0.8, 0.1, 4_000)
    covered = 0
    for one, other in zip(first, second, strict=True):
        before, after = (
            Estimate(*np.exp([middle, middle - _Z * error, middle + _Z * error]))
            for middle, error in ((one, 0.2), (other, 0.1))
        )
        found = ratio_of_ratios(before, after, 0.95)
        covered += found.low <= np.exp(0.3) <= found.high
    assert covered / 4_000 == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("odd", [(np.inf, 2.0, np.inf), (0.0, 0.0, 0.5), (np.nan, np.nan, np.nan)])
def test_what_has_no_interval_has_no_change(odd):
    assert ratio_of_ratios(Estimate(*odd), Estimate(2.0, 1.0, 4.0), 0.95) is None
    assert ratio_of_ratios(Estimate(2.0, 1.0, 4.0), Estimate(*odd), 0.95) is None


def test_a_difference_turned_round_changes_its_sign():
    one, other = Estimate(2.0, 1.0, 3.0), Estimate(-1.0, -3.0, 1.0)
    there, back = (difference_of_differences(*pair, 0.9) for pair in ((one, other), (other, one)))
    assert (there.value, there.low, there.high) == (-back.value, -back.high, -back.low)

"""Numbers whose squares no computer can write are balanced like any others."""

import numpy as np
import pytest

from causalrules.cohort.imbalance import imbalance_of
from causalrules.domain.unique_rows import HeldColumn
from causalrules.report.words.contrast_words import percent_points

SUMS = np.array([[30, 10, 20 << 32, 20 << 32, 20], [10, 30, 10 << 32, 12 << 32, 10]])


def balance(values):
    return imbalance_of(SUMS, HeldColumn("x", 0, 2, np.array(values)), (30.0, 30.0))


def test_imbalance_has_no_unit():
    small, huge = balance([1.0, 3.0]), balance([1e200, 3e200])
    assert huge.before == pytest.approx(small.before)
    assert huge.after == pytest.approx(small.after)
    assert huge.after > 0


def test_a_spread_beyond_all_numbers_is_shown():
    assert percent_points(1e308, -1e308, 0.1)[2] == "+10.0%"

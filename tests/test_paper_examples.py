"""The paper's two worked examples."""

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

from causalrules.assess import crude_odds_ratios, expected_pairs, random_pairs
from causalrules.domain import Settings
from causalrules.encode import encode
from causalrules.engines import MemoryEngine


@pytest.mark.parametrize(
    ("men", "women", "printed"),
    [((185, 120), (65, 60), 1.43), ((5, 20), (15, 40), 0.67), ((180, 100), (50, 20), 0.72)],
    ids=["all", "college", "no college"],
)
def test_example_1_odds_ratios(men, women, printed):
    """The paper divides rounded odds (1.54 by 1.08), hence the tolerance of one hundredth."""
    low, high = men[0] + women[0], men[1] + women[1]
    found = crude_odds_ratios(np.array([men[0]]), np.array([men[1]]), low, high, 0.95)[0]
    assert found.value == pytest.approx(float(Fraction(men[0] * women[1], men[1] * women[0])), rel=1e-12)
    assert found.value == pytest.approx(printed, abs=0.01)


RECORDS = [  # A, M, F, H, U, P, Z
    (1, 0, 1, 0, 0, 1, 1),
    (1, 0, 1, 0, 1, 0, 1),
    (1, 1, 0, 1, 0, 0, 0),
    (1, 1, 0, 0, 0, 1, 1),
    (0, 0, 1, 0, 0, 1, 0),
    (0, 0, 1, 0, 1, 0, 0),
    (0, 1, 0, 1, 0, 0, 0),
    (0, 1, 0, 1, 0, 0, 1),
]


def test_example_2_matched_pairs():
    """Records 1-5, 2-6 and 3-7 are pairs: n11 = 0, n12 = 2, n21 = 0, n22 = 1.

    Record 3 may also meet record 8; the paper's draw is one of two, and the
    average over both gives each of n21 and n22 half a pair.
    """
    columns = dict(zip("AMFHUPZ", zip(*RECORDS, strict=True), strict=True))
    table = encode(
        pa.table({name: list(map(str, values)) for name, values in columns.items()}), "Z=1", Settings()
    )
    number = {str(item): i for i, item in enumerate(table.items)}
    controls = np.array([[item.column in "MFHUP" and item.value == "1" for item in table.items]])
    (strata,) = MemoryEngine(table).strata(np.array([[number["A=1"]]]), controls)
    assert strata.rows.tolist() == [[0, 1, 1, 1, 1], [1, 0, 0, 1, 2]]
    assert (strata.lonely_exposed, strata.lonely_unexposed) == (1, 0)
    mean = expected_pairs(strata)
    assert (mean.n11, mean.n12, mean.n21, mean.n22) == (0, 2, 0.5, 0.5)
    draws = [random_pairs(strata, seed=0, run=run, rule="A=1") for run in range(20)]
    assert {(d.n11, d.n12, d.n21, d.n22) for d in draws} == {(0, 2, 0, 1), (0, 2, 1, 0)}

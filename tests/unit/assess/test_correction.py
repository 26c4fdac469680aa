import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from causalrules.assess.correction import corrected, could_be_significant

p_lists = st.lists(st.floats(0, 1), min_size=1, max_size=30)
NAMES = {"bonferroni": "bonferroni", "holm": "holm", "bh": "fdr_bh", "by": "fdr_by"}


@pytest.fixture(autouse=True, scope="module")
def little_garbage():
    """Statsmodels collects garbage at every call of Holm's method: what earlier tests left is set aside."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("how", NAMES)
@given(p_values=p_lists)
def test_corrections_are_statsmodels(how, p_values):
    found = corrected(np.array(p_values), how, len(p_values))
    expected = multipletests(p_values, method=NAMES[how])[1]
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("how", NAMES)
@given(p_values=p_lists, n_more=st.integers(0, 20))
def test_hypotheses_not_listed_count_as_p_values_of_one(how, p_values, n_more):
    found = corrected(np.array(p_values), how, len(p_values) + n_more)
    expected = multipletests([*p_values, *[1.0] * n_more], method=NAMES[how])[1][: len(p_values)]
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(p_lists, st.integers(0, 10))
def test_testable_rules_are_tarone_s(smallest, n_others):
    """The definition itself: the smallest K with at most K hypotheses that could reach alpha / K."""
    alpha = 0.05
    k = next(
        k
        for k in range(1, len(smallest) + n_others + 2)
        if sum(p <= alpha / k for p in smallest) + n_others <= k
    )
    assert could_be_significant(np.array(smallest), alpha, n_others).tolist() == [
        p <= alpha / k for p in smallest
    ]


def test_without_studies_there_is_nothing_to_correct():
    assert len(could_be_significant(np.array([]), 0.05, 3)) == 0
    assert len(corrected(np.array([]), "by", 3)) == 0

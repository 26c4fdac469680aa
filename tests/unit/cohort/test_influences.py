"""Cluster-robust studies: repeated records must not look like evidence."""

import numpy as np
import pytest

from causalrules.assess.clusters import cluster_variance, clustered_p
from causalrules.cohort.compare_arms import compare_arms
from causalrules.cohort.influences import influences_of
from causalrules.cohort.study_rows import Control, StudyRows


def repeated(seed, n_persons=150, n_visits=5, effect=0.0):
    """Exposure, outcome and a control belong to the person; every visit is a row."""
    rng = np.random.default_rng(seed)
    control = rng.integers(1, 4, n_persons)
    exposed = rng.random(n_persons) < 0.2 + 0.1 * control
    risk = np.clip(rng.beta(0.6, 1.2, n_persons) + effect * exposed, 0, 1)
    outcome = rng.random((n_persons, n_visits)) < risk[:, None]
    person = np.repeat(np.arange(n_persons), n_visits)
    counts = np.column_stack([~outcome.ravel(), outcome.ravel()]).astype(np.int64)
    rows = StudyRows(exposed[person], counts, (Control("c", control[person].astype(np.int32), 3),))
    return rows, outcome.ravel().astype(int), person


def test_influences_add_up_to_nothing():
    rows, outcome, _ = repeated(0)
    found = influences_of(rows, compare_arms(rows))
    every = np.arange(rows.n_rows)
    for influence in (found.difference, found.second_opinion):
        assert influence[every, outcome].sum() == pytest.approx(0, abs=1e-10)
    assert abs(found.odds_ratio[every, outcome].sum()) < 0.01


def test_repeated_records_are_not_evidence():
    """Without clusters 25-50 % of these tables of noise are significant."""
    naive, by_ratio, by_difference, by_second = [], [], [], []
    for seed in range(120):
        rows, outcome, person = repeated(seed)
        study = compare_arms(rows)
        found = influences_of(rows, study)
        every = np.arange(rows.n_rows)
        naive.append(study.odds_ratio.p_value)
        for p_values, value, influence in (
            (by_ratio, np.log(study.odds_ratio.odds_ratio.value), found.odds_ratio),
            (by_difference, study.risks.difference.value, found.difference),
            (by_second, study.second_opinion.value, found.second_opinion),
        ):
            p_values.append(clustered_p(value, cluster_variance(influence[every, outcome], person)))
    assert np.mean(np.array(naive) < 0.05) > 0.2
    for p_values in (by_ratio, by_difference, by_second):
        assert np.mean(np.array(p_values) < 0.05) <= 0.1


def test_nobody_compared_has_no_influence():
    rows = StudyRows(np.ones(2, bool), np.array([[1, 2], [3, 4]]), ())
    found = influences_of(rows, compare_arms(rows))
    assert not found.odds_ratio.any()
    assert not found.second_opinion.any()

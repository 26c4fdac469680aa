"""Cluster-robust studies: repeated records must not look like evidence."""

import numpy as np
import pytest

from causalrules.assess.influences import difference_influence, odds_ratio_influence
from causalrules.cohort.compare_arms import compare_arms
from causalrules.cohort.design_study import ByDesign, with_design
from causalrules.cohort.study_records import Design, StudyRecords
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
    return rows, person


def by_person(rows, person):
    """The records of the visits, persons as clusters."""
    return StudyRecords.of(np.arange(rows.n_rows), rows.counts, Design(np.ones(rows.n_rows), person))


def test_what_records_add_sums_up_to_nothing():
    rows, person = repeated(0)
    study = compare_arms(rows)
    compared = ByDesign.of(rows, study.stratum, by_person(rows, person))
    difference = compared.parts(difference_influence(compared.cells, compared.sizes))
    assert difference.sum() == pytest.approx(0, abs=1e-10)
    assert abs(compared.parts(odds_ratio_influence(compared.cells, compared.sizes)).sum()) < 0.01


def test_repeated_records_are_not_evidence():
    """Without clusters 25-50 % of these tables of noise are significant."""
    naive, by_ratio, by_difference, by_second = [], [], [], []
    for seed in range(120):
        rows, person = repeated(seed)
        study = compare_arms(rows)
        found = with_design(rows, study, by_person(rows, person), 0.95)
        naive.append(study.odds_ratio.p_value < 0.05)
        by_ratio.append(found.odds_ratio.p_value < 0.05)
        by_difference.append(not found.risks.difference.low <= 0 <= found.risks.difference.high)
        by_second.append(not found.second_opinion.low <= 0 <= found.second_opinion.high)
    assert np.mean(naive) > 0.2
    for significant in (by_ratio, by_difference, by_second):
        assert np.mean(significant) <= 0.1


def test_without_clusters_and_weights_the_estimates_are_the_study_s():
    rows, _ = repeated(3)
    study = compare_arms(rows)
    found = with_design(rows, study, by_person(rows, None), 0.95)
    assert found.odds_ratio.odds_ratio.value == pytest.approx(study.odds_ratio.odds_ratio.value, rel=1e-12)
    assert found.second_opinion.value == pytest.approx(study.second_opinion.value, rel=1e-12)
    assert found.risks.difference.high == pytest.approx(study.risks.difference.high, rel=0.02)
    assert (found.n_clusters, found.crude.is_weighted) == (0, False)


def test_nobody_compared_tells_nothing():
    rows = StudyRows(np.ones(2, bool), np.array([[1, 2], [3, 4]]), ())
    study = compare_arms(rows)
    compared = ByDesign.of(rows, study.stratum, by_person(rows, np.arange(2)))
    assert (len(compared.records.row), compared.n_units) == (0, 0)


def test_all_records_are_weighted_where_none_are_comparable():
    """The crude odds ratio of a study that cannot be done was that of the sample."""
    counts = np.array([[10, 30], [20, 20]])
    rows = StudyRows(np.array([True, False]), counts, (Control("c", np.array([1, 2], np.int32), 2),))
    study = compare_arms(rows, "exact")
    weight = np.array([1.0, 3.0, 2.0, 1.0])  # of records without and with the outcome, exposed first
    kinds = np.array([[10, 0], [0, 30], [20, 0], [0, 20]])
    records = StudyRecords.of(np.array([0, 0, 1, 1]), kinds, Design(weight, None, is_weighted=True))
    crude = with_design(rows, study, records, 0.95).crude
    assert not (study.stratum >= 0).any()
    assert crude.odds_ratio.value == pytest.approx((90 / 10) / (20 / 40))
    assert crude.exposed_risk == pytest.approx(0.9)

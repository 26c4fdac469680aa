"""The design and both scores: judged by scikit-learn on single records."""

import numpy as np
import pytest
from scipy import stats

from causalrules.cohort import score_design as module
from causalrules.cohort.score_design import build_design, deciles, line_of_codes
from causalrules.cohort.scores import fit_scores
from causalrules.cohort.study_rows import Control, StudyRows


def records(seed=0, n=600, missing=0.1):
    """Every record a row: a category of four values and a number in fifty bins."""
    rng = np.random.default_rng(seed)
    category = rng.integers(1, 5, n) * (rng.random(n) > missing)
    number = rng.integers(1, 51, n) * (rng.random(n) > missing)
    exposed = rng.random(n) < 0.2 + 0.1 * (category == 2) + 0.006 * number
    outcome = rng.random(n) < 0.1 + 0.2 * (category == 3) + 0.005 * number + 0.1 * exposed
    values = np.sort(rng.normal(size=50))
    controls = (
        Control("category", category.astype(np.int32), 4),
        Control("number", number.astype(np.int32), 50, values),
    )
    return StudyRows(exposed, np.column_stack([~outcome, outcome]).astype(np.int64), controls)


def test_both_scores_like_scikit_learn():
    linear_model = pytest.importorskip("sklearn.linear_model")
    rows = records()
    category, number = rows.controls
    tens = deciles(number, rows.n_records)
    known = number.codes > 0
    line = np.append(0, number.values)[number.codes]
    line = np.where(known, (line - line[known].mean()) / line[known].std(), 0)
    square = np.where(known, (line**2 - (line[known] ** 2).mean()) / (line[known] ** 2).std(), 0)

    def dummies(codes):
        most = np.argmax(np.bincount(codes))
        return [(codes == code).astype(float) for code in np.unique(codes) if code != most]

    parts = [dummies(category.codes), dummies(tens), [line], [square]]
    exposed = rows.exposed.astype(float)

    def fitted(target, level, extra):
        penalties = [level, module._BIN * max(1, 150 * 10 / rows.n_rows), module._LINE, module._SQUARE]
        columns, scale = [np.ones(rows.n_rows)], [1e3]  # the intercept has a penalty of 10⁻⁶
        for part, penalty in zip([*parts, extra], [*penalties, module._LINE], strict=True):
            columns += part
            scale += [penalty**-0.5] * len(part)
        design = np.stack(columns, axis=1)
        model = linear_model.LogisticRegression(
            C=1.0, tol=1e-13, solver="newton-cholesky", max_iter=500, fit_intercept=False
        )
        model.fit(design * scale, target)
        return design, model.coef_[0] * scale

    found = fit_scores(rows)
    design, slopes = fitted(exposed, module.LEVEL, [])
    np.testing.assert_allclose(found.propensity, design @ slopes, atol=1e-8)
    design, slopes = fitted(rows.counts[:, 1], module.LEVEL_OF_OUTCOME, [exposed])
    assert found.models.outcome.coefficients[-1] == pytest.approx(slopes[-1], abs=1e-8)
    np.testing.assert_allclose(found.prognosis, design[:, :-1] @ slopes[:-1], atol=1e-8)


def levels_of(rows):
    """The design's column of every row's first control."""
    design = build_design(rows)
    return design.level_of_slot[design.kinds.slots[design.row_of, 0]].tolist()


def test_missing_is_a_level_and_the_most_frequent_one_is_the_reference():
    control = Control("c", np.array([0, 1, 1, 2, 3], np.int32), 3)
    rows = StudyRows(np.ones(5, bool), np.array([[1, 0]] * 5), (control,))
    assert levels_of(rows) == [1, -1, -1, 2, 3]


def test_too_many_levels_leave_the_rarest_to_the_reference(monkeypatch):
    monkeypatch.setattr(module, "MOST_LEVELS", 2)
    control = Control("c", np.arange(1, 6, dtype=np.int32), 5)
    rows = StudyRows(np.ones(5, bool), np.array([[9, 0], [1, 0], [5, 0], [2, 0], [4, 0]]), (control,))
    assert levels_of(rows) == [-1, -1, 1, -1, 2]


def test_a_constant_number_and_no_controls_at_all():
    number = Control("n", np.ones(4, np.int32), 1, np.array([3.0]))
    exposed, counts = np.array([True, True, False, False]), np.array([[5, 5]] * 4)
    assert np.isfinite(fit_scores(StudyRows(exposed, counts, (number,))).propensity).all()
    np.testing.assert_allclose(fit_scores(StudyRows(exposed, counts, ())).propensity, 0, atol=1e-6)


def test_counts_are_records():
    rows = records(1)
    twice = StudyRows(
        np.concatenate([rows.exposed] * 2),
        np.concatenate([rows.counts] * 2),
        tuple(Control(c.name, np.concatenate([c.codes] * 2), c.n_codes, c.values) for c in rows.controls),
    )
    doubled = StudyRows(rows.exposed, 2 * rows.counts, rows.controls)
    np.testing.assert_allclose(
        fit_scores(twice).prognosis[: rows.n_rows], fit_scores(doubled).prognosis, atol=1e-8
    )


def test_studies_that_share_rows_find_what_each_finds_alone():
    rows = records(2)
    others = [np.random.default_rng(seed).random(rows.n_rows) < 0.4 for seed in range(3)]
    for exposed in others:
        together = fit_scores(rows.with_arm(exposed))
        alone = fit_scores(StudyRows(exposed, rows.counts, rows.controls))
        np.testing.assert_allclose(together.propensity, alone.propensity, atol=1e-9)
        np.testing.assert_allclose(together.prognosis, alone.prognosis, atol=1e-9)


def test_a_start_from_a_model_with_another_control_changes_nothing():
    rows = records(3)
    near = fit_scores(StudyRows(rows.exposed, rows.counts, rows.controls[:1])).models
    started, alone = fit_scores(rows, near), fit_scores(StudyRows(rows.exposed, rows.counts, rows.controls))
    np.testing.assert_allclose(started.propensity, alone.propensity, atol=1e-9)
    np.testing.assert_allclose(started.prognosis, alone.prognosis, atol=1e-9)


def test_a_model_that_is_known_is_the_start_of_its_own_design():
    rows = records(4)
    found = fit_scores(rows)
    for model, n_free in ((found.models.exposure, 0), (found.models.outcome, 1)):
        start = build_design(rows).known_from(model, n_free)
        np.testing.assert_allclose(start[: len(start) - n_free], model.coefficients[: len(start) - n_free])


def test_a_start_from_a_model_whose_control_has_other_codes_changes_nothing():
    """Cells of several categories have one name and are numbered as they occur: elsewhere others may."""
    rows = records()
    category, number = rows.controls
    joined = Control("category", np.minimum(category.codes, 2), 2)
    near = fit_scores(StudyRows(rows.exposed, rows.counts, (joined, number))).models
    found, expected = fit_scores(rows, near), fit_scores(records())
    np.testing.assert_allclose(found.propensity, expected.propensity, atol=1e-8)
    np.testing.assert_allclose(found.prognosis, expected.prognosis, atol=1e-8)


def number_of(values, n_records=20):
    """A number of which each value has so many records."""
    codes = np.repeat(np.arange(1, len(values) + 1), n_records).astype(np.int32)
    return Control("number", codes, len(values), np.sort(values)), np.ones(len(codes), np.int64)


def test_a_strongly_skewed_number_enters_by_its_normal_scores():
    """So the scale on which a laboratory value was written down does not matter."""
    normal = np.random.default_rng(3).normal(size=100)
    (control, n_records), (plain, _) = number_of(np.exp(2 * normal)), number_of(normal)
    line = line_of_codes(control, n_records)
    assert np.corrcoef(line[1:], np.sort(normal))[0, 1] > 0.99
    np.testing.assert_allclose(line_of_codes(plain, n_records)[1:], stats.zscore(np.sort(normal)))
    (outlier, _) = number_of(np.append(normal[:99], 1e6))
    np.testing.assert_allclose(line_of_codes(outlier, n_records), line)


def test_a_missing_value_of_a_skewed_number_is_at_the_mean():
    control, n_records = number_of(np.exp(np.linspace(-4, 4, 100)))
    codes = np.append(control.codes, np.zeros(500, np.int32))
    line = line_of_codes(
        Control("number", codes, 100, control.values), np.append(n_records, np.ones(500, int))
    )
    np.testing.assert_allclose(line, line_of_codes(control, n_records))
    assert line[0] == 0
    assert abs(line[1:].mean()) < 1e-12

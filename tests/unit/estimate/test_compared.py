"""The records of a study, those with which its models begin, and what these models hold."""

import numpy as np
import pytest
import statsmodels.api as sm

from causalrules.estimate.compared import FIRST_RECORDS, LEAST_OF_EACH, compared_records, steps_of_each
from causalrules.estimate.study import study
from causalrules.words import constants
from causalrules.words.studies import Levels
from unit.find.made_records import records_of


def levels_of_two(records, name):
    return Levels(names=("0", "1"), level=records.column(name).codes.astype(np.int64) - 1, reference=0)


def drawn(n, *, share=0.3, exposed=0.4, seed=3):
    draw = np.random.default_rng(seed)
    columns = {"x": (draw.random(n) < exposed) * 1, "a": draw.integers(0, 5, n), "b": draw.integers(0, 7, n)}
    return records_of(columns, (draw.random(n) < share).astype(float))


def compared(records):
    controls = [column for column in records.columns if column.name != "x"]
    return compared_records(records, levels_of_two(records, "x"), controls)


def test_few_records_are_all_first():
    group = compared(drawn(FIRST_RECORDS))
    assert group.first is group
    assert group.begun(group.plain) is group.plain


def test_the_first_records_of_many_are_like_all():
    """Every so-many-eth in the order of the outcome: its share is that of all to a record."""
    group = compared(drawn(70_000))
    first = group.first
    assert first.mass.sum() == pytest.approx(FIRST_RECORDS, abs=2)
    assert first.mass @ first.y == pytest.approx(group.y.mean() * FIRST_RECORDS, abs=2)
    assert first.level.mean() == pytest.approx(group.level.mean(), abs=0.015)
    design = group.begun(group.plain)
    assert design.terms is group.plain.terms
    assert design.codes.shape[1] == len(first.y) == len(first.parts[0].codes)


@pytest.mark.parametrize(("share", "exposed", "place"), [(0.02, 0.4, 0), (0.3, 0.001, 1)])
def test_of_what_is_rare_more_come_first(share, exposed, place):
    first = compared(drawn(70_000, share=share, exposed=exposed)).first
    rarer = [min(first.mass @ one, first.mass @ (1 - one)) for one in (first.y, first.level)][place]
    every = 70_000 * (share, exposed)[place]
    assert rarer >= min(LEAST_OF_EACH[place] - 2, 0.8 * every)


def test_numbers_have_no_more_steps_than_the_rarer_outcome_has_records():
    draw = np.random.default_rng(1)
    numbers = {f"a{place}": draw.normal(size=400) for place in range(20)}
    records = records_of(numbers, (np.arange(400) < 90).astype(float))
    assert steps_of_each(records, records.columns) == 90 // 20
    assert steps_of_each(records, records.columns[:1]) == constants.STEPS
    assert steps_of_each(records, ()) == constants.STEPS
    scarce = records_of(numbers, (np.arange(400) < 10).astype(float))
    assert steps_of_each(scarce, scarce.columns) == 0
    levels = Levels(names=("0", "1"), level=draw.integers(0, 2, 400), reference=0)
    assert np.isfinite(study(scarce, levels, list(scarce.columns)).p)


def test_causes_that_count_together_are_held():
    """Four findings of eight make the difference, whichever: a sum of columns leaves enough to mislead."""
    n_found, n_by_sums = 0, 0
    for seed in range(40):
        draw = np.random.default_rng([8, seed])
        findings = (draw.random((8, 2000)) < 0.4) * 1
        score = 2.2 * (findings.sum(axis=0) >= 4) - 1.6
        x, y = (draw.random((2, 2000)) < 1 / (1 + np.exp(-score))) * 1
        records = records_of({f"c{i}": one for i, one in enumerate(findings)} | {"x": x}, y.astype(float))
        controls = [column for column in records.columns if column.name != "x"]
        n_found += study(records, levels_of_two(records, "x"), controls).p <= 0.05
        n_by_sums += sm.Logit(y, sm.add_constant(np.vstack([x, findings]).T)).fit(disp=0).pvalues[1] <= 0.05
    assert n_found <= 6 < 20 <= n_by_sums


def test_a_score_that_its_columns_nearly_tell_does_no_harm():
    """A score is nearly the sum of its columns: of few records neither may grow without the other."""
    for seed in range(10):
        draw = np.random.default_rng([9, seed])
        columns = {f"c{i}": draw.integers(0, 2 + i % 3, 300) for i in range(9)}
        score = sum((2.0 if i < 3 else 0.3) * (one - one.mean()) for i, one in enumerate(columns.values()))
        x, y = (draw.random((2, 300)) < 1 / (1 + np.exp(-np.stack([0.3 * score, score])))) * 1
        records = records_of(columns | {"x": x}, y.astype(float))
        controls = [column for column in records.columns if column.name != "x"]
        found = study(records, levels_of_two(records, "x"), controls)
        assert ((found.risk > 0.2) & (found.risk < 0.8)).all()
        assert (np.sqrt(found.covariance.diagonal()) < 0.1).all()

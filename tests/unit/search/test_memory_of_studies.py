"""What studies leave behind: with millions of rows, designs and scores would not fit into memory."""

import gc

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.cohort.score_design import Design
from causalrules.search.study_contrasts import ContrastStudies


@pytest.mark.parametrize("threads", [1, 2])
def test_a_study_that_is_done_keeps_neither_its_design_nor_its_scores(monkeypatch, threads):
    draw = np.random.default_rng(3)
    n = 2000
    age, dose = draw.normal(size=n), draw.integers(0, 3, n)
    ill = draw.random(n) < 1 / (1 + np.exp(0.5 - age - 0.7 * dose))
    table = pa.table({"age": age, "dose": pa.array(dose).cast(pa.string()), "ill": ill})
    causalrules.mine(table, "ill=true", max_length=1, threads=threads)  # warmed up, on a table of its own
    studied, designs = [], []
    study_each = ContrastStudies.study_each

    def study_and_look(self, patterns):
        for study in study_each(self, patterns):
            studied.append(study)
            yield study
        gc.collect()
        designs.append(sum(type(one) is Design for one in gc.get_objects()))

    monkeypatch.setattr(ContrastStudies, "study_each", study_and_look)
    causalrules.mine(table, "ill=true", max_length=1, threads=threads)
    by_scores = [study for study in studied if study.compared.method == "propensity"]
    assert len(by_scores) == 3  # the values of dose; those of age have one category to be alike in
    assert designs == [0]
    for study in by_scores:
        assert not len(study.compared.propensity)
        assert not len(study.compared.unexposed_risk)
        assert study.compared.stratum.dtype == np.int32
        assert len(study.compared.stratum) == study.arms.rows.n_rows

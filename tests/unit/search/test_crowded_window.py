"""More causes than the search compares at a time: the result says so."""

import numpy as np
import pandas as pd
import pytest

import causalrules


@pytest.mark.parametrize(("n_causes", "is_told"), [(14, True), (3, False)])
def test_many_causes_are_pointed_out(n_causes, is_told):
    draw = np.random.default_rng(3)
    exposures = draw.random((6000, 16)) < 0.5
    risk = 1 / (1 + np.exp(-1.2 * (exposures[:, :n_causes] - 0.5).sum(axis=1)))
    table = pd.DataFrame({f"x{i}": np.where(column, "yes", "no") for i, column in enumerate(exposures.T)})
    table["ill"] = np.where(draw.random(6000) < risk, "yes", "no")
    result = causalrules.mine(table, "ill=yes", max_length=1, threads=1)
    found = {rule.pattern[0].column for rule in result.tested if rule.verdict == "causal"}
    assert len(found) >= min(n_causes, 12)
    assert any("12 columns or more may be directly linked" in note for note in result.data.notes) == is_told

"""The paper's protocol where columns are many: what rules share, or is done in parts, changes nothing."""

from functools import cache

import numpy as np
import pyarrow as pa
import pytest

import causalrules
import naive
from causalrules.paper import studies
from causalrules.paper.controls import Associations
from causalrules.paper.judging import run_test
from causalrules.paper.studies import PaperStudies

WAYS = {
    "items": {"controls": "items"},
    "random pairs": {"controls": "items", "pairs": "random"},
    "by interval": {"controls": "items", "judge": "interval"},
    "minimum odds ratio": {"controls": "items", "judge": "interval", "min_odds_ratio": 1.1},
    "Mantel-Haenszel": {"controls": "items", "test": "mantel-haenszel"},
    "exact test": {"controls": "items", "test": "exact"},
    "columns": {"controls": "columns"},
    "nearest": {"controls": "items", "matching": "hamming", "runs": 2},
}


@cache
def table():
    """300 records, 24 columns of two values; fourteen make the outcome, and few records agree on these."""
    chance = np.random.default_rng(5)
    has = chance.random((300, 24)) < 0.5
    outcome = has[:, :14].sum(axis=1) > 7
    columns = {f"c{i:02}": np.where(has[:, i], "p", "q") for i in range(24)}
    return pa.table({**columns, "z": np.where(outcome, "yes", "no")})


def mined(**options):
    result = causalrules.mine(table(), "z=yes", max_length=2, **options)
    return result.to_dict() | {"timings": {}, "created": ""}


@pytest.fixture(scope="module", params=WAYS.values(), ids=WAYS)
def way(request):
    expected = mined(**request.param)
    assert any(rule["pairs"] == 0 for rule in expected["rules"]) or "matching" in request.param
    return request.param, expected


def test_controls_a_few_rules_at_a_time_change_nothing(way, monkeypatch):
    options, expected = way
    n_rules = []

    def counted(self, patterns, original=Associations.controls_of):
        n_rules.append(len(patterns))
        return original(self, patterns)

    monkeypatch.setattr(Associations, "controls_of", counted)
    monkeypatch.setattr(studies, "_CONTROLS_AT_ONCE", 48 * 7)
    assert mined(**options) == expected
    assert max(n_rules) == 7


def test_rules_without_partners_are_as_if_each_were_tested_by_itself(way, monkeypatch):
    options, expected = way
    monkeypatch.setattr(
        PaperStudies,
        "_tested",
        lambda self, cohort, run: run_test(cohort.fair.runs, self.settings, cohort.name, run),
    )
    assert mined(**options) == expected


@pytest.mark.parametrize("controls", ["items", "columns"])
def test_a_wide_table_is_mined_as_by_the_oracle(controls):
    rows = table().to_pylist()
    columns = table().column_names[:-1]
    expected = naive.mine(rows, columns, [row["z"] == "yes" for row in rows], max_length=2, controls=controls)
    result = causalrules.mine(table(), "z=yes", max_length=2, controls=controls, judge="interval")
    found = {
        (rule.direction, tuple((item.column, item.value) for item in rule.pattern)): rule
        for rule in result.rules
    }
    assert found.keys() == expected.keys()
    assert len({rule.controls for rule in found.values()}) < len(found) / 2
    for key, naive_study in expected.items():
        rule = found[key].as_printed
        assert (rule.verdict == "causal") == naive_study["causal"]
        assert {(item.column, item.value) for item in rule.controls} == naive_study["controls"]
        for name in ("n11", "n12", "n21", "n22"):
            assert getattr(rule.pairs, name) == pytest.approx(naive_study[name], rel=1e-9, abs=1e-9)

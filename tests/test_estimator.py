"""The scikit-learn estimator: its contract, and that it says what `mine` says."""

import pickle
import sys
from dataclasses import fields
from inspect import signature

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import causalrules
from causalrules import CausalRuleMiner
from causalrules.errors import MissingPackageError, OutcomeError, SettingsError

EXPECTED_FAILURES: dict[str, str] = {}
"""Checks of scikit-learn that cannot hold, each with its reason; so far all do."""


@parametrize_with_checks([CausalRuleMiner()], expected_failed_checks=lambda _: EXPECTED_FAILURES)
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def patients():
    return causalrules.simulate("hospital", n_records=1500, seed=3).table.to_pandas().astype(object)


@pytest.fixture(scope="module")
def fitted(patients):
    return CausalRuleMiner().fit(patients.drop(columns="ill"), patients["ill"])


def test_parameters_are_the_settings():
    parameters = {name: one.default for name, one in signature(CausalRuleMiner).parameters.items()}
    settings = {field.name: field.default for field in fields(causalrules.Settings)}
    assert parameters == {"outcome": None, "method": "default", **settings}


def test_it_says_what_mine_says(patients, fitted):
    result = causalrules.mine(patients, "ill=yes")
    assert [rule.name for rule in fitted.rules_] == [rule.name for rule in result.causal]
    assert fitted.result_.tested == result.tested
    assert fitted.classes_.tolist() == ["no", "yes"]


def test_a_column_for_each_causal_finding(patients, fitted):
    found = fitted.transform(patients.drop(columns="ill"))
    assert found.shape == (1500, len(fitted.findings_)) == (1500, len(fitted.get_feature_names_out()))
    assert 1 < len(fitted.findings_) < len(fitted.rules_)  # a column and its copy are one
    for column, finding in zip(found.T, fitted.findings_, strict=True):
        rule = finding.rule
        by_hand = np.logical_and.reduce([patients[item.column] == item.value for item in rule.pattern])
        assert (column == by_hand).all()
        assert column.sum() == rule.exposed


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_output_is_a_frame_where_one_is_wanted(patients, fitted, library):
    miner = pickle.loads(pickle.dumps(fitted)).set_output(transform=library)
    frame = miner.transform(patients.drop(columns="ill"))
    assert isinstance(frame, {"pandas": pd.DataFrame, "polars": pl.DataFrame}[library])
    assert list(frame.columns) == list(fitted.get_feature_names_out())


def test_a_polars_frame_is_as_good_as_a_pandas_one(patients, fitted):
    frame = pl.from_pandas(patients.astype(str))
    miner = clone(fitted).fit(frame.drop("ill"), frame["ill"].to_numpy())
    assert miner.rules_ == fitted.rules_
    assert (miner.transform(frame.drop("ill")) == fitted.transform(patients.drop(columns="ill"))).all()


def test_it_searches_a_grid_inside_a_pipeline(patients):
    pipeline = make_pipeline(CausalRuleMiner(max_length=1), LogisticRegression())
    search = GridSearchCV(pipeline, {"causalruleminer__alpha": [0.05, 0.01]}, cv=2)
    search.fit(patients.drop(columns="ill"), patients["ill"])
    assert search.best_score_ > (patients["ill"] == "no").mean()


def test_nothing_causal_is_a_result():
    rng = np.random.default_rng(1)
    array, y = rng.integers(0, 2, (200, 3)), rng.integers(0, 2, 200)
    miner = CausalRuleMiner().fit(array, y)
    assert miner.rules_ == ()
    assert miner.transform(array).shape == (200, 0)
    assert miner.set_output(transform="pandas").transform(array).shape == (200, 0)


def test_columns_of_an_array_have_names():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(800, 2))
    miner = CausalRuleMiner().fit(x, x[:, 1] + rng.normal(size=800) > 0)
    assert {item.column for rule in miner.rules_ for item in rule.pattern} == {"x1"}


def test_a_weight_is_how_often_a_record_counts(patients):
    some = patients.head(700)
    weights = np.random.default_rng(4).integers(0, 3, 700)
    X, y = some.drop(columns="ill"), some["ill"]  # noqa: N806
    again = np.repeat(np.arange(700), weights)
    weighted = CausalRuleMiner(max_length=1).fit(X, y, sample_weight=weights)
    repeated = CausalRuleMiner(max_length=1).fit(X.iloc[again], y.iloc[again])
    assert weighted.result_.tested == repeated.result_.tested
    with pytest.raises(SettingsError, match="whole numbers"):
        CausalRuleMiner().fit(X, y, sample_weight=weights + 0.5)


def test_groups_are_clusters(patients):
    some = patients.head(800)
    of = np.arange(800) // 4
    grouped = CausalRuleMiner(max_length=1).fit(some.drop(columns="ill"), some["ill"], groups=of)
    result = causalrules.mine(some.assign(groups=of), "ill=yes", cluster="groups", max_length=1)
    assert grouped.result_.tested == result.tested
    assert grouped.result_.tested[0].design.n_clusters == 200


def test_a_missing_value_is_no_exposure(patients, fitted):
    X = patients.drop(columns="ill")  # noqa: N806
    columns = [item.column for item in fitted.findings_[0].rule.pattern]
    assert fitted.transform(X.assign(**dict.fromkeys(columns)))[:, 0].sum() == 0


def test_outcomes_that_cannot_be_asked_about_are_refused(patients):
    X = patients.drop(columns="ill")  # noqa: N806
    of_three = np.resize([1, 2, 3], len(X))
    with pytest.raises(SettingsError, match="y has 3 values; name the one"):
        CausalRuleMiner().fit(X, of_three)
    with pytest.raises(SettingsError, match="a value of y, which has no, yes; it is 'maybe'"):
        CausalRuleMiner(outcome="maybe").fit(X, patients["ill"])
    with pytest.raises(OutcomeError, match="one value only"):
        CausalRuleMiner().fit(X, np.ones(len(X)))
    with pytest.raises(SettingsError, match="alpha"):
        CausalRuleMiner(alpha=7).fit(X, patients["ill"])
    named = CausalRuleMiner(outcome="no", max_length=1).fit(X, patients["ill"])
    assert {rule.direction for rule in named.rules_ if rule.pattern[0].column == "severity"} == {"lowers"}


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    monkeypatch.delitem(sys.modules, "causalrules.estimator")
    monkeypatch.delattr(causalrules, "CausalRuleMiner", raising=False)
    with pytest.raises(MissingPackageError, match=r"causalrules\[sklearn\]"):
        _ = causalrules.CausalRuleMiner

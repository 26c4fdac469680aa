"""Matched records against the rule's own counts, rebuilt from them with pandas alone."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import causalrules
from causalrules.errors import OtherTableError, UnknownRuleError
from unit.publish.patients import patients

DEFAULT = {"adjust": ["age", "sex"]}
EXACT = {"adjust": ["sex", "site"]}


@pytest.fixture(scope="module")
def frame():
    return patients()


@pytest.fixture(scope="module", params=[DEFAULT, EXACT], ids=["scores", "exact"])
def studied(request, frame):
    return causalrules.test(frame, "ill=yes", "drug=yes", **request.param)


def rebuilt_pairs(matched):
    """n11, n12, n21, n22 by the definition, from nothing but the matched records."""
    found = np.zeros(4)
    for _, stratum in matched.groupby("stratum"):
        has = stratum["ill"] == "yes"
        exposed = stratum["arm"] == "exposed"
        n_pairs = min(exposed.sum(), (~exposed).sum())
        p1, p0 = has[exposed].mean(), has[~exposed].mean()
        found += n_pairs * np.array([p1 * p0, p1 * (1 - p0), (1 - p1) * p0, (1 - p1) * (1 - p0)])
    return found


def test_the_rules_own_pairs_can_be_rebuilt_from_the_records(studied, frame):
    (rule,) = studied.tested
    assert rule.n_pairs > 100
    pairs = rule.of_the_outcome().pairs
    assert rebuilt_pairs(studied.matched(rule, frame)) == pytest.approx(
        [pairs.n11, pairs.n12, pairs.n21, pairs.n22], rel=1e-12
    )


def test_arms_and_numbers_are_those_of_the_rule(studied, frame):
    (rule,) = studied.tested
    matched = studied.matched(rule, frame)
    n = matched["arm"].value_counts()
    assert n["exposed"] == rule.exposed - rule.doubts.unmatched_exposed - left_out(
        matched, frame, "yes", rule
    )
    assert matched.index.equals(frame.index[matched["row"]])
    assert matched["stratum"].min() == 1
    assert set(matched.loc[matched["arm"] == "exposed", "drug"]) == {"yes"}
    assert "yes" not in set(matched.loc[matched["arm"] == "unexposed", "drug"])
    assert matched["ill"].notna().all()


def left_out(matched, frame, value, rule):
    """Exposed records whose controls are missing."""
    known = frame[frame["ill"].notna() & (frame["drug"] == value)]
    return int(known[list(rule.design.held)].isna().any(axis=1).sum())


@pytest.mark.parametrize("settings", [DEFAULT, EXACT], ids=["scores", "exact"])
def test_weighted_means_give_the_risk_difference(frame, settings):
    result = causalrules.test(frame, "ill=yes", "drug=yes", **settings)
    rule = result.tested[0]
    matched = result.matched(0, frame)
    assert rule.design.matching == ("exact" if settings is EXACT else "propensity")
    has, exposed = (matched["ill"] == "yes").to_numpy(float), matched["arm"] == "exposed"
    risks = [np.average(has[arm], weights=matched["weight"][arm]) for arm in (exposed, ~exposed)]
    # What strata of scores leave of a difference is taken off the estimate; exact strata leave nothing.
    close = {"rel": 1e-9} if settings is EXACT else {"abs": 0.005}
    assert risks[0] - risks[1] == pytest.approx(rule.of_the_outcome().effects.risk_difference.value, **close)
    assert (matched["weight"][exposed] == 1).all()
    assert matched["weight"][~exposed].mean() == pytest.approx(1)
    assert matched[list(rule.design.held)].notna().all().all()
    if settings is EXACT:
        assert (matched.groupby("stratum")[["sex", "site"]].nunique() == 1).all().all()


def test_every_engine_and_kind_of_table_gives_the_same(frame, tmp_path):
    frame.to_parquet(tmp_path / "patients.parquet")
    frame.to_csv(tmp_path / "patients.csv", index=False)
    one = causalrules.test(frame, "ill=yes", "drug=yes", threads=1, **DEFAULT)
    two = causalrules.test(
        tmp_path / "patients.parquet", "ill=yes", "drug=yes", engine="streaming", threads=2, **DEFAULT
    )
    expected = one.matched("drug=yes", frame)
    for result in (one, two):
        for table in (
            pl.from_pandas(frame),
            pl.from_pandas(frame).lazy(),
            pa.Table.from_pandas(frame),
            tmp_path / "patients.parquet",
            tmp_path / "patients.csv",
        ):
            found = result.matched("drug=yes", table)
            for name in ("row", "arm", "stratum", "weight"):
                assert (
                    list(
                        found[name].to_numpy()
                        if name != "arm"
                        else found[name].to_pylist()
                        if isinstance(found, pa.Table)
                        else found[name]
                    )
                    == expected[name].tolist()
                )
    assert isinstance(one.matched(0, pl.from_pandas(frame)), pl.DataFrame)
    assert isinstance(one.matched(0, pa.Table.from_pandas(frame)), pa.Table)


@pytest.mark.parametrize(
    "settings",
    [
        {"adjust": ["age>=60", "sex"]},
        {"cluster": "person", "holdout": 0.5},
        {"cut": ["age=every:10"]},
        {"missing_controls": "value", **DEFAULT},
        {"matched_set": "person"},
    ],
    ids=lambda settings: ",".join(settings),
)
def test_whatever_the_settings(frame, settings):
    table = frame.assign(person=[f"p{i // 3}" for i in range(len(frame))])
    result = causalrules.test(table, "ill=yes", "drug=yes", **settings)
    pairs = result.tested[0].of_the_outcome().pairs
    assert rebuilt_pairs(result.matched(0, table)) == pytest.approx(
        [pairs.n11, pairs.n12, pairs.n21, pairs.n22]
    )


def test_mined_rules_intervals_and_combinations_have_their_records(frame):
    result = causalrules.mine(frame, "ill=yes", bins="quantile:3")
    assert any(rule.name.startswith("age") for rule in result.tested)
    for rule in result.tested:
        pairs = rule.of_the_outcome().pairs
        assert rebuilt_pairs(result.matched(rule, frame)) == pytest.approx(
            [pairs.n11, pairs.n12, pairs.n21, pairs.n22]
        )


def test_a_hypothesis_with_intervals_of_its_own(frame):
    result = causalrules.test(frame, "ill=yes", "age>=65 & sex=male", adjust=["site"])
    matched = result.matched(0, frame)
    exposed = matched["arm"] == "exposed"
    assert ((matched["age"] >= 65) & (matched["sex"] == "male")).equals(exposed)


def test_records_kept_aside_are_the_only_ones_compared(frame):
    result = causalrules.test(frame, "ill=yes", "drug=yes", holdout=0.5, **DEFAULT)
    matched = result.matched(0, frame)
    pairs = result.tested[0].of_the_outcome().pairs
    assert rebuilt_pairs(matched) == pytest.approx([pairs.n11, pairs.n12, pairs.n21, pairs.n22])
    assert len(matched) < len(frame) / 2


def test_names_that_are_taken_get_an_underscore(frame):
    result = causalrules.test(frame.assign(weight=1.0), "ill=yes", "drug=yes", **DEFAULT)
    matched = result.matched(0, frame.assign(weight=1.0))
    assert (matched["weight"] == 1).all()
    assert "weight_" in matched


def test_another_table_is_refused(frame):
    result = causalrules.test(frame, "ill=yes", "drug=yes", **DEFAULT)
    with pytest.raises(
        OtherTableError, match=r"not the one that .drug=yes. was studied on: here .* records have"
    ):
        result.matched(0, frame.iloc[:900])
    changed = frame.assign(drug=frame["drug"].sample(frac=1, random_state=1).to_numpy())
    with pytest.raises(OtherTableError, match="exposed records, in the result"):
        result.matched(0, changed)
    with pytest.raises(OtherTableError, match="column 'ill'"):
        result.matched(0, frame.drop(columns="ill"))
    with pytest.raises(UnknownRuleError):
        result.matched("drug=maybe", frame)


def test_no_partners_no_records():
    frame = pd.DataFrame({"x": ["a"] * 30 + ["b"] * 30, "z": ["y", "n"] * 30, "c": ["1"] * 30 + ["2"] * 30})
    result = causalrules.test(frame, "z=y", "x=a", adjust=["c"], matching="exact")
    assert len(result.matched(0, frame)) == 0 or result.tested[0].design.held == ()


def test_a_table_of_counts_is_the_table_with_its_rows_repeated(frame):
    counted = frame.assign(times=[1 + i % 3 for i in range(len(frame))])
    long = counted.loc[counted.index.repeat(counted["times"])].drop(columns="times").reset_index(drop=True)
    by_counts = causalrules.test(counted, "ill=yes", "drug=yes", weights="times")
    by_rows = causalrules.test(long, "ill=yes", "drug=yes")
    short, whole = by_counts.matched(0, counted), by_rows.matched(0, long)
    assert short["stratum"].tolist() == whole["stratum"].tolist()
    assert short["row"].max() < len(counted)
    ours, theirs = (one.table1(0, table).to_frame() for one, table in ((by_counts, counted), (by_rows, long)))
    assert ours.equals(theirs)

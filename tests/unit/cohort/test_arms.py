import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import naive_study
from causalrules.cohort.arms import arms_of
from causalrules.cohort.compare_arms import compare_arms
from causalrules.cohort.design_study import with_design
from causalrules.cohort.imbalance import (
    imbalance_of,
    imbalance_of_columns,
    imbalance_of_held,
    row_weights,
)
from causalrules.cohort.study_records import Design, StudyRecords
from causalrules.domain.histogram import WEIGHT_UNIT
from causalrules.domain.unique_rows import HeldColumn, UniqueRows

COLUMNS = ("p", "q", "c", "d")
VALUES = st.sampled_from([None, 1, 2, 3])
RECORDS = st.lists(
    st.fixed_dictionaries(dict.fromkeys(COLUMNS, VALUES) | {"z": st.booleans()}), min_size=1, max_size=60
)
PATTERNS = st.sampled_from([{"p": 1}, {"p": 1, "q": 2}])
HELD = {"c": HeldColumn("c", 2, 3), "d": HeldColumn("d", 3, 3)}


def rows_of(records, columns=range(4)):
    codes = np.array([[record[COLUMNS[c]] or 0 for record in records] for c in columns], np.uint16)
    counts = np.array([[not record["z"], record["z"]] for record in records], np.int64)
    return UniqueRows.of(np.array(list(columns)), codes, counts)


def items_of(pattern):
    return [(COLUMNS.index(name), value) for name, value in pattern.items()]


@given(RECORDS, PATTERNS)
def test_arms_are_the_oracle_s(records, pattern):
    arms = arms_of(rows_of(records), items_of(pattern), [])
    found = [naive_study.arm_of(record, pattern) for record in records]
    assert arms.exposure_unknown == found.count(None)
    assert (arms.rows.n_exposed, arms.rows.n_unexposed) == (found.count(True), found.count(False))


@given(
    RECORDS, PATTERNS, st.sampled_from([(), ("c",), ("c", "d")]), st.sampled_from(["auto", "drop", "value"])
)
def test_exact_strata_and_missing_policies_are_the_oracle_s(records, pattern, controls, policy):
    arms = arms_of(rows_of(records), items_of(pattern), [HELD[name] for name in controls])
    study = compare_arms(arms.rows, "exact", policy)
    kept, used = naive_study.kept_for_missing(records, pattern, controls, policy)
    matched, lonely_exposed, lonely_unexposed = naive_study.strata(kept, pattern, controls)
    assert study.missing == used
    assert {tuple(row[:4]): row[4] for row in study.strata.rows.tolist()} == matched
    assert (study.strata.lonely_exposed, study.strata.lonely_unexposed) == (lonely_exposed, lonely_unexposed)


@given(RECORDS, PATTERNS)
def test_imbalance_is_the_oracle_s(records, pattern):
    """Of a column that is not held, with the other held exactly, missing being a value."""
    rows = rows_of(records)
    arms = arms_of(rows, items_of(pattern), [HELD["c"]])
    study = compare_arms(arms.rows, "exact", "value")
    weights, effective = row_weights(rows.n_rows, arms, study.stratum)
    codes = rows.codes[3]
    n_records = rows.counts.sum(axis=1)
    sums = np.stack([(weights * n_records[:, None])[codes == code].sum(axis=0) for code in (1, 2, 3)])
    found = imbalance_of(sums, HELD["d"], effective)
    expected = naive_study.standardised_differences(records, pattern, ("c",), "d")
    assert abs(found.before - expected["before"]) < 1e-9
    assert abs(found.after - expected["after"]) < 1e-5 + 8 / WEIGHT_UNIT


@given(st.lists(st.integers(0, 2**20), min_size=8, max_size=60))
def test_clustered_intervals_are_the_oracle_s(drawn):
    """From records by row and cluster to the interval of the odds ratio and its p-value."""
    digits = [(n % 2, n // 2 % 2, n // 4 % 2, n // 8 % 5) for n in drawn]
    records = [{"p": 1 + p, "c": 1 + c, "z": bool(z), "g": 1 + g} for p, c, z, g in digits]
    columns = ("p", "c", "g")
    codes = np.array([[record[name] for record in records] for name in columns], np.uint16)
    counts = np.array([[not record["z"], record["z"]] for record in records], np.int64)
    rows = UniqueRows.of(np.arange(2), codes[:2], counts)
    arms = arms_of(rows, [(0, 1)], [HeldColumn("c", 1, 2)])
    if not arms.rows.n_exposed or not arms.rows.n_unexposed:
        return
    study = compare_arms(arms.rows, "exact")
    row, design = rows.find(codes[:2]), Design(np.ones(len(records)), codes[2].astype(np.int64))
    clusters = StudyRecords.of(row, counts, design)
    found = with_design(arms.rows, study, clusters, 0.95).odds_ratio
    expected = naive_study.clustered_odds_ratio(records, {"p": 1}, ("c",), "g")
    if expected is None:
        return
    value, variance, fewest = expected
    assert found.odds_ratio.value == pytest.approx(value, rel=1e-9)
    if fewest < 1.999 or variance < 1e-9:  # nothing is told by fewer than two
        return
    distance = stats.t.ppf(0.975, fewest - 1) * variance**0.5
    if distance < 100:
        assert found.odds_ratio.high == pytest.approx(value * np.exp(distance), rel=1e-5)
        assert found.odds_ratio.low == pytest.approx(value * np.exp(-distance), rel=1e-5)
    p_value = 2 * stats.t.sf(abs(np.log(value)) / variance**0.5, fewest - 1)
    assert found.p_value == pytest.approx(p_value, rel=1e-5)


@given(RECORDS, st.integers(0, 60))
def test_unique_rows_add_up(records, cut):
    whole = rows_of(records)
    parts = [part for part in (records[:cut], records[cut:]) if part]
    added = rows_of(parts[0]) if len(parts) == 1 else rows_of(parts[0]) + rows_of(parts[1])
    assert added.codes.tolist() == whole.codes.tolist()
    assert added.counts.tolist() == whole.counts.tolist()


@given(RECORDS, st.sampled_from([{"p": 1}, {"p": 2}]))
def test_arms_that_share_with_another_pattern_are_those_of_their_own(records, pattern):
    rows, held = rows_of(records), [HELD["c"]]
    alone = arms_of(rows, items_of(pattern), held)
    shared = arms_of(rows, items_of(pattern), held, arms_of(rows, [(0, 3)], held))
    assert shared.kept.tolist() == alone.kept.tolist()
    assert shared.exposure_unknown == alone.exposure_unknown
    for one, other in ((shared.rows, alone.rows),):
        assert one.exposed.tolist() == other.exposed.tolist()
        assert one.counts.tolist() == other.counts.tolist()
        assert one.controls[0].codes.tolist() == other.controls[0].codes.tolist()


def test_imbalance_of_many_columns_is_that_of_each():
    rng = np.random.default_rng(0)
    first_item = np.array([0, 3, 3, 8, 10])
    sums = rng.integers(0, 50, (10, 5))
    sums[8:] = 0
    columns = [
        HeldColumn("three", 0, 3),
        HeldColumn("empty", 1, 0),
        HeldColumn("number", 2, 5, np.arange(5.0)),
        HeldColumn("nobody", 3, 2),
    ]
    found = imbalance_of_columns(sums, first_item, columns, (20.0, 30.0))
    for column in columns:
        own = sums[first_item[column.place] : first_item[column.place + 1]]
        assert found[column.name] == imbalance_of(own, column, (20.0, 30.0))


@given(st.integers(0, 2**32 - 1))
def test_imbalance_of_what_is_held_needs_no_records(seed):
    """From the rows of a study it is the same as from sums over all records that have a value."""
    rng = np.random.default_rng(seed)
    columns = np.array([2, 5, 7])
    codes = np.stack([rng.integers(0, 4, 40), rng.integers(0, 3, 40), rng.integers(0, 6, 40)]).astype(
        np.uint16
    )
    rows = UniqueRows.of(columns, codes, rng.integers(0, 9, (40, 2)))
    weights = rng.integers(0, 1 << 40, (rows.n_rows, 5))
    held = [HeldColumn("number", 7, 5, np.array([0.5, 1.0, 2.0, 4.0, 8.0])), HeldColumn("three", 2, 3)]
    found = imbalance_of_held(rows, weights, held, (12.0, 9.0))
    for column, place in zip(held, (2, 0), strict=True):
        sums = [
            sum(
                int(n) * of_row.astype(object)
                for code, n, of_row in zip(rows.codes[place], rows.counts.sum(axis=1), weights, strict=True)
                if code == value + 1
            )
            + np.zeros(5, object)
            for value in range(column.n_codes)
        ]
        assert found[column.name] == imbalance_of(np.array(sums, np.int64), column, (12.0, 9.0))
    assert imbalance_of_held(rows, weights, [], (12.0, 9.0)) == {}

"""Studies from unique rows: strata, missing values, and the truth of simulated tables."""

import numpy as np
import pytest

from causalrules.cohort.compare_arms import compare_arms, histogram_of, remaining_difference
from causalrules.cohort.stratify import stratify
from causalrules.cohort.study_rows import Control, StudyRows
from causalrules.domain.unique_rows import number_combinations


def expit(logit):
    return 1 / (1 + np.exp(-logit))


def categories(seed, n=2000, n_values=(4, 3), missing=0.0, log_odds=0.0):
    """Confounders that act on both; every record a row."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, k, n) for k in n_values]
    on_exposure = sum(rng.normal(size=k)[c] for k, c in zip(n_values, columns, strict=True))
    on_outcome = sum(rng.normal(size=k)[c] for k, c in zip(n_values, columns, strict=True))
    exposed = rng.random(n) < expit(on_exposure - 0.5)
    outcome = rng.random(n) < expit(on_outcome - 1 + log_odds * exposed)
    controls = tuple(
        Control(f"c{j}", ((c + 1) * (rng.random(n) >= missing)).astype(np.int32), k)
        for j, (c, k) in enumerate(zip(columns, n_values, strict=True))
    )
    return StudyRows(exposed, np.column_stack([~outcome, outcome]).astype(np.int64), controls)


def numbers(seed, n=2000, n_numbers=4, log_odds=0.0):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_numbers, n))
    exposed = rng.random(n) < expit(values.sum(axis=0) - 1)
    outcome = rng.random(n) < expit(values.sum(axis=0) - 1 + log_odds * exposed)
    controls = []
    for j, v in enumerate(values):
        code = np.searchsorted(np.quantile(v, np.arange(1, 100) / 100), v)
        means = np.bincount(code, v) / np.bincount(code)
        controls.append(Control(f"n{j}", (code + 1).astype(np.int32), 100, means))
    return StudyRows(exposed, np.column_stack([~outcome, outcome]).astype(np.int64), tuple(controls))


def test_exact_strata_are_the_combinations_with_both_arms():
    rows = categories(0)
    study = compare_arms(rows)
    by_hand = {}
    for i in range(rows.n_rows):
        key = tuple(int(c.codes[i]) for c in rows.controls)
        by_hand.setdefault(key, [0, 0, 0, 0])[2 * (not rows.exposed[i]) + int(rows.counts[i, 0])] += 1
    strata = sorted(tuple(v) for v in by_hand.values() if v[0] + v[1] and v[2] + v[3])
    found = [tuple(row[:4]) for row in study.strata.rows.tolist() for _ in range(row[4])]
    assert study.method == "exact"
    assert study.exact_on == ("c0", "c1")
    assert found == strata
    assert study.strata.n_exposed == rows.n_exposed


@pytest.mark.parametrize("make", [categories, numbers])
def test_the_order_of_the_rows_changes_nothing(make):
    rows = make(3)
    order = np.random.default_rng(0).permutation(rows.n_rows)
    one, other = compare_arms(rows), compare_arms(rows.take(order))
    assert one.strata == other.strata
    assert one.stratum[order].tolist() == other.stratum.tolist()
    assert one.odds_ratio == other.odds_ratio
    assert one.second_opinion.value == pytest.approx(other.second_opinion.value, abs=1e-9)


def test_rows_and_counts_are_the_same_thing():
    rows = categories(4)
    key = number_combinations([*(c.codes for c in rows.controls), rows.exposed.astype(int)], rows.n_rows)
    _, first = np.unique(key, return_index=True)
    counts = np.stack([np.bincount(key, rows.counts[:, y]) for y in (0, 1)], axis=1).astype(np.int64)
    unique = StudyRows(rows.exposed[first], counts, tuple(c.take(first) for c in rows.controls))
    for matching in ("exact", "propensity"):
        one, other = compare_arms(rows, matching), compare_arms(unique, matching)
        assert one.strata == other.strata
        assert one.risks == other.risks


def test_risks_are_corrected_for_what_strata_of_scores_leave():
    rows = numbers(2, n=300)
    strata = stratify(rows)
    assert strata.scores is not None
    risk = expit(strata.scores.prognosis)
    by_stratum = {}
    for i in range(rows.n_rows):
        if strata.numbers[i] >= 0:
            arms = by_stratum.setdefault(int(strata.numbers[i]), ([], []))
            arms[0 if rows.exposed[i] else 1].extend([risk[i]] * int(rows.counts[i].sum()))
    n_exposed = sum(len(arms[0]) for arms in by_stratum.values())
    by_hand = sum(
        len(one) / n_exposed * (np.mean(one) - np.mean(other)) for one, other in by_stratum.values()
    )
    assert by_hand > 0.001, "the riskier half of a stratum has more exposed records"
    assert remaining_difference(rows, strata.numbers, risk) == pytest.approx(by_hand, abs=1e-8)


def test_numbers_are_compared_by_scores():
    rows = numbers(1)
    study = compare_arms(rows)
    assert study.method == "propensity"
    assert study.matched_exposed > 0.9
    sizes = study.strata.rows[:, :4].sum(axis=1)
    assert 10 <= np.average(sizes, weights=study.strata.rows[:, 4]) <= 40
    assert compare_arms(rows, "exact").matched_exposed < 0.7


def test_thin_exact_strata_give_way_to_scores_with_the_strongest_held():
    study = compare_arms(categories(2, n=600, n_values=(3, 6, 6, 6, 6)))
    assert study.method == "propensity"
    assert len(study.exact_on) >= 1


def test_strata_are_exact_on_what_they_say():
    rows = categories(5, n=3000, n_values=(2, 12, 9, 7))
    found = stratify(rows, "propensity")
    for control in rows.controls:
        if control.name in found.exact_on:
            for number in range(found.numbers.max() + 1):
                assert len(set(control.codes[found.numbers == number])) == 1


@pytest.mark.parametrize(
    ("n", "missing", "policy", "used"),
    [
        (2000, 0.1, "auto", "drop"),
        (2000, 0.1, "value", "value"),
        (120, 0.6, "auto", "value"),
        (2000, 0.0, "auto", "none"),
    ],
)
def test_missing_controls(n, missing, policy, used):
    rows = categories(6, n=n, missing=missing)
    study = compare_arms(rows, missing=policy)
    incomplete = sum(any(c.codes[i] == 0 for c in rows.controls) for i in range(n))
    assert study.missing == used
    assert study.n_left_out == (incomplete if used == "drop" else 0)
    if used == "drop":
        assert all((c.codes[study.stratum >= 0] > 0).all() for c in rows.controls)


def with_gaps(rows, share, seed=0):
    rng = np.random.default_rng(seed)
    controls = (
        Control(
            one.name, one.codes * (rng.random(rows.n_rows) >= share).astype(np.int32), one.n_codes, one.values
        )
        for one in rows.controls
    )
    return StudyRows(rows.exposed, rows.counts, tuple(controls))


@pytest.mark.parametrize(
    "rows", [categories(6, n_values=(9, 9, 9)), numbers(3)], ids=["categories", "numbers"]
)
def test_complete_records_are_compared_with_complete_ones_whatever_becomes_of_the_others(rows):
    rows = with_gaps(rows, 0.1)
    is_complete = np.all([control.codes > 0 for control in rows.controls], axis=0)
    alone, everybody = (compare_arms(rows, missing=how) for how in ("drop", "value"))
    assert alone.method == everybody.method == "propensity"
    assert (everybody.stratum[is_complete] == alone.stratum[is_complete]).all()
    assert everybody.stratum[~is_complete].max() > alone.stratum.max()
    assert not np.isin(everybody.stratum[~is_complete], alone.stratum[alone.stratum >= 0]).any()
    assert np.isfinite(everybody.propensity).all()


def test_the_complete_part_of_a_study_is_taken_over_from_another():
    rows = with_gaps(numbers(3), 0.1)
    alone = compare_arms(rows, missing="drop")
    anew, taken_over = (compare_arms(rows, missing="value", complete=one) for one in (None, alone.complete))
    assert (anew.stratum == taken_over.stratum).all()
    assert anew.odds_ratio == taken_over.odds_ratio
    assert anew.risks == taken_over.risks
    assert anew.second_opinion.value == pytest.approx(taken_over.second_opinion.value, abs=1e-9)


def test_incomplete_records_of_one_arm_have_no_partners():
    rows = numbers(4, n=600)
    first = rows.controls[0]
    codes = np.where(rows.exposed & (np.arange(600) < 60), 0, first.codes).astype(np.int32)
    rows = StudyRows(
        rows.exposed, rows.counts, (Control("n0", codes, first.n_codes, first.values), *rows.controls[1:])
    )
    study = compare_arms(rows, missing="value")
    assert (study.stratum[codes == 0] == -1).all()
    assert study.odds_ratio == compare_arms(rows, missing="drop").odds_ratio
    assert study.n_left_out == 0


def test_nobody_to_compare_with():
    exposed = np.array([True, False])
    control = Control("c", np.array([1, 2], np.int32), 2)
    study = compare_arms(StudyRows(exposed, np.array([[5, 5], [5, 5]]), (control,)), "exact")
    assert study.stratum.tolist() == [-1, -1]
    assert study.odds_ratio.p_value == 1
    assert (study.matched_exposed, study.matched_unexposed) == (0, 0)
    assert (study.strata.lonely_exposed, study.strata.lonely_unexposed) == (10, 10)
    one_arm = StudyRows(np.ones(2, bool), np.array([[5, 5], [5, 5]]), (control,))
    assert compare_arms(one_arm).odds_ratio.p_value == 1
    assert compare_arms(one_arm, "propensity").odds_ratio.p_value == 1
    no_rows = StudyRows(np.zeros(0, bool), np.zeros((0, 2), np.int64), ())
    assert compare_arms(no_rows).odds_ratio.p_value == 1


def test_nothing_held_is_the_crude_table():
    rows = StudyRows(np.array([True, False]), np.array([[6, 4], [8, 2]]), ())
    study = compare_arms(rows)
    assert study.strata.rows.tolist() == [[4, 6, 2, 8, 1]]
    assert study.risks.difference.value == pytest.approx(0.2)
    assert study.second_opinion.value == pytest.approx(0.2)


def test_histogram_counts_the_lonely():
    rows = StudyRows(np.array([True, False, True]), np.array([[1, 2], [3, 4], [5, 6]]), ())
    histogram = histogram_of(rows, np.array([0, 0, -1]))
    assert histogram.rows.tolist() == [[2, 1, 4, 3, 1]]
    assert histogram.lonely_exposed == 11


@pytest.mark.parametrize("seed", range(3))
def test_combinations_beyond_64_bits(seed):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 1000, 50) * (rng.random(50) < 0.5) for _ in range(12)]
    keys = list(zip(*[c.tolist() for c in columns], strict=True))
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    assert number_combinations(columns, 50).tolist() == [ranks[key] for key in keys]


def test_four_numbers_keep_their_promises():
    """Strata of the propensity score alone missed an odds ratio of 2 in a fifth of the tables."""
    null = [compare_arms(numbers(seed)).odds_ratio.p_value < 0.05 for seed in range(40)]
    assert np.mean(null) <= 0.125
    covered, biases = [], []
    for seed in range(40):
        ratio = compare_arms(numbers(100 + seed, log_odds=np.log(2))).odds_ratio.odds_ratio
        covered.append(ratio.low <= 2 <= ratio.high)
        biases.append(np.log(ratio.value / 2))
    assert np.mean(covered) >= 0.875
    assert abs(np.mean(biases)) < 0.08


def test_the_second_opinion_knows_categories_that_act_together():
    """Records whose two values are equal are exposed, and fall ill, more often; nothing else is true."""
    rng = np.random.default_rng(1)
    one, other = rng.integers(0, 3, (2, 6000))
    exposed = rng.random(6000) < np.where(one == other, 0.7, 0.2)
    ill = rng.random(6000) < np.where(one == other, 0.6, 0.2)
    row = 18 * exposed + 6 * one + 2 * other + ill
    counts = np.bincount(row, minlength=36).reshape(2, 3, 3, 2)
    arm, first, second = np.unravel_index(np.arange(18), (2, 3, 3))
    controls = (
        Control("one", (first + 1).astype(np.int32), 3),
        Control("other", (second + 1).astype(np.int32), 3),
    )
    for matching in ("exact", "propensity"):
        study = compare_arms(StudyRows(arm == 1, counts.reshape(18, 2), controls), matching)
        opinion = study.second_opinion
        assert opinion.low < 0 < opinion.high
        assert opinion.value == pytest.approx(study.risks.difference.value, abs=0.015)


def test_a_study_without_any_record_says_nothing():
    """Nobody's exposure is known, and two categories are held."""
    empty = np.empty(0, np.int32)
    held = tuple(Control(name, empty, 2) for name in ("sex", "site"))
    study = compare_arms(StudyRows(np.empty(0, np.bool_), np.empty((0, 2), np.int64), held))
    assert study.odds_ratio.information == 0
    assert study.strata.n_exposed == 0

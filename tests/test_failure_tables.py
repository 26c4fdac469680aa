"""The tables that mislead plant what they say: judged on many records, without the program."""

import csv
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    """Experiments are run from the project's folder."""
    monkeypatch.syspath_prepend(str(ROOT))
    yield
    for name in [name for name in sys.modules if name.split(".")[0] == "experiments"]:
        del sys.modules[name]


@pytest.fixture
def tables():
    from experiments import failure_tables

    return failure_tables


def values(table, name):
    return table[name].to_numpy(zero_copy_only=False)


def is_yes(table, name):
    return values(table, name) == "yes"


def odds_ratio(exposed, ill, strata=None):
    """Mantel-Haenszel: the odds ratio among records of one stratum."""
    above = below = 0.0
    strata = np.zeros(len(ill)) if strata is None else strata
    for stratum in np.unique(strata):
        here = strata == stratum
        x, z, n = exposed[here], ill[here], here.sum()
        above += (x & z).sum() * (~x & ~z).sum() / n
        below += (x & ~z).sum() * (~x & z).sum() / n
    return above / below


def study_of(planted, *held):
    """Crude and stratified odds ratios of the exposure, among records whose values are known."""
    table = planted.table
    known = np.array([value is not None for value in table["x"].to_pylist()])
    strata = np.zeros(table.num_rows, int)
    for name in held:
        strata = strata * 100 + np.unique(values(table, name).astype(str), return_inverse=True)[1]
    x, z = is_yes(table, "x")[known], is_yes(table, "z")[known]
    return odds_ratio(x, z), odds_ratio(x, z, strata[known])


GENERATORS = (
    "many_values",
    "numeric_confounders",
    "few_exposed",
    "exposure_missing",
    "exposure_missing_for_the_ill",
    "confounder_missing",
    "repeated_records",
    "wide",
    "dense_network",
    "two_valued",
    "negative_confounding",
    "leak",
    "person_numbers",
    "rare_outcome",
    "noise_numbers",
    "interacting_causes",
    "known_effect",
)
SMALL = {"wide": {"n": 500}, "dense_network": {"n": 500, "columns": 12}}


@pytest.mark.parametrize("name", GENERATORS)
def test_a_seed_fixes_everything_and_another_changes_it(tables, name):
    make, parameters = getattr(tables, name), SMALL.get(name, {})
    first, again, other = make(3, **parameters), make(3, **parameters), make(4, **parameters)
    assert first.table.equals(again.table)
    assert first.truth == again.truth
    assert not first.table.equals(other.table)
    assert first.outcome == "z=yes"
    assert set(first.table["z"].to_pylist()) == {"yes", "no"}
    assert first.truth.causes | first.truth.effects <= set(first.table.column_names) - {"z"}


@pytest.mark.parametrize("levels", [3, 25])
def test_the_exposure_does_nothing_within_values_of_the_confounder(tables, levels):
    planted = tables.many_values(0, n=200_000, levels=levels)
    crude, held = study_of(planted, "confounder")
    assert crude > 1.5
    assert held == pytest.approx(1, abs=0.04)
    assert len(planted.table["confounder"].unique()) == levels


def test_the_exposure_does_nothing_within_narrow_bins_of_a_number(tables):
    table = tables.numeric_confounders(0, n=200_000).table
    number = values(table, "number0")
    fine = np.searchsorted(np.quantile(number, np.linspace(0, 1, 200)[1:-1]), number)
    assert odds_ratio(is_yes(table, "x"), is_yes(table, "z")) > 1.8
    assert odds_ratio(is_yes(table, "x"), is_yes(table, "z"), fine) == pytest.approx(1, abs=0.04)


def test_few_are_exposed_and_they_are_very_different(tables):
    table = tables.few_exposed(0).table
    exposed, age = is_yes(table, "x"), values(table, "age")
    assert (table.num_rows, exposed.sum()) == (16_000, 185)
    spread = np.sqrt((age[exposed].var() + age[~exposed].var()) / 2)
    assert (age[~exposed].mean() - age[exposed].mean()) / spread > 1.5


@pytest.mark.parametrize("confounded", [False, True])
def test_an_unknown_exposure_is_unknown_by_chance(tables, confounded):
    planted = tables.exposure_missing(0, n=200_000, confounded=confounded)
    assert planted.table["x"].null_count / 200_000 == pytest.approx(0.4, abs=0.01)
    assert study_of(planted, "confounder")[1] == pytest.approx(3, rel=0.05)
    assert ("confounder" in planted.truth.causes) == confounded


def test_an_exposure_unknown_for_the_ill_has_no_effect_where_known(tables):
    planted = tables.exposure_missing_for_the_ill(0, n=100_000)
    unknown = np.array([value is None for value in planted.table["x"].to_pylist()])
    ill = is_yes(planted.table, "z")
    assert unknown[ill].mean() == pytest.approx(0.3, abs=0.01)
    assert not unknown[~ill].any()
    assert study_of(planted)[0] == pytest.approx(1, abs=0.05)


def test_a_confounder_with_gaps_leaves_its_complete_records_unconfounded(tables):
    planted = tables.confounder_missing(0, n=200_000, missing=0.3)
    table = planted.table
    assert table["confounder0"].null_count / 200_000 == pytest.approx(0.3, abs=0.01)
    complete = table.filter(table["confounder0"].is_valid())
    crude, held = study_of(planted._replace(table=complete), "confounder0")
    assert crude > 1.5
    assert held == pytest.approx(1, abs=0.04)


def test_records_of_one_person_are_alike_and_persons_are_noise(tables):
    planted = tables.repeated_records(0, persons=5000)
    person, ill = values(planted.table, "person_number"), is_yes(planted.table, "z")
    order = np.argsort(person, kind="stable")
    by_person = ill[order].reshape(5000, 5)
    assert (np.diff(values(planted.table, "noise0")[order].reshape(5000, 5) == "a", axis=1) == 0).all()
    assert by_person.mean(axis=1).var() > 2 * ill.var() / 5  # independent records would have the fifth
    assert not planted.truth.causes
    assert "person_number" not in tables.repeated_records(0, named=False).table.column_names


def test_a_wide_table_has_as_many_causes_as_asked_and_the_others_do_nothing(tables):
    planted = tables.wide(0, n=100_000, columns=30, causes=5)
    ill = is_yes(planted.table, "z")
    logs = {
        c: abs(np.log(odds_ratio(is_yes(planted.table, c), ill))) for c in planted.table.column_names[:-1]
    }
    assert len(planted.truth.causes) == 5
    assert min(logs[c] for c in planted.truth.causes) > 0.4
    assert max(log for c, log in logs.items() if c not in planted.truth.causes) < 0.06


def test_a_dense_network_has_its_edges(tables):
    truth = tables.dense_network(0, n=200, columns=40, degree=4).truth
    assert not truth.causes & truth.effects
    assert len(truth.causes) <= 5
    assert len(truth.causes | truth.effects) >= 4


def test_negative_confounding_turns_the_crude_sign(tables):
    crude, held = study_of(tables.negative_confounding(0, n=200_000), "confounder")
    assert crude < 0.8
    assert held == pytest.approx(2, rel=0.05)


def test_the_leak_agrees_as_often_as_asked(tables):
    planted = tables.leak(0, n=50_000, agrees=0.98)
    agrees = (values(planted.table, planted.truth.suspect) == "D7") == is_yes(planted.table, "z")
    assert agrees.mean() == pytest.approx(0.98, abs=0.005)
    assert planted.truth.suspect not in planted.truth.causes


def test_person_numbers_are_unique_with_gaps(tables):
    numbers = np.sort(values(tables.person_numbers(0, gap=7).table, "person"))
    assert len(np.unique(numbers)) == len(numbers)
    assert np.diff(numbers).mean() > 5


@pytest.mark.parametrize("share", [0.02, 0.3])
def test_a_rare_outcome_is_as_rare_as_asked(tables, share):
    assert is_yes(tables.rare_outcome(0, n=50_000, share=share).table, "z").mean() == pytest.approx(
        share, rel=0.1
    )


def test_interacting_causes_matter_alone_and_more_together(tables):
    table = tables.interacting_causes(0, n=200_000).table
    a, b, z = (is_yes(table, name) for name in "abz")
    assert odds_ratio(a[~b], z[~b]) == pytest.approx(1.5, rel=0.05)
    assert odds_ratio(a[b], z[b]) == pytest.approx(4.5, rel=0.05)


def test_the_known_effect_is_what_an_experiment_would_show(tables):
    """The exposed of many tables, against the same records without an effect."""
    with_effect = [tables.known_effect(seed, n=50_000) for seed in range(4)]
    without = [tables.known_effect(seed, n=50_000, odds_ratio=1.0) for seed in range(4)]
    shown = np.mean(
        [_risk_of_exposed(a) - _risk_of_exposed(b) for a, b in zip(with_effect, without, strict=True)]
    )
    assert shown == pytest.approx(
        np.mean([planted.truth.risk_difference for planted in with_effect]), abs=0.01
    )
    assert is_yes(with_effect[0].table, "x").mean() == pytest.approx(0.05, abs=0.005)
    assert without[0].truth.risk_difference == 0


def _risk_of_exposed(planted):
    return is_yes(planted.table, "z")[is_yes(planted.table, "x")].mean()


def test_a_run_counts_errors_and_goes_on_where_it_was_stopped(tmp_path, capsys):
    from experiments.failure_cases import main

    asked = ["--tables", "2", "--cases", "5", "--to", str(tmp_path), "--settings", "nonsense=1"]
    main(asked)
    assert "2 errors: SettingsError: there is no setting 'nonsense'" in capsys.readouterr().out
    file = tmp_path / "failure_cases_default.csv"
    with file.open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [(row["tables"], row["answered"], row["errors"]) for row in rows] == [("2", "0", "2")] * 3
    written = file.stat().st_mtime_ns
    main(asked)
    assert capsys.readouterr().out == ""
    assert file.stat().st_mtime_ns == written


def test_verdicts_that_are_not_causal_are_never_counted_as_causal(tables):
    from types import SimpleNamespace

    from experiments.failure_measures import Answers, has_false_rule, is_called_causal

    answers = Answers(tables.exposure_missing_for_the_ill(0, n=50), {})
    for verdict in ("possible", "consequence", "rejected", "causal"):
        rule = SimpleNamespace(verdict=verdict, pattern=[SimpleNamespace(column="x", value="yes")])
        answers._said = {"test": rule, "mine": SimpleNamespace(tested=[rule])}
        assert is_called_causal(answers) == has_false_rule(answers) == (verdict == "causal")

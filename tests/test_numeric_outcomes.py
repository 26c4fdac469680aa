"""A number as the outcome: differences of its means, against statsmodels, on every engine."""

import io
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import statsmodels.api as sm
from rich.console import Console
from scipy import stats

import causalrules
from causalrules.domain import Result, Settings
from causalrules.domain.progress import Stopwatch, ignore_progress
from causalrules.encode import encode
from causalrules.engines.contract import Opened
from causalrules.engines.memory import MemoryEngine
from causalrules.errors import SettingsError
from causalrules.read import read_table
from causalrules.report.page.view import view_of
from causalrules.report.terminal.study_report import study_report
from causalrules.search.job import DefaultJob
from in_blocks import streamed
from terminal import run_command

EXACTLY = {"outcome_as": "mean", "adjust": ["sex", "region"], "matching": "exact"}


def patients(n=1500, effect=-2.5, seed=0):
    """Smokers are men more often, and men weigh more; smoking takes weight off."""
    chance = np.random.default_rng(seed)
    sex, region = chance.choice(["f", "m"], n), chance.choice(list("abc"), n)
    age, born = chance.integers(20, 90, n), chance.choice(["winter", "summer"], n)
    smokes = chance.random(n) < 0.2 + 0.3 * (sex == "m") + 0.002 * (age - 20)
    weight = 65 + 12 * (sex == "m") + 2 * (region == "a") + 0.1 * age + effect * smokes
    columns = {
        "sex": sex,
        "region": region,
        "age": age,
        "born": born,
        "smoker": np.where(smokes, "yes", "no"),
        "weight": np.round(weight + chance.normal(0, 6, n), 1),
        "family": chance.integers(0, n // 4, n),
    }
    return pd.DataFrame(columns)


def study_of(table, **settings):
    drop = ["family"] if "family" not in settings.values() else []
    (rule,) = causalrules.test(table, "weight", "smoker=yes", drop=drop, **settings).tested
    return rule


def test_the_difference_is_that_of_a_saturated_regression():
    table = patients()
    cells = pd.get_dummies(table.sex + table.region + table.smoker, dtype=float)
    expected = sm.OLS(table.weight.to_numpy(), cells.to_numpy()).fit(cov_type="HC2")
    exposed = table[table.smoker == "yes"]
    share = (exposed.sex + exposed.region).value_counts(normalize=True)
    contrast = [(1 if name.endswith("yes") else -1) * share[name[:2]] for name in cells.columns]
    found = study_of(table, **EXACTLY)
    told = expected.t_test(contrast)
    assert found.mean.difference.value == pytest.approx(told.effect.item(), abs=1e-8)
    # Hundreds of degrees of freedom: Student's t is between the normal and that of the smallest cell.
    error = (found.mean.difference.high - found.mean.difference.low) / 2 / told.sd.item()
    assert stats.norm.ppf(0.975) < error < stats.t.ppf(0.975, 100)
    assert found.p_value == pytest.approx(
        2 * stats.t.sf(abs(told.effect.item() / told.sd.item()), 1200), rel=0.2
    )
    crude = sm.OLS(table.weight, sm.add_constant((table.smoker == "yes").astype(float))).fit()
    assert found.mean.crude.value == pytest.approx(crude.params.iloc[-1], abs=1e-8)
    assert found.mean.exposed_mean == pytest.approx(exposed.weight.mean(), abs=1e-8)
    assert found.mean.spread == pytest.approx(table.weight.std(), abs=1e-8)


def test_what_was_planted_is_found_and_the_crude_difference_is_not_it():
    rule = study_of(patients(4000), outcome_as="mean")
    mean = rule.mean
    assert (rule.verdict, rule.direction, rule.test) == ("causal", "lowers", "stratified-means")
    assert mean.difference.low < -2.5 < mean.difference.high < 0 < mean.crude.low
    opinion = rule.design.second_opinion
    assert rule.design.opinions_agree
    assert opinion.low < -2.5 < opinion.high


def test_of_nothing_the_p_value_is_uniform():
    """25 tables without an effect: not more are significant than chance lets, with scores and exactly."""
    for settings in ({"outcome_as": "mean"}, EXACTLY):
        p_values = [study_of(patients(400, 0.0, seed), **settings).p_value for seed in range(25)]
        n_significant = sum(p <= 0.05 for p in p_values)
        assert stats.binomtest(n_significant, 25, 0.05, alternative="greater").pvalue > 0.001
        assert stats.kstest(p_values, "uniform").pvalue > 0.001


def test_mining_finds_what_changes_the_mean_and_nothing_else():
    result = causalrules.mine(patients(4000), "weight", outcome_as="mean", drop="family")
    found = {rule.pattern[0].column for rule in result.causal}
    assert {"sex", "smoker"} <= found <= {"sex", "smoker", "age", "region"}
    assert all(rule.mean is not None for rule in result.tested)
    assert all((rule.mean.difference.value > 0) == (rule.direction == "raises") for rule in result.tested)
    assert all(rule.length == 1 for rule in result.tested)


def studies(table, settings, open_engine):
    coded = encode(read_table(table).arrow, "weight", settings)
    engine = open_engine(coded)
    search = DefaultJob.search(Opened(coded, engine, engine), settings, Stopwatch(), ignore_progress)
    search.run()
    return sorted((rule.name, rule.mean, rule.p_value, rule.verdict) for rule in search.rules)


@pytest.mark.parametrize("further", [{}, {"cluster": "family"}])
def test_blocks_on_disk_say_the_same_to_the_last_bit(further):
    settings = Settings(outcome_as="mean", drop=() if further else ("family",), **further)
    table = patients(700)
    in_memory = studies(table, settings, MemoryEngine)
    assert len(in_memory) > 2
    assert studies(table, settings, lambda coded: streamed(coded, 67)) == in_memory


def test_a_file_that_is_streamed_says_the_same(tmp_path):
    patients(700).to_csv(tmp_path / "patients.csv", index=False)
    in_memory, streaming = (
        causalrules.mine(tmp_path / "patients.csv", "weight", outcome_as="mean", engine=engine)
        for engine in ("memory", "streaming")
    )
    assert in_memory.rules == streaming.rules
    assert in_memory.data.outcome == streaming.data.outcome


def test_spark_says_the_same():
    from spark_sessions import frame_of, require_spark

    require_spark()
    table = patients(500)
    frame = frame_of(pa.Table.from_pandas(table), 3)
    asked = {"outcome_as": "mean", "cluster": "family"}
    on_spark = causalrules.test(frame, "weight", "smoker=yes", engine="spark", **asked)
    assert on_spark.rules == causalrules.test(table, "weight", "smoker=yes", **asked).rules


def test_repeated_rows_may_be_counted():
    table = patients(600).drop(columns="family")
    times = np.random.default_rng(1).integers(1, 4, len(table))
    repeated = table.loc[table.index.repeat(times)].reset_index(drop=True)
    counted = causalrules.mine(table.assign(n=times), "weight", outcome_as="mean", weights="n")
    assert counted.rules == causalrules.mine(repeated, "weight", outcome_as="mean").rules


def test_families_widen_the_interval():
    table = patients(1200)
    twice = pd.concat([table, table], ignore_index=True)
    twice["family"] = np.tile(np.arange(len(table)), 2)
    alone, clustered = study_of(twice, **EXACTLY), study_of(twice, cluster="family", **EXACTLY)
    assert clustered.mean.difference.value == pytest.approx(alone.mean.difference.value, abs=1e-9)
    widths = [rule.mean.difference.high - rule.mean.difference.low for rule in (alone, clustered)]
    assert widths[1] == pytest.approx(widths[0] * np.sqrt(2), rel=0.05)
    assert clustered.design.n_clusters == len(table)
    assert clustered.design.estimand == alone.design.estimand  # clusters are no weights
    assert "weighted" not in clustered.design.estimand


def test_a_result_file_keeps_it(tmp_path):
    result = causalrules.mine(patients(), "weight", outcome_as="mean")
    result.save(tmp_path / "result.json")
    assert Result.load(tmp_path / "result.json").rules == result.rules
    saved = json.loads((tmp_path / "result.json").read_text())
    assert saved["data"]["outcome"]["mean"] == result.data.outcome.mean
    assert saved["rules"][0]["mean"]["mean_difference"] == result.rules[0].mean.difference.value
    frame = result.to_frame()
    assert frame["mean_difference"].tolist() == [rule.mean.difference.value for rule in result.rules]


def test_records_without_a_number_or_a_control_are_left_out():
    table = patients()
    table.loc[:99, "weight"] = np.nan
    table.loc[100:149, "sex"] = None
    result = causalrules.test(table, "weight", "smoker=yes", drop="family", **EXACTLY)
    (rule,) = result.tested
    complete = table.loc[150:]
    assert result.data.rows_without_outcome == 100
    assert rule.design.left_out == 50
    assert rule.mean.difference == study_of(complete, **EXACTLY).mean.difference
    assert rule.mean.other_missing is not None


@pytest.mark.parametrize(
    "setting",
    [
        {"placebo": 3},
        {"matched_set": "family"},
        {"explain": True},
        {"negative_outcome": "born"},
    ],
)
def test_what_is_not_answered_for_means_is_refused(setting):
    with pytest.raises(SettingsError, match=r"Leave out one of the two, .* or outcome_as='mean'"):
        causalrules.test(patients(), "weight", "smoker=yes", outcome_as="mean", **setting)


def test_every_face_of_a_report_speaks_of_means(tmp_path):
    result = causalrules.mine(patients(), "weight", outcome_as="mean")
    result.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "mean difference" in page
    assert "smoker=yes lowers the mean of weight" in page
    assert "--outcome weight --as mean" in page
    assert "mean difference" in result._repr_html_()
    assert "mean difference" in repr(result)
    rule = result.causal[0]
    assert "mean difference" in repr(rule)
    assert "mean difference" in str(result.article())


def test_pictures_speak_of_means(tmp_path):
    result = causalrules.mine(patients(), "weight", outcome_as="mean")
    result.plot.forest().save(tmp_path / "forest.svg")
    drawn = (tmp_path / "forest.svg").read_text()
    assert "What raises and what lowers the mean of weight" in drawn
    assert "mean difference (95 % interval)" in drawn
    assert "causal: lowers the mean" in drawn
    assert "odds" not in drawn
    smoking = next(rule for rule in result.causal if rule.name == "smoker=yes")
    assert f"−{-smoking.mean.difference.value:.2f} (" in drawn
    upper_half = str(result.plot.strata(smoking).to_dict())  # shares are of the upper half, and it says so
    assert f"who has weight{result.data.outcome.value}?" in upper_half


def test_matched_records_come_with_weights_that_give_the_difference():
    table = patients(900)
    result = causalrules.test(table, "weight", "smoker=yes", outcome_as="mean", adjust="sex")
    assert result.tested[0].design.matching == "exact"  # strata of scores leave something, which is taken off
    matched = result.matched(0, table)
    weight = matched.columns[-1]
    exposed = (matched.arm == "exposed").to_numpy()
    means = [np.average(matched.weight[arm], weights=matched[weight][arm]) for arm in (exposed, ~exposed)]
    assert means[0] - means[1] == pytest.approx(result.tested[0].mean.difference.value, abs=1e-9)


def test_the_terminal_says_what_python_says(tmp_path):
    path = tmp_path / "patients.csv"
    patients().to_csv(path, index=False)
    asked = ["test", path, "--outcome", "weight", "--as", "mean", "--exposure", "smoker", "--drop", "family"]
    said = run_command(*asked, "--json", tmp_path / "found.json")
    assert said.out.startswith("smoker=yes: causal, lowers the mean of weight")
    (expected,) = causalrules.test(path, "weight", "smoker", outcome_as="mean", drop="family").tested
    assert Result.load(tmp_path / "found.json").tested == (expected,)


def test_two_numbers_at_once():
    table = patients()
    answers = causalrules.test(table, ["weight", "age"], "smoker=yes", outcome_as="mean")
    assert answers.outcomes == ("weight", "age")
    alone = causalrules.test(table, "age", "smoker=yes", outcome_as="mean")
    assert answers["age"].rules == alone.rules


def test_means_are_told_as_exactly_as_their_difference():
    chance = np.random.default_rng(3)
    n = 3000
    age, sex = chance.integers(20, 80, n), chance.choice(["f", "m"], n)
    drug = (chance.random(n) < 1 / (1 + np.exp(-(age - 50) / 15))).astype(int)
    pressure = 120 + 0.5 * (age - 50) - 6 * drug + 4 * (sex == "m") + chance.normal(0, 12, n)
    table = pd.DataFrame({"age": age, "sex": sex, "drug": drug, "sbp": pressure.round(1)})
    result = causalrules.test(table, "sbp", "drug=1", outcome_as="mean")
    mean = result.tested[0].mean
    shown = [f"{one:.2f}" for one in (mean.exposed_mean, mean.unexposed_mean)]
    assert float(shown[0]) - float(shown[1]) == pytest.approx(mean.difference.value, abs=0.011)
    console = Console(file=io.StringIO(), width=100)
    console.print(study_report(result))
    for text in (console.file.getvalue(), str(result.methods()), str(view_of(result))):
        assert shown[0] in text
        assert shown[1] in text

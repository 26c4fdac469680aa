"""A row that stands for n records counts as n equal rows would, to the last bit, in memory and streaming."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from rich.console import Console
from scipy.stats.contingency import odds_ratio

import causalrules
from causalrules.errors import SettingsError, UnknownColumnError
from causalrules.report.terminal.study_report import study_report


def counted(n=400):
    chance = np.random.default_rng(6)
    sex, smoker = chance.choice(["f", "m"], n), chance.choice(["yes", "no"], n)
    age = chance.integers(20, 90, n)
    region = chance.choice(list("abcd"), n)
    score = -1 + 0.8 * (smoker == "yes") + 0.5 * (sex == "m") + 0.02 * (age - 50)
    ill = np.where(chance.random(n) < 1 / (1 + np.exp(-score)), "yes", "no")
    times = chance.integers(0, 6, n)
    columns = {"sex": sex, "age": age, "region": region, "smoker": smoker, "ill": ill, "n": times}
    table = pd.DataFrame(columns)
    table.loc[:7, "region"] = None
    table.loc[5:9, "ill"] = None
    return table


def repeated():
    table = counted()
    return table.loc[table.index.repeat(table.n)].drop(columns="n").reset_index(drop=True)


def told(result):
    found = result.to_dict()
    data = {name: part for name, part in found["data"].items() if name not in ("left_out", "source")}
    return found["rules"], data, found["counts"]


@pytest.mark.parametrize("engine", ["memory", "streaming"])
def test_mining_counts_is_mining_repeated_rows(engine):
    weighted = causalrules.mine(counted(), "ill=yes", weights="n", engine=engine)
    assert weighted.tested
    assert told(weighted) == told(causalrules.mine(repeated(), "ill=yes", engine=engine))


def test_files_blocks_and_the_papers_protocol_agree_as_well(tmp_path):
    counted().to_csv(tmp_path / "counts.csv", index=False)
    repeated().to_csv(tmp_path / "rows.csv", index=False)
    for settings in ({"controls": "items"}, {"engine": "streaming"}):
        weighted = causalrules.mine(tmp_path / "counts.csv", "ill=yes", weights="n", **settings)
        assert told(weighted) == told(causalrules.mine(tmp_path / "rows.csv", "ill=yes", **settings))


def test_a_study_with_subgroups_and_checks_agrees_too():
    asked = {"by": "sex", "negative_exposure": "region", "placebo": 2}
    weighted = causalrules.test(counted(), "ill=yes", "smoker=yes", weights="n", **asked)
    plain = causalrules.test(repeated(), "ill=yes", "smoker=yes", **asked)
    assert told(weighted) == told(plain)
    assert (weighted.negative_controls, weighted.placebo) == (plain.negative_controls, plain.placebo)


def test_a_coded_table_keeps_its_counts():
    from causalrules.domain import Settings
    from causalrules.encode import encode
    from causalrules.read import read_table
    from causalrules.search.job import DefaultJob

    settings = Settings(weights="n")
    source = read_table(counted())
    coded = encode(source.arrow, "ill=yes", settings, source.declared)
    result = DefaultJob(source=coded, outcome="ill=yes", settings=settings).mine()
    assert told(result)[0] == told(causalrules.mine(repeated(), "ill=yes"))[0]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda table: table.assign(n=table.n + 0.5), "not weights of a sample"),
        (lambda table: table.assign(n=-1), "which has -1"),
        (lambda table: table.assign(n="often"), "which has texts"),
        (lambda table: table.assign(n=table.n.where(table.n > 0)), "missing values"),
    ],
)
def test_what_is_no_frequency_is_refused(change, told):
    with pytest.raises(SettingsError, match=told):
        causalrules.mine(change(counted()), "ill=yes", weights="n")


def test_the_column_must_be_there_and_be_none_of_the_outcome():
    with pytest.raises(UnknownColumnError, match="weights"):
        causalrules.mine(counted(), "ill=yes", weights="count")
    with pytest.raises(SettingsError, match="outcome's"):
        causalrules.mine(counted(), "n=1", weights="n")
    with pytest.raises(SettingsError, match="held out"):
        causalrules.Settings(weights="n", holdout=0.5)


def test_ten_thousand_million_records_run_over_nothing():
    chance = np.random.default_rng(4)
    kinds = [(a, b, c, z) for a in "pq" for b in "pqr" for c in "pq" for z in ("yes", "no")]
    risks = [0.2 + 0.3 * (a == "p") + 0.15 * (b == "p") for a, b, *_ in kinds]
    sizes = [(1 + 2 * (a == "p" and b != "r")) * (1 + (c == "p")) for a, b, c, _ in kinds]
    shares = [risk if kind[3] == "yes" else 1 - risk for risk, kind in zip(risks, kinds, strict=True)]
    times = (np.array(sizes) * shares * chance.uniform(80, 120, len(kinds))).astype(np.int64)
    columns = dict(zip("abcz", map(list, zip(*kinds, strict=True)), strict=True))

    def mined(factor):
        table = pa.table(columns | {"n": times * factor})
        return {
            rule.name: rule for rule in causalrules.mine(table, "z=yes", weights="n", max_length=1).tested
        }

    many, more = mined(1000), mined(10**10 // int(times.sum()))
    assert set(more) == set(many)
    for name, rule in more.items():
        assert rule.verdict == many[name].verdict
        assert rule.odds_ratio.value == pytest.approx(many[name].odds_ratio.value)
        assert rule.fair_odds_ratio.value == pytest.approx(many[name].fair_odds_ratio.value, rel=1e-4)
        assert rule.balance.worst_before == pytest.approx(many[name].balance.worst_before)
        assert rule.balance.worst_after < 1e-6


def test_spark_counts_rows_as_often_as_they_say():
    from spark_sessions import comparable, frame_of, require_spark

    require_spark()
    table = pa.Table.from_pandas(counted(), preserve_index=False)
    table = pa.concat_tables([table, table.slice(0, 3).set_column(5, "n", pa.array([0, 0, 10**10]))])
    asked = {"weights": "n", "max_length": 1}
    found = causalrules.mine(frame_of(table, 3), "ill=yes", **asked)
    assert found.data.rows > 10**10
    assert comparable(found.to_dict()) == comparable(causalrules.mine(table, "ill=yes", **asked).to_dict())


def test_sparse_strata_are_told_to_be_estimated_conditionally(tmp_path):
    counts = pd.DataFrame({"e": [1, 1, 0, 0], "y": [1, 0, 1, 0], "n": [13, 10, 13, 24]})
    few = causalrules.test(counts, "y=1", "e=1", weights="n")
    assert few.tested[0].test == "conditional"
    assert few.tested[0].adjusted_odds_ratio.value == pytest.approx(  # the likeliest given all margins
        odds_ratio([[13, 10], [13, 24]], kind="conditional").statistic, rel=1e-6
    )
    many = causalrules.test(counts.assign(n=counts.n * 20), "y=1", "e=1", weights="n")
    assert many.tested[0].test == "mantel-haenszel"
    for result, told in ((few, "conditional, p ="), (many, "Mantel-Haenszel, p =")):
        console = Console(file=io.StringIO(), width=100)
        console.print(study_report(result))
        assert told in console.file.getvalue()
    few.save(tmp_path / "few.json")
    assert causalrules.Result.load(tmp_path / "few.json").tested == few.tested

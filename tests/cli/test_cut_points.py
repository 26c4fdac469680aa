"""Cut points in the terminal."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import causalrules
import known_roles


def test_cut_points_are_an_option_for_each_column(command, refuse, tmp_path):
    table = known_roles.drug_after_illness(2000)
    table["age"] = [20 + number % 60 for number in range(len(table))]
    table["bmi"] = [18 + number % 17 for number in range(len(table))]
    table.to_csv(tmp_path / "patients.csv", index=False)
    mine = ("mine", "patients.csv", "--outcome", "ill")
    code, out, err = command(*mine, "--cut", "bmi=18.5,25,30", "--cut", "age=every:10", "--json", "-", "-q")
    assert code == 0, err
    assert json.loads(out)["settings"]["cut"] == ["bmi=18.5,25,30", "age=every:10"]
    code, out, err = command(
        *("test", "patients.csv", "--outcome", "ill", "--exposure", "18.5<=bmi<25", "--json", "-"),
        *("--cut", "bmi=18.5,25,30"),
    )
    assert code == 0, err
    assert json.loads(out)["rules"][0]["pattern"] == [{"column": "bmi", "value": "[18.5, 25)"}]
    assert "--cut must be such as 'bmi=18.5,25,30'" in refuse(2, *mine, "--cut", "bmi")


def months(tmp_path):
    for seed in (1, 2):
        draw = np.random.default_rng(seed)
        age = draw.integers(18, 90, 2_000)
        left = draw.random(2_000) < 1 / (1 + np.exp((age - 40) / 8))
        table = pa.table({"age": age, "pay": draw.normal(20, 4, 2_000), "left": np.where(left, "yes", "no")})
        pq.write_table(table, tmp_path / f"{seed}.parquet")


def test_the_next_month_is_cut_where_the_last_one_was(tmp_path, command):
    months(tmp_path)
    ask = ("--outcome", "left=yes", "--max-length", "1", "--quiet")
    command("mine", "1.parquet", *ask, "--json", "1.json")
    kept = ("--cuts-from", "1.json", "--json", "2.json")
    assert command("mine", "2.parquet", "--settings", "1.json", "--quiet", *kept)[0] == 0
    first, second = (causalrules.Result.load(tmp_path / f"{month}.json") for month in (1, 2))
    assert first.cuts["age"].startswith("upto:")
    assert second.cuts == first.cuts
    _, out, _ = command("diff", "1.json", "2.json")
    assert "cut at other points" not in out
    assert command("mine", "2.parquet", *ask, "--cut", "age=30,50", *kept)[0] == 0
    assert causalrules.Result.load(tmp_path / "2.json").cuts["age"] == "30,50"


def test_a_result_without_cut_points_is_refused(tmp_path, command, refuse):
    (tmp_path / "t.csv").write_text("a,ill\n" + "x,yes\ny,no\nx,no\ny,yes\n" * 50)
    command("mine", "t.csv", "--outcome", "ill=yes", "--json", "t.json")
    asked = ("mine", "t.csv", "--outcome", "ill=yes", "--cuts-from", "t.json")
    assert "--cuts-from must be a result in which numbers were cut" in refuse(2, *asked)

"""What means a missing value in one column only: on every engine, from every face, and told."""

import numpy as np
import pandas as pd
import polars
import pytest

import causalrules
from causalrules.domain import Settings
from causalrules.errors import CausalRulesError, SettingsError, UnknownColumnError
from terminal import run_command


def patients(n=900, seed=8):
    """9 is a stage nobody knows, and an ordinary number of children."""
    draw = np.random.default_rng(seed)
    stage, children = draw.choice([1, 2, 3, 9], n, p=[0.4, 0.3, 0.2, 0.1]), draw.integers(0, 13, n)
    drug = draw.choice(["yes", "no", "NA"], n, p=[0.4, 0.5, 0.1])
    ill = draw.random(n) < 1 / (1 + np.exp(1.5 - 0.8 * (stage == 3) - 0.7 * (drug == "yes")))
    return pd.DataFrame(
        {"stage": stage, "children": children, "drug": drug, "ill": np.where(ill, "yes", "no")}
    )


def nulled(table):
    """The same with real nulls in the place of what is declared."""
    return table.assign(stage=table.stage.astype("Int64").where(table.stage != 9))


def mined(source, **options):
    return causalrules.mine(source, "ill=yes", max_length=1, **options).tested


@pytest.mark.parametrize("engine", ["memory", "streaming"])
@pytest.mark.parametrize("as_text", [False, True])
def test_a_code_of_one_column_is_missing_there_only(engine, as_text, tmp_path):
    table = patients().astype(str) if as_text else patients()
    expected = mined(nulled(patients()))
    table.to_parquet(tmp_path / "table.parquet")
    for missing in (["stage=9"], {"stage": [9]}, {"stage": "9"}, {"stage": 9.0}):
        assert mined(tmp_path / "table.parquet", engine=engine, missing=missing) == expected


def test_other_sources_hear_of_it(tmp_path):
    expected = mined(nulled(patients()))
    patients().to_csv(tmp_path / "table.csv", index=False)
    assert mined(tmp_path / "table.csv", missing={"stage": [9]}) == expected
    assert mined(polars.from_pandas(patients()), missing={"stage": [9]}) == expected
    assert mined(patients().astype({"stage": "category"}), missing={"stage": [9]}) == mined(
        nulled(patients()).astype({"stage": "category"})
    )


def test_spark_hears_of_it():
    from spark_sessions import frame_of, require_spark

    require_spark()
    import pyarrow as pa

    frame = frame_of(pa.Table.from_pandas(patients(), preserve_index=False), 3)
    mined = causalrules.mine(frame, "ill=yes", max_length=1, missing={"stage": [9]})
    here = causalrules.mine(patients(), "ill=yes", max_length=1, missing={"stage": [9]})
    assert mined.tested == here.tested
    assert mined.data.notes == here.data.notes


def test_an_outcome_and_conditions_of_it_have_codes_of_their_own():
    table = patients()
    for outcome in ("stage=3", "stage>=3"):
        found = causalrules.mine(table, outcome, max_length=1, missing={"stage": [9]})
        assert found.data.outcome == causalrules.mine(nulled(table), outcome, max_length=1).data.outcome
    rule = causalrules.test(table, "ill=yes", "stage>=2", missing={"stage": [9]}).rules[0]
    assert rule.exposed == table.stage.isin([2, 3]).sum()


def test_the_usual_texts_stay_unless_texts_for_all_columns_are_named():
    assert Settings(missing={"stage": [8, 9]}).missing == ("?", "NA", "NaN", "null", "stage=8", "stage=9")
    assert Settings(missing=["stage=9", "-99"]).missing == ("-99", "stage=9")
    assert Settings(missing=["-99"]).missing == ("-99",)
    assert Settings(missing=[-99, 9.0]).missing == ("-99", "9")
    assert Settings(missing=[]).missing == ()
    again = Settings.from_dict(Settings(missing={"stage": [9]}).to_dict())
    assert again == Settings(missing=["stage=9"])


def test_a_column_whose_name_has_an_equals_sign():
    table = patients().rename(columns={"stage": "stage (1=low)"})
    found = mined(table, missing={"stage (1=low)": [9]})
    assert found == mined(nulled(patients()).rename(columns={"stage": "stage (1=low)"}))


def test_a_column_that_is_not_there_is_refused():
    with pytest.raises(UnknownColumnError, match="missing column 'stages'"):
        mined(patients(), missing={"stages": [9]})
    with pytest.raises(SettingsError, match="values"):
        Settings(missing={"stage": [None]})


def test_the_result_says_how_many_records_it_holds_for():
    n_missing = (patients().stage == 9).sum()
    for engine_table in (patients(), patients().astype(str)):
        notes = causalrules.mine(engine_table, "ill=yes", max_length=1, missing={"stage": [8, 9]}).data.notes
        said = [note for note in notes if note.startswith("Missing, as you said")]
        assert said == [
            f"Missing, as you said: 8 in stage (no record) and 9 in stage ({n_missing:,} records)."
        ]


def test_the_terminal_takes_it_and_refuses_what_could_mean_two_things(tmp_path):
    table, saved = tmp_path / "table.csv", tmp_path / "result.json"
    patients().to_csv(table, index=False)
    asked = ["mine", table, "--outcome", "ill=yes", "--max-length", "1", "--json", saved]
    assert run_command(*asked, "--missing", "stage=9").code == 0
    assert causalrules.Result.load(saved).tested == mined(table, missing={"stage": [9]})
    refused = run_command(*asked, "--missing", "stage=8,9")
    assert refused.code != 0
    assert "stage=8,stage=9" in refused.err
    assert run_command(*asked, "--missing", "9,stage=8").code == 0


def test_masks_sql_and_polars_select_the_rule_s_records():
    import duckdb

    people = patients()
    missing = Settings(missing={"children": [9]}).missing
    rule = causalrules.test(people, "ill=yes", "children>=6", missing=missing).rules[0]
    assert rule.mask(people, missing).sum() == rule.exposed
    counted = duckdb.sql(f"select count(*) from people where {rule.to_sql(missing)}")
    assert counted.fetchall()[0][0] == rule.exposed
    assert polars.from_pandas(people).filter(rule.to_polars(missing)).height == rule.exposed


def test_advice_names_the_column_where_only_one_has_the_code():
    notes = causalrules.mine(patients(), "ill=yes", max_length=1).data.notes
    (note,) = [note for note in notes if "stage is 9" in note]
    assert note.endswith("say --missing stage=9.")
    followed = causalrules.mine(patients(), "ill=yes", max_length=1, missing=["stage=9"]).data.notes
    assert not [note for note in followed if "stage is 9" in note]


def test_advice_names_a_code_of_many_columns_once():
    table = patients()[["drug", "ill"]]
    draw = np.random.default_rng(3)
    for number in range(5):
        values = draw.integers(20, 80, len(table))
        table[f"score{number}"] = np.where(draw.random(len(table)) < 0.1, -99, values)
    (note,) = [one for one in causalrules.mine(table, "ill=yes", max_length=1).data.notes if "-99" in one]
    assert note.endswith("say --missing '-99,?,NA,NaN,null'.")


@pytest.mark.parametrize("missing", [["?", "NaN", "null"], {"drug": "NA"}])
def test_what_was_advised_about_a_word_is_not_asked_about_again(missing):
    """First that NA may be a value; then either that it is, or that it means missing in this column."""
    first = causalrules.mine(patients(), "ill=yes", max_length=1).data.notes
    assert [note for note in first if "'NA' in drug" in note]
    followed = causalrules.mine(patients(), "ill=yes", max_length=1, missing=missing).data.notes
    assert not [note for note in followed if "NA is a value" in note or "'NA' in drug" in note]


def test_who_asks_for_a_value_that_is_missing_is_told():
    with pytest.raises(CausalRulesError, match="counts as missing"):
        causalrules.test(patients(), "ill=yes", "stage=9", missing={"stage": [9]})

"""A word such as NA that counts as missing is named first where it may be a value."""

import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules.errors import UnknownValueError


@pytest.fixture(scope="module")
def sales():
    rng = np.random.default_rng(22)
    n = 1200
    region, promo = rng.choice(["NA", "EU", "APAC"], n), rng.random(n) < 0.5
    risk = 1 / (1 + np.exp(1 - (region == "NA") - 0.5 * promo))
    return pd.DataFrame({"region": region, "promo": promo, "churn": rng.random(n) < risk})


def notes(source, **options):
    return causalrules.mine(source, "churn", max_length=1, **options).data.notes


def test_a_word_in_a_data_frame_is_named_with_its_count(sales):
    count = (sales["region"] == "NA").sum()
    for frame in (sales, sales.astype({"region": "category"})):
        assert notes(frame)[0].startswith(f"'NA' in region counts as missing ({count} records).")
        assert notes(frame)[0].endswith("--missing '?,NaN,null'.")
    assert notes(sales, missing=[]) == ()
    assert causalrules.test(sales, "churn", "region=NA", missing=[]).rules[0].exposed == count


def test_the_same_of_a_file_only_where_it_looks_like_a_value(sales, tmp_path):
    rare = sales.assign(
        region=sales["region"].where(sales.index % 20 == 0, "EU").where(sales.index % 7 > 0, "APAC")
    )
    for name, table, n_notes in (("often.csv", sales, 1), ("seldom.csv", rare, 0)):
        table.to_csv(tmp_path / name, index=False)
        assert len(notes(tmp_path / name)) == n_notes
        assert (table["region"] == "NA").sum() > 0


def test_signs_and_words_among_numbers_are_missing_without_a_word(sales):
    for told in ("?", "NA"):
        numbers = pd.Series(np.arange(len(sales)) % 40).astype(str).where(sales["region"] != "NA", told)
        assert notes(sales[["promo", "churn"]].assign(dose=numbers)) == ()
    assert notes(sales.assign(region=sales["region"].replace("NA", "?"))) == ()


def test_blocks_add_up_to_the_same_note(sales, tmp_path):
    sales.to_parquet(tmp_path / "sales.parquet")
    assert notes(tmp_path / "sales.parquet", engine="streaming") == notes(sales)


def test_who_asks_for_the_word_is_told_that_it_counts_as_missing(sales):
    with pytest.raises(UnknownValueError, match=r"counts as missing.*missing=\['\?', 'NaN', 'null'\]"):
        causalrules.test(sales, "churn", "region=NA")

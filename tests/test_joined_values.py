"""Values that count as one because the user says so, in every study, table and engine."""

import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules.errors import SettingsError, UnknownColumnError, UnknownValueError

JOIN = ["diabetes=yes|Yes|YES", "sex=m|M"]


@pytest.fixture(scope="module")
def clean():
    draw = np.random.default_rng(3)
    n = 3000
    diabetes, male = draw.random(n) < 0.4, draw.random(n) < 0.5
    ill = draw.random(n) < 1 / (1 + np.exp(1.5 - 1.1 * diabetes - 0.7 * male))
    return pd.DataFrame(
        {
            "diabetes": np.where(diabetes, "yes", "no"),
            "sex": np.where(male, "m", "f"),
            "age": draw.integers(20, 80, n),
            "ill": np.where(ill, "yes", "no"),
        }
    )


@pytest.fixture(scope="module")
def messy(clean):
    table, draw = clean.copy(), np.random.default_rng(4)
    kind = draw.integers(0, 8, len(table))
    table["diabetes"] = np.where((kind == 0) & (clean.diabetes == "yes"), "Yes", clean.diabetes)
    table["diabetes"] = np.where((kind == 1) & (clean.diabetes == "yes"), "YES", table.diabetes)
    table["sex"] = np.where((kind == 2) & (clean.sex == "m"), "M", clean.sex)
    return table


def renamed(result):
    names = {"yes|Yes|YES": "yes", "m|M": "m"}
    return {
        (rule.pattern[0].column, names.get(rule.pattern[0].value, rule.pattern[0].value)): (
            rule.verdict,
            rule.adjusted_odds_ratio,
            rule.p_value,
        )
        for rule in result.tested
    }


@pytest.mark.parametrize("options", [{}, {"controls": "items"}, {"engine": "streaming", "memory": "16MiB"}])
def test_joined_values_are_as_if_they_had_been_written_alike(clean, messy, options):
    joined = causalrules.mine(messy, "ill=yes", max_length=1, join=JOIN, **options)
    assert renamed(joined) == renamed(causalrules.mine(clean, "ill=yes", max_length=1, **options))
    assert {rule.name for rule in joined.tested} >= {"diabetes=yes|Yes|YES", "sex=m|M"}


def test_the_result_says_what_was_joined_and_asks_no_more(messy):
    asked = causalrules.mine(messy, "ill=yes", max_length=1)
    assert any("--join 'diabetes=YES|Yes|yes'" in note for note in asked.data.notes)
    result = causalrules.mine(messy, "ill=yes", max_length=1, join=JOIN)
    assert not any("capitals" in note for note in result.data.notes)
    counts = messy.diabetes.value_counts()
    told = f"yes ({counts['yes']:,}) and Yes ({counts['Yes']:,}) and YES ({counts['YES']:,}) in diabetes"
    assert any(note.startswith("Joined, as you said: ") and told in note for note in result.data.notes)


def test_a_rule_about_joined_values_finds_its_records(messy):
    result = causalrules.mine(messy, "ill=yes", max_length=1, join=JOIN)
    rule = next(one for one in result.causal if one.name == "diabetes=yes|Yes|YES")
    is_diabetic = messy.diabetes.str.lower() == "yes"
    assert (rule.mask(messy) == is_diabetic).all()
    assert rule.exposed == is_diabetic.sum()
    assert rule.to_sql() == "\"diabetes\" IN ('yes', 'Yes', 'YES')"


def test_table_1_joins_them_too(messy):
    result = causalrules.test(messy, "ill=yes", "sex=m|M", join=JOIN)
    table = str(result.table1(0, messy))
    assert "yes|Yes|YES" in table
    assert "\n   YES" not in table


def test_a_spelling_that_is_absent_this_month_is_no_mistake(clean):
    result = causalrules.mine(clean, "ill=yes", max_length=1, join=JOIN)
    assert any("Yes (0)" in note for note in result.data.notes)
    assert any(rule.name == "diabetes=yes|Yes|YES" for rule in result.causal)


@pytest.mark.parametrize(
    ("join", "error", "message"),
    [
        ("diabetes", SettingsError, "join must be several values of one column"),
        ("diabetes=yes", SettingsError, "join must be several values of one column"),
        ("sex=m|M & diabetes=yes|Yes", SettingsError, "join must be several values of one column"),
        ("age>40", SettingsError, "join must be several values of one column"),
        (["sex=m|M", "sex=M|f"], SettingsError, "join must be groups without a value in common"),
        ("age=20|21", SettingsError, "join must be columns of categories; numbers have cut points"),
        ("sax=m|M", UnknownColumnError, "join column 'sax' is not among"),
        ("sex=x|y", UnknownValueError, "join value 'x' does not occur in column 'sex'"),
        ("ill=yes|no", SettingsError, "join is of other columns than the outcome's"),
    ],
)
def test_mistakes_are_one_sentence(messy, join, error, message):
    with pytest.raises(error) as refused:
        causalrules.mine(messy, "ill=yes", join=join)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_part_of_what_is_joined_is_no_exposure(messy):
    with pytest.raises(UnknownValueError, match=r"There are: 'yes\|Yes\|YES'"):
        causalrules.test(messy, "ill=yes", "diabetes=yes", join=JOIN)
    whole = causalrules.test(messy, "ill=yes", "diabetes=Yes|yes|YES", join=JOIN).tested[0]
    assert whole.exposed == (messy.diabetes.str.lower() == "yes").sum()


def test_joined_levels_of_an_order_are_one_level(clean):
    table = clean.assign(dose=np.array(["none", "little", "some", "much"])[np.arange(len(clean)) % 4])
    written = causalrules.mine(
        table, "ill=yes", max_length=1, join="dose=none|little", ordered="dose=none|little<some<much"
    )
    in_order = pd.CategoricalDtype(["none", "little", "some", "much"], ordered=True)
    declared = causalrules.test(
        table.astype({"dose": in_order}), "ill=yes", "dose=much", join="dose=none|little", ordered="dose"
    )
    assert written.settings.join == ("dose=none|little",)
    (rule,) = declared.tested
    assert [level.name for level in rule.dose.levels] == ["dose=none|little", "dose=some", "dose=much"]

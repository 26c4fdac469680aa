"""Cut points that the user chose: the intervals, their names, and the number still held as a number."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import causalrules
from causalrules.domain import Settings
from causalrules.encode import encode
from causalrules.errors import SettingsError, UnknownColumnError


@pytest.fixture(scope="module")
def people():
    chance = np.random.default_rng(1)
    n = 4000
    bmi, age = np.round(chance.normal(26, 4, n), 1), chance.integers(20, 80, n)
    smoker = chance.random(n) < 0.2 + 0.02 * (bmi - 26)
    ill = chance.random(n) < 1 / (1 + np.exp(2 - smoker - 0.15 * (bmi - 26)))
    return pd.DataFrame(
        {
            "bmi": bmi,
            "age": age,
            "seen": (pd.to_datetime("2020-01-01") + pd.to_timedelta(age, "D")).astype(str),
            "town": chance.choice(["north", "south"], n),
            "smoker": np.where(smoker, "yes", "no"),
            "ill": ill,
        }
    )


def coded(people, **options):
    return encode(pa.Table.from_pandas(people, preserve_index=False), "ill=true", Settings(**options))


def names_of(table, column):
    return [item.value for item in table.items[: table.n_items] if item.column == column]


@pytest.mark.parametrize(
    ("cut", "column", "names"),
    [
        ("bmi=18.5,25,30", "bmi", ["<18.5", "[18.5, 25)", "[25, 30)", ">=30"]),
        ("bmi = 30, 25", "bmi", ["<25", "[25, 30)", ">=30"]),
        ("age=every:20", "age", ["<40", "[40, 60)", ">=60"]),
        ("seen=2020-02-01", "seen", ["<2020-02-01", ">=2020-02-01"]),
        ("age=25,1000", "age", ["<25", ">=25"]),
        ("bmi=upto:18.5,25", "bmi", ["<=18.5", "(18.5, 25]", ">25"]),
        ("seen=upto:2020-02-01", "seen", ["<=2020-02-01", ">2020-02-01"]),
    ],
)
def test_intervals_have_short_names(people, cut, column, names):
    assert names_of(coded(people, cut=cut), column) == names


def test_a_value_on_a_point_belongs_above_it(people):
    table = coded(people, cut={"bmi": [18.5, 25, 30]})
    expected = pd.cut(people.bmi, [-np.inf, 18.5, 25, 30, np.inf], right=False, labels=False) + 1
    assert table.codes[0].tolist() == expected.tolist()


def test_quantiles_hold_equally_many(people):
    table = coded(people, cut="age=quantile:4")
    column = [item.column for item in table.items[: table.n_items]].index("age")
    place = int(table.column_of_item[column])
    counts = np.bincount(table.codes[place])[1:]
    assert len(counts) == 4
    assert counts.min() > 900


def test_the_same_number_is_asked_about_and_held(people):
    result = causalrules.mine(people, "ill", cut=["bmi=25,30", "age=every:20"], min_support=0.01)
    rules = {rule.name: rule for rule in result.tested}
    assert rules["bmi>=30"].verdict == "causal"
    assert "bmi" in rules["smoker=yes"].design.held
    by_number = causalrules.test(people, "ill", "smoker").tested[0]
    assert rules["smoker=yes"].adjusted_odds_ratio == by_number.adjusted_odds_ratio
    assert result.settings.cut == ("bmi=25,30", "age=every:20")


def test_streaming_cuts_alike(people):
    options = {"cut": ["bmi=25,30"], "max_length": 1}
    found = causalrules.mine(people, "ill", engine="streaming", memory="16MiB", **options)
    assert found.tested == causalrules.mine(people, "ill", **options).tested


@pytest.mark.parametrize(
    ("cut", "error", "message"),
    [
        ("bmi", SettingsError, "cut must be such as 'bmi=18.5,25,30'"),
        ("bmi=a,b", SettingsError, "cut must be such as"),
        ("bmi=every:0", SettingsError, "cut must be such as"),
        ("bmi=1,2020-01-01", SettingsError, "cut must be such as"),
        (["bmi=25", "bmi=30"], SettingsError, "cut must be one text a column"),
        ("bim=25", UnknownColumnError, "cut column 'bim' is not among"),
        ("town=25", SettingsError, "cut must be columns of numbers; 'town' has the text"),
        ("bmi=2020-01-01", SettingsError, "cut must be points that are numbers for 'bmi'"),
        ("bmi=1000", SettingsError, "cut must be points between"),
        ("bmi=upto:1000", SettingsError, "cut must be points between"),
        ("bmi=upto:", SettingsError, "cut must be such as"),
        ("bmi=every:0.0001", SettingsError, "cut must be at most 1000 intervals of 'bmi'"),
    ],
)
def test_mistakes_are_one_sentence(people, cut, error, message):
    with pytest.raises(error) as refused:
        causalrules.mine(people, "ill", cut=cut)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_up_to_a_point_means_the_point_included(people):
    table = coded(people, cut={"bmi": "upto:18.5,25,30"})
    expected = pd.cut(people.bmi, [-np.inf, 18.5, 25, 30, np.inf], labels=False) + 1
    assert table.codes[0].tolist() == expected.tolist()


@pytest.mark.parametrize(
    "options",
    [{}, {"bins": "quantile:4"}, {"cut": ["bmi=18.5,25", "age=quantile:3"]}, {"controls": "items"}],
)
def test_a_result_keeps_its_cut_points_for_the_next_one(people, options):
    first = causalrules.mine(people, "ill", max_length=1, **options)
    assert "bmi" in first.cuts
    later = people.sample(2000, random_state=4)
    again = causalrules.mine(later, "ill", max_length=1, **{**options, "cut": first.cuts})
    assert {name: again.cuts[name] for name in first.cuts} == first.cuts
    assert {rule.pattern[0] for rule in first.tested if rule.pattern[0].column == "bmi"} & {
        rule.pattern[0] for rule in again.tested
    }


def test_cut_points_of_a_former_result_pay_for_no_choice(people):
    former = causalrules.mine(people.iloc[:2000], "ill", max_length=1)
    later = people.iloc[2000:]
    kept = causalrules.mine(later, "ill", max_length=1, cut=former.cuts)
    rule = next(one for one in kept.causal if one.name.startswith("bmi>"))
    alone = causalrules.test(later, "ill", rule.name, adjust=list(rule.design.held)).tested[0]
    assert rule.p_value == pytest.approx(alone.p_value)


def test_cut_points_that_these_records_chose_pay_for_the_choice(people):
    first = causalrules.mine(people, "ill", max_length=1)
    again = causalrules.mine(people, "ill", max_length=1, cut=first.cuts)
    assert [(rule.name, rule.p_value) for rule in again.tested] == [
        (rule.name, rule.p_value) for rule in first.tested
    ]
    assert any(note.startswith("Cut where these very records") and "bmi" in note for note in again.data.notes)
    assert not any(note.startswith("Cut where") for note in first.data.notes)


def test_some_of_the_points_that_these_records_chose_are_chosen_too(people):
    def chosen(**options):
        return coded(people, **options).chosen_cuts

    points = causalrules.mine(people, "ill", max_length=1).cuts["bmi"].removeprefix("upto:").split(",")
    assert "bmi" in chosen(cut=f"bmi=upto:{points[0]}")
    assert "bmi" not in chosen(cut=f"bmi=upto:{points[0]},40")  # one more that is the user's own
    assert "bmi" not in chosen(cut="bmi=18.5,25,30")
    assert "bmi" not in chosen(cut="bmi=quantile:4")

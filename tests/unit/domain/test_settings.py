import pytest

from causalrules.domain import Settings
from causalrules.errors import SettingsError


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("direction", "up"),
        ("max_length", 0),
        ("max_length", 1.5),
        ("max_length", True),
        ("min_support", -0.1),
        ("min_support", 1),
        ("min_support", float("nan")),
        ("min_support", "0.1"),
        ("confidence", 0),
        ("confidence", 1),
        ("min_odds_ratio", 0.5),
        ("min_odds_ratio", float("inf")),
        ("pairs", "some"),
        ("runs", 0),
        ("seed", -1),
        ("epsilon", -1),
        ("controls", "rows"),
        ("bins", "quantile"),
        ("bins", "quantile:1"),
        ("bins", "deciles"),
        ("drop", [1]),
        ("max_values", 1),
        ("engine", "quantum"),
        ("threads", 0),
    ],
)
def test_a_setting_out_of_range_is_named_with_what_was_found(name, value):
    with pytest.raises(SettingsError) as error:
        Settings(**{name: value})
    assert str(error.value).startswith(f"{name} must be ")
    assert repr(value) in str(error.value)


def test_more_votes_than_runs_is_a_mistake_only_where_votes_are_cast():
    assert Settings(runs=1).votes == 2
    with pytest.raises(SettingsError, match="votes must be at most the number of runs"):
        Settings(pairs="random", runs=1)


def test_an_unknown_setting_gets_the_nearest_name():
    with pytest.raises(
        SettingsError, match=r"^there is no setting 'minsupport'\. Did you mean 'min_support'"
    ):
        Settings.from_options(minsupport=0.1)


def test_a_single_name_may_stand_for_a_list():
    assert Settings(drop="age").drop == ("age",)


def test_settings_survive_a_file():
    settings = Settings(drop=("a", "b"), min_odds_ratio=1.5, bins="quantile:3")
    assert Settings(**settings.to_dict()) == settings

import pickle
from collections.abc import Sequence
from dataclasses import fields, replace
from inspect import getdoc
from pathlib import Path
from typing import get_type_hints

import pytest

from causalrules.domain import Settings
from causalrules.domain.missing_values import MissingGiven
from causalrules.domain.settings import (
    GROUPS,
    NAME_LISTS,
    ArrowsGiven,
    CutsGiven,
    SettingsOptions,
    TiersGiven,
)
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
        ("seed", -1),
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


def names_of(kind):
    return [field.name for field in fields(kind)]


def test_every_setting_is_declared_in_one_group_with_its_help():
    assert sorted(name for group in GROUPS for name in names_of(group)) == sorted(names_of(Settings))
    for field in fields(Settings):
        assert field.metadata["help"].endswith("."), field.name
        assert f"\n{field.name} : " in getdoc(Settings)  # indented or not: Python 3.13 takes that off


def test_the_keyword_arguments_are_the_settings():
    """Names and types, but that a list of names may be any sequence, or one name, and knowledge nested."""
    said, meant = get_type_hints(SettingsOptions), get_type_hints(Settings)
    assert sorted(said) == sorted(names_of(Settings))
    nested = {"tiers": TiersGiven, "require": ArrowsGiven, "forbid": ArrowsGiven, "cut": CutsGiven}
    nested["missing"] = MissingGiven
    for name, hint in said.items():
        usual = str | Sequence[str] if name in NAME_LISTS else meant[name]
        assert hint == nested.get(name, usual), name


@pytest.mark.parametrize("name", names_of(Settings))
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"judge": "interval"},
        {"correction": "none"},
        {"correction": "holm"},
        {"min_odds_ratio": 2},
        {"confidence": 0.9},
        {"matching": "propensity"},
    ],
    ids=str,
)
def test_passing_a_default_changes_nothing(given, name):
    default = {field.name: field.default for field in fields(Settings)}[name]
    assert Settings(**{name: default} | given) == Settings(**given)


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_checks_itself(group):
    name = names_of(group)[0]
    assert group() == group()
    with pytest.raises(SettingsError, match=f"^{name} must be"):
        group(**{name: [1]})


def test_confidence_is_the_width_of_intervals_and_nothing_else():
    assert (Settings(confidence=0.95), Settings(confidence=0.9).judge) == (Settings(), "corrected")


@pytest.mark.parametrize("given", [{"judge": "interval"}, {"correction": "none"}, {"min_odds_ratio": 1.5}])
def test_rules_are_judged_alone_by_interval(given):
    for usual in ({}, {"judge": "interval"}, {"correction": "bh"}):
        settings = Settings(**usual | given)
        assert (settings.judge, settings.correction) == ("interval", "none")


@pytest.mark.parametrize("given", [{"judge": "interval"}, {"min_odds_ratio": 1.5}])
def test_a_correction_contradicts_judging_alone(given):
    with pytest.raises(SettingsError, match=r"correction is 'holm', but \w+=\S+ judges each rule alone"):
        Settings(correction="holm", **given)


@pytest.mark.parametrize(
    ("saved", "meant"),
    [
        ({"confidence": 0.95, "correction": "none"}, Settings(judge="interval")),
        ({"confidence": 0.95, "correction": "bh"}, Settings()),
        (
            {"confidence": 0.9, "correction": "none", "min_odds_ratio": 2.0},
            Settings(confidence=0.9, min_odds_ratio=2),
        ),
        ({"correction": "holm", "min_odds_ratio": 2.0}, Settings(correction="holm")),
        ({"correction": "bh", "a setting of long ago": 7}, Settings()),
    ],
)
def test_settings_saved_before_judge_had_a_name_are_understood(saved, meant):
    assert Settings.from_dict(saved) == meant


@pytest.mark.parametrize("matching", ["exact", "propensity"])
def test_settings_travel(matching):
    settings = Settings(matching=matching, memory="1GiB")
    assert (
        pickle.loads(pickle.dumps(settings))
        == settings
        == replace(settings)
        == Settings.from_dict(settings.to_dict())
    )


def test_the_documentation_says_what_the_settings_say(monkeypatch):
    """Written anew by ``python -m experiments.settings_page``."""
    monkeypatch.syspath_prepend(Path(__file__).parents[3])
    from experiments.settings_page import PAGE, page

    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memory", "9" * 320),
        ("memory", 10**320),
        ("memory", "9999999TiB"),
        ("bins", "quantile:" + "9" * 5000),
        ("threads", 10**20),
        ("threads", 10**5000),
        ("max_length", 10**12),
        ("seed", 2**70),
        ("max_values", 10**30),
        ("confidence", 10**400),
    ],
    ids=range(10),
)
def test_absurd_values_are_one_short_sentence(name, value):
    with pytest.raises(SettingsError) as caught:
        Settings(**{name: value})
    assert len(str(caught.value)) < 400
    assert name in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"placebo": 3, "outcome_as": "mean"},
            "not of means. Leave out one of the two, placebo or outcome_as='mean'.",
        ),
        (
            {"negative_exposure": ["region"], "weights": "w", "weights_are": "sampling"},
            "not by its weight. Leave out one of the two, negative_exposure or weights_are='sampling'.",
        ),
    ],
)
def test_of_two_settings_that_do_not_go_together_one_is_to_be_left_out(options, told):
    with pytest.raises(SettingsError) as refused:
        Settings(
            **{name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
        )
    assert told in str(refused.value)

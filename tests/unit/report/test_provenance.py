"""The command on the page gives the very settings of the run."""

import shlex
from dataclasses import replace

import pytest

import causalrules
from causalrules.cli.typed_settings import make_settings
from causalrules.domain import Settings
from causalrules.domain.settings import NAME_LISTS
from causalrules.report.words.provenance import describe_run, repeating_command
from causalrules.simulation import planted_table

SETTINGS = {
    "defaults": Settings(),
    "an interval": Settings(judge="interval", confidence=0.9),
    "narrow intervals, corrected": Settings(confidence=0.9, correction="holm"),
    "judged alone": Settings(judge="interval"),
    "not corrected": Settings(correction="none"),
    "by size": Settings(min_odds_ratio=1.5),
    "names with commas": Settings(drop=("name, first", "back\\slash"), missing=()),
    "the rest": Settings(direction="lowers", max_length=3, holdout=0.5, explain=True, seed=7),
}


@pytest.fixture(scope="module")
def result():
    return causalrules.mine(planted_table(1000), outcome="ill=yes")


def options_of(command):
    """The options of a command line, typed as the terminal would type them."""
    words = shlex.split(command)[3:]
    typed = {}
    while words:
        name = words.pop(0).removeprefix("--").replace("-", "_")
        typed[name] = words.pop(0) if words and not words[0].startswith("--") else True
    for name, kind in {"max_length": int, "seed": int}.items():
        if name in typed:
            typed[name] = kind(typed[name])
    for name in ("confidence", "min_odds_ratio", "holdout"):
        if name in typed:
            typed[name] = float(typed[name])
    return {name: (value,) if name in NAME_LISTS else value for name, value in typed.items()}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS.keys())
def test_the_command_leads_back_to_the_settings(result, settings):
    options = options_of(repeating_command(replace(result, settings=settings)))
    assert options.pop("outcome") == "ill=yes"
    assert make_settings(options) == settings


def test_a_file_is_named_and_quoted(result):
    there = replace(result, data=replace(result.data, source="/data/my patients.csv"))
    assert repeating_command(there) == "causalrules mine '/data/my patients.csv' --outcome ill=yes"


def test_a_table_that_was_no_file_is_said_to_be_none(result):
    repeat = describe_run(result)["repeat"]
    assert "TABLE.csv" in repeat["command"]
    assert "The table was an Arrow table" in repeat["note"]


def test_one_hypothesis_is_repeated_as_one():
    study = causalrules.test(planted_table(1000), outcome="ill=yes", exposure="severity=high & smoker=yes")
    command = repeating_command(study)
    assert command == "causalrules test TABLE.csv --outcome ill=yes --exposure 'smoker=yes & severity=high'"


def test_everything_to_audit_a_run_is_told(result):
    told = describe_run(replace(result, settings=Settings(seed=11, drop=("id",))))
    settings = {name: (value, is_changed) for name, value, is_changed in told["settings"]}
    assert set(settings) == set(Settings().to_dict())
    assert settings["drop"] == ("id", True)
    assert settings["seed"] == ("11", True)
    assert settings["min_support"] == ("0.05", False)
    assert dict(told["run"])["software"] == f"causalrules {result.version}"
    assert {name for name, _ in told["timings"]} >= {"read", "mine", "cohort", "total"}

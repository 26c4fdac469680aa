"""An option given twice: lists add up, and what is one thing is refused rather than half heard."""

import pytest

import causalrules.cli.run as cli
import causalrules_lab.cli.compare as lab_cli
from causalrules.domain.settings import NAME_LISTS


@pytest.fixture
def settings_of(run, monkeypatch):
    """The settings that a command would run with."""

    def settings_of(*options, command="mine"):
        heard = []
        monkeypatch.setattr(
            cli, f"run_{command}", lambda *given, **named: heard.append((named or given[-1])["settings"])
        )
        code, _, err = run(command, "people.csv", "--outcome", "ill=yes", *options)
        assert code == 0, err
        return heard[0]

    return settings_of


@pytest.mark.parametrize(
    ("option", "one", "other"),
    [
        ("--drop", "age", "bmi"),
        ("--only", "ill,age", "bmi"),
        ("--after", "age", "bmi"),
        ("--before", "age", "bmi"),
        ("--never-adjust", "age", "bmi"),
        ("--exposures", "age", "bmi"),
        ("--numeric", "dose", "age"),
        ("--categorical", "dose", "age"),
        ("--missing", "9", "8"),
        ("--by", "sex", "dose"),
        ("--ordered", "dose", "age"),
        ("--require", "sex -> dose", "age -> dose"),
        ("--forbid", "sex -> dose", "age -> dose"),
        ("--negative-exposure", "sex", "dose"),
        ("--negative-outcome", "sex=a", "dose=1"),
    ],
)
def test_lists_add_up(settings_of, option, one, other):
    name = option.removeprefix("--").replace("-", "_")
    assert name in NAME_LISTS
    twice = settings_of(option, one, option, other)
    assert getattr(twice, name) == (*one.split(","), other)
    assert twice == settings_of(option, f"{one},{other}")


def test_both_columns_are_adjusted_for(settings_of):
    twice = ("--exposure", "sex=a", "--adjust", "age", "--adjust", "bmi")
    assert settings_of(*twice, command="test").adjust == ("age", "bmi")


def test_a_plus_before_every_list_adds_all(settings_of):
    twice = ("--exposure", "sex=a", "--adjust", "+age", "--adjust", "+bmi")
    assert settings_of(*twice, command="test").adjust == ("+age", "+bmi")


@pytest.mark.parametrize("lists", [("+age", "bmi"), ("age", "+bmi")])
def test_lists_of_two_kinds_are_refused(refuse, lists):
    typed = [word for one in lists for word in ("--adjust", one)]
    said = refuse(2, "test", "people.csv", "--outcome", "ill=yes", "--exposure", "sex=a", *typed)
    assert "--adjust must be all with a plus (+age) or all without where it is given several times" in said


@pytest.mark.parametrize(
    ("option", "one", "other"),
    [("--tiers", "sex < age", "age < bmi"), ("--cluster", "age", "bmi"), ("--exposure", "sex=a", "age=1")],
)
def test_what_is_one_thing_is_asked_for_once(refuse, option, one, other):
    exposure = () if option == "--exposure" else ("--exposure", "sex=a")
    given = (*exposure, option, one, option, other)
    said = refuse(2, "test", "people.csv", "--outcome", "ill=yes", *given)
    assert f"{option} must be given once; it is '{one}' and '{other}'." in said


@pytest.mark.parametrize(
    ("command", "option", "asks_about"),
    [
        ("table1", "--describe", ("--exposure", "sex=a")),
        ("compare-matching", "--exact-on", ("--exposure", "sex=a")),
        ("compare", "--methods", ()),
    ],
)
def test_lists_of_other_commands(run, monkeypatch, command, option, asks_about):
    heard = []
    home = lab_cli if command == "compare" else cli
    monkeypatch.setattr(home, f"run_{command.replace('-', '_')}", lambda *given, **_: heard.extend(given))
    code, _, err = run(command, "p.csv", "--outcome", "ill=yes", *asks_about, option, "a,b", option, "c")
    assert code == 0, err
    assert ("a", "b", "c") in heard

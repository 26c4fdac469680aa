"""Settings of the paper's procedure, and which of the two methods is asked for."""

import pickle
from dataclasses import fields, replace
from inspect import getdoc

import pytest

from causalrules.asked_settings import asked_settings, said_first
from causalrules.domain import Settings
from causalrules.errors import SettingsError
from causalrules.paper import PaperSettings

PROTOCOL = {"pairs": "random", "runs": 3, "votes": 2, "test": "matched-pairs", "judge": "interval"}


@pytest.mark.parametrize(
    ("name", "value"), [("pairs", "some"), ("runs", 0), ("epsilon", -1), ("controls", "auto"), ("test", "t")]
)
def test_a_setting_out_of_range_is_named_with_what_was_found(name, value):
    with pytest.raises(SettingsError, match=f"^{name} must be .*{value!r}"):
        PaperSettings(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"), [("caliper", 1e308), ("runs", 10**10), ("epsilon", 1e300), ("epsilon", 10**400)]
)
def test_absurd_values_are_one_short_sentence(name, value):
    with pytest.raises(SettingsError) as caught:
        PaperSettings(**{name: value, "matching": "jaccard"})
    assert len(str(caught.value)) < 400
    assert name in str(caught.value)


def test_more_votes_than_runs_is_a_mistake_only_where_votes_are_cast():
    assert PaperSettings(runs=1).votes == 2
    with pytest.raises(SettingsError, match="votes must be at most the number of runs"):
        PaperSettings(pairs="random", runs=1)


def test_every_setting_has_its_help():
    for field in fields(PaperSettings):
        assert field.metadata["help"].endswith("."), field.name
        assert f"\n{field.name} : " in getdoc(PaperSettings)


@pytest.mark.parametrize(
    ("name", "value"),
    [("caliper", 0.1), ("ratio", 2), ("replace", True), ("optimal", True), ("exact_on", "a")],
)
def test_what_belongs_to_distances_needs_one(name, value):
    with pytest.raises(SettingsError, match=f"^{name} needs a way of matching by distance"):
        PaperSettings(**{name: value})
    assert getattr(PaperSettings(matching="jaccard", **{name: value}), name)


@pytest.mark.parametrize("matching", ["exact", "jaccard", "propensity"])
def test_settings_travel(matching):
    settings = PaperSettings(matching=matching, memory="1GiB")
    copies = (pickle.loads(pickle.dumps(settings)), replace(settings), settings.changed())
    assert all(copy == settings for copy in (*copies, PaperSettings.from_dict(settings.to_dict())))


def test_the_protocol_is_that_of_the_text():
    settings = PaperSettings.of_the_protocol()
    assert {name: getattr(settings, name) for name in PROTOCOL} == PROTOCOL
    assert (settings.controls, settings.correction, settings.matching) == ("items", "none", "exact")
    assert asked_settings({"paper": True}) == settings
    assert asked_settings({"paper": True, "controls": "columns"}) == settings.changed(controls="columns")
    assert PaperSettings.of_the_protocol(runs=5).runs == 5


def test_controls_lead_to_the_paper_and_auto_does_not():
    assert asked_settings({"controls": "items", "epsilon": 3}) == PaperSettings(epsilon=3)
    assert asked_settings({"controls": "auto", "alpha": 0.01}) == Settings(alpha=0.01)
    before = PaperSettings(runs=5)
    assert asked_settings({"alpha": 0.01}, before) == before.changed(alpha=0.01)
    assert asked_settings({"paper": True}, Settings(after="a", adjust="b")).after == ("a",)


@pytest.mark.parametrize(
    "asked",
    [{"bootstrap": 20}, {"epsilon": 3}, {"test": "exact"}, {"pairs": "random"}, {"matching": "jaccard"}],
    ids=str,
)
def test_what_only_the_paper_has_leads_there_and_is_named_first(asked):
    (name,) = asked
    assert asked_settings(asked) == PaperSettings(**asked)
    assert said_first(asked)[0].startswith(f"{name} ({asked[name]}) belongs to the paper's procedure")
    for named in ({"paper": True}, {"controls": "items"}):
        assert said_first(asked | named) == ()
    assert said_first(asked, PaperSettings()) == ()


@pytest.mark.parametrize("given", [{"adjust": "age"}, {"missing_controls": "drop"}, {"cluster": "person"}])
@pytest.mark.parametrize("asked", [{"controls": "columns"}, {"paper": True}], ids=str)
def test_what_only_the_default_heeds_is_refused(given, asked):
    (name,) = given
    with pytest.raises(SettingsError, match=f"^{name} belongs to studies of whole columns"):
        asked_settings(given | asked)


def test_settings_of_older_files_are_understood():
    entry = {**PaperSettings().to_dict(), "adjust": ["age"], "matching": "auto", "test": "auto"}
    assert PaperSettings.from_dict(entry) == PaperSettings()

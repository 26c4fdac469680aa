"""The time that a record was observed is no cause: it is asked about where it looks like one."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import mannwhitneyu, norm

import causalrules
from causalrules.domain import Settings
from causalrules.encode import encode
from causalrules.look.set_aside import chance_of_shorter
from datasets import require


def followed(name="time", n=1500, seed=1, effect=1.0):
    """Times to an event, censored at random; a treatment prolongs them."""
    chance = np.random.default_rng(seed)
    treated, age = chance.integers(0, 2, n), chance.integers(30, 80, n)
    until_event = chance.exponential(60 * np.exp(0.5 * treated - 0.02 * (age - 55)))
    until_end = chance.uniform(0, 80, n)
    time = np.minimum(until_event, until_end) if effect else chance.uniform(0, 80, n)
    columns = {"treated": treated, "age": age, name: time.round(1), "event": (until_event < until_end) * 1}
    return pd.DataFrame(columns)


def questions(table, outcome="event=1", **options):
    notes = causalrules.mine(table, outcome, max_length=1, **options).data.notes
    return [note for note in notes if "how long each record was observed" in note]


NAMES = ["time", "days", "follow-up (years)", "futime", "Beobachtungszeit", "time_to_death"]


@pytest.mark.parametrize("name", NAMES)
def test_a_time_that_the_outcome_ends_is_asked_about(name):
    (note,) = questions(followed(name))
    assert note.startswith(f"Is {name} how long each record was observed? It is shorter where the outcome is")
    assert "survival methods" in note


def test_what_was_said_of_its_time_settles_it():
    table = followed()
    for said in ({"after": "time"}, {"before": "time"}, {"tiers": "age < treated < event < time"}):
        assert not questions(table, **said)
    rules = causalrules.mine(table, "event=1", max_length=1, after="time").tested
    assert not [rule for rule in rules if rule.verdict == "causal" and rule.pattern[0].column == "time"]
    assert all("time" not in rule.design.held for rule in rules if rule.design is not None)


def test_other_names_and_times_without_a_difference_are_not_asked_about():
    assert not questions(followed("dose"))
    assert not questions(followed("age at time 1"))
    assert not questions(followed(effect=0.0))


def test_engines_ask_alike(tmp_path):
    table = followed()
    table.to_parquet(tmp_path / "table.parquet")
    assert questions(tmp_path / "table.parquet", engine="streaming") == questions(table)
    (note,) = questions(table, "event=0")
    assert "It is longer where the outcome is" in note


@pytest.mark.parametrize("seed", range(3))
def test_the_difference_is_that_of_mann_and_whitney(seed):
    chance = np.random.default_rng(seed)
    values = chance.integers(0, 12, 400).astype(float)
    ill = chance.random(400) < 0.3 + 0.02 * values
    different = np.unique(values)
    with_it, without = (
        np.array([((values == one) & (ill == state)).sum() for one in different]) for state in (True, False)
    )
    shorter, error = chance_of_shorter(different, with_it, without)
    expected = mannwhitneyu(values[~ill], values[ill], use_continuity=False, method="asymptotic")
    assert shorter == pytest.approx(expected.statistic / ill.sum() / (~ill).sum())
    z = abs(shorter - 0.5) / error
    assert 2 * norm.sf(z) == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("name", ["adult", "german", "hypothyroid", "sick"])
def test_real_tables_without_times_are_asked_nothing(name):
    data = require(name)
    notes = encode(data.arrow(), data.outcome, Settings()).summary.notes
    assert not [note for note in notes if "observed" in note]


def test_a_time_of_observation_that_decides_the_outcome_is_explained_once():
    """Everybody without the event was seen to the end, so that its time is a leak as well."""
    table = followed("followup", 3000)
    table["followup"] = np.where(table.event == 1, table.followup, 80.0)
    table["sick_days"] = np.where(table.event == 1, 5 + np.arange(3000) % 9, np.arange(3000) % 4)
    table["bill"] = np.where(table.event == 1, 500 + np.arange(3000) % 90, np.arange(3000) % 400)
    notes = causalrules.mine(table, "event=1", max_length=1).data.notes
    told = {note.partition(" ")[0]: note for note in notes if " nearly decides the outcome (" in note}
    assert told["followup"].endswith("as a time of observation may: --after followup.")
    (explained,) = (name for name, note in told.items() if "a leak, a consequence" in note)
    (other,) = {"sick_days", "bill"} - {explained}
    assert told[other].endswith(f", too: --after {other}, --before {other} or --drop {other}.")

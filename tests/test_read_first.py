"""What stands under *Read this first*: short where a table is wide, silent about what the user has said."""

import numpy as np
import pandas as pd

import causalrules
from causalrules.report.words.read_first import notices

N = 3000


def coded_codes(chance, n_values):
    """Codes of many different values, none of which is a number."""
    return [f"code {value}" for value in chance.integers(0, n_values, N)]


def texts_of(result):
    return [notice.text for notice in notices(result)]


def test_columns_that_are_left_out_for_one_kind_of_reason_share_a_line():
    chance = np.random.default_rng(5)
    table = {f"sensor {n}": coded_codes(chance, 1200 + 10 * n) for n in range(30)}
    table |= {f"constant {n}": [f"always {n}"] * N for n in range(4)}
    exposed = chance.random(N) < 0.4
    ill = chance.random(N) < np.where(exposed, 0.5, 0.2)
    frame = pd.DataFrame(table | {"exposed": exposed, "ill": ill})
    told = [text for text in texts_of(causalrules.mine(frame, "ill")) if text.startswith("Left out")]
    assert [text.rpartition(" (")[2] for text in told] == [
        "has more than 1,000 different values).",
        "constant).",
    ]


def test_one_column_keeps_its_own_reason():
    chance = np.random.default_rng(6)
    ill = chance.random(N) < 0.3
    smoker = chance.random(N) < 0.5
    frame = pd.DataFrame({"code": coded_codes(chance, 1500), "town": "Berlin", "smoker": smoker, "ill": ill})
    told = " ".join(texts_of(causalrules.mine(frame, "ill")))
    assert "different values, more than 1,000)" in told
    assert "town (constant: always 'Berlin')" in told


def visits():
    """Patients of whom some come back, with the dates of both visits; a return is known only of these."""
    chance = np.random.default_rng(7)
    smoker = chance.random(N) < 0.4
    back = chance.random(N) < np.where(smoker, 0.4, 0.2)
    first = pd.Timestamp("2020-01-01") + pd.to_timedelta(chance.integers(0, 1000, N), unit="D")
    later = first + pd.to_timedelta(chance.integers(1, 30, N), unit="D")
    return pd.DataFrame({"smoker": smoker, "admitted": first, "returned": later.where(back), "back": back})


def test_dates_that_come_after_the_outcome_are_not_offered_as_causes():
    asked = texts_of(causalrules.mine(visits(), "back"))
    assert any("returned" in text and "not tested as" in text for text in asked)
    said = texts_of(causalrules.mine(visits(), "back", after="returned"))
    told = [text for text in said if not text.startswith("You said")]
    assert told, "the first date is still spoken of"
    assert not any("returned" in text for text in told)


def test_a_leak_that_is_said_to_come_after_is_not_blamed_for_what_could_not_be_tested():
    chance = np.random.default_rng(9)
    frame = visits()
    for name in range(12):  # noise, of which a few are significant alone
        frame[f"noise {name}"] = chance.choice(["a", "b", "c"], N)
    result = causalrules.mine(frame, "back", after="returned", alpha=0.5)
    untested = result.with_verdict("untestable")
    assert untested
    assert not any("returned" in rule.reason for rule in untested)


def test_of_a_mean_the_odds_are_those_of_its_upper_half():
    chance = np.random.default_rng(9)
    machine = chance.choice(["a", "b"], N)
    frame = pd.DataFrame(
        {"machine": machine, "thickness": np.where(machine == "a", 2.5, 0) + chance.normal(size=N)}
    )
    told = texts_of(causalrules.mine(frame, "thickness", outcome_as="mean"))
    assert any(
        "the odds of being in its upper half change by a factor of 10 or more" in text for text in told
    )

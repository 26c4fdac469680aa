"""A column that may be the weight of a survey is asked about, and nothing else is advised in its place."""

import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules.report.words.read_first import notices

ASKED = "looks like the weight of a survey"


@pytest.fixture(scope="module")
def frame():
    """East is sampled more often, so that the weight says nearly which region it is."""
    chance = np.random.default_rng(3)
    n = 3000
    region, sex = chance.choice(["east", "west"], n), chance.choice(["f", "m"], n)
    weight = np.where(region == "east", 0.4, 1.6) * chance.lognormal(0, 0.25, n)
    rich = chance.random(n) < 0.2 + 0.3 * (region == "west") + 0.2 * (sex == "m")
    return pd.DataFrame(
        {
            "region": region,
            "sex": sex,
            "w": (weight / weight.mean()).round(4),
            "rich": np.where(rich, "y", "n"),
        }
    )


def asked(frame, **settings):
    notes = causalrules.test(frame, "rich=y", "sex=m", **settings).data.notes
    return [note for note in notes if ASKED in note]


@pytest.mark.parametrize(
    "name", ["Design weight", "pweight", "fnlwgt", "post-stratification weight", "w", "weight"]
)
def test_a_column_that_says_weight_is_asked_about(frame, name):
    (note,) = asked(frame.rename(columns={"w": name}))
    assert note.startswith(f"{name} {ASKED}")
    option = f"'{name}'" if " " in name else name
    assert f"--weights {option} --weights-are sampling" in note


def test_the_name_in_the_file_counts_as_well_as_the_label(frame, tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "survey.dta"
    named = frame.rename(columns={"w": "pweight"})
    pyreadstat.write_dta(named, path, column_labels=["Region", "Sex", "Number of the third kind", "Rich"])
    result = causalrules.test(path, "rich=y", "sex=m")
    assert any(note.startswith(f"Number of the third kind {ASKED}") for note in result.data.notes)


def test_the_weight_of_a_body_is_not_asked_about(frame):
    assert not asked(frame.assign(weight=75 + 10 * frame["w"]).drop(columns="w"))
    assert not asked(frame.rename(columns={"w": "wealth"}))
    holed = frame.rename(columns={"w": "pweight"}).assign(pweight=frame["w"].where(frame.index > 50))
    assert not asked(holed)
    assert not asked(frame.assign(pweight=frame["w"] - 0.5).drop(columns="w"))


def test_what_was_said_already_is_not_asked_again(frame):
    assert not asked(frame, weights="w", weights_are="sampling")
    assert not asked(frame, drop=["w"])
    assert not asked(frame, numeric=["w"])
    assert not asked(frame, controls="items", numeric=[])


def test_no_cause_is_to_be_dropped_for_a_weight(frame):
    result = causalrules.mine(frame.rename(columns={"w": "Design weight"}), "rich=y")
    advice = [
        one.advice for one in notices(result) if "Design weight" in one.text and "told apart" in one.text
    ]
    assert advice == ["if it is the weight of a survey: --weights 'Design weight' --weights-are sampling"]
    assert not any("--drop region" in one.advice for one in notices(result))

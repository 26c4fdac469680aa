"""A paper claims no more of its design than the table tells, and of a mean neither odds nor pairs."""

import re

import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules.publish.results_text import findings_sheet
from causalrules.publish.strobe import strobe_items, strobe_sheet


@pytest.fixture(scope="module")
def frame():
    chance = np.random.default_rng(6)
    n = 900
    region, training = chance.choice(["east", "west"], n), chance.choice(["yes", "no"], n)
    income = np.round(2000 - 500 * (region == "east") + 200 * (training == "yes") + chance.normal(0, 300, n))
    return pd.DataFrame({"region": region, "training": training, "income": income})


@pytest.fixture(scope="module")
def of_a_mean(frame):
    return causalrules.test(frame, "income", "training=yes", outcome_as="mean", adjust=["region"])


@pytest.fixture(scope="module")
def of_a_value(frame):
    return causalrules.test(frame, "income<1500", "training=yes", adjust=["region"])


def texts_of(article):
    texts = [str(article)]
    for block in article.document.blocks:
        if hasattr(block, "columns"):
            cells = [cell for line in block.lines for cell in (line.name, *line.cells)]
            texts += map(str, [block.title, *block.columns, *cells, *block.notes])
        texts += [getattr(block, name) for name in ("svg", "caption") if hasattr(block, name)]
    return "\n".join(texts)


def test_no_follow_up_is_claimed(of_a_value, frame):
    text = texts_of(of_a_value.article(frame))
    assert not re.search("cohort study|retrospective cohort", text)
    assert "were analysed as a matched observational study" in text
    assert (
        "training=yes and income<1500: a matched observational study" in of_a_value.article().document.title
    )
    items = {item.number: item for item in strobe_items(of_a_value)}
    assert "cross-sectional" in items["1"].left
    assert "cross-sectional" in items["4"].left
    for number in ("5", "12", "14"):
        assert "if there was any" in items[number].left
    assert strobe_sheet(of_a_value).title == "STROBE checklist for observational studies"


def test_a_single_exposure_has_no_parts(of_a_value, frame):
    text = str(of_a_value.methods())
    assert "part of the exposure" not in text
    assert "Records with the exposure were exposed, those known to be without it unexposed" in text
    both = causalrules.test(frame, "income<1500", "training=yes & region=east", adjust=[])
    assert "every part of the exposure" in str(both.methods())
    single = causalrules.mine(frame, "income<1500", max_length=1)
    assert "part of the exposure" not in str(single.methods())


def test_a_mean_has_no_odds_and_no_discordant_pairs(of_a_mean, frame):
    sheet = findings_sheet(of_a_mean)
    assert not any("isk" in column for column in sheet.columns)
    assert "OR" not in " ".join(sheet.notes)
    assert "odds ratio" not in " ".join(sheet.notes)
    flow = of_a_mean.flow()
    assert flow.discordant is None
    assert [line.name for line in flow.sheet.lines][-1].startswith("Matched pairs")
    assert "differ in the outcome" not in flow.svg
    assert "differ in the outcome" not in texts_of(of_a_mean.article(frame))
    mined = causalrules.mine(frame, "income", outcome_as="mean")
    assert "iscordant" not in texts_of(mined.article())


def test_a_value_keeps_its_odds_and_its_pairs(of_a_value):
    sheet = findings_sheet(of_a_value)
    assert any("Risk difference" in column for column in sheet.columns)
    assert "OR: odds ratio" in " ".join(sheet.notes)
    assert of_a_value.flow().sheet.lines[-1].name == "Pairs that differ in the outcome"


def test_the_checklist_knows_whether_there_is_a_table_one(of_a_value, frame):
    def fourteenth(article):
        (sheet,) = [one for one in article.document.blocks if getattr(one, "name", "") == "STROBE"]
        return next(line.cells for line in sheet.lines if line.name == "14")

    _, given, left = fourteenth(of_a_value.article(frame))
    assert given == "Table 1: characteristics and missing values by exposure."
    _, given, left = fourteenth(of_a_value.article())
    assert given == ""
    assert left.startswith("Characteristics and missing values by exposure")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "Means of exposed and unexposed records were compared within strata"),
        ({"weights": "w", "weights_are": "sampling"}, "Weighted means of exposed and unexposed records"),
        ({"cluster": "town"}, "Means of exposed and unexposed records were compared within strata"),
    ],
)
def test_means_of_a_sample_or_of_clusters_have_other_variances(frame, asked, told):
    towns = frame.assign(w=np.where(frame["region"] == "east", 0.4, 1.6), town=np.arange(len(frame)) % 60)
    taken = towns[[*frame.columns, *(name for name in ("w", "town") if name in asked.values())]]
    result = causalrules.test(taken, "income", "training=yes", outcome_as="mean", adjust=["region"], **asked)
    text = str(result.methods())
    assert told in text
    assert ("MacKinnon" in text) == (not asked)
    assert ("linearised variances" in text) == bool(asked)
    assert ("weighted doubly robust mean difference" in text) == ("weights" in asked)

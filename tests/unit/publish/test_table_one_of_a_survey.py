"""Table 1 of a weighted sample against sums over its records, written down plainly."""

import re

import numpy as np
import pandas as pd
import pytest

import causalrules

SAMPLED = {"weights": "w", "weights_are": "sampling", "matching": "exact"}
ARMS = ("exposed", "unexposed")


@pytest.fixture(scope="module")
def frame():
    """East is sampled far too often; smokers are mostly there, and some there have nobody to compare with."""
    chance = np.random.default_rng(4)
    n = 1200
    region = chance.choice(["east", "west"], n, p=[0.6, 0.4])
    smoker = np.where(chance.random(n) < np.where(region == "east", 0.6, 0.3), "yes", "no")
    age = np.where(chance.random(n) < 0.5, "old", "young")
    age[(smoker == "yes") & (chance.random(n) < 0.02)] = "oldest"
    weight = np.where(region == "east", 0.4, 1.9) * chance.uniform(0.5, 1.5, n)
    mood = chance.choice(["good", "bad", None], n, p=[0.5, 0.4, 0.1])
    return pd.DataFrame(
        {
            "region": region,
            "age": age,
            "smoker": smoker,
            "mood": mood,
            "height": chance.normal(170, 10, n).round(1),
            "ill": np.where(chance.random(n) < 0.4, "yes", "no"),
            "w": weight.round(3),
        }
    )


@pytest.fixture(scope="module")
def table(frame):
    result = causalrules.test(frame, "ill=yes", "smoker=yes", adjust=["region", "age"], **SAMPLED)
    return result.table1(0, frame, columns=["region", "age", "mood", "height"])


def groups_of(frame):
    """The records and weights of the four groups; strata are the combinations of region and age."""
    stratum = frame["region"] + frame["age"]
    exposed = frame["smoker"] == "yes"
    is_matched = stratum.isin(stratum[exposed]) & stratum.isin(stratum[~exposed])
    found = {
        f"{arm} before": (frame[own], frame["w"][own])
        for arm, own in zip(ARMS, (exposed, ~exposed), strict=True)
    }
    found["exposed after"] = frame[exposed & is_matched], frame["w"][exposed & is_matched]
    others = frame[~exposed & is_matched]
    sums = [frame["w"].groupby([stratum, exposed]).sum()[:, side] for side in (True, False)]
    stands_for = stratum[others.index].map(sums[0]) / stratum[others.index].map(sums[1])
    found["unexposed after"] = others, others["w"] * stands_for
    return found


def row(table, column, value=None):
    whole = table.to_frame()
    chosen = whole["column"] == column
    chosen &= whole["value"].isna() if value is None else whole["value"] == value
    (found,) = whole[chosen].to_dict("records")
    return found


def test_n_are_records_and_shares_are_weighted_in_both_halves(table, frame):
    for group, (records, weights) in groups_of(frame).items():
        for column in ("region", "age", "mood"):
            is_known = records[column].notna()
            for value in frame[column].dropna().unique():
                has_it = records[column] == value
                found = row(table, column, value)
                assert found[f"n, {group}"] == has_it.sum()
                assert found[f"share, {group}"] == pytest.approx(
                    weights[has_it].sum() / weights[is_known].sum()
                )
                assert found[f"missing, {group}"] == (~is_known).sum()


def test_numbers_and_differences_are_weighted_in_both_halves(table, frame):
    groups = groups_of(frame)
    means = {name: np.average(records["height"], weights=w) for name, (records, w) in groups.items()}
    found = row(table, "height")
    for group, mean in means.items():
        assert found[f"mean, {group}"] == pytest.approx(mean)
    variances = []
    for arm in ARMS:
        records, w = groups[f"{arm} before"]
        squares = (w * (records["height"] - means[f"{arm} before"]) ** 2).sum()
        variances.append(squares / (w.sum() - (w**2).sum() / w.sum()))
    for half in ("before", "after"):
        gap = abs(means[f"exposed {half}"] - means[f"unexposed {half}"])
        assert found[f"smd {half}"] == pytest.approx(gap / np.sqrt(np.mean(variances)))
    east = {name: np.average(records["region"] == "east", weights=w) for name, (records, w) in groups.items()}
    scale = np.sqrt(np.mean([east[f"{arm} before"] * (1 - east[f"{arm} before"]) for arm in ARMS]))
    gap = abs(east["exposed before"] - east["unexposed before"])
    assert row(table, "region", "east")["smd before"] == pytest.approx(gap / scale)
    assert row(table, "region", "east")["smd after"] == pytest.approx(0, abs=1e-9)  # matched exactly


def test_what_is_printed_adds_up_to_the_heads_and_says_that_it_is_weighted(table, frame):
    sheet = table.sheet
    sizes = [len(records) for records, _ in groups_of(frame).values()]
    assert table.sizes == tuple(sizes)
    shown = {line.name: line.cells for line in sheet.lines if line.is_part}
    for place, size in ((0, sizes[0]), (1, sizes[1]), (3, sizes[2])):
        texts = [shown[region][place] for region in ("east", "west")]
        assert all(re.fullmatch(r"[\d,]+ \(\d+\.\d\)", text) for text in texts)
        assert sum(int(text.split(" ")[0].replace(",", "")) for text in texts) == size
    assert re.fullmatch(r"\d+\.\d%", shown["east"][4])
    records, weights = groups_of(frame)["exposed before"]
    missing = records["mood"].isna()
    share = 100 * weights[missing].sum() / weights.sum()
    assert shown["missing, n (weighted %)"][0] == f"{missing.sum()} ({share:.1f})"
    names = [line.name for line in sheet.lines]
    assert "region, n (weighted %)" in names
    assert "height, weighted mean (SD)" in names
    assert any("weighted by w, before matching as after it" in note for note in sheet.notes)


def test_a_table_without_weights_says_nothing_of_them(frame):
    plain = frame.drop(columns="w")
    result = causalrules.test(plain, "ill=yes", "smoker=yes", adjust=["region", "age"], matching="exact")
    assert "weighted %" not in repr(result.table1(0, plain))

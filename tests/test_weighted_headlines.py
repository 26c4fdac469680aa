"""What is said of a weighted outcome is weighted, and says so."""

import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules.domain import Result
from causalrules.publish.strobe import strobe_items
from causalrules.report.words.measure import records_of

SAMPLED = {"weights": "w", "weights_are": "sampling"}


@pytest.fixture(scope="module")
def frame():
    """The poor were asked far more often than they are."""
    chance = np.random.default_rng(1)
    n = 800
    region, training = chance.choice(["east", "west"], n), chance.choice(["yes", "no"], n)
    income = np.round(2000 - 600 * (region == "east") + chance.normal(0, 200, n))
    income[:20] = np.nan
    weight = np.round(np.where(region == "east", 0.3, 1.7), 2)
    return pd.DataFrame({"region": region, "training": training, "income": income, "w": weight})


def weighted(frame):
    known = frame.dropna()
    mean = np.average(known["income"], weights=known["w"])
    return mean, np.sqrt(np.average((known["income"] - mean) ** 2, weights=known["w"])), known


@pytest.mark.parametrize("holdout", [0.0, 0.5])
def test_the_mean_of_a_sample_is_weighted(frame, holdout):
    mean, spread, known = weighted(frame)
    result = causalrules.mine(frame, "income", outcome_as="mean", holdout=holdout, **SAMPLED)
    outcome = result.data.outcome
    assert outcome.mean == pytest.approx(known["income"].mean())
    assert outcome.weighted_mean == pytest.approx(mean)
    assert outcome.weighted_spread == pytest.approx(spread)
    assert abs(mean - known["income"].mean()) > 100
    assert f"weighted mean {mean:,.0f}" in records_of(outcome)
    assert f"weighted mean {mean:.4g}" in result.summary()
    text = str(result.methods())
    assert f"its weighted mean was {mean:,.0f} (standard deviation {spread:,.0f}), unweighted" in text
    items = {item.number: item.given for item in strobe_items(result)}
    assert f"weighted mean {mean:.4g}" in items["15"]
    assert "survey weights w" in items["12"]
    assert Result.from_dict(result.to_dict()).data.outcome == outcome


def test_the_share_of_a_sample_is_weighted(frame):
    _, _, known = weighted(frame)
    result = causalrules.test(frame, "income<1500", "training=yes", **SAMPLED)
    share = known["w"][known["income"] < 1500].sum() / known["w"].sum()
    assert result.data.outcome.weighted_mean == pytest.approx(share)
    assert f" with it, weighted {share:.1%}" in records_of(result.data.outcome)
    assert f"%, weighted {100 * share:.1f}%)" in str(result.methods())
    items = {item.number: item.given for item in strobe_items(result)}
    assert f"weighted share {share:.1%}" in items["15"]


def test_nothing_is_called_weighted_without_weights(frame):
    plain = frame.drop(columns="w")
    result = causalrules.test(plain, "income", "training=yes", outcome_as="mean")
    assert result.data.outcome.weighted_mean is None
    assert "weighted" not in records_of(result.data.outcome)
    items = {item.number: item.given for item in strobe_items(result)}
    assert "weight" not in items["12"] + items["15"]

"""Missing values of confounders can be treated in two ways; the other estimate stands beside the first."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.domain import Result
from causalrules.report.words.study_facts import study_facts


def confounded(missing, n=3000, exposed=0.0):
    """A confounder that is unknown for a share of the records, and an exposure without effect."""
    rng = np.random.default_rng(1)
    side = rng.integers(0, 3, n)
    x = rng.random(n) < 1 / (1 + np.exp(-1.2 * (side - 1) + exposed))
    z = rng.random(n) < 1 / (1 + np.exp(-1.2 * (side - 1) + 1))
    names = pa.array([f"side {one}" for one in side], mask=rng.random(n) < missing)
    return pa.table({"side": names, "x": np.where(x, "yes", "no"), "z": np.where(z, "yes", "no")})


def study(table, **options):
    return causalrules.test(table, "z=yes", "x=yes", adjust="side", **options)


@pytest.mark.parametrize(("policy", "other"), [("drop", "value"), ("value", "drop")])
@pytest.mark.parametrize("direction", ["yes", "no"])
def test_the_other_estimate_is_that_of_the_other_study(policy, other, direction):
    table = confounded(0.4)
    ask = {"outcome": f"z={direction}", "exposure": "x=yes", "adjust": "side"}
    rule = causalrules.test(table, missing_controls=policy, **ask).tested[0]
    expected = causalrules.test(table, missing_controls=other, **ask).tested[0]
    found = rule.design.other_missing
    adjusted = expected.of_the_outcome().adjusted_odds_ratio
    assert found.missing_controls == other
    assert (found.odds_ratio, found.low, found.high) == pytest.approx(
        (adjusted.value, adjusted.low, adjusted.high), rel=1e-12
    )
    assert found.left_out == expected.design.left_out


def test_the_other_estimate_is_that_of_the_other_study_where_scores_are_compared():
    rng = np.random.default_rng(2)
    age, side = rng.normal(50, 10, 3000), rng.integers(0, 3, 3000)
    both = 0.06 * (age - 50) + 0.8 * (side - 1)
    x, z = (rng.random(3000) < 1 / (1 + np.exp(-both + by)) for by in (0, 1))
    table = pa.table(
        {
            "age": pa.array(age.round(1), mask=rng.random(3000) < 0.2),
            "side": side,
            "x": np.where(x, "yes", "no"),
            "z": np.where(z, "yes", "no"),
        }
    )
    ask = {"outcome": "z=yes", "exposure": "x=yes", "adjust": ["age", "side"]}
    found = causalrules.test(table, **ask).tested[0].design.other_missing
    expected = causalrules.test(table, missing_controls="value", **ask).tested[0].adjusted_odds_ratio
    assert found.missing_controls == "value"
    assert found.odds_ratio == pytest.approx(expected.value, rel=1e-9)


def test_complete_cases_come_first_and_missing_as_a_level_confounds():
    rule = study(confounded(0.4)).tested[0]
    assert rule.design.missing_controls == "drop"
    assert rule.adjusted_odds_ratio.low < 1 < rule.adjusted_odds_ratio.high
    assert rule.design.other_missing.low > 1


def test_where_too_few_are_complete_missing_is_a_level_and_complete_cases_stand_beside():
    rule = study(confounded(0.97)).tested[0]
    assert rule.design.missing_controls == "value"
    assert rule.design.other_missing.missing_controls == "drop"


def test_nothing_stands_beside_where_nothing_is_missing():
    assert study(confounded(0.0)).tested[0].design.other_missing is None


def test_nothing_stands_beside_where_nobody_is_complete():
    assert study(confounded(0.9993)).tested[0].design.other_missing is None


def test_it_comes_back_from_a_file():
    result = study(confounded(0.4))
    again = Result.from_dict(result.to_dict())
    assert again.tested[0].design == result.tested[0].design
    assert again.to_frame(columns="all")["other_missing_odds_ratio"].tolist() == [
        result.tested[0].design.other_missing.odds_ratio
    ]


def test_the_card_shows_it():
    rule = study(confounded(0.4)).tested[0]
    (fact,) = [fact for fact in study_facts(rule) if fact.name == "left out"]
    assert any(line.endswith("if missing were a level") for line in fact.lines)
    rule = study(confounded(0.4), missing_controls="value").tested[0]
    (fact,) = [fact for fact in study_facts(rule) if fact.name == "left out"]
    assert any(line.endswith("of complete records only") for line in fact.lines)

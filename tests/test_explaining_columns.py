"""Of the columns adjusted for, those are named that take an association away, or on which it depends."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules


def odds(x):
    return 1 / (1 + np.exp(-x))


def lots(n=6_000, seed=1):
    """The supplier acts through moisture alone; shift, temperature and machine are causes of their own."""
    draw = np.random.default_rng(seed)
    supplier = draw.random(n) < 0.3
    moisture = np.round(draw.normal(0.3 + 0.12 * supplier, 0.08, n), 3)
    shift = draw.random(n) < 0.33
    temperature = np.round(draw.normal(210, 5, n), 1)
    log_odds = -2.2 + 14 * (moisture - 0.33) + 0.8 * shift + 0.12 * (temperature - 210)
    defect = draw.random(n) < odds(log_odds)
    return pa.table(
        {
            "supplier": np.where(supplier, "K", "M"),
            "moisture": moisture,
            "shift": np.where(shift, "night", "day"),
            "temperature": temperature,
            "defect": np.where(defect, "yes", "no"),
        }
    )


def test_a_rule_depends_on_the_order_of_the_column_that_matters_alone():
    rule = causalrules.test(lots(), "defect=yes", "supplier=K").tested[0]
    assert set(rule.design.held) >= {"moisture", "shift", "temperature"}
    beside = rule.design.without_undecided
    assert beside.columns == ("moisture",)
    alone = causalrules.test(lots(), "defect=yes", "supplier=K", never_adjust=["moisture"]).tested[0]
    assert set(alone.design.held) >= {"shift", "temperature"}
    assert beside.odds_ratio.value == pytest.approx(alone.adjusted_odds_ratio.value, rel=0.02)


def test_what_explains_an_association_is_named_and_nothing_else():
    table = lots()
    rejected = causalrules.mine(table, "defect=yes", max_length=1, explain=False).with_verdict("rejected")
    (rule,) = (one for one in rejected if one.pattern[0].column == "supplier")
    assert set(rule.design.held) >= {"moisture", "shift", "temperature"}
    assert "moisture" in rule.reason
    said = rule.reason.partition("explained")[2]
    assert "moisture" in said
    assert "shift" not in said
    assert "temperature" not in said


def customers(n=8_000, seed=4):
    """Two causes confound the plan, by halves; the newsletter has nothing to do with anything."""
    draw = np.random.default_rng(seed)
    age, tenure, letter = draw.random(n) < 0.5, draw.random(n) < 0.5, draw.random(n) < 0.5
    plan = draw.random(n) < odds(-1.3 + 1.3 * age + 1.3 * tenure)
    churned = draw.random(n) < odds(-2.4 + 1.3 * age + 1.3 * tenure + 0.35 * letter)
    columns = {"plan": plan, "age": age, "tenure": tenure, "newsletter": letter, "churned": churned}
    return pa.table({name: np.where(values, "a", "b") for name, values in columns.items()})


def test_two_columns_that_explain_it_together_are_both_named():
    rejected = causalrules.mine(customers(), "churned=a", max_length=1).with_verdict("rejected")
    (rule,) = (one for one in rejected if one.pattern[0].column == "plan")
    assert set(rule.design.held) == {"age", "tenure", "newsletter"}
    said = rule.reason.partition("explained")[2]
    assert "age" in said
    assert "tenure" in said
    assert "newsletter" not in said

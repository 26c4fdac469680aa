"""What the user says comes after the exposure: not adjusted for in a test, named by a search."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules

TIERS = "severity < drug < pressure < death"


@pytest.fixture(scope="module")
def patients() -> pa.Table:
    """A drug given to the severe lowers the pressure, and the risk of death by that alone."""
    chance, n = np.random.default_rng(5), 8000

    def happens(log_odds):
        return chance.random(n) < 1 / (1 + np.exp(-np.asarray(log_odds)))

    severity = happens(np.zeros(n))
    drug = happens(-1 + 2.0 * severity)
    pressure = happens(0.5 - 2.0 * drug + 0.5 * severity)
    death = happens(-2 + 1.5 * pressure + 1.2 * severity)
    columns = {"severity": severity, "drug": drug, "pressure": pressure, "death": death}
    return pa.table({name: np.where(values, "yes", "no") for name, values in columns.items()})


def test_a_test_asks_for_the_whole_effect(patients):
    (rule,) = causalrules.test(patients, "death=yes", "drug=yes", tiers=TIERS).rules
    assert rule.design.held == ("severity",)
    assert (rule.verdict, rule.direction) == ("causal", "lowers")


def test_the_user_may_ask_for_the_direct_effect(patients):
    (rule,) = causalrules.test(patients, "death=yes", "drug=yes", tiers=TIERS, adjust="+pressure").rules
    assert set(rule.design.held) == {"severity", "pressure"}
    assert rule.verdict == "rejected"


def test_what_was_said_is_repeated(patients):
    result = causalrules.test(patients, "death=yes", "drug=yes", tiers=TIERS)
    assert "between exposure and outcome, not adjusted for: pressure" in " ".join(map(str, result.decisions))


def test_a_search_says_which_effect_it_left_out(patients):
    rule = causalrules.mine(patients, "death=yes", tiers=TIERS, max_length=1).find("drug=yes")
    assert rule.verdict == "rejected"
    assert rule.reason.endswith("its effect through pressure, which comes after it, is left out")

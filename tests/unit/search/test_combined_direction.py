"""A combined cause is named by parts that all take it further, never by one that works against it."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules


def _yes_no(happens: np.ndarray) -> np.ndarray:
    return np.where(happens, "yes", "no")


def _drug_that_helps(seed: int) -> pa.Table:
    """The drug lowers the risk of death among the severe too, but less."""
    chance, n = np.random.default_rng(seed), 10_000
    drug, severe = chance.random(n) < 0.5, chance.random(n) < 0.4
    log_odds = -1 + 1.8 * severe - 1.2 * drug + 0.7 * (drug & severe)
    died = chance.random(n) < 1 / (1 + np.exp(-log_odds))
    return pa.table({"drug": _yes_no(drug), "severe": _yes_no(severe), "died": _yes_no(died)})


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_a_drug_that_helps_is_no_part_of_what_raises_the_risk(seed):
    result = causalrules.mine(_drug_that_helps(seed), "died=yes")
    combined = [(rule.name, rule.direction) for rule in result.rules if rule.length > 1]
    assert combined
    assert set(combined) <= {("drug=no & severe=yes", "raises"), ("drug=yes & severe=no", "lowers")}

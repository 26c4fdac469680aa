"""What acts on the exposure alone confounds nothing, and is not adjusted for."""

import numpy as np
import pyarrow as pa

import causalrules


def test_causes_of_the_exposure_alone_are_not_held():
    """Doctor and nurse decide who gets a drug that does nothing; of death only the illness is a cause."""
    chance, n = np.random.default_rng(1), 10_000

    def happens(log_odds):
        return chance.random(n) < 1 / (1 + np.exp(-log_odds))

    ill, doctor, nurse = chance.random(n) < 0.4, chance.random(n) < 0.5, chance.random(n) < 0.5
    drug = happens(-1.5 + 1.5 * doctor + 1.5 * nurse + 1.0 * ill)
    death = happens(-1.5 + 1.5 * ill)
    columns = {"ill": ill, "doctor": doctor, "nurse": nurse, "drug": drug, "death": death}
    (rule,) = causalrules.test(pa.table(columns), "death", "drug").rules
    assert rule.design.held == ("ill",)

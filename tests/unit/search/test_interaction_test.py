"""Whether an effect is the same in all levels: judged by writing the sums out."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.special import erfc

from causalrules.search.interaction_test import interaction_p


def naive(exposed, levels, level, stratum, counts):
    """Level by level, stratum by stratum."""

    def log_odds_ratio(rows):
        cells = [[sum(counts[r][z] for r in rows if exposed[r] == arm) for z in (0, 1)] for arm in (0, 1)]
        if min(map(sum, cells)) < 5:
            return None
        value = log((cells[1][1] + 0.5) / (cells[1][0] + 0.5)) - log(
            (cells[0][1] + 0.5) / (cells[0][0] + 0.5)
        )
        return value, sum(1 / (n + 0.5) for arm in cells for n in arm)

    total = weight = 0.0
    for here in sorted(set(stratum)):
        found = {
            one: log_odds_ratio([r for r in range(len(levels)) if stratum[r] == here and levels[r] == one])
            for one in range(1, max(levels) + 1)
        }
        own = found.pop(level, None)
        others = [one for one in found.values() if one]
        if not own or not others:
            continue
        pooled = sum(1 / variance for _, variance in others)
        variance = own[1] + 1 / pooled
        total += (own[0] - sum(value / v for value, v in others) / pooled) / variance
        weight += 1 / variance
    return erfc(abs(total) / sqrt(2 * weight)) if weight else 1.0


@pytest.mark.parametrize("seed", range(40))
def test_like_the_sums_written_out(seed):
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 60)
    exposed, levels = rng.random(n) < 0.5, rng.integers(0, 4, n).astype(np.uint16)
    stratum = rng.integers(0, rng.integers(1, 4), n).astype(np.uint16)
    counts = rng.integers(0, 20, (n, 2))
    found = interaction_p(exposed, levels, 2, stratum, counts)
    plain = naive(exposed.tolist(), levels.tolist(), 2, stratum.tolist(), counts.tolist())
    assert found == pytest.approx(plain, abs=1e-12)

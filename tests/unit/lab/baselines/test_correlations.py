"""PC-select by partial correlations, against a plain walk through R's steps."""

from itertools import combinations
from statistics import NormalDist

import numpy as np
import pyarrow as pa
import pytest

from causalrules_lab.baselines import pc_select_by_correlation


def partial_correlation(values, x, y, given):
    """The correlation of what is left of both after a regression on the others."""
    held = np.column_stack([np.ones(len(values)), *(values[:, one] for one in given)])
    left = [values[:, one] - held @ np.linalg.lstsq(held, values[:, one])[0] for one in (x, y)]
    return float(np.corrcoef(left)[0, 1])


def neighbours(values, alpha):
    """The columns but the first that R's steps leave, the first being the outcome."""
    cutoff = NormalDist().inv_cdf(1 - alpha / 2)
    kept, size = list(range(1, values.shape[1])), 0
    while len(kept) > size:
        for x in list(kept):
            for given in combinations([other for other in kept if other != x], size):
                z = np.sqrt(len(values) - size - 3) * np.arctanh(partial_correlation(values, x, 0, given))
                if abs(z) <= cutoff:
                    kept.remove(x)
                    break
        size += 1
    return set(kept)


def chain(seed, n=400):
    """Columns a → b → y ← c, d → y weakly, and two of noise."""
    chance = np.random.default_rng(seed)
    a, c, d, e, f = chance.random((5, n)) < 0.5
    b = np.where(chance.random(n) < 0.75, a, ~a)
    y = chance.random(n) < 0.15 + 0.35 * b + 0.25 * c + 0.12 * d
    return np.column_stack([y, a, b, c, d, e, f]).astype(int)


@pytest.mark.parametrize("seed", range(25))
def test_it_is_a_plain_walk_through_the_steps(seed):
    values = chain(seed)
    names = ("y", "a", "b", "c", "d", "e", "f")
    table = pa.table({name: values[:, place].astype(str) for place, name in enumerate(names)})
    found = pc_select_by_correlation(table, "y=1", categorical=list(names), alpha=0.05)
    assert {finding.pattern[0].column for finding in found.causal} == {
        names[place] for place in neighbours(values, 0.05)
    }


def test_what_acts_through_another_is_separated_by_it():
    values = chain(1, n=5000)
    names = ("y", "a", "b", "c", "d", "e", "f")
    table = pa.table({name: values[:, place].astype(str) for place, name in enumerate(names)})
    findings = {
        finding.pattern[0].column: finding
        for finding in pc_select_by_correlation(table, "y=1", categorical=list(names)).findings
    }
    assert {name for name, one in findings.items() if one.verdict == "causal"} >= {"b", "c", "d"}
    assert findings["a"].verdict == "rejected"
    assert "b=1" in findings["a"].reason


def test_it_stops_where_it_may_test_no_more():
    values = chain(1, n=2000)
    table = pa.table({name: values[:, place].astype(str) for place, name in enumerate("yabcdef")})
    found = pc_select_by_correlation(table, "y=1", categorical=list("yabcdef"), max_tests=7)
    assert found.stopped == "it needs more than 7 tests"
    assert {finding.verdict for finding in found.findings} <= {"undecided", "rejected"}

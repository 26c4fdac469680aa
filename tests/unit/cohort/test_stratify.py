"""Strata by scores, where scores are extreme."""

import numpy as np

from causalrules.cohort.stratify import _cut


def test_a_group_with_next_to_no_weight_is_cut_somewhere():
    """The sums before it round to more than its own weight: places outside of it must not come out."""
    chance = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], [4000, 50, 50])
    weight = np.select([groups == 0, groups == 1], [1000 * chance.random(4100), 1e-17], 0.0)
    parts = _cut(groups, chance.normal(size=4100), weight, np.array([10.0, 5.0, 5.0]))
    assert parts.min() == 0
    for group, most in ((0, 10), (1, 5), (2, 5)):
        assert 1 <= len(np.unique(parts[groups == group])) <= most
    assert not set(parts[groups == 0]) & set(parts[groups > 0])

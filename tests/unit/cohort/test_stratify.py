"""Strata by scores."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from causalrules.cohort.stratify import _cut, _Ranked


def test_a_group_with_next_to_no_weight_is_cut_somewhere():
    """The sums before it round to more than its own weight: places outside of it must not come out."""
    chance = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], [4000, 50, 50])
    weight = np.select([groups == 0, groups == 1], [1000 * chance.random(4100), 1e-17], 0.0)
    parts = _cut(groups, _Ranked.of(chance.normal(size=4100)), weight, np.array([10.0, 5.0, 5.0]))
    assert parts.min() == 0
    for group, most in ((0, 10), (1, 5), (2, 5)):
        assert 1 <= len(np.unique(parts[groups == group])) <= most
    assert not set(parts[groups == 0]) & set(parts[groups > 0])


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-3, 3), st.integers(1, 9)), min_size=1, max_size=40),
    st.lists(st.integers(0, 6), min_size=4, max_size=4),
)
def test_parts_have_about_equal_weight_and_keep_ties_together(rows, n_parts):
    """A part is where the middle of a tie lies in its group, by exact fractions."""

    def part_of(group, score):
        own = [(other, weight) for g, other, weight in rows if g == group]
        below = sum(weight for other, weight in own if other < score)
        tie = sum(weight for other, weight in own if other == score)
        parts = max(n_parts[group], 1)
        middle = Fraction(2 * below + tie, 2 * sum(weight for _, weight in own))
        return group, min(int(parts * middle), parts - 1)

    wanted = [part_of(group, score) for group, score, _ in rows]
    groups, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    found = _cut(groups, _Ranked.of(score / 2), weight.astype(np.float64), np.array(n_parts, np.float64))
    numbers = {part: number for number, part in enumerate(sorted(set(wanted)))}
    assert found.tolist() == [numbers[part] for part in wanted]

"""Verdicts by the table of the method's page, restated; corrected p-values; grades that doubt never lifts."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, false_discovery_control

from causalrules.judge import Doubts, Facts, grade_of, verdict_of
from causalrules.judge.sensitivity import e_value, gamma_of, rosenbaum_p
from causalrules.judge.verdict import corrected
from causalrules.words.findings import Finding

ALPHA = 0.05


def naive_verdict(p, p_corrected, p_crude, shows, p_link, has_rival, is_comparable, is_after, acts_through):
    """The table, row by row; where no interval leaves out no effect there is no cause, whatever p is."""
    if is_after:
        return "after"
    if not is_comparable:
        return "not comparable"
    if p > ALPHA:
        return "explained" if p_crude <= ALPHA else "no difference"
    if not shows:
        return "possible"
    was_asked = p_link is None
    if was_asked or p_link >= 0.5:
        return "cause"
    survives = p_corrected <= ALPHA
    if acts_through:
        return "indirect" if survives else "possible"
    return "cause" if survives and not has_rival else "possible"


P = (0.0, 0.01, 0.05, 0.0501, 0.5, 1.0)
YES_NO = (False, True)


def test_verdicts_are_those_of_the_table():
    n = 0
    for p, p_corrected, p_crude, p_link in product(P, P, P, (None, 0.0, 0.49, 0.5, 1.0)):
        if p_corrected < p:
            continue
        for facts in product(YES_NO, repeat=5):
            shows, has_rival, is_comparable, is_after, acts_through = facts
            found = verdict_of(
                Facts(
                    p=p,
                    p_corrected=p_corrected,
                    p_crude=p_crude,
                    shows=shows,
                    p_link=p_link,
                    rivals=("other",) if has_rival else (),
                    is_comparable=is_comparable,
                    comes_after=is_after,
                    acts_through=acts_through,
                ),
                ALPHA,
            )
            assert found == naive_verdict(p, p_corrected, p_crude, facts[0], p_link, *facts[1:])
            n += 1
    assert n > 10_000


def test_only_two_verdicts_are_causes():
    verdicts = (
        "cause",
        "possible",
        "explained",
        "indirect",
        "no difference",
        "after",
        "not comparable",
        "set aside",
    )
    assert [one for one in verdicts if Finding(factors=(), verdict=one).is_cause] == ["cause", "indirect"]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_corrected_p_values_are_scipys(p_values):
    assert corrected(p_values) == pytest.approx(false_discovery_control(p_values).tolist(), abs=1e-15)


def test_nothing_is_corrected_where_nothing_was_asked():
    assert corrected([]) == []
    assert corrected([0.03]) == [0.03]


DOUBTS = st.builds(
    Doubts,
    gamma=st.one_of(st.none(), st.floats(1, 5)),
    distance=st.floats(1, 3),
    imbalance=st.floats(0, 1),
    share=st.floats(0, 1),
    disagree=st.booleans(),
    unsettled=st.booleans(),
)
RANK = {"fragile": 0, "moderate": 1, "strong": 2}


@given(
    DOUBTS,
    st.floats(0, 1),
    st.sampled_from(["gamma", "distance", "imbalance", "share", "disagree", "unsettled"]),
)
def test_more_doubt_is_never_a_better_grade(doubts, by, what):
    own = getattr(doubts, what)
    if what in ("disagree", "unsettled"):
        worse = replace(doubts, **{what: True})
    elif what == "imbalance":
        worse = replace(doubts, imbalance=own + by)
    elif what == "gamma":
        worse = replace(doubts, gamma=None if own is None else max(1.0, own - by))
    else:
        worse = replace(doubts, **{what: own - by})
    assert RANK[grade_of(worse)] <= RANK[grade_of(doubts)]


@given(DOUBTS)
def test_what_disagrees_or_waits_is_fragile_and_each_measure_can_undo_a_grade(doubts):
    if doubts.disagree or doubts.unsettled:
        assert grade_of(doubts) == "fragile"
    for undone in ({"gamma": 1.0}, {"gamma": None, "distance": 1.0}, {"imbalance": 1.0}, {"share": 0.1}):
        assert grade_of(replace(doubts, **undone)) == "fragile"


class Pairs:
    """Discordant pairs."""

    def __init__(self, n12, n21):
        self.n12, self.n21 = n12, n21


@given(st.integers(1, 60), st.integers(0, 60), st.floats(1, 6))
def test_rosenbaums_p_is_a_binomial_tail(n12, n21, gamma):
    tail = binom.sf(n12 - 1, n12 + n21, gamma / (1 + gamma))
    assert rosenbaum_p(Pairs(n12, n21), gamma) == pytest.approx(tail, abs=1e-9)


@given(st.integers(1, 60), st.integers(0, 60))
def test_gamma_is_where_that_p_reaches_alpha(n12, n21):
    gamma = gamma_of(Pairs(n12, n21), ALPHA)
    if gamma > 1:
        assert binom.sf(n12 - 1, n12 + n21, gamma / (1 + gamma)) == pytest.approx(ALPHA, rel=1e-6)
    else:
        assert binom.sf(n12 - 1, n12 + n21, 0.5) >= ALPHA * (1 - 1e-9)


@given(st.floats(1.001, 50))
def test_an_e_value_is_the_confounder_that_explains_the_ratio(ratio):
    """With both of its risk ratios e, the largest bias is e times e over e plus e less 1."""
    e = e_value(ratio)
    assert e * e / (2 * e - 1) == pytest.approx(ratio)
    assert e_value(1 / ratio) == pytest.approx(e)


def test_no_ratio_needs_no_confounder():
    assert e_value(1.0) == 1.0
    assert np.isinf(e_value(0.0))

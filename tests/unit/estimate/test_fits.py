"""Models of columns of codes: their end is where the penalised likelihood is highest, wherever they begin."""

import numpy as np
import pytest

from causalrules.estimate.models import Design, Fit, Known, fit_levels, fit_logistic
from causalrules.estimate.terms import Term, level_basis


def rows(k: int, seed: int, n: int = 3000) -> tuple[list[Term], np.ndarray]:
    """Three categories, and a level that depends on two of them strongly: some chances are nearly 0."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, size, n).astype(np.int32) for size in (4, 6, 3)]
    effects = [rng.normal(0, 2.5, (size, k)) for size in (4, 6)]
    score = effects[0][codes[0]] + effects[1][codes[1]] + rng.gumbel(size=(n, k))
    terms = [
        Term((name,), one, level_basis(np.bincount(one).astype(float)), 0)
        for name, one in zip("abc", codes, strict=True)
    ]
    return terms, score.argmax(axis=1)


def left_to_gain(design: Design, fit: Fit, level: np.ndarray, k: int) -> float:
    """What a whole Newton step would add to the penalised log likelihood, every row written out."""
    matrix = np.column_stack([np.ones(len(level)), *(term.basis[term.codes] for term in design.terms)])
    penalty = design.penalty(fit.penalties)
    odds = np.exp(matrix @ fit.coefficients)
    chances = odds / odds.sum(axis=1, keepdims=True)
    slope = matrix.T @ ((level[:, None] == np.arange(k)) - chances) - penalty[:, None] * fit.coefficients
    blocks = [
        [
            (matrix * (chances[:, c] * ((c == d) - chances[:, d]))[:, None]).T @ matrix
            + (c == d) * np.diag(penalty)
            for d in range(k)
        ]
        for c in range(k)
    ]
    along = slope.T.ravel()
    return float(0.5 * along @ np.linalg.pinv(np.block(blocks), rcond=1e-12, hermitian=True) @ along)


@pytest.mark.parametrize("k", [3, 6])
@pytest.mark.parametrize("seed", range(3))
def test_levels_end_where_nothing_is_gained(k, seed):
    terms, level = rows(k, seed)
    design = Design(terms, np.ones(len(level)))
    fit = fit_levels(design, level, k)
    # Of what chance gains, half of one for each coefficient, less than a 500th.
    assert left_to_gain(design, fit, level, k) < 0.001 * fit.n_used * (k - 1)
    penalised = fit.coefficients[1:]
    assert np.abs(penalised.sum(axis=1)).max() < 1e-8  # all levels may shift together, and do not


def test_a_fit_that_begins_elsewhere_ends_at_the_same_place():
    terms, level = rows(4, 5)
    mass = np.ones(len(level))
    small, whole = Design(terms[:2], mass), Design(terms, mass)
    start = Known(small, fit_levels(small, level, 4))
    cold, warm = fit_levels(whole, level, 4), fit_levels(whole, level, 4, start)
    assert warm.mean == pytest.approx(cold.mean, abs=5e-3)
    has = (level == 1).astype(float)
    begun = Known(small, fit_logistic(small, has))
    assert fit_logistic(whole, has, begun).mean == pytest.approx(fit_logistic(whole, has).mean, abs=0.02)


def test_what_is_known_of_terms_with_other_levels_is_no_start():
    terms, level = rows(3, 1)
    design = Design(terms, np.ones(len(level)))
    known = Known(design, fit_logistic(design, (level == 1).astype(float)))
    other = Term(("a",), np.zeros(len(level), np.int32), np.zeros((1, 1)), 0)
    new = Term(("d",), terms[2].codes, terms[2].basis, 0)
    fewer = Design([other, terms[1], new], np.ones(len(level)))
    start = known.start(fewer)
    assert start[fewer.places[0]].tolist() == [0.0]
    assert start[fewer.places[1]].tolist() == known.fit.coefficients[design.places[1]].tolist()
    assert not start[fewer.places[2]].any()
    assert np.isnan(known.penalties(fewer)).tolist() == [False, False, True]
    assert known.information(fewer) is None


def test_what_is_known_of_more_terms_is_known_of_some():
    """The information of a part of the terms is that part of the information, for as many records."""
    terms, level = rows(3, 2)
    whole = Design(terms, np.ones(len(level)))
    known = Known(whole, fit_logistic(whole, (level == 1).astype(float)))
    some = Design([terms[2], terms[0]], np.full(len(level), 2.0))
    places = [0, *range(*whole.places[2].indices(99)), *range(*whole.places[0].indices(99))]
    expected = 2 * known.fit.information[np.ix_(places, places)]
    assert known.information(some) == pytest.approx(expected, rel=1e-12)
    assert np.isfinite(known.penalties(some)).all()
    start = known.start(some)
    assert start[some.places[1]].tolist() == known.fit.coefficients[whole.places[0]].tolist()


def test_effects_by_code_are_known_where_a_code_does_not_occur():
    terms, level = rows(3, 4)
    whole = Design(terms, np.ones(len(level)))
    known = Known(whole, fit_logistic(whole, (level == 1).astype(float)))
    size = np.bincount(terms[1].codes).astype(float)
    size[2] = 0.0
    fewer = Term(("b",), terms[1].codes, level_basis(size), 0)
    assert not known.start(Design([fewer], whole.mass))[1:].any()
    assert known.effects(fewer).tolist() == known.effects(terms[1]).tolist()
    assert np.ptp(known.effects(fewer)) > 1
    assert known.effects(Term(("new",), *[terms[1].codes, terms[1].basis], 0)).tolist() == [0.0] * 6
    assert known.effects(Term(("b",), terms[0].codes, terms[0].basis, 0)).tolist() == [0.0] * 4


@pytest.mark.parametrize("k", [2, 5])
def test_a_fit_that_begins_with_some_records_ends_as_with_all(k):
    """What is left to gain is a tenth of what chance gains: half of one for each coefficient."""
    terms, level = rows(k, 7, n=20_000)
    mass = np.ones(len(level))
    whole, part = Design(terms, mass), np.arange(0, len(level), 4)
    some = whole.only(part, mass[part])
    begun = Known(some, fit_levels(some, level[part], k))
    fit = fit_levels(whole, level, k, begun)
    assert left_to_gain(whole, fit, level, k) < 0.1 * fit.n_used * (k - 1)
    has = (level == 1).astype(float)
    event = fit_logistic(whole, has, Known(some, fit_logistic(some, has[part])))
    assert event.mean == pytest.approx(fit_logistic(whole, has).mean, abs=0.02)

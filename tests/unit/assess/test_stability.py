import pytest

from causalrules.assess import random_pairs
from causalrules.assess.doubts import pairing_stability
from causalrules.assess.odds import fair_odds_ratio
from causalrules.domain.histogram import StrataHistogram
from causalrules.paper.judging import bootstrap_stability


@pytest.mark.parametrize(
    "strata",
    [
        [(6, 4, 300, 400)] * 12,
        [(3, 2, 10, 12)] * 60,
        [(40, 30, 200, 260), (5, 9, 30, 70), (2, 1, 5, 9)] * 3,
        [(4, 4, 40, 40)] * 20,
    ],
)
def test_closed_form_is_the_share_of_drawn_pairings(strata):
    histogram = StrataHistogram.from_strata(strata, 0, 0)
    n_runs = 1500
    drawn = [random_pairs(histogram, seed=0, run=run, rule="r") for run in range(n_runs)]
    share = sum(fair_odds_ratio(pairs, 0.95).low > 1 for pairs in drawn) / n_runs
    assert pairing_stability(histogram, 0.95) == pytest.approx(share, abs=0.05)


def stability_of(strata):
    histogram = StrataHistogram.from_strata(strata, 0, 0)
    return pairing_stability(histogram, 0.95)


def test_strata_without_choice_are_perfectly_stable():
    assert stability_of([(0, 1, 1, 0)] * 30) == 0.0
    assert stability_of([(1, 0, 0, 1)] * 30) == 1.0
    assert stability_of([]) == 0.0


def test_bootstrap_is_reproducible_and_between_its_extremes():
    histogram = StrataHistogram.from_strata([(1, 0, 0, 1)] * 30 + [(0, 1, 1, 0)] * 16, 0, 0)

    def is_causal(resampled):
        n12, n21 = (int(resampled.rows[resampled.rows[:, i] > 0, 4].sum()) for i in (0, 1))
        return n12 > 1.5 * n21

    shares = [bootstrap_stability(histogram, is_causal, n_resamples=200, seed=1, rule="r") for _ in range(2)]
    assert shares[0] == shares[1]
    assert 0.1 < shares[0] < 0.95

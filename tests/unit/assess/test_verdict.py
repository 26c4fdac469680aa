import pytest

from causalrules.assess import judge_expected, judge_random
from causalrules.domain import Settings
from causalrules.domain.histogram import StrataHistogram


def strata(n12, n21):
    """Strata of one exposed and one unexposed record: every pairing is the same."""
    return StrataHistogram.from_strata([(1, 0, 0, 1)] * n12 + [(0, 1, 1, 0)] * n21, 0, 0)


@pytest.mark.parametrize(
    ("n12", "n21", "verdict"),
    [
        (30, 10, "causal"),
        (30, 20, "rejected"),
        (10, 30, "rejected"),
        (4, 2, "untestable"),
        (0, 0, "untestable"),
    ],
)
def test_verdicts(n12, n21, verdict):
    assert judge_expected(strata(n12, n21), Settings()).verdict == verdict


def test_nothing_can_be_said_with_fewer_discordant_pairs_than_could_ever_suffice():
    """All in favour: eight pairs reach a lower limit above 1 at 95 %, seven do not."""
    assert judge_expected(strata(8, 0), Settings()).verdict == "causal"
    assert judge_expected(strata(7, 0), Settings()).verdict == "untestable"
    assert judge_expected(strata(4, 4), Settings()).verdict == "rejected"


def test_a_minimum_odds_ratio_replaces_the_interval():
    settings = Settings(min_odds_ratio=1.4)
    assert judge_expected(strata(30, 20), settings).verdict == "causal"
    assert judge_expected(strata(28, 20), settings).verdict == "rejected"


def test_votes_decide_over_random_runs():
    """Many records to choose from: some pairings come out causal and some do not."""
    histogram = StrataHistogram.from_strata([(6, 4, 300, 400)] * 12, 0, 0)
    for seed in range(30):
        runs = [
            judge_random(histogram, Settings(pairs="random", runs=5, votes=v, seed=seed), "r")
            for v in (1, 3, 5)
        ]
        assert len({run.causal_runs for run in runs}) == 1
        for run, votes in zip(runs, (1, 3, 5), strict=True):
            assert (run.verdict == "causal") == (run.causal_runs >= votes)

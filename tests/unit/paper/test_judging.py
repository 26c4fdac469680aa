import pytest

from causalrules.domain.histogram import StrataHistogram
from causalrules.paper import PaperSettings
from causalrules.paper.judging import judge, run_test


def strata(n12, n21):
    """Strata of one exposed and one unexposed record: every pairing is the same."""
    return StrataHistogram.from_strata([(1, 0, 0, 1)] * n12 + [(0, 1, 1, 0)] * n21, 0, 0)


def verdict(histogram, settings, n_hypotheses=1):
    return judge([run_test([histogram], settings, "r")], settings, n_hypotheses)[0].verdict


@pytest.mark.parametrize("test", ["matched-pairs", "exact", "mantel-haenszel"])
@pytest.mark.parametrize(
    ("n12", "n21", "expected"),
    [
        (30, 10, "causal"),
        (30, 20, "rejected"),
        (10, 30, "rejected"),
        (2, 1, "untestable"),
        (0, 0, "untestable"),
    ],
)
def test_verdicts_without_correction(test, n12, n21, expected):
    assert verdict(strata(n12, n21), PaperSettings(judge="interval", test=test)) == expected


def test_nothing_can_be_said_with_fewer_discordant_pairs_than_could_ever_suffice():
    """The paper's interval needs eight pairs at 95 %, all in favour; the exact test six."""
    for test, enough in (("matched-pairs", 8), ("exact", 6)):
        settings = PaperSettings(judge="interval", test=test)
        assert verdict(strata(enough, 0), settings) == "causal"
        assert verdict(strata(enough - 1, 0), settings) == "untestable"
        assert verdict(strata(enough // 2, enough // 2), settings) == "rejected"


def test_a_minimum_odds_ratio_replaces_the_interval():
    settings = PaperSettings(min_odds_ratio=1.4)
    assert verdict(strata(30, 20), settings) == "causal"
    assert verdict(strata(28, 20), settings) == "rejected"


@pytest.mark.parametrize("correction", ["bonferroni", "holm", "bh", "by"])
def test_what_stands_alone_may_fall_among_many(correction):
    settings = PaperSettings(correction=correction)
    assert verdict(strata(30, 12), settings, n_hypotheses=1) == "causal"
    assert verdict(strata(30, 12), settings, n_hypotheses=1000) == "rejected"
    assert verdict(strata(300, 120), settings, n_hypotheses=1000) == "causal"


def test_untestable_rules_do_not_burden_the_others():
    settings = PaperSettings(correction="bonferroni")
    strong, hopeless = run_test([strata(30, 12)], settings, "a"), run_test([strata(2, 0)], settings, "b")
    verdicts = [j.verdict for j in judge([strong, *[hopeless] * 50], settings, 51)]
    assert verdicts == ["causal", *["untestable"] * 50]


def test_an_effect_in_the_wrong_direction_is_no_evidence():
    settings = PaperSettings(correction="bh")
    judgement = judge([run_test([strata(10, 90)], settings, "r")], settings, 1)[0]
    assert (judgement.verdict, judgement.q_value) == ("rejected", 1.0)


def test_a_p_value_of_nothing_is_held_to_the_strictest_level():
    settings = PaperSettings()
    overwhelming = run_test([strata(40_000, 100)], settings, "a")
    assert overwhelming.significance.p_value == 0
    judgements = judge([overwhelming, run_test([strata(60, 30)], settings, "b")], settings, 50)
    assert judgements[0].level == settings.alpha / 50

"""Why a rule was rejected: what is said must be what the numbers show."""

from math import log

import numpy as np
import pytest

import causalrules
from causalrules.errors import ExposureError
from causalrules.simulation import planted_table


def test_nothing_is_explained_away_by_columns_that_leave_a_difference():
    result = causalrules.mine(planted_table(10_000), "ill=yes")
    rejected = [rule for rule in result.tested if rule.verdict == "rejected"]
    left = [rule for rule in rejected if rule.adjusted_odds_ratio.low > 1]
    assert left
    assert all(rule.reason.startswith("not significant after correction") for rule in left)
    (treatment,) = [rule for rule in rejected if rule.name == "treatment=new"]
    assert treatment.reason == "explained away by severity"


def test_what_only_lost_its_significance_is_not_explained_away():
    """Within strata of other columns a weak association is less clear; that does not explain it."""
    n_unexplained = 0
    for seed in range(4, 9):
        result = causalrules.mine(planted_table(5000, seed=seed), "ill=yes", max_length=1)
        for rule in (rule for rule in result.tested if rule.verdict == "rejected"):
            crude, adjusted = (log(one.value) for one in (rule.odds_ratio, rule.adjusted_odds_ratio))
            is_mostly_left = adjusted * crude > 0.5 * crude**2
            n_unexplained += is_mostly_left
            assert not (is_mostly_left and rule.reason.startswith("explained away")), rule
    assert n_unexplained


def test_what_a_corrected_p_value_pays_for_is_named():
    """A number's cut point was chosen by looking at the outcome, which costs more than the hypotheses do."""
    random = np.random.default_rng(11)
    group = random.integers(0, 2, 800)
    number = random.normal(size=800) + 1.2 * group
    ill = random.random(800) < 1 / (1 + np.exp(1 - 0.45 * (number > 0.8) - 0.9 * group))
    noise = {f"noise_{place}": random.integers(0, 2, 800).tolist() for place in range(6)}
    table = {"x": number.round(2).tolist(), "group": group.tolist(), **noise, "y": ill.astype(int).tolist()}

    def reason(**options):
        tested = causalrules.mine(table, "y=1", max_length=1, **options).tested
        return next(rule.reason for rule in tested if rule.pattern[0].column == "x")

    assert "correction for 8 hypotheses and the choice of cut points: corrected p = 0.15" in reason()
    assert "choice" not in reason(cut="x=1.17")


@pytest.mark.parametrize(("exposure", "who"), [("age>200", "no record has"), ("age>0", "every record has")])
def test_an_exposure_that_nobody_or_everybody_has_is_refused_in_one_sentence(exposure, who):
    table = {"age": [20 + place % 59 for place in range(60)], "e": [0, 1] * 30, "y": [0, 0, 1] * 20}
    with pytest.raises(ExposureError, match=f"^{who} the exposure '{exposure}'"):
        causalrules.test(table, "y=1", exposure)

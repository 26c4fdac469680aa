"""--explain with the default: how a rejected association dwindles, step by step."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.domain import Result
from causalrules.report.words.study_facts import study_facts


def records():
    """Age and poverty explain why x goes with z; x is not always known."""
    rng = np.random.default_rng(4)
    old, poor = rng.random((2, 6000)) < 0.4
    x = rng.random(6000) < 0.15 + 0.4 * old + 0.25 * poor
    z = rng.random(6000) < 0.1 + 0.3 * old + 0.2 * poor
    unknown = rng.random(6000) < 0.1
    columns = {
        "old": np.where(old, "yes", "no"),
        "poor": np.where(poor, "yes", "no"),
        "x": pa.array(np.where(x, "yes", "no"), mask=unknown),
        "z": np.where(z, "yes", "no"),
    }
    return pa.table(columns), (old, poor, x, z, unknown)


@pytest.fixture(scope="module", params=["yes", "no"])
def asked(request):
    table, (old, poor, x, z, unknown) = records()
    result = causalrules.mine(table, f"z={request.param}", explain=True)
    return result, (old, poor, x, z == (request.param == "yes"), unknown)


def naive_ratio(x, z, strata):
    above = below = 0.0
    for stratum in set(strata.tolist()):
        here = strata == stratum
        n = here.sum()
        above += (x & z & here).sum() * (~x & ~z & here).sum() / n
        below += (x & ~z & here).sum() * (~x & z & here).sum() / n
    return above / below


def test_each_step_holds_one_more(asked):
    result, (old, poor, x, z, unknown) = asked
    (rule,) = [rule for rule in result.tested if rule.pattern[0].column == "x"]
    assert rule.verdict == "rejected"
    explanation = rule.of_the_outcome().explanation
    has = {"old": old, "poor": poor}
    exposed = x if rule.pattern[0].value == "yes" else ~x
    strata = np.zeros(6000, int)
    for step in explanation.steps:
        strata = 2 * strata + has[step.control.column]
        assert step.odds_ratio.value == pytest.approx(
            naive_ratio(exposed[~unknown], z[~unknown], strata[~unknown]), rel=1e-9
        )
    first = explanation.steps[0].control
    (present, absent) = explanation.tables
    holds = (has[first.column] == (first.value == "yes")) & ~unknown
    assert present.exposed_with == (exposed & z & holds).sum()
    assert absent.unexposed_without == (~exposed & ~z & ~holds & ~unknown).sum()


def test_it_is_told_and_saved(asked):
    result, _ = asked
    (rule,) = [rule for rule in result.tested if rule.explanation is not None]
    (fact,) = [fact for fact in study_facts(rule) if fact.name == "step by step"]
    assert fact.lines[0].startswith("odds ratio ")
    assert Result.from_dict(result.to_dict()).tested == result.tested


def test_without_being_asked_there_is_no_path(asked):
    result, _ = asked
    plain = causalrules.mine(records()[0], "z=yes")
    assert "rejected" in [rule.verdict for rule in plain.tested]
    assert {rule.explanation for rule in plain.tested} == {None}
    assert {rule.explanation for rule in result.causal} == {None}

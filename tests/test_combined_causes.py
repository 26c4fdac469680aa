"""Combined causes of the default search: those that are known are found, and told once."""

import pytest

import causalrules
from causalrules.lab.simulate import planted_table, simulate


def columns_of(rule):
    return frozenset(item.column for item in rule.pattern)


@pytest.mark.parametrize("name", ["V8-2K", "V12-2K"])
@pytest.mark.parametrize("seed", range(3))
def test_halves_that_tell_nothing_alone_are_found_together(name, seed):
    """Each half is as frequent with the outcome as without it; only both together tell."""
    simulated = simulate(name, seed=seed)
    result = causalrules.mine(simulated.table, simulated.truth.outcome)
    found = {columns_of(rule): rule for rule in result.causal if rule.length == 2}
    for cause in simulated.truth.combined:
        assert frozenset(item.column for item in cause.items) in found


def test_of_equally_clear_combinations_the_one_that_people_would_name_is_shown():
    """Both drugs raise the risk as much as neither does: the finding is about taking both."""
    (rule,) = (r for r in causalrules.mine(planted_table(6000), outcome="ill=yes").causal if r.length == 2)
    assert rule.name == "drug_a=yes & drug_b=yes"
    assert rule.direction == "raises"
    assert rule.interaction.reri.low > 0

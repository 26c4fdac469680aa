"""Combined causes of the default search: those that are known are found, and told once."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules
import datasets
from causalrules.report.words.contrast_words import contrast_tags, headline
from causalrules.simulation import planted_table
from causalrules_lab.simulate import simulate


def columns_of(rule):
    return frozenset(item.column for item in rule.pattern)


@pytest.mark.parametrize("name", ["V8-2K", "V12-2K", "V16-2K", "V20-2K-cmb"])
def test_halves_that_tell_nothing_alone_are_found_together(name):
    """Each half is as frequent with the outcome as without it; only both together tell."""
    n_complete = n_extra = 0
    for seed in range(10):
        simulated = simulate(name, seed=seed)
        result = causalrules.mine(simulated.table, simulated.truth.outcome)
        found = {columns_of(rule): rule for rule in result.causal if rule.length == 2}
        known = {frozenset(item.column for item in cause.items) for cause in simulated.truth.combined}
        n_complete += known <= set(found)
        n_extra += len(set(found) - known)
        for columns, rule in found.items():
            assert not columns & set(rule.group)
    assert n_complete >= 9
    assert n_extra <= 20


def test_the_other_cause_of_a_consequence_is_no_combined_cause():
    """What a consequence says of the outcome depends on its other causes; these say nothing of it."""
    n_false = n_pairs = 0
    for seed in range(6):
        simulated = simulate("V100-10K", seed=50_000 + seed)
        result = causalrules.mine(simulated.table, simulated.truth.outcome)
        found = {item.column for rule in result.causal for item in rule.pattern}
        n_false += len(found - {*simulated.truth.parents, *simulated.truth.children})
        n_pairs += sum(rule.length == 2 for rule in result.causal)
    assert n_pairs > 0
    assert n_false <= 3  # 18 with every interacting pair


def test_interactions_of_noise_are_no_findings():
    """A pair of noise columns passes Bonferroni's limit in one table of twenty or more."""
    letters = np.array(list("abcd"))
    n_false = 0
    for seed in range(50_000, 50_012):
        draw = np.random.default_rng([22, seed])
        columns = {f"c{i:02}": letters[draw.integers(0, draw.integers(2, 5), 2000)] for i in range(20)}
        table = pa.table({**columns, "z": yes_no(draw.random(2000) < 0.4)})
        n_false += bool(causalrules.mine(table, outcome="z=yes").causal)
    assert n_false == 0


def test_a_neighbour_without_an_effect_on_average_tells_what_it_depends_on():
    """v3 is a true cause: it lowers the odds beside one value of v11, another cause, and raises them else."""
    simulated = simulate("V20-2K", seed=50_002)
    result = causalrules.mine(simulated.table, simulated.truth.outcome)
    assert {"v3", "v11"} <= set(simulated.truth.parents)
    (rule,) = (rule for rule in result.causal if rule.name == "v3=yes")
    assert rule.depends_on == "v11"
    assert rule.grade == "fragile"
    assert rule.p_value < rule.q_value <= 0.05
    (found,) = rule.subgroups
    without, with_it = found.groups
    assert without.odds_ratio.high < 1 < with_it.odds_ratio.low
    assert found.interaction_p < found.interaction_q <= 0.05
    assert "depends on v11" in rule.reason
    assert "depends on v11" in headline(rule, result.data.outcome)
    assert "depends on v11" in [tag.text for tag in contrast_tags(rule)]


def test_of_equally_clear_combinations_the_one_that_people_would_name_is_shown():
    """Both drugs raise the risk as much as neither does: the finding is about taking both."""
    (rule,) = (r for r in causalrules.mine(planted_table(6000), outcome="ill=yes").causal if r.length == 2)
    assert rule.name == "drug_a=yes & drug_b=yes"
    assert rule.direction == "raises"
    assert rule.interaction.reri.low > 0


def yes_no(holds):
    return np.where(holds, "yes", "no")


def table_of(z, **columns):
    return pa.table({name: yes_no(holds) for name, holds in {**columns, "z": z}.items()})


def drawn(seed, n=6000):
    draw = np.random.default_rng(seed)
    return draw, *(draw.random(n) < 0.5 for _ in range(3))


@pytest.mark.parametrize("seed", range(3))
def test_a_pair_that_holds_only_because_of_another_is_listed_under_it(seed):
    """Of b and what mostly goes with b, only b acts together with a."""
    draw, a, b, noise = drawn(seed)
    like_b = np.where(draw.random(len(b)) < 0.8, b, ~b)
    z = draw.random(len(a)) < np.where(a == b, 0.4, 0.15)
    result = causalrules.mine(table_of(z, a=a, b=b, like_b=like_b, noise=noise), outcome="z=yes")
    (rule,) = (rule for rule in result.causal if rule.length == 2)
    assert rule.name == "a=yes & b=yes"
    assert rule.says_the_same == ("a=yes & like_b=yes",)


@pytest.mark.parametrize("seed", range(3))
def test_three_parts_grow_from_an_accepted_pair(seed):
    draw, a, b, c = drawn(seed)
    noise = draw.random(len(a)) < 0.5
    z = draw.random(len(a)) < np.where(a & b & c, 0.6, 0.15)
    table = table_of(z, a=a, b=b, c=c, noise=noise)
    result = causalrules.mine(table, outcome="z=yes", max_length=3)
    (longest,) = (rule for rule in result.causal if rule.length == 3)
    assert longest.name == "a=yes & b=yes & c=yes"
    assert longest.direction == "raises"
    assert longest.interaction.risk_of(True, True, True).risk.low > 0.5
    assert longest.interaction.reri.low > 0
    # Pairs are seen only because of the three, so there is one finding of several parts.
    assert [rule.length for rule in result.causal if rule.length > 1] == [3]
    assert {"a=yes & b=yes"} <= set(longest.says_the_same)
    at_two = causalrules.mine(table, outcome="z=yes", max_length=2)
    assert {rule.length for rule in at_two.causal} <= {1, 2}
    assert any(rule.length == 2 for rule in at_two.causal)


def test_a_pair_does_not_grow_without_a_third_part():
    draw, a, b, c = drawn(7)
    z = draw.random(len(a)) < 1 / (1 + np.exp(1.5 - 1.2 * (a == b) - 0.8 * c))
    result = causalrules.mine(table_of(z, a=a, b=b, c=c), outcome="z=yes", max_length=3)
    assert max(rule.length for rule in result.tested) == 2


def test_mushrooms_at_length_three_are_a_short_list():
    """The paper's protocol gives hundreds of rules of three items; here each set of columns is said once."""
    data = datasets.require("mushroom")
    result = causalrules.mine(data.arrow(), outcome=data.outcome, max_length=3)
    assert 0 < len(result.causal) <= 40
    together = [columns_of(rule) for rule in result.causal if rule.length > 1]
    assert len(together) == len(set(together))


def test_a_part_that_is_missing_for_the_ill_is_no_interaction():
    """Unknown is not unexposed: where b is there, half of the ill have no value of a."""
    draw, a, b, noise = drawn(3)
    z = draw.random(len(a)) < 0.3
    is_hidden = z & b & (draw.random(len(a)) < 0.5)
    table = table_of(z, a=a, b=b, noise=noise)
    hidden = pa.array([None if gap else one for one, gap in zip(yes_no(a), is_hidden, strict=True)])
    table = table.set_column(table.column_names.index("a"), "a", hidden)
    assert [rule.name for rule in causalrules.mine(table, outcome="z=yes").causal if rule.length == 2] == []

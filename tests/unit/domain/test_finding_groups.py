"""Which causal rules are one finding."""

from dataclasses import replace

import causalrules
from causalrules.domain.finding import findings_of
from causalrules.simulation import planted_table


def test_values_of_near_copies_are_one_finding_where_they_stand_for_the_same_records():
    result = causalrules.mine(planted_table(4000), "ill=yes")
    by_name = {rule.name: rule for rule in result.causal}
    smoker, copy = by_name["smoker=yes"], by_name["smoker_copy=yes"]
    assert [one.name for one in findings_of((smoker, copy))] == ["smoker=yes or smoker_copy=yes"]
    assert len(findings_of((smoker, replace(copy, direction="lowers")))) == 2
    assert len(findings_of((smoker, replace(copy, exposed=smoker.exposed // 2)))) == 2


def test_a_combined_cause_does_not_swallow_the_rules_of_its_columns():
    result = causalrules.mine(planted_table(4000), "ill=yes")
    (combined,) = [rule for rule in result.causal if rule.length > 1]
    alone = replace(combined, pattern=combined.pattern[:1])
    assert [one.kind for one in findings_of((combined, alone))] == ["combination", "contrast"]

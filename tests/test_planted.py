"""Tables with known truth: what was planted is found, and noise is not."""

import pytest

import causalrules
from causalrules.simulate import PLANTED, planted_table


@pytest.mark.parametrize("seed", range(5))
def test_planted_causes_are_found_and_nothing_else(seed):
    result = causalrules.mine(planted_table(seed=seed), outcome="ill=yes")
    found = {(frozenset(rule.pattern), rule.direction) for rule in result.causal}
    planted = {(cause.items, cause.direction) for cause in PLANTED}
    assert planted <= found
    assert len(found - planted) <= 1  # the false discovery rate is bounded, not abolished


def test_the_confounded_treatment_is_rejected_and_explained_by_severity():
    rule = causalrules.study(planted_table(), "ill=yes", "treatment=new", explain=True).tested[0]
    assert rule.odds_ratio.low > 1.5
    assert rule.verdict == "rejected"
    assert rule.explanation.steps[0].control.column == "severity"
    assert all(table.odds_ratio < 1 for table in rule.explanation.tables)


def test_copies_of_a_column_are_named():
    rules = {rule.name: rule for rule in causalrules.mine(planted_table(), outcome="ill=yes").causal}
    assert [str(other.item) for other in rules["smoker=yes"].entangled] == ["smoker_copy=yes"]
    assert rules["smoker=yes"].same_records_as == ("smoker_copy=yes",)
    assert rules["severity=high"].entangled == ()


def test_matching_balances_what_was_unbalanced():
    rules = {rule.name: rule for rule in causalrules.mine(planted_table(), outcome="ill=yes").causal}
    balance = rules["severity=high"].balance
    assert balance.worst_before > 0.5  # the treatment goes to severe cases; it is held fixed
    assert balance.worst_after < 0.1


def test_holding_records_out_is_reproducible_and_finds_the_strong_causes():
    results = [causalrules.mine(planted_table(20_000), "ill=yes", holdout=0.5, seed=3) for _ in range(2)]
    assert results[0].to_dict()["rules"] == results[1].to_dict()["rules"]
    assert {"severity=high", "drug_a=yes & drug_b=yes"} <= {rule.name for rule in results[0].causal}
    assert all(rule.exposed + rule.unexposed == 10_000 for rule in results[0].tested)


def test_an_interrupted_run_keeps_what_was_finished():
    from causalrules.domain import Settings
    from causalrules.pipeline import Job

    def interrupt(progress):
        if progress.length == 2 and progress.tested == 3:
            raise KeyboardInterrupt

    job = {"source": planted_table(), "outcome": "ill=yes", "settings": Settings(), "on_progress": interrupt}
    result = Job(**job, on_interrupt="keep").mine()
    assert result.interrupted
    assert {"severity=high", "smoker=yes"} <= {rule.name for rule in result.causal}
    assert sum(rule.length == 2 for rule in result.tested) == 3
    with pytest.raises(KeyboardInterrupt):
        Job(**job).mine()

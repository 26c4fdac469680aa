"""Tables with known truth: what was planted is found, and noise is not."""

import io
import json
import re

import pyarrow as pa
import pytest
from rich.console import Console

import causalrules
from causalrules.asked_settings import asked_settings, job_for
from causalrules.judge.sensitivity import rosenbaum_p
from causalrules.paper.report import marks_of, terminal_report
from causalrules.simulation import PLANTED, planted_table


@pytest.mark.parametrize("seed", range(5))
def test_planted_causes_are_found_and_nothing_else(seed):
    result = causalrules.mine(planted_table(seed=seed), outcome="ill=yes", controls="items")
    found = {(frozenset(rule.pattern), rule.direction) for rule in result.causal}
    planted = {(cause.items, cause.direction) for cause in PLANTED}
    assert planted <= found
    assert len(found - planted) <= 1  # the false discovery rate is bounded, not abolished


def test_the_confounded_treatment_is_rejected_and_explained_by_severity():
    options = {"controls": "items", "explain": True}
    rule = causalrules.test(planted_table(), "ill=yes", "treatment=new", **options).tested[0]
    assert rule.odds_ratio.low > 1.5
    assert rule.verdict == "rejected"
    assert rule.explanation.steps[0].control.column == "severity"
    assert all(table.odds_ratio < 1 for table in rule.explanation.tables)


@pytest.fixture(scope="module")
def paper():
    """What the paper's protocol finds in the planted table."""
    return causalrules.mine(planted_table(), outcome="ill=yes", controls="items")


def test_copies_of_a_column_are_named(paper):
    rules = {rule.name: rule for rule in paper.causal}
    assert [str(other.item) for other in rules["smoker=yes"].entangled] == ["smoker_copy=yes"]
    assert rules["smoker=yes"].same_records_as == ("smoker_copy=yes",)
    assert rules["severity=high"].entangled == ()


def test_matching_balances_what_was_unbalanced(paper):
    balance = {rule.name: rule for rule in paper.causal}["severity=high"].balance
    assert balance.worst_before > 0.5  # the treatment goes to severe cases; it is held fixed
    assert balance.worst_after < 0.1


@pytest.mark.parametrize(
    ("controls", "strong"),
    [("items", {"severity=high", "drug_a=yes & drug_b=yes"}), ("auto", {"severity=high", "smoker=yes"})],
)
def test_holding_records_out_is_reproducible_and_finds_the_strong_causes(controls, strong):
    options = {"controls": controls, "holdout": 0.5, "seed": 3}
    results = [causalrules.mine(planted_table(20_000), "ill=yes", **options) for _ in range(2)]
    assert results[0].to_dict()["rules"] == results[1].to_dict()["rules"]
    assert strong <= {rule.name for rule in results[0].causal}
    (n_held_out,) = {rule.exposed + rule.unexposed for rule in results[0].tested}
    assert 9_600 < n_held_out < 10_400  # of 20,000 fair draws, but for one time in 10^8


def test_records_held_out_are_new_to_the_contrasts_chosen():
    """Only what is tested counts as a hypothesis: the smallest q-value is its p-value times their number."""
    result = causalrules.mine(planted_table(), "ill=yes", holdout=0.5, correction="bonferroni")
    rule = min(result.tested, key=lambda rule: rule.p_value)
    assert rule.q_value == pytest.approx(rule.p_value * len(result.tested))
    whole = causalrules.mine(planted_table(), "ill=yes", correction="bonferroni")
    rule = min(whole.tested, key=lambda rule: rule.p_value)
    assert rule.q_value == pytest.approx(rule.p_value * whole.by_length[1]["candidates"])


@pytest.mark.parametrize(("controls", "length"), [("items", 2), ("auto", 1)])
def test_an_interrupted_run_keeps_what_was_finished(controls, length):
    def interrupt(progress):
        if progress.length == length and progress.tested == 3:
            raise KeyboardInterrupt

    settings = asked_settings({"controls": controls})
    kind = job_for(settings)
    job = {"source": planted_table(), "outcome": "ill=yes", "settings": settings, "on_progress": interrupt}
    result = kind(**job, on_interrupt="keep").mine()
    assert result.interrupted
    assert {"severity=high", "smoker=yes"} <= {rule.name for rule in result.causal}
    assert sum(rule.length == length for rule in result.tested) == 3
    with pytest.raises(KeyboardInterrupt):
        kind(**job).mine()


@pytest.mark.parametrize("controls", ["items", "auto"])
def test_a_pattern_absent_from_the_records_held_out_is_untestable(controls):
    table = pa.table(
        {
            "rare": ["yes" if i < 4 else "no" for i in range(200)],
            "coin": ["a" if i % 2 else "b" for i in range(200)],
            "z": ["ill" if i < 20 or i % 5 == 0 else "well" for i in range(200)],
        }
    )
    absent = []
    options = {"controls": controls, "holdout": 0.5, "min_support": 0.01}
    for seed in range(16, 19):
        result = causalrules.mine(table, "z=ill", seed=seed, **options)
        json.dumps(result.to_dict(), allow_nan=False)
        absent += [rule for rule in result.tested if rule.exposed == 0]
    assert absent
    assert {rule.verdict for rule in absent} == {"untestable"}


def test_a_half_without_the_outcome_is_one_clear_error():
    table = pa.table({"x": ["a", "b"] * 50, "z": ["ill"] + ["well"] * 99})
    with pytest.raises(causalrules.CausalRulesError, match="one part of the records"):
        causalrules.mine(table, "z=ill", holdout=0.5)


def test_confounders_that_could_not_be_held_are_named():
    """At a large minimum support severity is exclusive of the treatment: the rule must not look innocent."""
    result = causalrules.mine(planted_table(), "ill=yes", controls="items", min_support=0.2)
    rule = {rule.name: rule for rule in result.causal}["treatment=old"]
    assert "severity" in {item.column for item in rule.not_held}
    assert any(mark.startswith("≠ severity=") for mark in marks_of(rule))


@pytest.mark.parametrize("controls", ["items", "auto"])
def test_e_values_of_a_protection_are_those_of_the_outcome(controls):
    """Two in a hundred against ten: a risk ratio of 0.2, an E-value of 9.47."""
    rows = (
        [("yes", "dead")] * 20 + [("yes", "alive")] * 980 + [("no", "dead")] * 100 + [("no", "alive")] * 900
    )
    table = pa.table({"drug": [row[0] for row in rows], "z": [row[1] for row in rows]})
    rule = causalrules.test(table, "z=dead", "drug=yes", controls=controls).tested[0]
    assert rule.direction == "lowers"
    assert rule.doubts.e_value == pytest.approx(5 + (5 * 4) ** 0.5)


def test_gamma_is_what_overturns_the_verdict(paper):
    assert {"causal", "rejected"} <= {rule.verdict for rule in paper.tested}
    for rule in paper.tested:
        if rule.verdict != "causal":
            assert rule.doubts.gamma == pytest.approx(1.0, abs=0.05)
        else:
            level = 0.05 * rule.p_value / rule.q_value if rule.q_value else 0.05
            assert rosenbaum_p(rule.as_printed.pairs, rule.doubts.gamma) == pytest.approx(level / 2, rel=1e-6)


def test_evidence_that_is_merely_weak_is_not_called_confounded():
    """A real effect, rejected only because the level asked for is out of its reach."""
    question = (planted_table(3000, seed=2), "ill=yes", "smoker=yes")
    p_value = causalrules.test(*question, controls="items").tested[0].p_value
    result = causalrules.test(*question, controls="items", alpha=p_value / 2, explain=True)
    assert result.tested[0].verdict == "rejected"
    console = Console(file=io.StringIO(), width=200)
    console.print(terminal_report(result))
    said = console.file.getvalue()
    assert "the evidence is too weak for the level asked for" in said
    assert "what is left is not explained by a control" in said
    assert "one more at a time" not in said


def test_how_many_records_are_held_out_is_said_first():
    result = causalrules.mine(planted_table(), "ill=yes", holdout=0.5, max_length=1)
    (note,) = [note for note in result.data.notes if note.startswith("Hypotheses and controls come from")]
    seen, with_it, held_out, held_with = (int(one.replace(",", "")) for one in re.findall(r"[\d,]+", note))
    assert seen + held_out == result.data.outcome.n_records
    assert with_it + held_with == result.data.outcome.n_with
    assert all(rule.exposed + rule.unexposed <= held_out for rule in result.tested)

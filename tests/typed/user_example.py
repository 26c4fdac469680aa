"""A user's file, which type checkers read in strict mode: tests/test_typing.py."""

from __future__ import annotations

from typing import Any, assert_type

import causalrules
from causalrules import Answers, CausalRuleMiner, Result, Rule, Settings

patients = causalrules.simulate("hospital", n_records=500, seed=1).table
assert_type(causalrules.mine(patients, "ill=yes", max_length=1, alpha=0.01), Result)
result = causalrules.mine(patients, outcome="ill=yes", matching="exact", drop=["noise_1"])
assert_type(result.rules, tuple[Rule, ...])
assert_type(result.settings, Settings)
for finding in result.findings:
    assert_type(finding.rule.adjusted_odds_ratio.value, float)
    assert_type(finding.name, str)
known = causalrules.mine(
    patients,
    "ill=yes",
    tiers=[["severity"], ["smoker", "exercise"]],
    require=[("smoker", "ill"), "severity -> ill"],
    cut={"age": [18.5, 25], "bmi": "every:10"},
)
again: Result = causalrules.mine(patients, settings=result, seed=3)
names: list[str] = [rule.name for rule in again.diff(result).only_first]
tested = causalrules.test(patients, "ill=yes", "smoker=yes", explain=True)
assert_type(causalrules.test(patients, y=[True, False], exposure="smoker=yes"), Result)
assert_type(causalrules.mine(patients, ["ill=yes", "smoker"]), Answers)
assert_type(tested.rules[0].to_sql(), str)
assert_type(tested.graph().to_dot(), str)
assert_type(tested.to_dowhy().common_causes, tuple[str, ...])
table: Any = result.to_frame("causal", library="arrow")
compared = causalrules.compare_matching(patients, "ill=yes", "smoker=yes", exact_on="severity")
methods = [study.method for study in compared.studies]
miner = CausalRuleMiner(outcome="yes", max_length=1).fit(patients.drop_columns(["ill"]).to_pandas(), [])
assert_type(miner, CausalRuleMiner)

causalrules.mine(patients, "ill=yes", max_lenght=1)  # type: ignore[call-overload]
causalrules.mine(patients, "ill=yes", matching="exactly")  # type: ignore[call-overload]
result.to_frame(library="excel")  # type: ignore[arg-type]
result.causal[0].nmae  # type: ignore[attr-defined]  # noqa: B018

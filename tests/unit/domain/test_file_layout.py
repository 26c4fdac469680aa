"""Rules come back from files as they were, and a new field needs no other line."""

import json
from dataclasses import dataclass, field, fields, make_dataclass, replace
from math import inf
from typing import Annotated

import pytest

from causalrules.domain import (
    Balance,
    Closeness,
    Doubts,
    Effects,
    Entangled,
    Estimate,
    Explanation,
    ExplanationStep,
    Item,
    ItemBalance,
    PairCounts,
    StratumTable,
    Unmatched,
)
from causalrules.domain.file_layout import Saved, columns_of, from_entry, to_entry, to_row
from causalrules.paper import PaperRule

SMOKER, MAN = Item("smoker", "yes"), Item("sex", "male")
ESTIMATE = Estimate(2.0, 1.5, inf)
RULE = PaperRule(
    pattern=(SMOKER, MAN),
    direction="lowers",
    verdict="causal",
    support=7,
    local_support=0.25,
    odds_ratio=ESTIMATE,
    controls=(Item("age", "<=27"), MAN),
    not_held=(MAN,),
    columns_dropped=("town",),
    exposed=9,
    unexposed=11,
    pairs=PairCounts(n11=1, n12=2.5, n21=0.5, n22=4),
    fair_odds_ratio=Estimate(5.0, 4.0, 6.0),
    test="exact",
    adjusted_odds_ratio=Estimate(3.0, 2.0, 4.0),
    p_value=0.01,
    q_value=None,
    effects=Effects(
        risk_difference=Estimate(0.1, 0.0, 0.2),
        risk_ratio=ESTIMATE,
        opposite_risk_ratio=Estimate(0.8, 0.7, 0.9),
        crude_risk_difference=0.3,
        crude_risk_ratio=inf,
        crude_opposite_risk_ratio=0.0,
        attributable=4.0,
        number_needed=inf,
    ),
    doubts=Doubts(
        gamma=inf,
        e_value=2.0,
        e_value_limit=1.5,
        heterogeneity_p=None,
        is_mixed=True,
        stability=0.9,
        bootstrap=None,
        unmatched_exposed=1,
        unmatched_unexposed=3,
    ),
)
FULL = replace(
    RULE,
    closeness=Closeness(
        method="jaccard", mean_distance=0.1, worst_distance=0.2, caliper=inf, given_up=(SMOKER,)
    ),
    causal_runs=2,
    balance=Balance(
        worst_before=0.5,
        mean_before=0.2,
        worst_after=0.1,
        mean_after=0.05,
        items=(ItemBalance(MAN, 0.5, 0.1),),
        unmatched=(Unmatched(MAN, 0.4, 0.6),),
    ),
    entangled=(Entangled(MAN, 0.9),),
    same_records_as=("a=b",),
    explanation=Explanation(
        (SMOKER,), (ExplanationStep(MAN, ESTIMATE, 3.5),), (StratumTable(MAN, True, 1, 2, 3, 4, 0.5),)
    ),
)


@pytest.mark.parametrize("rule", [RULE, FULL], ids=["bare", "full"])
def test_a_rule_survives_a_file(rule):
    assert from_entry(PaperRule, json.loads(json.dumps(to_entry(rule), allow_nan=False))) == rule


def test_names_in_files_are_the_promised_ones():
    entry = to_entry(FULL)
    assert entry["pattern"] == [{"column": "smoker", "value": "yes"}, {"column": "sex", "value": "male"}]
    assert (entry["length"], entry["pairs"], entry["n12"], entry["mixed"]) == (2, 8.0, 2.5, True)
    assert (entry["fair_odds_ratio"], entry["fair_low"], entry["fair_high"]) == (5.0, 4.0, 6.0)
    assert (entry["odds_ratio_high"], entry["gamma"], entry["closeness"]["caliper"]) == (None, None, None)
    assert entry["entangled"] == [{"column": "sex", "value": "male", "overlap": 0.9}]
    assert entry["explanation"]["steps"] == [
        {
            "control": {"column": "sex", "value": "male"},
            "odds_ratio": 2.0,
            "odds_ratio_low": 1.5,
            "odds_ratio_high": None,
            "pairs": 3.5,
        }
    ]
    assert entry["explanation"]["tables"][0]["item"] == {"column": "sex", "value": "male"}


def test_rows_are_flat():
    row = to_row(FULL)
    assert list(row) == [column.name for column in columns_of(PaperRule)]
    assert (row["rule"], row["n_controls"], row["controls"]) == (
        "smoker=yes & sex=male",
        2,
        "age=<=27; sex=male",
    )
    assert (row["entangled"], row["mean_distance"], row["balance_worst_after"]) == ("sex=male", 0.1, 0.1)
    assert to_row(RULE)["mean_distance"] is None
    assert all(value is None or isinstance(value, str | bool | int | float) for value in row.values())


def test_a_field_with_a_default_may_be_absent_as_in_older_files():
    entry = to_entry(RULE)
    for name in ("closeness", "same_records_as"):
        del entry[name]
    assert from_entry(PaperRule, entry) == RULE
    del entry["verdict"]
    with pytest.raises(KeyError, match="verdict"):
        from_entry(PaperRule, entry)


def test_a_new_field_needs_no_other_line():
    more = make_dataclass(
        "More",
        [("season", str | None, None), ("second", Estimate, field(default=ESTIMATE)), ("times", int, 3)],
        bases=(PaperRule,),
        frozen=True,
        kw_only=True,
    )
    rule = more(**{one.name: getattr(FULL, one.name) for one in fields(PaperRule)}, season="winter")
    assert from_entry(more, json.loads(json.dumps(to_entry(rule)))) == rule
    kinds = {one.name: one.type for one in columns_of(more)}
    assert [kinds[name] for name in ("season", "second", "second_low", "times")] == [str, float, float, int]


def test_sections_of_the_table_follow_each_other():
    @dataclass(frozen=True)
    class Two:
        late: Annotated[int, Saved(section=1)]
        early: int

    globals()["Two"] = Two
    assert list(to_row(Two(1, 2))) == ["early", "late"]

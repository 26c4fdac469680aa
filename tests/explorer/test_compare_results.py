"""Two results side by side."""

from dataclasses import replace
from math import inf

import pandas as pd
import pytest

import causalrules
from causalrules.domain import Estimate
from causalrules.explorer.compare_results import compare
from explorer.asking import PEOPLE, answered, people_csv


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    path = tmp_path_factory.mktemp("people") / "people.csv"
    path.write_text(people_csv())
    return pd.read_csv(path)


def mined(people, **settings):
    return causalrules.mine(people, "health=ill", max_length=1, **settings)


def names(comparison):
    return {
        group["name"]: {
            " & ".join(f"{i['column']}={i['value']}" for i in rule["pattern"]) for rule in group["rules"]
        }
        for group in comparison["groups"]
    }


def test_a_result_beside_itself_is_the_same(people):
    result = mined(people)
    found = compare(result, result)
    assert found["settings"] == []
    assert found["same_outcome"]
    assert found["same_table"]
    assert names(found)["first"] == names(found)["second"] == set()
    assert names(found)["both"] == {rule.name for rule in result.causal}
    assert {rule["change"] for group in found["groups"] for rule in group["rules"]} == {"the same"}


def test_rules_of_one_only_and_settings_that_differ(people):
    odd = people.groupby("health").cumcount() % 3 > 0
    active = people.assign(sport=(odd == (people["health"] == "well")).map({True: "yes", False: "no"}))
    both, raising = mined(active), mined(active, direction="raises")
    found = compare(both, raising)
    assert found["settings"] == [{"name": "direction", "first": "both", "second": "raises"}]
    assert names(found) == {
        "both": {"smokes=yes"},
        "first": {"sport=yes"},
        "second": set(),
        "recut": set(),
        "neither": {"coffee=yes"},
    }
    (only,) = found["groups"][1]["rules"]
    assert (only["second"], only["change"]) == (None, "not tested in the second")
    assert names(compare(raising, both))["second"] == {"sport=yes"}


@pytest.mark.parametrize(
    ("odds", "words"),
    [
        (Estimate(9.0, 5.0, 16.0), "the same"),
        (Estimate(4.5, 3.0, 7.0), "× 0.50"),
        (Estimate(2.25, 1.5, 3.0), "× 0.25, intervals apart"),
        (Estimate(inf, 5.0, inf), ""),
    ],
)
def test_how_an_effect_changed(people, odds, words):
    result = mined(people, direction="raises")
    first = replace(result.causal[0], adjusted_odds_ratio=Estimate(9.0, 5.0, 16.0))
    second = replace(first, adjusted_odds_ratio=odds)
    found = compare(replace(result, tested=(first,)), replace(result, tested=(second,)))
    (rule,) = found["groups"][0]["rules"]
    assert rule["first"]["odds_ratio"] == "9.00"
    assert rule["change"] == words


def test_two_runs_are_compared_by_their_numbers(client):
    first, second = answered(client, PEOPLE)["id"], answered(client, PEOPLE)["id"]
    assert client.get(f"/api/compare/{first}/{second}").json()["settings"] == []
    assert client.get(f"/api/compare/{first}/99").status_code == 404
    assert client.get("/api/compare/..%2f..%2f/x").status_code == 404


def test_a_cut_that_moved_is_no_cause_that_came_or_went(people):
    result = causalrules.mine(people, "health=ill")
    (rule,) = result.causal
    before, after = (replace(rule, pattern=(causalrules.Item("age", cut),)) for cut in ("<=31.5", "<=32"))
    found = compare(replace(result, tested=(before,)), replace(result, tested=(after,)), "A", "B")
    assert names(found)["recut"] == {"age=<=31.5", "age=<=32"}
    assert names(found)["first"] == names(found)["second"] == set()
    assert found["words"] == ["Cut at other points, but causal in both: age<=31.5 in A, age<=32 in B."]


def test_a_contrast_that_turns_round_is_one_row(people):
    result = causalrules.mine(people, "health=ill")
    (rule,) = result.causal
    turned = replace(rule, direction="lowers")
    found = compare(result, replace(result, tested=(turned,)), "Search 1", "Search 2")
    assert names(found)["both"] == {rule.name}
    assert found["groups"][0]["rules"][0]["change"] == "the other way"
    rejected = replace(turned, verdict="rejected", reason="explained away by coffee")
    words = compare(result, replace(result, tested=(rejected,)), "Search 1", "Search 2")["words"]
    told = f"{rule.name} raises the odds in Search 1; in Search 2 it is rejected: explained away by coffee."
    assert words == [told]
    found = compare(replace(result, tested=(rejected,)), result, "Search 1", "Search 2")
    told = f"{rule.name} raises the odds in Search 2; in Search 1 it is rejected: explained away by coffee."
    assert found["words"] == [told]
    assert found["groups"][2]["rules"][0]["direction"] == "raises"

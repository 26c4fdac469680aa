"""Outcomes and exposures as people write them, in the terminal."""

import json

import known_roles


def test_a_pattern_is_an_outcome_and_an_exposure(command, tmp_path):
    table = known_roles.drug_after_illness(4000)
    table["age"] = [20 + number % 60 for number in range(len(table))]
    table.to_csv(tmp_path / "patients.csv", index=False)
    code, out, err = command(
        *("test", "patients.csv", "--outcome", "ill & age>=40", "--exposure", "smoking!=no", "--json", "-"),
    )
    assert code == 0, err
    result = json.loads(out)
    assert result["data"]["outcome"]["written"] == "ill=yes & age>=40"
    assert result["data"]["outcome"]["with"] == int(((table.ill == "yes") & (table.age >= 40)).sum())
    assert result["rules"][0]["pattern"] == [{"column": "smoking", "value": "!=no"}]


def test_a_mistake_points_at_the_character(refuse, tmp_path):
    known_roles.drug_after_illness(400).to_csv(tmp_path / "patients.csv", index=False)
    message = refuse(2, "test", "patients.csv", "--outcome", "ill=yes", "--exposure", "smoking=yes &")
    assert "is not understood at character 14, its end: the name of a column must stand here." in message

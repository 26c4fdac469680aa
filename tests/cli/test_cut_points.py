"""Cut points in the terminal."""

import json

import known_roles


def test_cut_points_are_an_option_for_each_column(command, refuse, tmp_path):
    table = known_roles.drug_after_illness(2000)
    table["age"] = [20 + number % 60 for number in range(len(table))]
    table["bmi"] = [18 + number % 17 for number in range(len(table))]
    table.to_csv(tmp_path / "patients.csv", index=False)
    mine = ("mine", "patients.csv", "--outcome", "ill")
    code, out, err = command(*mine, "--cut", "bmi=18.5,25,30", "--cut", "age=every:10", "--json", "-", "-q")
    assert code == 0, err
    assert json.loads(out)["settings"]["cut"] == ["bmi=18.5,25,30", "age=every:10"]
    code, out, err = command(
        *("test", "patients.csv", "--outcome", "ill", "--exposure", "18.5<=bmi<25", "--json", "-"),
        *("--cut", "bmi=18.5,25,30"),
    )
    assert code == 0, err
    assert json.loads(out)["rules"][0]["pattern"] == [{"column": "bmi", "value": "[18.5, 25)"}]
    assert "--cut must be such as 'bmi=18.5,25,30'" in refuse(2, *mine, "--cut", "bmi")

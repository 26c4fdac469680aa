"""What the terminal tells people to type can be pasted, whatever the columns are called."""

import re
import shlex

import numpy as np
import pandas as pd
import pytest

from causalrules.cli.typed_settings import split_list

ODD = {"severity": "Q4. How bad (1=no, 5=yes)", "age": "Alter (Jahre)", "bp": "RR [mmHg]", "drug": "a drug"}


@pytest.fixture(scope="module")
def table():
    """A drug that is given by severity and lowers pressure, which is a cause of death."""
    draw = np.random.default_rng(101)
    n = 6000

    def happens(log_odds):
        return (draw.random(n) < 1 / (1 + np.exp(-log_odds))).astype(int)

    age, sex = draw.normal(60, 12, n).round(), draw.choice(["m", "f"], n)
    severity = draw.choice([1, 2, 3, 4, 5], n, p=[0.3, 0.25, 0.2, 0.15, 0.1])
    doctor = draw.choice(["A", "B", "C"], n)
    drug = happens(-2.5 + 0.7 * severity + 1.2 * (doctor == "A") + 0.01 * (age - 60))
    bp = (150 - 12 * drug + 4 * severity + draw.normal(0, 10, n)).round(1)
    death = happens(-3.6 + 0.55 * severity + 0.04 * (age - 60) + 0.03 * (bp - 140) + 0.3 * (sex == "m"))
    columns = {"age": age, "sex": sex, "severity": severity, "doctor": doctor, "drug": drug, "bp": bp}
    columns["death"] = death
    return pd.DataFrame(columns).rename(columns=ODD)


def test_the_question_what_comes_first_can_be_answered_as_it_is_printed(table, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "2000")
    table.to_csv("odd.csv", index=False)
    asked = ["test", "odd.csv", "--outcome", "death", "--exposure", "a drug=1"]
    code, output, message = run(*asked)
    assert code == 0, message
    text = " ".join(output.split())
    found = re.search(r"if so, say (--adjust .*), else (--never-adjust '[^']*')", text)
    assert found, "the case no longer shows what it is for"
    for hint in found.groups():
        option, value = shlex.split(hint)
        assert set(split_list(value.removeprefix("+"))) <= set(table.columns)
        code, _, message = run(*asked, option, value)
        assert code == 0, message


def test_a_leak_can_be_dropped_as_it_is_printed(table, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table.assign(**{"seen, dead": table.death}).to_csv("leak.csv", index=False)
    asked = ["mine", "leak.csv", "--outcome", "death", "--max-length", "1"]
    _, output, _ = run(*asked)
    hint = re.search(r"--drop ('[^']*') leaves it out", " ".join(output.split()))
    assert hint, output
    code, output, message = run(*asked, *shlex.split(hint[0])[:2])
    assert code == 0, message
    assert "nearly decides" not in output


def test_decimal_commas_name_the_option(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f'"{number},5",{"yes" if number % 3 else "no"}' for number in range(60)]
    (tmp_path / "comma.csv").write_text("dose,ill\n" + "\n".join(rows * 3) + "\n")
    _, output, _ = run("mine", "comma.csv", "--outcome", "ill")
    assert "With --decimal , they are numbers." in " ".join(output.split())
    assert "--min-support" not in output
    _, output, _ = run("mine", "comma.csv", "--outcome", "ill", "--decimal", ",")
    assert "count as texts" not in output

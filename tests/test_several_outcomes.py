"""Several outcomes of one table: every answer is that of the outcome asked about alone."""

import json
import re
from urllib.parse import unquote

import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules.errors import NoValueError, OutputNameError, SettingsError
from terminal import run_command


def people(n=1500):
    chance = np.random.default_rng(2)
    sex = chance.choice(["f", "m"], n)
    dose = chance.normal(5, 2, n).round(1)
    smoker = np.where(chance.random(n) < 0.4, "yes", "no")
    score = 0.9 * (smoker == "yes") + 0.5 * (sex == "m") + 0.2 * (dose > 6) + chance.logistic(size=n)
    cough = np.where(score < 0.5, "none", np.where(score < 2, "mild", "severe"))
    tired = np.where(chance.random(n) < 0.3 + 0.2 * (smoker == "yes"), "yes", "no")
    return pd.DataFrame({"sex": sex, "dose": dose, "smoker": smoker, "cough": cough, "tired": tired})


def told(result):
    """What an answer says, without when and how long."""
    return {name: part for name, part in result.to_dict().items() if name not in ("created", "timings")}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("outcomes") / "people.csv"
    people().to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def answers(table):
    return causalrules.mine(table, ["tired", "cough"], max_length=1)


def test_a_column_asks_about_every_value_or_about_its_yes(answers):
    assert answers.outcomes == ("tired=yes", "cough=none", "cough=mild", "cough=severe")
    assert [str(result.data.outcome) for result in answers] == list(answers.outcomes)


def test_values_of_a_few_records_are_named_and_not_asked_about():
    table = people()
    table.loc[[3, 900], "cough"] = "see file"
    answers = causalrules.mine(table, ["cough"], max_length=1)
    assert answers.outcomes == ("cough=none", "cough=mild", "cough=severe")
    told = "Not asked about: cough=see file (2 records), too few to compare; --outcome 'cough=see file' asks"
    assert all(one.data.notes[0].startswith(told) for one in answers)
    assert causalrules.mine(table, "cough=see file", max_length=1).data.outcome.n_with == 2


def test_each_answer_is_that_of_the_outcome_alone(answers, table):
    for outcome in ("tired=yes", "cough=mild"):
        assert told(answers[outcome]) == told(causalrules.mine(table, outcome, max_length=1))


def test_streaming_answers_alike(answers, table):
    streamed = causalrules.mine(table, ["tired", "cough"], max_length=1, engine="streaming")
    for one, other in zip(streamed, answers, strict=True):
        assert told(one)["rules"] == told(other)["rules"]


def test_a_frame_may_be_asked_as_well_and_a_hypothesis_too():
    found = causalrules.test(people(), ["tired=yes", "cough=severe"], "smoker=yes", adjust="sex")
    alone = causalrules.test(people(), "cough=severe", "smoker=yes", adjust="sex")
    assert told(found["cough=severe"]) == told(alone)
    assert found[1].tested[0].verdict == "causal"


def test_files_hold_all_of_them_and_a_result_of_one_is_as_it_was(answers, tmp_path):
    answers.save(tmp_path / "answers.json")
    loaded = causalrules.Answers.load(tmp_path / "answers.json")
    assert [told(one) for one in loaded] == [told(one) for one in answers]
    answers[0].save(tmp_path / "one.json")
    assert json.loads((tmp_path / "one.json").read_text())["schema"] == "causalrules/2"
    assert causalrules.Answers.load(tmp_path / "one.json").outcomes == ("tired=yes",)
    assert list(answers.to_frame()["outcome"].unique()) == [
        outcome for outcome, result in zip(answers.outcomes, answers, strict=True) if result.tested
    ]


def test_answers_have_what_a_result_has(answers):
    assert answers.summary().splitlines() == [result.summary() for result in answers]
    assert list(answers.findings) == list(answers.outcomes)
    assert answers.findings["cough=severe"] == answers["cough=severe"].findings
    assert any(answers.findings.values())


def test_a_report_has_a_page_for_each_outcome(answers, table, tmp_path):
    answers.report(tmp_path / "all of it.html", table)
    overview = (tmp_path / "all of it.html").read_text(encoding="utf-8")
    links = re.findall(r'href="([^"]+)">([^<]+)</a>', overview)
    assert [name.strip("\u2068\u2069") for _, name in links] == list(answers.outcomes)
    for (link, _), result in zip(links, answers, strict=True):
        result.report(tmp_path / "alone.html", table)
        assert (tmp_path / unquote(link)).read_bytes() == (tmp_path / "alone.html").read_bytes()
    answers.report(tmp_path / "all.md")
    written = (tmp_path / "all.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", written, re.MULTILINE) == list(answers.outcomes)
    with pytest.raises(OutputNameError):
        answers.report(tmp_path / "all.txt")


def test_an_overview_holds_no_markup_of_the_data(tmp_path):
    told = {"<b>z": ["<i>"] * 60 + ["n"] * 60, "x": (["a"] * 40 + ["b"] * 20) * 2}
    causalrules.mine(told, ["<b>z"]).report(tmp_path / "page.html")
    overview = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;z=&lt;i&gt;" in overview
    assert "<b>" not in overview
    assert "<i>" not in overview


def test_what_cannot_be_asked_is_refused(answers, table, tmp_path):
    with pytest.raises(NoValueError):  # too many values to ask about each
        causalrules.mine(table, ["dose"])
    with pytest.raises(SettingsError, match="several outcomes"):
        causalrules.mine(table, ["tired", "cough=mild"], checkpoint=tmp_path / "saved")
    with pytest.raises(SettingsError, match="must be one of"):
        answers["cough=loud"]


def test_the_terminal_shows_each_outcome_and_files_name_it(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = ["test", str(table), "--outcome", "tired", "--outcome", "cough=mild", "--exposure", "smoker"]
    said = run_command(*asked, "--json", "a.json", "--csv", "a.csv")
    assert said.code == 0, said.err
    assert said.out.startswith("2 outcomes")
    assert "tired=yes ───" in said.out
    assert "cough=mild ───" in said.out
    assert list(pd.read_csv(tmp_path / "a.csv")["outcome"]) == ["tired=yes", "cough=mild"]
    assert run_command("report", "a.json", "-o", "a.html").code == 2
    one = run_command("report", "a.json", "-o", "a.html", "--outcome", "tired=yes")
    assert one.code == 0, one.err


def test_commands_that_know_one_outcome_refuse_several(table):
    said = run_command("compare", table, "--outcome", "tired", "--outcome", "cough=mild")
    assert said.code == 2
    assert "--outcome must be given once here" in said.err


def test_two_values_of_a_column_are_one_question(tmp_path):
    draw = np.random.default_rng(2)
    hot = draw.random(800) < 0.4
    state = np.where(draw.random(800) < np.where(hot, 0.3, 0.1), "n.i.O.", "i.O.")
    pd.DataFrame({"hot": np.where(hot, "yes", "no"), "state": state}).to_csv(tmp_path / "t.csv", index=False)
    output = " ".join(run_command("mine", str(tmp_path / "t.csv"), "--outcome", "state").out.split())
    assert "state has two values: what raises the odds of one lowers those of the other." in output
    assert "To ask about one of them: --outcome state=n.i.O." in output

"""Questions and their answers, and what is said to bad ones."""

import csv
import io
import json
import time

import pytest

import causalrules
from causalrules.domain import Item
from causalrules.explorer.limits import Limits
from explorer.asking import LIMITS, OUTCOME, PEOPLE, answered, finished, people_csv

HYPOTHESIS = [{"column": "smokes", "value": "yes"}]


def test_the_page_begins_with_files_and_a_form(client):
    start = client.get("/api/start").json()
    assert start["title"] == "tables"
    assert {file["id"] for file in start["files"]} == {"folder:people.csv", "folder:deeper/more.csv"}
    assert start["runs"] == []
    assert start["form"][0]["controls"][0]["name"] == "direction"


def test_a_table_is_described(client):
    table = client.post("/api/table", json={"file": PEOPLE["file"]}).json()
    assert (table["name"], table["rows"]) == ("people.csv", 400)
    smokes = table["columns"][0]
    assert smokes == {
        "name": "smokes",
        "kind": "categories",
        "n_values": 2,
        "n_missing": 0,
        "histogram": None,
        "values": [{"value": "yes", "records": 200}, {"value": "no", "records": 200}],
        "ignored": False,
        "in_source": "",
    }


def test_columns_of_every_kind_are_described(folder, client):
    (folder / "kinds.csv").write_text("n,d,t,m\n1.5,2026-01-01,a,NA\n2.5,2026-01-02,b,x\n3.5,2026-01-03,a,\n")
    columns = client.post("/api/table", json={"file": "folder:kinds.csv"}).json()["columns"]
    assert [column["kind"] for column in columns] == ["numbers", "dates", "categories", "categories"]
    assert columns[3]["n_missing"] == 2
    assert columns[3]["values"] == [{"value": "x", "records": 1}]


def test_items_are_counted_and_columns_left_out_have_a_reason(folder, client):
    lines = people_csv().splitlines()
    (folder / "more.csv").write_text(
        "\n".join(f"{line},{'same' if n else 'k'}" for n, line in enumerate(lines))
    )
    answer = client.post("/api/items", json={"file": "folder:more.csv", "outcome": OUTCOME}).json()
    assert (answer["with"], answer["without"]) == (120, 280)
    assert answer["columns"][0] == {
        "name": "smokes",
        "items": [
            {"value": "no", "records": 200, "with": 20},
            {"value": "yes", "records": 200, "with": 100},
        ],
    }
    assert answer["left_out"] == [{"column": "k", "reason": "It is constant: always 'same'."}]


def test_a_search_finds_what_the_library_finds(folder, client):
    settings = {"direction": "raises", "max_length": 1}
    run = answered(client, PEOPLE | {"settings": settings})
    assert run["verdicts"] == {"causal": 1, "rejected": 1}
    assert run["changed"] == settings
    expected = causalrules.mine(folder / "people.csv", "health=ill", **settings)
    found = client.get(f"/api/runs/{run['id']}/result.json").json()
    assert found["rules"] == expected.to_dict()["rules"]
    assert found["data"]["source"] == "people.csv"


def test_a_search_by_default_finds_what_the_library_finds(folder, client):
    run = answered(client, PEOPLE)
    assert run["changed"] == {}
    found = client.get(f"/api/runs/{run['id']}/result.json").json()
    assert found["rules"] == causalrules.mine(folder / "people.csv", "health=ill").to_dict()["rules"]
    assert run["verdicts"] == {"causal": 1, "rejected": 1}


def test_a_hypothesis_gets_the_study_that_the_library_gives(folder, client):
    run = answered(client, PEOPLE | {"hypothesis": HYPOTHESIS})
    assert (run["kind"], run["changed"]) == ("study", {})
    expected = causalrules.test(folder / "people.csv", "health=ill", "smokes=yes")
    found = client.get(f"/api/runs/{run['id']}/result.json").json()
    assert found["rules"] == expected.to_dict()["rules"]


@pytest.mark.parametrize("outcome", [{"pattern": "n"}, {"column": "n", "value": "3"}])
def test_a_mean_and_the_weights_of_a_survey_can_be_asked_for(folder, client, outcome):
    lines = people_csv().splitlines()
    rows = [
        f"{line},{5 * ('ill' in line) + place % 7},{1 + place % 3}" for place, line in enumerate(lines[1:])
    ]
    (folder / "numbers.csv").write_text("\n".join([lines[0] + ",n,w", *rows]) + "\n")
    settings = {"outcome_as": "mean", "weights": "w", "weights_are": "sampling", "drop": ["health"]}
    asked = {"file": "folder:numbers.csv", "outcome": outcome, "settings": settings, "hypothesis": HYPOTHESIS}
    run = answered(client, asked)
    assert run["changed"] == settings
    expected = causalrules.test(folder / "numbers.csv", "n", "smokes=yes", **settings)
    found = client.get(f"/api/runs/{run['id']}/result.json").json()
    assert found["rules"] == expected.to_dict()["rules"]
    assert found["rules"][0]["mean"]["mean_difference"] > 1
    view = client.get(f"/api/runs/{run['id']}/view").json()
    assert view["measure"]["name"] == "mean difference"


def test_the_table_is_read_and_coded_once_for_many_questions(client, monkeypatch):
    from causalrules.explorer import open_tables as tables

    calls = []

    def counted(name):
        real = getattr(tables, name)
        monkeypatch.setattr(tables, name, lambda *given: calls.append(name) or real(*given))

    counted("read_table")
    counted("encode")
    client.post("/api/table", json={"file": PEOPLE["file"]})
    client.post("/api/items", json=PEOPLE)
    for settings in ({}, {"min_support": 0.1}, {"confidence": 0.9}):
        answered(client, PEOPLE | {"settings": settings})
        answered(client, PEOPLE | {"settings": settings, "hypothesis": HYPOTHESIS})
    assert calls == ["read_table", "encode"]
    answered(client, PEOPLE | {"settings": {"drop": ["coffee"]}})
    assert calls == ["read_table", "encode", "encode"]


def test_a_result_can_be_taken_along(client):
    run = answered(client, PEOPLE)
    page = client.get(f"/api/runs/{run['id']}/report.html")
    assert page.text.startswith("<!doctype html>")
    assert "attachment" in page.headers["content-disposition"]
    saved = client.get(f"/api/runs/{run['id']}/result.json").json()
    assert {rule.name for rule in causalrules.Result.from_dict(saved).causal} == {"smokes=yes"}
    rows = list(csv.DictReader(io.StringIO(client.get(f"/api/runs/{run['id']}/rules.csv").text)))
    assert {row["rule"] for row in rows} >= {"smokes=yes", "coffee=yes"}
    assert client.get(f"/api/runs/{run['id']}/secrets.txt").status_code == 404


def test_the_view_is_that_of_the_report_in_the_words_of_the_page(client):
    from causalrules.explorer.page_words import explorer_view

    run = answered(client, PEOPLE)
    saved = client.get(f"/api/runs/{run['id']}/result.json").json()
    view = client.get(f"/api/runs/{run['id']}/view").json()
    assert view == json.loads(json.dumps(explorer_view(causalrules.Result.from_dict(saved))))


def question(**changes):
    return {name: value for name, value in (PEOPLE | changes).items() if value is not None}


@pytest.mark.parametrize(
    ("asked", "about", "words"),
    [
        (question(file=None), "file", "No table is chosen"),
        (question(file=7), "file", "No table is chosen"),
        (question(outcome=None), "outcome", "The outcome has no column and value"),
        (question(outcome={"column": "health"}), "outcome", "The outcome has no column and value"),
        (question(outcome="health=ill"), "outcome", "The outcome has no column and value"),
        (
            question(settings={"min_support": 2}),
            "min_support",
            "Minimum support must be at least 0 and below 1",
        ),
        (question(settings={"min_support": "a lot"}), "min_support", "must be a finite number"),
        (question(settings={"min_support": None}), "min_support", "must be a finite number"),
        (question(settings={"direction": "up"}), "direction", "must be one of 'both'"),
        (question(settings={"direction": ["up"]}), "direction", "must be one of 'both'"),
        (question(settings={"direction": {}}), "direction", "must be one of 'both'"),
        (question(settings={"max_length": 0}), "max_length", "whole number of at least 1"),
        (question(settings={"max_length": True}), "max_length", "whole number of at least 1"),
        (question(settings={"drop": "coffee"}), "drop", "must be a list of texts"),
        (question(settings={"drop": [1]}), "drop", "must be a list of texts"),
        (question(settings={"missing": 5}), "missing", "must be a list of texts"),
        (question(settings={"bins": {}}), "bins", "must be 'mdl'"),
        (question(settings={"engine": "spark"}), "engine", "there is no setting 'engine'"),
        (question(settings={"threads": 10**9}), "threads", "there is no setting 'threads'"),
        (question(settings={"min_suport": 0.1}), "min_suport", "Did you mean 'min_support'"),
        (question(settings=[]), None, ""),
        (question(settings=[1]), None, "The settings are not understood"),
        (question(hypothesis="smokes=yes"), "hypothesis", "The hypothesis is not a list"),
        (question(hypothesis=[{"column": "smokes"}]), "hypothesis", "has no column and value"),
    ],
    ids=str,
)
def test_a_bad_question_gets_our_sentence_beside_its_control(client, asked, about, words):
    response = client.post("/api/runs", json=asked)
    if not words:
        assert response.status_code == 202
        finished(client, response.json()["id"])
        return
    assert response.status_code == 422, response.text
    assert response.json()["about"] == about
    assert words.casefold() in response.json()["error"].casefold()


@pytest.mark.parametrize(
    ("asked", "about", "words"),
    [
        (question(outcome={"column": "helth", "value": "ill"}), "outcome", "Did you mean 'health'?"),
        (question(outcome={"column": "health", "value": "il"}), "outcome", "Did you mean 'ill'?"),
        (question(settings={"drop": ["cofee"]}), "drop", "Did you mean 'coffee'?"),
        (question(settings={"numeric": ["coffee"]}), "numeric", "as numbers must be columns of numbers"),
        (
            question(settings={"drop": ["coffee", "smokes"]}),
            "columns",
            "Use “as categories” for numbers that are codes, “Cut numbers by” quantile:4",
        ),
        (question(hypothesis=[{"column": "smokes", "value": "ye"}]), "hypothesis", "Did you mean 'yes'?"),
        (question(hypothesis=[{"column": "smoke", "value": "yes"}]), "hypothesis", "Did you mean 'smokes'?"),
        (question(hypothesis=[OUTCOME]), "hypothesis", "it is the outcome"),
        (question(hypothesis=[*HYPOTHESIS, {"column": "smokes", "value": "no"}]), "hypothesis", "twice"),
    ],
    ids=str,
)
def test_what_only_the_table_can_tell_is_told_of_the_run(client, asked, about, words):
    complaint = answered(client, asked, "failed")["complaint"]
    assert complaint["about"] == about
    assert words.casefold() in complaint["text"].casefold()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "application/json"),
        (b"{", "application/json"),
        (b"[]", "application/json"),
        (b"\xff\xfe", "application/json"),
        (b'{"file": NaN}', "application/json"),
        (b"[" * 100_000, "application/json"),
        (b'{"file": ' + b"9" * 5000 + b"}", "application/json"),
        (b"x" * (LIMITS.request_bytes + 1), "application/json"),
        (json.dumps(PEOPLE).encode(), "text/plain"),
        (json.dumps(PEOPLE).encode(), "application/x-www-form-urlencoded"),
    ],
    ids=lambda part: repr(part[:20]),
)
def test_what_is_not_a_question_is_refused(client, content, kind):
    response = client.post("/api/runs", content=content, headers={"Content-Type": kind})
    assert response.status_code == 422
    assert response.json()["error"].startswith("The question is")


def test_signs_in_names_and_values_do_not_confuse_what_was_picked(folder, client):
    text = people_csv().replace("smokes", "a=b").replace("coffee", "a").replace("yes", "b & a=b=no")
    (folder / "odd.csv").write_text(text)
    run = answered(
        client,
        {
            "file": "folder:odd.csv",
            "outcome": OUTCOME,
            "hypothesis": [{"column": "a=b", "value": "b & a=b=no"}],
        },
    )
    rule = client.get(f"/api/runs/{run['id']}/result.json").json()["rules"][0]
    assert rule["pattern"] == [{"column": "a=b", "value": "b & a=b=no"}]


def progressed(client, number, tested):
    for _ in range(1000):
        run = client.get(f"/api/runs/{number}").json()
        if run["progress"] and run["progress"]["tested"] >= tested:
            return run
        time.sleep(0.02)
    raise AssertionError(run)


def test_progress_is_told_and_a_cancelled_search_keeps_what_was_finished(client, slow):
    number = client.post("/api/runs", json=PEOPLE).json()["id"]
    slow.release(1)
    run = progressed(client, number, 1)
    assert run["state"] == "running"
    told = {"direction": "both", "length": 1, "tested": 1, "to_test": 2}
    assert run["progress"].items() >= told.items()
    stopping = client.post(f"/api/runs/{number}/cancel").json()
    assert stopping["stopping"]
    slow.release(1)
    run = finished(client, number, "cancelled")
    assert sum(run["verdicts"].values()) == 2
    assert client.get(f"/api/runs/{number}/result.json").json()["interrupted"]
    assert client.get(f"/api/runs/{number}/view").status_code == 200


def test_other_questions_are_answered_while_a_search_runs(client, slow):
    number = client.post("/api/runs", json=PEOPLE).json()["id"]
    assert client.post("/api/items", json=PEOPLE).status_code == 200
    assert client.get("/api/start").json()["runs"][0]["state"] in ("reading", "running")
    client.post(f"/api/runs/{number}/cancel")


def test_only_so_many_searches_run_at_once(client, slow):
    number = client.post("/api/runs", json=PEOPLE).json()["id"]
    refused = client.post("/api/runs", json=PEOPLE)
    assert refused.status_code == 429
    assert refused.json()["about"] == "run"
    assert "1 searches are under way" in refused.json()["error"]
    study = client.post("/api/runs", json=PEOPLE | {"hypothesis": HYPOTHESIS})
    assert study.status_code == 202
    assert client.post("/api/runs", json=PEOPLE | {"hypothesis": HYPOTHESIS}).status_code == 429
    client.post(f"/api/runs/{number}/cancel")
    slow.release(1000)
    finished(client, number)
    finished(client, study.json()["id"])
    assert client.post("/api/runs", json=PEOPLE).status_code == 202


def test_a_search_that_was_forgotten_counts_until_it_has_ended(client, slow):
    number = client.post("/api/runs", json=PEOPLE).json()["id"]
    slow.release(1)
    progressed(client, number, 1)
    time.sleep(0.5)  # by now it waits within the next study
    assert client.delete(f"/api/runs/{number}").status_code == 204
    assert client.post("/api/runs", json=PEOPLE).status_code == 429
    slow.release(1000)
    for _ in range(500):
        again = client.post("/api/runs", json=PEOPLE)
        if again.status_code == 202:
            break
        time.sleep(0.02)
    assert again.status_code == 202


def test_half_a_surrogate_pair_is_refused_and_does_no_harm(client):
    content = json.dumps(PEOPLE | {"outcome": {"column": "health", "value": "\ud800"}})
    asked = client.post("/api/runs", content=content, headers={"content-type": "application/json"})
    assert asked.status_code == 422
    assert client.get("/api/start").status_code == 200


def test_only_so_many_results_are_remembered(client):
    numbers = [answered(client, PEOPLE)["id"] for _ in range(LIMITS.remembered + 2)]
    kept = [run["id"] for run in client.get("/api/start").json()["runs"]]
    assert kept == numbers[: -LIMITS.remembered - 1 : -1]
    gone = client.get(f"/api/runs/{numbers[0]}/view")
    assert gone.status_code == 404
    assert gone.json()["error"] == "This result is no longer kept. Run it again."


def test_a_result_can_be_forgotten(client):
    number = answered(client, PEOPLE)["id"]
    assert client.delete(f"/api/runs/{number}").status_code == 204
    assert client.get(f"/api/runs/{number}").status_code == 404


def test_an_unforeseen_error_in_a_run_tells_nothing(client, monkeypatch, caplog):
    from causalrules.explorer import runs

    def broken(self):
        raise RuntimeError("inner matters")

    monkeypatch.setattr(runs.DefaultJob, "mine", broken)
    run = answered(client, PEOPLE, "failed")
    assert "inner matters" not in json.dumps(run)
    assert run["complaint"]["text"].startswith("Something went wrong")
    assert "RuntimeError: inner matters" in caplog.text


def test_tables_kept_open_are_bounded(folder, open_explorer):
    from causalrules.explorer.open_tables import OpenTables
    from causalrules.explorer.served_files import ServedFiles

    limits = Limits(tables=2, coded_tables=3)
    tables = OpenTables(ServedFiles(folder, folder, limits), limits)
    for number in range(6):
        (folder / f"{number}.csv").write_text(people_csv())
        tables.coded(f"folder:{number}.csv", Item("health", "ill"), causalrules.Settings())
    assert (len(tables._read), len(tables._coded)) == (2, 3)


HOSTILE = [
    "<script>alert(1)</script>",
    "\"'`><img src=x onerror=alert(1)>",
    "😀 family: 👨‍👩‍👧",
    "\u202eevil\u202c",
    "x" * 10_000,
    "{{ 7*7 }} ${7*7}",
    "</script><!--",
]


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda text: text[:12])
def test_whatever_the_data_say_comes_back_as_it_is_and_only_as_json(folder, client, hostile):
    quoted = '"' + hostile.replace('"', '""') + '"'
    text = people_csv().replace("smokes", quoted).replace("yes", quoted).replace("ill", quoted)
    (folder / "odd.csv").write_text(text)
    run = answered(
        client,
        {
            "file": "folder:odd.csv",
            "outcome": {"column": "health", "value": hostile},
            "hypothesis": [{"column": hostile, "value": hostile}],
        },
    )
    view = client.get(f"/api/runs/{run['id']}/view")
    assert view.headers["content-type"] == "application/json"
    rule = client.get(f"/api/runs/{run['id']}/result.json").json()["rules"][0]
    assert rule["pattern"] == [{"column": hostile, "value": hostile}]
    for kind in ("report.html", "rules.csv"):
        assert client.get(f"/api/runs/{run['id']}/{kind}").status_code == 200

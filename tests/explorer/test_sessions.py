"""A session in one file, sample data, and a page without words of the terminal."""

import json
import re

import pytest

from causalrules.explorer.limits import Limits
from causalrules.explorer.page_words import explorer_view
from explorer.asking import PEOPLE, answered
from unit.report.contrast_results import contrasts

STUDY = PEOPLE | {"hypothesis": [{"column": "coffee", "value": "yes"}], "settings": {"max_length": 1}}


def described(client):
    """What the page would show of every run, but for its number and its progress."""
    runs = client.get("/api/start").json()["runs"]
    return [{name: run[name] for name in run if name not in ("id", "progress")} for run in runs]


def test_a_session_is_saved_and_reopened_elsewhere(client, folder, open_explorer):
    answered(client, PEOPLE)
    study = answered(client, STUDY)
    saved = client.get("/api/session")
    assert "attachment" in saved.headers["content-disposition"]
    other = open_explorer(folder).client
    reopened = other.post("/api/session", json=saved.json())
    assert reopened.status_code == 201
    assert described(other) == described(client)
    assert [run["kind"] for run in reopened.json()["runs"]] == ["study", "search"]
    (first, _) = reopened.json()["runs"]
    assert (
        other.get(f"/api/runs/{first['id']}/view").json()
        == client.get(f"/api/runs/{study['id']}/view").json()
    )


def test_a_reopened_session_stands_beside_what_is_there(client):
    answered(client, PEOPLE)
    saved = client.get("/api/session").json()
    assert len(client.post("/api/session", json=saved).json()["runs"]) == 2


def test_of_a_large_session_no_more_is_kept_than_is_remembered(client):
    answered(client, PEOPLE)
    saved = client.get("/api/session").json()
    saved["runs"] *= 9
    assert len(client.post("/api/session", json=saved).json()["runs"]) == 3


def test_a_session_beside_the_tables_is_no_table(client, folder):
    answered(client, PEOPLE)
    (folder / "session.json").write_text(client.get("/api/session").text)
    assert "session.json" not in [file["name"] for file in client.get("/api/start").json()["files"]]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda saved: {},
        lambda saved: saved | {"schema": "causalrules/2"},
        lambda saved: saved | {"runs": 7},
        lambda saved: saved | {"runs": [None]},
        lambda saved: saved | {"runs": [saved["runs"][0] | {"result": {}}]},
        lambda saved: saved | {"runs": [saved["runs"][0] | {"settings": {"who": "knows"}}]},
        lambda saved: saved | {"runs": [saved["runs"][0] | {"outcome": None}]},
        lambda saved: saved | {"runs": [saved["runs"][0] | {"seconds": "long"}]},
    ],
)
def test_what_is_no_session_is_refused_in_a_sentence(client, spoil):
    answered(client, PEOPLE)
    refused = client.post("/api/session", json=spoil(client.get("/api/session").json()))
    assert refused.status_code == 422
    assert refused.json()["about"] == "session"
    assert refused.json()["error"].startswith(("This session", "This file"))
    assert len(client.get("/api/start").json()["runs"]) == 1


def test_too_large_a_session_is_refused(folder, open_explorer):
    client = open_explorer(folder, Limits(session_bytes=100)).client
    assert client.post("/api/session", json={"schema": "x" * 200}).status_code == 422


def test_sample_data_can_be_asked_about(folder, open_explorer):
    client = open_explorer(folder, Limits()).client
    sample = client.get("/api/start").json()["sample"]
    made = client.post("/api/sample")
    assert made.status_code == 201
    assert made.json()["name"] == sample["name"]
    table = client.post("/api/table", json={"file": made.json()["id"]}).json()
    assert table["rows"] == 10_000
    asked = {"file": made.json()["id"], "outcome": sample["outcome"]}
    assert client.post("/api/items", json=asked).json()["with"] > 1_000


def texts_in(value, name=""):
    """Every text of a view but commands to copy and names from the table."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from texts_in(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from texts_in(part, name)
    elif isinstance(value, str) and name not in ("items", "command", "note", "source"):
        yield value


def test_the_page_has_no_words_of_the_terminal():
    view = explorer_view(contrasts())
    assert [text for text in texts_in(view) if re.search(r"--[a-z]|causalrules (test|mine)", text)] == []
    told = json.dumps(view["answer"]["first"], ensure_ascii=False)
    assert "“leave out” under Columns leaves sick_days out" in told
    assert "as your hypothesis, and test it" in told


def test_what_changed_is_said_in_sentences(client):
    first = answered(client, PEOPLE)
    second = answered(client, PEOPLE | {"settings": {"exposures": ["coffee"]}})
    words = client.get(f"/api/compare/{first['id']}/{second['id']}").json()["words"]
    assert words == [
        f"smokes=yes raises the odds in Search {first['id']}; Search {second['id']} did not study it."
    ]
    same = client.get(f"/api/compare/{first['id']}/{first['id']}").json()["words"]
    assert same == ["1 rule is causal in both, with about the same effect and the same grade."]

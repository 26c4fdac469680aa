"""An explorer of a folder with a few tables, asked without a network."""

import time
from types import SimpleNamespace

import pytest

from causalrules.explorer.limits import Limits
from causalrules.explorer.server import opened

LIMITS = Limits(
    upload_bytes=10_000,
    uploads=2,
    request_bytes=100_000,
    searches=1,
    studies=1,
    remembered=3,
    tables=1,
    coded_tables=2,
    files=20,
)
UNDER_WAY = ("reading", "running")


def people_csv():
    """Smokers fall ill; who drinks coffee does so only because they smoke."""
    rows = [("yes", "yes", "ill")] * 80 + [("yes", "yes", "well")] * 80
    rows += [("yes", "no", "ill")] * 20 + [("yes", "no", "well")] * 20
    rows += [("no", "yes", "ill")] * 4 + [("no", "yes", "well")] * 36
    rows += [("no", "no", "ill")] * 16 + [("no", "no", "well")] * 144
    return "smokes,coffee,health\n" + "\n".join(map(",".join, rows)) + "\n"


OUTCOME = {"column": "health", "value": "ill"}
PEOPLE = {"file": "folder:people.csv", "outcome": OUTCOME}


@pytest.fixture
def folder(tmp_path):
    """A folder with tables, beside a file that is nobody's business."""
    (tmp_path / "secret.csv").write_text("secret,z\n1,yes\n2,no\n")
    inside = tmp_path / "tables"
    (inside / "deeper").mkdir(parents=True)
    (inside / "people.csv").write_text(people_csv())
    (inside / "deeper" / "more.csv").write_text(people_csv())
    (inside / "notes.md").write_text("not a table")
    return inside


@pytest.fixture
def open_explorer():
    """Open an explorer and a client that knows its token; all are closed at the end."""
    from contextlib import ExitStack

    from starlette.testclient import TestClient

    with ExitStack() as stack:

        def open_one(source, limits=LIMITS):
            explorer = stack.enter_context(opened(source, 0, limits))
            address, _, token = explorer.url.partition("/#")
            client = TestClient(explorer.app, base_url=address, raise_server_exceptions=False)
            client.headers["X-Causalrules-Token"] = token
            return SimpleNamespace(client=client, token=token, address=address, app=explorer.app)

        yield open_one


@pytest.fixture
def explorer(folder, open_explorer):
    return open_explorer(folder)


@pytest.fixture
def client(explorer):
    return explorer.client


def finished(client, number, wanted=None):
    """Wait until a run is no longer under way."""
    for _ in range(3000):
        run = client.get(f"/api/runs/{number}").json()
        if run["state"] not in UNDER_WAY:
            assert wanted in (None, run["state"]), run
            return run
        time.sleep(0.02)
    raise AssertionError(f"run {number} does not end: {run}")


def answered(client, question, wanted="done"):
    """Ask and wait for the answer."""
    asked = client.post("/api/runs", json=question)
    assert asked.status_code == 202, asked.text
    return finished(client, asked.json()["id"], wanted)

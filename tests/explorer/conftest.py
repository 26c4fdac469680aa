"""An explorer of a folder with a few tables, asked without a network."""

from contextlib import ExitStack
from types import SimpleNamespace

import pytest

from causalrules.explorer.server import opened
from explorer.asking import LIMITS, held_back, people_csv


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


@pytest.fixture
def slow(monkeypatch):
    with held_back(monkeypatch) as gate:
        yield gate

"""Only files of the chosen folder can be opened, and uploads stay where they belong."""

import asyncio
import gzip
import os
from contextlib import suppress
from dataclasses import replace

import pytest

from causalrules.errors import UploadError
from causalrules.explorer.served_files import ServedFiles
from explorer.asking import LIMITS, PEOPLE, awaited, people_csv

ESCAPES = [
    "../secret.csv",
    "deeper/../../secret.csv",
    "deeper/../people.csv",
    "./people.csv",
    "/etc/passwd",
    "//etc/passwd",
    "{absolute}",
    "..\\secret.csv",
    "C:\\secret.csv",
    "%2e%2e/secret.csv",
    "..%2fsecret.csv",
    "people.csv\0.csv",
    "people.csv\0",
    "link.csv",
    "linked/secret.csv",
    "chain.csv",
    "pipe.csv",
    "deeper",
    "",
    ".",
    "..",
    "notes.md",
    ".hidden.csv",
    ".git/inner.csv",
    "nothing.csv",
    "-",
    "x" * 5000 + ".csv",
    "x/" * 500 + "x.csv",
    "\udc80.csv",
]


@pytest.fixture
def traps(folder):
    """Links that lead out, a link to a link, and a pipe that would never end."""
    outside = folder.parent / "secret.csv"
    (folder / "link.csv").symlink_to(outside)
    (folder / "chain.csv").symlink_to(folder / "link.csv")
    (folder / "linked").symlink_to(folder.parent)
    (folder / "loop.csv").symlink_to(folder / "loop.csv")
    os.mkfifo(folder / "pipe.csv")
    (folder / ".hidden.csv").write_text("secret,z\n1,2\n")
    (folder / ".git").mkdir()
    (folder / ".git" / "inner.csv").write_text("secret,z\n1,2\n")
    return folder


@pytest.mark.parametrize("name", ESCAPES, ids=lambda name: name[:30].encode("unicode_escape").decode())
@pytest.mark.parametrize("kind", ["folder:", "upload:", "", "file://"])
def test_nothing_outside_the_folder_is_opened(traps, explorer, name, kind):
    name = name.format(absolute=traps.parent / "secret.csv")
    content = f'{{"file": {_json(kind + name)}}}'
    response = explorer.client.post(
        "/api/table", content=content, headers={"Content-Type": "application/json"}
    )
    assert response.status_code in (404, 422), response.text
    assert "secret" not in response.json().get("columns", ())
    assert "is not among the files of this explorer" in response.text or not kind + name


def _json(text):
    import json

    return json.dumps(text)


def test_only_tables_inside_are_listed(traps, client):
    (traps / "inner.csv").symlink_to(traps / "people.csv")
    names = [file["name"] for file in client.get("/api/start").json()["files"]]
    assert names == ["deeper/more.csv", "inner.csv", "people.csv"]


def test_a_link_that_stays_inside_is_opened(traps, client):
    (traps / "inner.csv").symlink_to(traps / "people.csv")
    assert client.post("/api/table", json={"file": "folder:inner.csv"}).json()["rows"] == 400


def test_the_description_beside_a_table_must_not_lead_out(folder, client):
    (folder / "old.data").write_text("a,b\nc,d\n")
    (folder / "old.names").symlink_to(folder.parent / "secret.csv")
    assert client.post("/api/table", json={"file": "folder:old.data"}).status_code == 404
    (folder / "disguised.csv").symlink_to(folder / "old.data")
    assert client.post("/api/table", json={"file": "folder:disguised.csv"}).status_code == 404
    (folder / "old.names").unlink()
    assert client.post("/api/table", json={"file": "folder:old.data"}).status_code == 200


def test_a_single_file_opens_nothing_beside_it(folder, open_explorer):
    client = open_explorer(folder / "people.csv").client
    assert [file["name"] for file in client.get("/api/start").json()["files"]] == ["people.csv"]
    (folder / "other.csv").write_text(people_csv())
    assert client.post("/api/table", json={"file": "folder:other.csv"}).status_code == 404
    assert client.post("/api/table", json={"file": "folder:people.csv"}).status_code == 200


def test_a_folder_with_very_many_files_is_cut(folder, client):
    for number in range(LIMITS.files + 10):
        (folder / f"{number}.csv").write_text("a\n1\n")
    assert len(client.get("/api/start").json()["files"]) == LIMITS.files


def upload(client, name, content, **more):
    return client.post("/api/uploads", params={"name": name}, content=content, **more)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("people.csv", "people.csv"),
        ("../../people.csv", "people.csv"),
        ("/etc/cron.d/people.csv", "people.csv"),
        ("C:\\Windows\\people.csv", "people.csv"),
        ("people.csv\0.exe", "people.csv.exe"),
        ("", "a file"),
        ("<b>é😀.csv", "<b>é😀.csv"),
        ("x" * 5000 + ".csv", "x" * 251 + ".csv"),
    ],
    ids=lambda text: text[:20].encode("unicode_escape").decode(),
)
def test_the_name_of_an_upload_is_shown_but_never_used(folder, uploads, explorer, name, shown):
    before = {path for path in folder.parent.rglob("*") if path not in uploads()}
    file = upload(explorer.client, name, people_csv()).json()
    assert file["name"] == shown
    assert file["id"] == "upload:1"
    (kept,) = uploads()
    assert kept.name in ("1.csv", "1")
    assert {path for path in folder.parent.rglob("*") if path not in uploads()} == before
    table = explorer.client.post("/api/table", json={"file": file["id"]}).json()
    assert (table["name"], table["rows"]) == (shown, 400)


@pytest.fixture
def uploads(monkeypatch, tmp_path):
    """What lies in the explorers' own folders."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return lambda: list(tmp_path.glob("causalrules-scratch-*/uploads/*"))


def test_an_upload_that_says_it_is_too_large_is_refused_at_once(uploads, explorer):
    response = upload(explorer.client, "a.csv", b"x" * (LIMITS.upload_bytes + 1))
    assert response.status_code == 422
    assert response.json()["about"] == "upload"
    assert "larger than 10,000 bytes" in response.json()["error"]
    assert uploads() == []


def test_an_upload_that_does_not_say_how_large_it_is_is_cut_off_while_it_arrives(uploads, explorer):
    sent = []

    def endless():
        while len(sent) < 100_000:
            sent.append(b"x" * 1000)
            yield sent[-1]

    response = upload(explorer.client, "a.csv", endless())
    assert "larger than 10,000 bytes" in response.json()["error"]
    assert uploads() == []


def test_only_so_many_uploads_are_kept(uploads, explorer):
    for number in range(LIMITS.uploads + 3):
        assert upload(explorer.client, f"{number}.csv", people_csv()).status_code == 201
    assert len(uploads()) == LIMITS.uploads
    assert explorer.client.post("/api/table", json={"file": "upload:1"}).status_code == 404
    assert explorer.client.post("/api/table", json={"file": "upload:5"}).status_code == 200


def test_unfinished_uploads_are_counted(tmp_path, folder):
    served = ServedFiles(folder, tmp_path, replace(LIMITS, arriving=1))

    async def never_ends():
        yield b"a"
        await asyncio.sleep(60)

    async def two():
        first = asyncio.ensure_future(served.upload("a.csv", never_ends()))
        await asyncio.sleep(0.05)
        with pytest.raises(UploadError, match="1 other files are being uploaded"):
            await served.upload("b.csv", never_ends())
        first.cancel()
        with suppress(asyncio.CancelledError):
            await first
        assert not list(tmp_path.glob("*.csv.*"))

    awaited(two)


def test_an_upload_that_made_room_is_simply_not_listed(tmp_path, folder):
    served = ServedFiles(folder, tmp_path, LIMITS)

    async def content():
        yield b"a,b\n1,2\n"

    awaited(served.upload, "a.csv", content())
    for file in tmp_path.glob("1.csv"):
        file.unlink()
    assert all(not file.id.startswith("upload:") for file in served.listing())


def test_a_saved_result_is_no_table(folder, client):
    (folder / "result.json").write_text('{"schema": "causalrules/2", "rules": []}')
    (folder / "table.json").write_text('{"a": 1, "z": "yes"}\n')
    listed = [file["name"] for file in client.get("/api/start").json()["files"]]
    assert "table.json" in listed
    assert "result.json" not in listed


def test_an_empty_upload_is_refused(uploads, explorer):
    assert "it is empty" in upload(explorer.client, "a.csv", b"").json()["error"]
    assert uploads() == []


def test_uploads_are_for_their_owner_only_and_vanish_at_the_end(uploads, folder, tmp_path):
    from starlette.testclient import TestClient

    from causalrules.explorer.server import opened

    with opened(folder, 0, LIMITS) as explorer:
        address, _, token = explorer.url.partition("/#")
        client = TestClient(explorer.app, base_url=address, headers={"X-Causalrules-Token": token})
        assert upload(client, "a.csv", people_csv()).status_code == 201
        (own,) = tmp_path.glob("causalrules-scratch-*")
        assert own.stat().st_mode & 0o077 == 0
    assert not own.exists()


def test_an_uploaded_file_that_cannot_be_read_is_called_by_its_name(uploads, explorer, tmp_path):
    file = upload(explorer.client, "my table.xlsx", b"PK\x03\x04 something").json()
    response = explorer.client.post("/api/table", json={"file": file["id"]})
    assert response.status_code == 422
    assert response.json() == {
        "error": response.json()["error"],
        "about": "file",
    }
    assert response.json()["error"].startswith("Cannot read my table.xlsx: it is not a sound workbook (")


def test_tables_of_other_programs_are_listed_and_read_with_their_labels(explorer, tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    import pandas

    path = tmp_path / "people.sav"
    frame = pandas.DataFrame({"smk": [1.0, 2.0, 1.0], "ill": ["yes", "no", "no"]})
    pyreadstat.write_sav(
        frame,
        str(path),
        column_labels={"smk": "smoking status"},
        variable_value_labels={"smk": {1.0: "never", 2.0: "current"}},
    )
    file = upload(explorer.client, "people.sav", path.read_bytes()).json()
    table = explorer.client.post("/api/table", json={"file": file["id"]}).json()
    assert [(one["name"], one["in_source"]) for one in table["columns"]] == [
        ("smoking status", "smk"),
        ("ill", ""),
    ]
    assert [one["value"] for one in table["columns"][0]["values"]] == ["never", "current"]


@pytest.mark.parametrize("name", ["a.xlsx", "a.ods", "a.dta", "a.sqlite", "a.csv.xz", "a.zip", "a.sav.zip"])
def test_files_of_other_programs_are_listed(uploads, name):
    from causalrules.explorer.served_files import file_ending

    assert file_ending(name)
    assert not file_ending("a.gz")


def test_a_packed_upload_is_read(explorer):
    file = upload(explorer.client, "people.csv.gz", gzip.compress(people_csv().encode())).json()
    assert explorer.client.post("/api/table", json={"file": file["id"]}).json()["rows"] == 400


def test_a_file_that_changed_is_read_again(folder, client):
    assert client.post("/api/table", json={"file": PEOPLE["file"]}).json()["rows"] == 400
    (folder / "people.csv").write_text(people_csv() + "no,no,well\n")
    assert client.post("/api/table", json={"file": PEOPLE["file"]}).json()["rows"] == 401


def test_a_file_that_vanished_is_told(folder, client):
    (folder / "people.csv").unlink()
    assert client.post("/api/runs", json=PEOPLE).status_code == 404


def test_a_length_beyond_all_numbers_is_too_large(explorer):
    response = upload(explorer.client, "a.csv", b"x", headers={"Content-Length": "9" * 5000})
    assert response.status_code == 422
    assert response.json()["about"] == "upload"

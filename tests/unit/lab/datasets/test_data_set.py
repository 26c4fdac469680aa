"""Data sets from a local server, a cache and a folder; every way it can go wrong has its message."""

import gzip
import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from causalrules.errors import OutputError, SourceError
from causalrules_lab import datasets
from causalrules_lab.datasets import catalogue, default_cache, fetch, get, info
from causalrules_lab.datasets.published import DataSetInfo, PublishedFile
from datasets import FOLDER, OUTCOMES, require

TOYS = b"|a remark\nred, 3, yes\nblue, ?, no.\n\nred, 1, yes.|17\n"
MORE = gzip.compress(b"green, 2, no\n", mtime=0)


class Server:
    """Serves what is in `files`, remembers what was asked for."""

    def __init__(self):
        self.files, self.asked = {}, []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                content = outer.files.get(self.path)
                if content is None:
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content[:-10] if self.path in outer.cut else content)

            def log_message(self, *_):
                pass

        self.cut = set()
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/uci"


@pytest.fixture
def server():
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, daemon=True)
    thread.start()
    yield server
    server.http.shutdown()
    server.http.server_close()
    thread.join()


@pytest.fixture
def toys(monkeypatch, server):
    """A data set of two small files, known to the catalogue and to the server."""

    def file(name, content):
        server.files[f"/uci/box/toys/{name}"] = content
        return PublishedFile(name, len(content), hashlib.sha256(content).hexdigest(), is_confirmed=False)

    toys = DataSetInfo(
        name="toys",
        about="toys",
        folder="box/toys",
        files=(file("toys.data", TOYS), file("toys.test.gz", MORE)),
        separator=",",
        columns=("colour", "size", "round"),
        numbers=("size",),
        outcome="round=yes",
        rows=4,
    )
    known = {**catalogue(), "toys": toys}
    monkeypatch.setattr("causalrules_lab.datasets.published.catalogue", lambda: known)
    return toys


def test_a_table_is_fetched_once_and_cleaned(tmp_path, server, toys):
    data = get("toys", cache=tmp_path, base_url=server.url)
    assert data.table.to_pydict() == {
        "colour": ["red", "blue", "red", "green"],
        "size": ["3", None, "1", "2"],
        "round": ["yes", "no", "yes", "no"],
    }
    assert data.outcome == "round=yes"
    assert data.as_the_paper == {"drop": ("size",), "categorical": ("colour",), "missing": ("?",)}
    get("toys", cache=tmp_path, base_url=server.url + "/")
    assert server.asked == ["/uci/box/toys/toys.data", "/uci/box/toys/toys.test.gz"]


def test_the_cache_can_be_chosen_by_the_environment(tmp_path, server, toys, monkeypatch):
    monkeypatch.setenv("CAUSALRULES_CACHE", str(tmp_path / "mine"))
    assert fetch("toys", base_url=server.url)[0] == tmp_path / "mine" / "toys" / "toys.data"
    monkeypatch.delenv("CAUSALRULES_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "all"))
    assert default_cache() == tmp_path / "all" / "causalrules"


def test_a_damaged_file_in_the_cache_is_fetched_again(tmp_path, server, toys):
    path = fetch("toys", cache=tmp_path, base_url=server.url)[0]
    path.write_bytes(b"damaged")
    assert fetch("toys", cache=tmp_path, base_url=server.url)[0].read_bytes() == TOYS


def test_what_is_not_the_published_file_is_removed(tmp_path, server, toys):
    server.files["/uci/box/toys/toys.data"] = b"something else"
    with pytest.raises(SourceError) as caught:
        get("toys", cache=tmp_path, base_url=server.url)
    message = str(caught.value)
    assert "it is not the published file: its SHA-256 is" in message
    assert f"(14 bytes instead of {len(TOYS)})" in message
    assert "What came was removed. Try again" in message
    assert list((tmp_path / "toys").iterdir()) == []


def test_a_file_cut_short_leaves_nothing_behind(tmp_path, server, toys):
    server.cut.add("/uci/box/toys/toys.data")
    with pytest.raises(SourceError):
        get("toys", cache=tmp_path, base_url=server.url)
    assert list((tmp_path / "toys").iterdir()) == []


def test_a_server_that_does_not_have_it(tmp_path, server, toys):
    server.files.clear()
    with pytest.raises(SourceError, match=r"the server answers 404 Not Found\. Check the network"):
        get("toys", cache=tmp_path, base_url=server.url)


def test_no_network(tmp_path, server, toys):
    with pytest.raises(SourceError, match=r"cannot be fetched \(.*give its folder by --from .*toys\.data"):
        get("toys", cache=tmp_path, base_url="http://127.0.0.1:1/nobody")
    with pytest.raises(SourceError, match="it is not an address of the web"):
        get("toys", cache=tmp_path, base_url="file:///etc")
    assert not list((tmp_path / "toys").iterdir())


def test_a_cache_that_cannot_be_written(tmp_path, server, toys):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OutputError, match="cannot write"):
        get("toys", cache=tmp_path / "file", base_url=server.url)


@pytest.mark.parametrize("inner", ["", "toys"])
def test_a_folder_is_used_as_it_is(tmp_path, server, toys, inner):
    folder = tmp_path / inner
    folder.mkdir(exist_ok=True)
    (folder / "toys.data").write_bytes(TOYS)
    (folder / "toys.test.gz").write_bytes(MORE)
    assert get("toys", from_dir=tmp_path).table.num_rows == 4
    (folder / "toys.data").write_bytes(b"mine")
    with pytest.raises(SourceError, match="it is not the published file"):
        get("toys", from_dir=tmp_path)
    assert (folder / "toys.data").read_bytes() == b"mine"  # it is the user's
    (folder / "toys.data").unlink()
    with pytest.raises(SourceError, match=r"there is no such file\. Put toys\.data of toys there"):
        get("toys", from_dir=tmp_path)
    assert server.asked == []


def test_unknown_names_suggest_the_nearest():
    with pytest.raises(SourceError, match="Did you mean 'mushroom'"):
        get("mushrom")
    with pytest.raises(SourceError, match="There are: adult, german, kr-vs-kp"):
        info("titanic")


def test_the_catalogue_is_the_papers():
    assert {name: entry.outcome for name, entry in catalogue().items()} == OUTCOMES
    assert datasets.UCI.startswith("https://")


@pytest.mark.parametrize("name", OUTCOMES)
def test_the_papers_data_sets_are_read_as_the_standard_library_reads_them(name):
    expected = require(name)
    data = get(name, from_dir=FOLDER)
    assert data.table.column_names == expected.columns
    assert data.info.nominal == tuple(expected.nominal)
    assert data.info.rows == len(expected.rows)
    few = [expected.columns[1], expected.columns[-1]]  # twelve million values take their time
    for column in few if name == "census-income" else expected.columns:
        assert data.table[column].to_pylist() == [row[column] for row in expected.rows]

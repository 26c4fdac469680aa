"""The server in earnest: where it listens, raw requests, and how it begins and ends."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from causalrules.errors import MissingPackageError, PortError, SourceMissingError
from causalrules.explorer.server import opened
from explorer.asking import LIMITS, PEOPLE, people_csv, serving


def raw(url, request, *, then=b""):
    """Send bytes as they are and give all that comes back."""
    host, _, port = url.partition("/#")[0].removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(request)
        if then:
            line.sendall(then)
        answer = b""
        while piece := line.recv(65536):
            answer += piece
    return answer


def host_of(url):
    return url.partition("/#")[0].removeprefix("http://").encode()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    (folder / "people.csv").write_text(people_csv())
    with serving(folder) as url:
        yield url


def test_only_this_machine_can_connect(served):
    """Tried: the machine's other addresses. Nobody listens there."""
    port = int(host_of(served).partition(b":")[2])
    assert served.startswith("http://127.0.0.1:")
    addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in addresses - {"127.0.0.1"}:
        with pytest.raises(ConnectionRefusedError), socket.create_connection((address, port), timeout=2):
            pass


@pytest.mark.parametrize(
    "path",
    [
        b"/static/../../../../etc/passwd",
        b"/static/..%2f..%2fapp.py",
        b"/static/%2e%2e/%2e%2e/app.py",
        b"/static/..\\app.py",
        b"/static//etc/passwd",
        b"/static/explorer-explorer.html",
        b"/static/app.py",
        b"/static/report-page.html",
        b"/static/explorer-explorer.js%00.css",
        b"//etc/passwd",
        b"/api/../static/explorer-explorer.html",
    ],
)
def test_only_listed_scripts_and_styles_are_served(served, path):
    answer = raw(
        served, b"GET " + path + b" HTTP/1.1\r\nHost: " + host_of(served) + b"\r\nConnection: close\r\n\r\n"
    )
    assert answer.split(b" ")[1] in (b"404", b"400", b"401"), answer[:200]
    assert b"root:" not in answer
    assert b"import" not in answer


@pytest.mark.parametrize(
    "head",
    [
        b"GET /api/start HTTP/1.1\r\n\r\n",
        b"GET /api/start HTTP/1.0\r\n\r\n",
        b"GET http://evil.example/api/start HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET /api/start HTTP/1.1\r\nHost: %(host)s\r\nHost: evil.example\r\n\r\n",
        b"GET /api/start HTTP/1.1\r\nHost: %(host)s\r\nX-Forwarded-Host: evil.example\r\n\r\n",
        b"CONNECT evil.example:80 HTTP/1.1\r\nHost: %(host)s\r\n\r\n",
        b"NONSENSE\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ],
    ids=lambda head: repr(head[:45]),
)
def test_odd_requests_are_refused(served, head):
    answer = raw(
        served,
        head.replace(b"%(host)s", host_of(served)).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"),
    )
    assert not answer.startswith(b"HTTP/1.1 2"), answer[:200]
    for word in (b"Traceback", b"people", b"site-packages"):
        assert word not in answer


def test_a_websocket_is_not_opened(served):
    asked = (
        b"GET /api/start HTTP/1.1\r\nHost: "
        + host_of(served)
        + b"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    host, _, port = host_of(served).decode().partition(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(asked)
        assert b" 101 " not in line.recv(65536)


def test_idle_connections_keep_nobody_out(served):
    """Tried: as many silent connections as there may be at all. They are closed, and others are answered."""
    host, _, port = host_of(served).decode().partition(":")
    asked = b"GET / HTTP/1.1\r\nHost: " + host_of(served) + b"\r\nConnection: close\r\n\r\n"
    with ExitStack() as silent:
        for _ in range(LIMITS.connections):
            silent.enter_context(socket.create_connection((host, int(port)), timeout=20))
        time.sleep(2 * LIMITS.patience)
        assert b" 200 " in raw(served, asked).partition(b"\r\n")[0]


def test_an_endless_upload_is_cut_off_while_it_arrives(served):
    """Tried: chunks without an end and without a length. The line is answered long before they end."""
    token = served.partition("/#")[2].encode()
    head = (
        b"POST /api/uploads?name=a.csv HTTP/1.1\r\nHost: "
        + host_of(served)
        + b"\r\nX-Causalrules-Token: "
        + token
        + b"\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    host, _, port = host_of(served).decode().partition(":")
    sent = 0
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(head)
        try:
            while sent < 1000 * LIMITS.upload_bytes:
                line.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n")
                sent += 1024
        except OSError:
            pass
        try:
            answer = line.recv(65536)
        except OSError:
            answer = b""
    assert b"larger than 10,000 bytes" in answer or sent < 1000 * LIMITS.upload_bytes


def test_the_page_and_its_scripts_are_served(served):
    import httpx2

    from causalrules.explorer.browser_files import STATIC_FILES

    address = served.partition("/#")[0]
    page = httpx2.get(address + "/").text
    for name, file in STATIC_FILES.items():
        assert f"/static/{name}" in page
        answer = httpx2.get(f"{address}/static/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == file.media_type
        assert "eval(" not in answer.text
        assert "innerHTML" not in answer.text


def test_a_missing_source_names_what_is_near(tmp_path):
    (tmp_path / "people.csv").write_text(people_csv())
    with (
        pytest.raises(SourceMissingError, match=r"Did you mean 'people\.csv'"),
        opened(tmp_path / "peple.csv", 0, LIMITS),
    ):
        pass


def test_a_port_that_is_taken_is_named(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with (
            pytest.raises(PortError, match=rf"port {port} of this machine cannot be used: .* port="),
            opened(tmp_path, port, LIMITS),
        ):
            pass


@pytest.mark.parametrize("port", [-1, 70_000])
def test_a_port_that_does_not_exist_is_refused(tmp_path, port):
    with pytest.raises(PortError, match="there is no such port"), opened(tmp_path, port, LIMITS):
        pass


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_a_missing_package_is_named_with_the_line_that_fixes_it(tmp_path, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackageError) as error, opened(tmp_path, 0, LIMITS):
        pass
    assert str(error.value) == (
        f"the explorer needs {package}, which is not installed. "
        "Install it with: pip install 'causalrules[explorer]'"
    )


class Command:
    """`causalrules explore` as people start it."""

    def __init__(self, folder, *options):
        self.folder = folder
        environment = os.environ | {"TMPDIR": str(folder.parent), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "causalrules", "explore", *options, "--no-browser"],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.url = self.process.stdout.readline().strip()

    def ask(self, method, path, **more):
        import httpx2

        address, _, token = self.url.partition("/#")
        return httpx2.request(method, address + path, headers={"X-Causalrules-Token": token}, **more)

    def own_folders(self):
        return list(self.folder.parent.glob("causalrules-scratch-*"))

    def end(self, number):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@pytest.fixture
def command(tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "people.csv").write_text(people_csv())
    started = []

    def start(*options):
        started.append(Command(folder, *options))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_the_command_begins_answers_and_ends_without_a_trace(command, number, code):
    explorer = command()
    assert explorer.url.startswith("http://127.0.0.1:")
    assert [file["name"] for file in explorer.ask("GET", "/api/start").json()["files"]] == ["people.csv"]
    assert explorer.ask("POST", "/api/uploads?name=a.csv", content=people_csv()).status_code == 201
    assert len(explorer.own_folders()) == 1
    found, out, err = explorer.end(number)
    assert (found, out) == (code, "")
    assert "for this machine only" in err
    assert "Traceback" not in err
    assert explorer.url.partition("#")[2] not in err
    assert explorer.own_folders() == []


def test_ctrl_c_ends_a_search_that_is_under_way(command):
    explorer = command("people.csv")
    question = PEOPLE | {"settings": {"placebo": 2000}}
    assert explorer.ask("POST", "/api/runs", json=question).status_code == 202
    code, _, err = explorer.end(signal.SIGINT)
    assert code == 0
    assert "Traceback" not in err


def test_mining_lets_other_questions_be_answered(command, tmp_path):
    """A search in earnest: answers come while it is under way."""
    import random

    draw = random.Random(1)
    names = [f"c{number}" for number in range(40)]
    rows = [draw.choices("012", k=len(names)) for _ in range(20_000)]
    lines = [",".join([*row, "y" if sum(map(int, row)) > len(names) else "n"]) for row in rows]
    explorer = command()
    (explorer.folder / "wide.csv").write_text("\n".join([",".join([*names, "z"]), *lines]))
    question = {"file": "folder:wide.csv", "outcome": {"column": "z", "value": "y"}}
    number = explorer.ask("POST", "/api/runs", json=question).json()["id"]
    n_answers = 0
    while explorer.ask("GET", f"/api/runs/{number}").json()["progress"] is None:
        time.sleep(0.05)
    for _ in range(20):
        assert explorer.ask("GET", "/api/start").status_code == 200
        n_answers += explorer.ask("GET", f"/api/runs/{number}").json()["state"] == "running"
    assert n_answers == 20
    assert explorer.ask("POST", f"/api/runs/{number}/cancel").json()["stopping"]
    while explorer.ask("GET", f"/api/runs/{number}").json()["state"] == "running":
        time.sleep(0.05)
    run = explorer.ask("GET", f"/api/runs/{number}").json()
    assert run["state"] == "cancelled"
    saved = explorer.ask("GET", f"/api/runs/{number}/result.json").json()
    assert saved["interrupted"]
    assert len(saved["rules"]) == sum(run["verdicts"].values()) > 0


def test_mistakes_end_with_one_message(tmp_path):
    def refused(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "causalrules", "explore", *arguments, "--no-browser"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        return done.stderr

    assert refused("nowhere") == (
        "causalrules: cannot read nowhere: there is no such file. "
        "Name a file or a folder; without a name, the current folder is opened.\n"
    )
    assert refused(".", "--port", "70000").startswith(
        "causalrules: port 70000 of this machine cannot be used"
    )


def test_the_address_is_opened_in_the_browser_unless_told_not_to(tmp_path, monkeypatch):
    from causalrules.explorer import server

    shown = []
    monkeypatch.setattr(server.webbrowser, "open", shown.append)

    class Nothing:
        def run(self, sockets):
            time.sleep(0.2)

    monkeypatch.setattr(server, "make_server", lambda app, limits: Nothing())
    told = []
    server.explore(tmp_path, on_open=told.append)
    assert shown == told
    server.explore(tmp_path, on_open=told.append, open_browser=False)
    assert len(shown) == 1
    assert len({url.partition("#")[2] for url in told}) == 2  # a token of its own each time
    assert all(len(url.partition("#")[2]) >= 40 for url in told)


def test_the_page_s_files_are_part_of_the_package():
    from importlib.resources import files

    from causalrules.explorer.browser_files import SCRIPTS, STYLES

    folder = Path(str(files("causalrules.explorer"))) / "page"
    assert {file.name for file in folder.iterdir()} == {*SCRIPTS, *STYLES, "explorer.html"}

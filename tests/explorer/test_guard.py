"""Attacks on the explorer from other pages, other hosts and other programs: what was tried is refused."""

import pytest

from explorer.asking import PEOPLE

STATE_CHANGING = [
    ("POST", "/api/runs"),
    ("POST", "/api/table"),
    ("POST", "/api/items"),
    ("POST", "/api/uploads"),
    ("POST", "/api/runs/1/cancel"),
    ("DELETE", "/api/runs/1"),
]
READING = [
    ("GET", "/api/start"),
    ("GET", "/api/runs/1"),
    ("GET", "/api/runs/1/view"),
    ("GET", "/api/runs/1/result.json"),
    ("GET", "/api/compare/1/2"),
]


def refused(response, status):
    """Refused with one sentence that tells nothing about the data or the machine."""
    assert response.status_code == status, response.text
    body = response.json()
    assert body["error"].endswith(".")
    assert set(body) == {"error", "about"}
    for word in ("Traceback", "people", "/tmp", "site-packages"):
        assert word not in response.text


@pytest.mark.parametrize(("method", "path"), STATE_CHANGING + READING)
@pytest.mark.parametrize(
    "token", [None, "", "x", "almost", "Ü", "two"], ids=["none", "empty", "wrong", "prefix", "odd", "twice"]
)
def test_nobody_asks_without_the_token(explorer, method, path, token):
    headers = [(k, v) for k, v in explorer.client.headers.items() if k != "x-causalrules-token"]
    if token == "almost":
        headers.append(("X-Causalrules-Token", explorer.token[:-1]))
    elif token == "two":
        headers += [("X-Causalrules-Token", "wrong"), ("X-Causalrules-Token", explorer.token)]
    elif token is not None:
        headers.append(("X-Causalrules-Token", token.encode("latin-1")))
    del explorer.client.headers["X-Causalrules-Token"]
    refused(explorer.client.request(method, path, headers=headers), 401)


def test_the_token_does_not_count_in_the_address_or_in_a_cookie(explorer):
    token = explorer.client.headers.pop("X-Causalrules-Token")
    refused(explorer.client.get(f"/api/start?token={token}"), 401)
    refused(explorer.client.get("/api/start", headers={"Cookie": f"token={token}"}), 401)
    refused(explorer.client.get("/api/start", headers={"Authorization": f"Bearer {token}"}), 401)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1.evil.example:{port}",
        "localhost.evil.example:{port}",
        "0.0.0.0:{port}",
        "[::1]:{port}",
        "127.0.0.1:{port}@evil.example",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/", "/static/explorer-explorer.js", "/api/start"])
def test_a_name_that_was_made_to_point_here_is_refused(explorer, host, path):
    """DNS rebinding: the browser believes it talks to another host, and says so in the Host header."""
    port = explorer.address.rpartition(":")[2]
    refused(explorer.client.get(path, headers={"Host": host.format(port=port)}), 403)


def test_our_own_names_are_answered(explorer):
    port = explorer.address.rpartition(":")[2]
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LocalHost:{port}"):
        assert explorer.client.get("/api/start", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(("method", "path"), STATE_CHANGING + READING)
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "nonsense"},
    ],
    ids=str,
)
def test_another_page_cannot_ask_even_with_the_token(client, method, path, headers):
    """Cross-site request forgery, also from another port of this machine (which counts as the same site)."""
    refused(client.request(method, path, headers=headers), 403)


def test_our_own_page_can_ask(explorer):
    headers = {"Origin": explorer.address, "Sec-Fetch-Site": "same-origin"}
    assert explorer.client.post("/api/items", json=PEOPLE, headers=headers).status_code == 200


def test_the_page_is_opened_by_a_link_but_not_in_a_frame_or_as_a_script(client):
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert client.get("/", headers=followed).status_code == 200
    refused(client.get("/", headers=followed | {"Sec-Fetch-Dest": "iframe"}), 403)
    script = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "script"}
    refused(client.get("/static/explorer-explorer.js", headers=script), 403)


@pytest.mark.parametrize(
    "path", ["/", "/static/explorer-explorer.js", "/api/start", "/api/nothing", "/nothing", "/api/runs/9"]
)
def test_every_answer_tells_the_browser_what_to_refuse(client, path):
    headers = client.get(path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers


def test_refusals_tell_the_browser_the_same(client):
    response = client.get("/api/start", headers={"Host": "evil.example"})
    assert "default-src 'none'" in response.headers["content-security-policy"]


def test_a_preflight_is_not_answered_with_leave(client):
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    refused(client.options("/api/runs", headers=asked), 403)


def test_the_page_has_no_script_or_style_of_its_own(client):
    page = client.get("/").text
    assert "<style" not in page
    assert "style=" not in page
    assert page.count("<script") == page.count('<script src="/static/')
    assert " on" not in page.replace(" on ", " ").partition("<body")[0]


def test_an_unforeseen_error_tells_nothing(client, monkeypatch, caplog):
    from causalrules.explorer import app

    def broken():
        raise RuntimeError("inner matters at /home/somebody")

    monkeypatch.setattr(app, "form", broken)
    response = client.get("/api/start")
    refused(response, 500)
    assert "somebody" not in response.text
    assert "inner matters" in caplog.text  # the terminal is told


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE"])
def test_other_methods_are_refused(client, method):
    refused(client.request(method, "/api/start"), 405)

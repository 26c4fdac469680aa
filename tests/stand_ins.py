"""Servers that tests need, in this process or beside it: a PostgreSQL, an object store, a web server."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

import pytest

USER, PASSWORD = "ann", "se:cr/et@2 4"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _programs():
    """The folder of PostgreSQL's programs; a test is skipped without them, but not in CI."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if on_path or found:
        return Path(os.path.realpath(on_path)).parent if on_path else found[-1].parent
    if os.environ.get("CI") == "true":
        pytest.fail("PostgreSQL is not installed: .ci/run should have done it")
    pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")


@contextmanager
def postgresql():
    """The port of a PostgreSQL server of our own, which refuses to run as root."""
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="causalrules-postgresql-"))
    as_other = {}
    if os.getuid() == 0:
        import pwd

        entry = pwd.getpwnam("postgres")
        as_other = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        os.chown(folder, entry.pw_uid, entry.pw_gid)
    port = free_port()
    secret = folder / "secret"
    secret.write_text(PASSWORD)
    secret.chmod(0o644)
    run = {
        "check": True,
        "cwd": folder,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        **as_other,
    }
    data = folder / "data"
    try:
        subprocess.run(
            [programs / "initdb", "-D", data, "-U", USER, "-A", "scram-sha-256", "--pwfile", secret, "-N"],
            **run,
        )
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", folder, "-F"],
            **{key: value for key, value in run.items() if key != "check"},
        )
        try:
            _wait_for(port, server, programs)
            yield port
        finally:
            server.terminate()
            server.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(port, server, programs):
    """A server listens some time before it answers."""
    asking = [programs / "pg_isready", "-h", "127.0.0.1", "-p", str(port), "-q"]
    for _ in range(600):
        assert server.poll() is None, "PostgreSQL ended at once"
        if subprocess.run(asking, check=False).returncode == 0:
            return
        time.sleep(0.1)
    raise AssertionError("PostgreSQL does not answer")


class _Store(BaseHTTPRequestHandler):
    """As much of S3 as reading needs, and plain files for a web client; one key is accepted."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self._answer(with_body=False)

    def do_GET(self):
        self._answer(with_body=True)

    def _answer(self, with_body):
        parts = urlsplit(self.path)
        path, query = unquote(parts.path).strip("/"), parse_qs(parts.query, keep_blank_values=True)
        signed = self.headers.get("Authorization", "")
        if "AWS4" in signed and "Credential=right/" not in signed:
            return self._send(403, b"<Error><Code>AccessDenied</Code></Error>", with_body)
        if path.startswith("private/") and not signed.startswith("Basic "):
            return self._send(401, b"", with_body)
        if "list-type" in query:
            return self._send(200, self._listing(path, query), with_body)
        content = self.server.files.get(path)
        if content is None:
            return self._send(404, b"<Error><Code>NoSuchKey</Code></Error>", with_body)
        wanted = self.headers.get("Range", "").removeprefix("bytes=")
        if not wanted:
            return self._send(200, content, with_body)
        start, _, end = wanted.partition("-")
        piece = content[int(start) : int(end) + 1 if end else None]
        span = {"Content-Range": f"bytes {start}-{int(start) + len(piece) - 1}/{len(content)}"}
        return self._send(206, piece, with_body, span)

    def _listing(self, bucket, query):
        prefix = query.get("prefix", [""])[0]
        keys = [name.partition("/")[2] for name in self.server.files if name.startswith(f"{bucket}/")]
        found = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(self.server.files[f'{bucket}/{key}'])}</Size>"
            "<LastModified>2024-01-01T00:00:00.000Z</LastModified></Contents>"
            for key in sorted(keys)
            if key.startswith(prefix)
        )
        return (
            '<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>'
            f"<Prefix>{escape(prefix)}</Prefix><KeyCount>{found.count('<Key>')}</KeyCount>{found}</ListBucketResult>"
        ).encode()

    def _send(self, code, content, with_body, headers=()):
        self.send_response(code)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(content)


@contextmanager
def object_store(files):
    """The port of a server that has these files, by bucket and name."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Store)
    server.files = files
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

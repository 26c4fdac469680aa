"""Commands run in this process, which saves most of a second each; and what a terminal shows of one."""

import contextlib
import io
import os
import subprocess
import sys
from importlib import import_module
from typing import NamedTuple
from unittest.mock import patch

import pytest


class Said(NamedTuple):
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str


def run_command(*arguments):
    """Run ``causalrules`` with these arguments in the current folder."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    main = import_module("causalrules.cli.main").main
    typed = patch.object(sys, "argv", ["causalrules", *map(str, arguments)])
    with typed, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
    out.flush()
    return Said(code, out.buffer.getvalue().decode(), err.getvalue())


def seen_on_a_terminal(arguments, stream="stdout", other=subprocess.DEVNULL, **environment):
    """What a pseudo-terminal in the place of one stream gets from a command that succeeds.

    The other stream goes to `other`. Whether colours are wanted is said by the given environment alone.
    """
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "causalrules", *map(str, arguments)],
        **{"stdout": other, "stderr": other, stream: follower},
        env=kept | {"TERM": "xterm-256color", "COLUMNS": "80"} | environment,
    )
    os.close(follower)
    seen = b""
    with contextlib.suppress(OSError):  # the terminal's other end is closed when the command ends
        while piece := os.read(leader, 1 << 16):
            seen += piece
    os.close(leader)
    assert process.wait(timeout=60) == 0
    return seen

"""Commands run in this process: a new one takes most of a second to start, and says the same."""

import contextlib
import io
import sys
from importlib import import_module
from typing import NamedTuple
from unittest.mock import patch


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

"""The explorer from the terminal: the address to standard output, the rest to standard error."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from causalrules.explorer import explore
from causalrules.report.words.formatting import printable

if TYPE_CHECKING:
    from pathlib import Path


def run_explore(source: Path, port: int, *, open_browser: bool) -> None:
    """Serve until Ctrl-C, which is how it is meant to end."""
    logging.basicConfig(format="causalrules: %(message)s", level=logging.WARNING, stream=sys.stderr)

    def announce(url: str) -> None:
        _say(f"The explorer of {printable(str(source.resolve()))} is open, for this machine only, at")
        print(url, flush=True)
        _say("Whoever has this address can read these tables. Ctrl-C closes it.")

    with suppress(KeyboardInterrupt):
        explore(source, port=port, open_browser=open_browser, on_open=announce)
    _say("The explorer is closed; uploaded tables are removed.")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)

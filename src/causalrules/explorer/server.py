"""Open the explorer: one address of this machine, until Ctrl-C."""

from __future__ import annotations

import secrets
import signal
import socket
import sys
import webbrowser
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from causalrules.domain import Settings
from causalrules.errors import MissingPackageError, PortError, SourceMissingError
from causalrules.explorer.limits import Limits
from causalrules.files.scratch_folder import scratch_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

ADDRESS = "127.0.0.1"
"""This machine only: nothing on the network can connect."""

_TERMINATED = 143


@dataclass(frozen=True, slots=True)
class OpenedExplorer:
    """An application, the socket it is to be served at, and the address to open."""

    app: Any
    listener: socket.socket
    url: str


def explore(
    source: str | Path,
    *,
    port: int = 0,
    open_browser: bool = True,
    on_open: Callable[[str], None] = print,
) -> None:
    """Serve the explorer of a file or a folder until it is interrupted.

    Parameters
    ----------
    source : path
        A table, or a folder whose tables can be chosen.
    port : int
        Where to listen; 0 finds a free one.
    open_browser : bool
        Whether to show the page in the browser.
    on_open : callable
        Told the address, with its token, once it can be opened.
    """
    limits = Limits()
    with opened(source, port, limits) as explorer:
        server = make_server(explorer.app, limits)
        on_open(explorer.url)
        if open_browser:
            # A browser in the terminal would otherwise keep the server from answering it.
            Thread(target=webbrowser.open, args=(explorer.url,), daemon=True).start()
        with _ended_by_sigterm():
            server.run(sockets=[explorer.listener])


@contextmanager
def opened(source: str | Path, port: int, limits: Limits) -> Iterator[OpenedExplorer]:
    """Everything but the serving: a folder for uploads, a socket, a token, the application."""
    _require_packages()
    from causalrules.explorer.app import Explorer
    from causalrules.explorer.guard import Guard
    from causalrules.explorer.open_tables import OpenTables
    from causalrules.explorer.runs import Runs
    from causalrules.explorer.served_files import ServedFiles

    path = _existing(source)
    with (
        scratch_folder() as scratch,
        _listening(port) as listener,
    ):
        uploads = scratch / "uploads"
        uploads.mkdir()
        served = ServedFiles(path, uploads, limits)
        tables = OpenTables(served, limits)
        runs = Runs(tables, limits)
        token = secrets.token_urlsafe(32)
        own_port = listener.getsockname()[1]
        app = Guard(Explorer(served, tables, runs, limits).app(), token=token, port=own_port)
        Thread(target=_warm_up, daemon=True).start()
        try:
            yield OpenedExplorer(app, listener, f"http://{ADDRESS}:{own_port}/#{token}")
        finally:
            runs.close()


def _require_packages() -> None:
    for package in ("starlette", "uvicorn"):
        try:
            import_module(package)
        except ImportError as error:
            raise MissingPackageError("the explorer", package, "explorer") from error


def _warm_up() -> None:
    """Load the kernels while somebody is still choosing, so that the first answer does not wait for them."""
    from causalrules.search.job import DefaultJob
    from causalrules.warm_up import warm_up

    warm_up(DefaultJob.search, Settings())


def _existing(source: str | Path) -> Path:
    path = Path(source)
    if not path.exists():
        folder = path.parent
        nearby = [other.name for other in folder.iterdir()] if folder.is_dir() else []
        remedy = "Name a file or a folder; without a name, the current folder is opened."
        raise SourceMissingError(source, nearby, remedy)
    return path


@contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        if sys.platform != "win32":  # there it would let another program listen at the same port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((ADDRESS, port))
            listener.listen()
        except (OSError, OverflowError) as error:
            raise PortError(port, getattr(error, "strerror", None) or "there is no such port") from error
        yield listener


def make_server(app: Any, limits: Limits) -> Any:
    """A server that says nothing about itself, trusts no proxy, and closes connections that stay silent."""
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Impatient(H11Protocol):
        """Closes a connection that has not asked anything in time: idle ones would keep others out."""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.loop.call_later(limits.patience, self._give_up)

        def _give_up(self) -> None:
            if self.cycle is None:
                self.transport.close()

    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            ws="none",
            http=Impatient,
            limit_concurrency=limits.connections,
            timeout_graceful_shutdown=2,
        )
    )


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """End through the `finally` blocks also when the system asks to: uploads are removed then too."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(_TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)

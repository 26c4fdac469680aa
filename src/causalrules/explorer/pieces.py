"""What the browser loads: the report's own scripts and styles, and those of this package."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from causalrules.report.page import SCRIPTS as REPORT_SCRIPTS
from causalrules.report.page import STYLES as REPORT_STYLES
from causalrules.report.page import page_file

STYLES = ("explorer.css",)
SCRIPTS = (
    "ask.js",
    "controls.js",
    "files.js",
    "outcome.js",
    "columns.js",
    "settings.js",
    "hypothesis.js",
    "runs.js",
    "compare.js",
    "explorer.js",
)
"""Scripts, in the order they lean on each other; the last starts the page."""

_SKELETON = "explorer.html"
_MEDIA_TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A script or a style, and where it is kept."""

    name: str
    is_of_the_report: bool

    @property
    def address(self) -> str:
        """Where the browser asks for it."""
        return f"{'report' if self.is_of_the_report else 'explorer'}-{self.name}"

    @property
    def media_type(self) -> str:
        """What it is."""
        return _MEDIA_TYPES[self.name.rpartition(".")[2]]

    def content(self) -> str:
        """The text itself."""
        return page_file(self.name) if self.is_of_the_report else _own_file(self.name)


_STYLES = [*(Piece(name, True) for name in REPORT_STYLES), *(Piece(name, False) for name in STYLES)]
_SCRIPTS = [*(Piece(name, True) for name in REPORT_SCRIPTS), *(Piece(name, False) for name in SCRIPTS)]
PIECES = {piece.address: piece for piece in [*_STYLES, *_SCRIPTS]}
"""Everything that can be asked for, by its address."""


def page() -> str:
    """The page that loads them all; it says nothing about any data."""
    styles = "\n".join(f'<link rel="stylesheet" href="/static/{piece.address}">' for piece in _STYLES)
    scripts = "\n".join(f'<script src="/static/{piece.address}" defer></script>' for piece in _SCRIPTS)
    return _own_file(_SKELETON).replace("<!-- styles -->", styles).replace("<!-- scripts -->", scripts)


def _own_file(name: str) -> str:
    return files("causalrules.explorer").joinpath("page", name).read_text(encoding="utf-8")

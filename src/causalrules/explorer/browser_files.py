"""Files that the browser gets: the page with its scripts and styles."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from causalrules.report.page.html import SCRIPTS as REPORT_SCRIPTS
from causalrules.report.page.html import STYLES as REPORT_STYLES
from causalrules.report.page.html import page_file

STYLES = ("explorer.css",)
SCRIPTS = (
    "ask.js",
    "controls.js",
    "files.js",
    "threshold.js",
    "outcome.js",
    "columns.js",
    "settings.js",
    "hypothesis.js",
    "runs.js",
    "compare.js",
    "explorer.js",
)
"""Scripts, each after those it needs; the last starts the page."""

_SKELETON = "explorer.html"
_MEDIA_TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A script or a style, and where it is kept."""

    name: str
    is_from_report: bool

    @property
    def address(self) -> str:
        """Where the browser asks for it."""
        return f"{'report' if self.is_from_report else 'explorer'}-{self.name}"

    @property
    def media_type(self) -> str:
        """The kind of file, as HTTP names it."""
        return _MEDIA_TYPES[self.name.rpartition(".")[2]]

    def content(self) -> str:
        """The text itself."""
        return page_file(self.name) if self.is_from_report else _explorer_file(self.name)


_STYLES = [*(StaticFile(name, True) for name in REPORT_STYLES), *(StaticFile(name, False) for name in STYLES)]
_SCRIPTS = [
    *(StaticFile(name, True) for name in REPORT_SCRIPTS),
    *(StaticFile(name, False) for name in SCRIPTS),
]
STATIC_FILES = {file.address: file for file in [*_STYLES, *_SCRIPTS]}
"""All scripts and styles by address: a fixed list, so no path is ever made of what was asked for."""


def page() -> str:
    """The page that loads them all; it says nothing about any data."""
    styles = "\n".join(f'<link rel="stylesheet" href="/static/{file.address}">' for file in _STYLES)
    scripts = "\n".join(f'<script src="/static/{file.address}" defer></script>' for file in _SCRIPTS)
    return _explorer_file(_SKELETON).replace("<!-- styles -->", styles).replace("<!-- scripts -->", scripts)


def _explorer_file(name: str) -> str:
    return files("causalrules.explorer").joinpath("page", name).read_text(encoding="utf-8")

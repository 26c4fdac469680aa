"""What all pictures share: colours, and how they are saved."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from causalrules.errors import MissingPackageError, OutputNameError
from causalrules.whole_file import whole_file

if TYPE_CHECKING:
    import os
    from types import ModuleType

BLUE, ORANGE, GREEN, PINK, GREY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c8c8c"
"""Okabe and Ito's colours: the colour-blind can tell them apart."""

KINDS = (".png", ".svg", ".html")


def altair() -> ModuleType:
    """The drawing package, or one sentence on how to get it."""
    try:
        return import_module("altair")
    except ImportError as error:
        raise MissingPackageError("drawing a picture", "altair", "pictures") from error


def check_picture_name(path: str | os.PathLike[str]) -> None:
    """Raise now, before any work, if the name asks for another kind of picture."""
    if Path(path).suffix.lower() not in KINDS:
        raise OutputNameError(path, "a picture", KINDS)


def save(chart: Any, path: str | os.PathLike[str]) -> None:
    """Write a chart as PNG, SVG or HTML, by the ending of the file's name."""
    check_picture_name(path)
    kind = Path(path).suffix.lower()
    options = {"scale_factor": 2} if kind == ".png" else {}
    try:
        with whole_file(path) as unfinished:
            chart.save(str(unfinished), format=kind[1:], **options)
    except ValueError as error:
        if "vl-convert" in str(error):
            raise MissingPackageError("saving a picture", "vl-convert-python", "pictures") from error
        raise

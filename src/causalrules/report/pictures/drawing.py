"""What all pictures share: colours, how they are put together, and how they are saved."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from causalrules.errors import MissingPackageError, OutputNameError
from causalrules.files.whole_file import whole_file
from causalrules.report.terminal.fold import fold
from causalrules.report.words.sentences import printable

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from types import ModuleType

BLUE, ORANGE, GREEN, PINK, GREY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c8c8c"
"""Okabe and Ito's colours: the colour-blind can tell them apart."""

INK, FAINT = "#222222", "#666666"

_OPTIONS: dict[str, dict[str, Any]] = {
    ".png": {"scale_factor": 2},
    ".html": {
        "inline": True,  # Altair's default fetches its scripts from the network
        "embed_options": {"actions": {"export": True, "source": False, "compiled": False, "editor": False}},
    },
}
KINDS = (".png", ".svg", ".html")
_TITLE_CELLS = 88


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
    """Write a chart as PNG, SVG or HTML, by the ending of the file's name.

    An HTML file holds the scripts that draw it, so it opens without a network.
    """
    check_picture_name(path)
    kind = Path(path).suffix.lower()
    options = _OPTIONS.get(kind, {})
    write = getattr(chart, "save_as_altair", chart.save)
    try:
        with whole_file(path) as unfinished:
            write(str(unfinished), format=kind[1:], **options)
    except ValueError as error:
        if "vl-convert" in str(error):
            raise MissingPackageError("saving a picture", "vl-convert-python", "pictures") from error
        raise


def picture(*panels: Any, title: str, notes: Sequence[str] = ()) -> Any:
    """Panels side by side under a title in plain words, as an Altair chart whose `save` is ours."""
    alt = altair()
    heading = alt.TitleParams(
        fold(printable(title), _TITLE_CELLS),
        subtitle=[line for note in notes for line in fold(printable(note), _TITLE_CELLS + 20)],
        anchor="start",
        color=INK,
        subtitleColor=FAINT,
        fontSize=14,
        subtitleFontSize=11,
        offset=10,
    )
    return (
        _picture_class()(hconcat=list(panels), title=heading, background="white", spacing=30)
        .configure_view(stroke=None)
        .configure_axis(gridColor="#eeeeee", domainColor=GREY, tickColor=GREY, titleFontWeight="normal")
        .configure_legend(title=None, orient="top", labelLimit=400, symbolStrokeWidth=1.5)
    )


def message(title: str, text: str) -> Any:
    """A picture that says why there is nothing to draw."""
    alt = altair()
    words = alt.Chart(alt.Data(values=[{"text": fold(printable(text), 70)}]), width=460, height=60)
    return picture(
        words.mark_text(align="left", color=FAINT, fontSize=12).encode(
            text="text:N", x=alt.value(0), y=alt.value(20)
        ),
        title=title,
    )


@cache
def _picture_class() -> Any:
    """Altair's chart of charts, saved as `save` does: sharp, whole, and without the network."""
    alt = altair()
    about = "A picture; `save` writes PNG, SVG or HTML, `save_as_altair` is Altair's own."
    members = {"save": save, "save_as_altair": alt.HConcatChart.save, "__doc__": about}
    return type("Picture", (alt.HConcatChart,), members)

"""What all pictures share: colours, named rows, how they are put together, and how they are saved."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from causalrules.errors import MissingPackageError, OutputNameError, one_line
from causalrules.files.whole_file import whole_file
from causalrules.report.words.formatting import fold, printable

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence
    from types import ModuleType

BLUE, ORANGE, GREEN, PINK, SKY, GREY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#8c8c8c"
"""Okabe and Ito's colours: the colour-blind can tell them apart."""

INK, FAINT = "#222222", "#666666"

KINDS = (".png", ".svg", ".html")
_TITLE_CELLS = 88
_LABEL_CELLS = 40
_MOST_LABEL_LINES = 4
_LINE_HEIGHT = 13
_ROW_GAP = 11
_HEADING_HEIGHT = 22


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

    An HTML file holds the finished drawing and no script: a name in the data
    cannot become one, and the file opens without a network.
    """
    check_picture_name(path)
    kind = Path(path).suffix.lower()
    write = getattr(chart, "save_as_altair", chart.save)
    with whole_file(path) as unfinished, _converter_at_hand():
        if kind == ".html":
            Path(unfinished).write_text(_page_of(_svg_of(chart)), encoding="utf-8")
        else:
            write(str(unfinished), format=kind[1:], scale_factor=2 if kind == ".png" else 1)


def _svg_of(chart: Any) -> str:
    drawn = StringIO()
    getattr(chart, "save_as_altair", chart.save)(drawn, format="svg")
    return drawn.getvalue()


def _page_of(svg: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>causalrules</title></head>'
        f"<body>{svg}</body></html>"
    )


@contextmanager
def _converter_at_hand() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        if "vl-convert" in str(error):
            raise MissingPackageError("saving a picture", "vl-convert-python", "pictures") from error
        raise


def _shown_in_notebook(chart: Any, *_: Any, **__: Any) -> dict[str, str]:
    """What a notebook shows: the finished drawing, which needs no script and no network."""
    with _converter_at_hand():
        return {"image/svg+xml": _svg_of(chart)}


def _with_printable_texts(part: Any) -> Any:
    """The description of a chart whose texts hold no control characters, which no SVG file may hold."""
    if isinstance(part, str):
        return one_line(part)
    if isinstance(part, dict):
        return {key: _with_printable_texts(value) for key, value in part.items()}
    return [_with_printable_texts(value) for value in part] if isinstance(part, list) else part


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
    """Altair's chart of charts, saved and shown as a finished drawing."""
    chart_of_charts = altair().HConcatChart

    def to_dict(chart: Any, *args: Any, **options: Any) -> Any:
        return _with_printable_texts(chart_of_charts.to_dict(chart, *args, **options))

    members = {
        "save": save,
        "save_as_altair": chart_of_charts.save,
        "to_dict": to_dict,
        "_repr_mimebundle_": _shown_in_notebook,
        "__repr__": lambda _: '<Picture: .save("picture.png") writes it, notebooks show it>',
        "__doc__": "A picture; `save` writes PNG, SVG or HTML, `save_as_altair` is Altair's own.",
    }
    return type("Picture", (chart_of_charts,), members)


@dataclass(frozen=True, slots=True)
class Rows:
    """Named rows one below the other, each as high as its folded name needs: names never overlap.

    `centres` are in pixels from the top, like `height`.

    Examples
    --------
    >>> rows = Rows.of(["short", "a column=with a rather long value & another=of the same kind"])
    >>> rows.centres, rows.height
    ([34.0, 64.5], 83)
    """

    labels: list[list[str]]
    centres: list[float]
    height: int

    @classmethod
    def of(cls, names: Sequence[str], *, headed: bool = True) -> Rows:
        """Fold the names and stack them, below a line of headings if there is one."""
        labels = [folded_label(name) for name in names]
        centres, top = [], _HEADING_HEIGHT if headed else 0
        for lines in labels:
            size = _LINE_HEIGHT * len(lines) + _ROW_GAP
            centres.append(top + size / 2)
            top += size
        return cls(labels, centres, top)

    def y(self, alt: Any, field: str = "y") -> Any:
        """The vertical channel of everything drawn in these rows."""
        # Altair's own axis of names gives all rows one height and cuts long names, so rows are
        # placed in pixels here and names are drawn as texts.
        return alt.Y(f"{field}:Q", scale=self.scale(alt), axis=None)

    def scale(self, alt: Any) -> Any:
        """Pixels as they are, from the top down."""
        return alt.Scale(domain=[0, self.height], range=[0, self.height], nice=False, zero=False, padding=0)

    def names(self, alt: Any) -> Any:
        """The names, left of the plot."""
        entries = [
            {"label": label, "y": y - _LINE_HEIGHT * (len(label) - 1) / 2}  # where the first line stands
            for label, y in zip(self.labels, self.centres, strict=True)
        ]
        return self.texts(alt, entries, "label", x=-10, align="right", color=INK)

    def texts(self, alt: Any, entries: list[dict[str, Any]], field: str, **style: Any) -> Any:
        """A column of texts at one horizontal place."""
        x = style.pop("x")
        return (
            alt.Chart(alt.Data(values=entries))
            .mark_text(baseline="middle", fontSize=11, lineHeight=_LINE_HEIGHT, limit=0, **style)
            .encode(text=f"{field}:N", x=alt.value(x), y=self.y(alt))
        )

    def heading(self, alt: Any, text: str, **style: Any) -> Any:
        """A heading above a column of texts."""
        return self.texts(alt, [{"text": text, "y": _HEADING_HEIGHT / 2}], "text", color=FAINT, **style)

    def stripes(self, alt: Any) -> Any:
        """Thin lines that lead the eye from a name to its marks."""
        entries = [{"y": y} for y in self.centres]
        return alt.Chart(alt.Data(values=entries)).mark_rule(color="#f0f0f0").encode(y=self.y(alt))


def folded_label(name: str) -> list[str]:
    """The name on a few lines; what is too long for them ends in an ellipsis."""
    lines = fold(printable(name), _LABEL_CELLS)
    return (
        lines
        if len(lines) <= _MOST_LABEL_LINES
        else [*lines[: _MOST_LABEL_LINES - 1], f"{lines[_MOST_LABEL_LINES - 1]}…"]
    )

"""The participant flow as a drawing: boxes below one another, and beside them who was left out."""

from __future__ import annotations

from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from causalrules.errors import MissingPackageError, OutputNameError
from causalrules.files.whole_file import whole_file
from causalrules.publish.participant_flow import count_of_pairs
from causalrules.report.words.formatting import fold, printable

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules.publish.participant_flow import Flow

_LINE, _PAD, _GAP = 17, 10, 26
_WIDTH, _BOX = 760, 330
_LEFT, _RIGHT = 190, 570
_CELLS = 34
_KINDS = (".svg", ".png", ".html")


class _Box(NamedTuple):
    """Lines of text in a frame, `x` being its middle."""

    x: int
    y: int
    width: int
    lines: tuple[str, ...]

    @property
    def height(self) -> int:
        return len(self.lines) * _LINE + 2 * _PAD

    @property
    def bottom(self) -> int:
        return self.y + self.height

    def drawn(self, fill: str, stroke: str) -> str:
        # Attributes instead of a style sheet: drawings stand in pages, and theirs must not reach the page.
        left = self.x - self.width // 2
        texts = "".join(
            f'<text x="{self.x}" y="{self.y + _PAD + _LINE * i + 13}">{escape(line)}</text>'
            for i, line in enumerate(self.lines)
        )
        return (
            f'<rect x="{left}" y="{self.y}" width="{self.width}" height="{self.height}" rx="3" fill="{fill}" '
            f'stroke="{stroke}"/>{texts}'
        )


def draw_flow(flow: Flow) -> str:
    """The drawing as SVG, without scripts and with a text for those who do not see it."""
    drawing = _Drawing()
    above = drawing.add(_Box(_LEFT, 10, _BOX, (f"{flow.read:,} records read",)))
    above = _step(
        drawing,
        above,
        "outcome not known",
        flow.read - flow.outcome_known,
        (f"{flow.outcome_known:,} records", "with a known outcome"),
    )
    if flow.kept_aside:
        tested = flow.outcome_known - flow.kept_aside
        above = _step(
            drawing,
            above,
            "used to find hypotheses",
            flow.kept_aside,
            (f"{tested:,} records", "held out for testing"),
        )
    above = _step(
        drawing,
        above,
        "exposure not known",
        flow.exposure_unknown,
        (f"{flow.exposure_known:,} records", "with a known exposure"),
    )
    arms = _arms(flow)
    top = above.bottom + _GAP + 8
    ends = []
    for x, (head, lost, matched) in zip((_LEFT, _RIGHT), arms, strict=True):
        arm = drawing.add(_Box(x, top, _BOX, head))
        drawing.elbow(above.x, above.bottom, x, top)
        left_out = drawing.add(_Box(x, arm.bottom + _GAP, _BOX, lost), faint=True)
        drawing.arrow(x, arm.bottom, left_out.y)
        last = drawing.add(_Box(x, left_out.bottom + _GAP, _BOX, matched))
        drawing.arrow(x, left_out.bottom, last.y)
        ends.append(last)
    lowest = max(end.bottom for end in ends)
    pairs: tuple[str, ...] = (f"{count_of_pairs(flow.pairs)} matched pairs, averaged over all pairings",)
    if flow.discordant is not None:
        pairs += (f"{count_of_pairs(flow.discordant)} of them differ in the outcome",)
    drawing.add(_Box(380, lowest + _GAP, 420, pairs))
    for end in ends:
        drawing.elbow(end.x, end.bottom, 380, lowest + _GAP)
    return drawing.finished(f"Participant flow of {printable(flow.rule)}: {_in_words(flow)}")


def _step(drawing: _Drawing, above: _Box, why: str, n_lost: int, lines: tuple[str, ...]) -> _Box:
    """The next box of the main path, and beside the arrow those who did not get there."""
    box = drawing.add(_Box(above.x, above.bottom + 2 * _GAP, _BOX, lines))
    drawing.arrow(above.x, above.bottom, box.y)
    middle = above.bottom + _GAP
    side = _Box(_RIGHT, middle - (_LINE + 2 * _PAD) // 2, _BOX, (f"{n_lost:,} left out: {why}",))
    drawing.add(side, faint=True)
    drawing.across(above.x, side.x - side.width // 2, middle)
    return box


def _arms(flow: Flow) -> list[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]]:
    """For both arms: who they are, who was lost, who was compared."""
    name = fold(printable(flow.rule), _CELLS)[:4]
    found: list[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = []
    for arm, size, missing, unmatched, matched in (
        ("exposed", flow.exposed, flow.missing_exposed, flow.unmatched_exposed, flow.matched_exposed),
        (
            "unexposed",
            flow.unexposed,
            flow.missing_unexposed,
            flow.unmatched_unexposed,
            flow.matched_unexposed,
        ),
    ):
        about = name if arm == "exposed" else ["without it", *[""] * (len(name) - 1)]
        head = (f"{size:,} {arm}", *about)
        lost = (
            f"{flow.missing:,} of both arms left out: a confounder missing"
            if missing is None
            else f"{missing:,} left out: a confounder missing",
            f"{unmatched:,} without partners",
        )
        told = "matched" if matched is None else f"{matched:,} matched"
        found.append((head, lost, (told,)))
    return found


def _in_words(flow: Flow) -> str:
    return "; ".join(
        f"{line.name}: {' / '.join(str(cell) for cell in line.cells if cell is not None)}"
        for line in flow.sheet.lines
    )


class _Drawing:
    """Boxes and arrows."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._bottom = 0

    def add(self, box: _Box, *, faint: bool = False) -> _Box:
        """Draw a box; faint ones are those of records left out."""
        self._parts.append(box.drawn(*(("#f3f3f3", "#999") if faint else ("#fff", "#222"))))
        self._bottom = max(self._bottom, box.bottom)
        return box

    def arrow(self, x: int, start: int, end: int) -> None:
        """Straight down."""
        self._line(f"M{x} {start}V{end - 1}")

    def across(self, start: int, end: int, y: int) -> None:
        """To the right."""
        self._line(f"M{start} {y}H{end - 1}")

    def elbow(self, x: int, start: int, to: int, end: int) -> None:
        """Down, across and down."""
        self._line(f"M{x} {start}V{end - 14}H{to}V{end - 1}")

    def _line(self, path: str) -> None:
        self._parts.insert(0, f'<path d="{path}" fill="none" stroke="#222" marker-end="url(#flow-arrow)"/>')

    def finished(self, told: str) -> str:
        """The whole drawing."""
        height = self._bottom + 10
        head = (
            '<defs><marker id="flow-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
            'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#222"/></marker></defs>'
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
            f'height="{height}" role="img"><title>{escape(told)}</title>{head}'
            f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>'
            f'<g font-family="Helvetica,Arial,sans-serif" font-size="13" '
            f'text-anchor="middle" fill="#222">{"".join(self._parts)}</g></svg>'
        )


def save_drawing(svg: str, path: Path) -> None:
    """Write a drawing as SVG, PNG or HTML; whole or not at all."""
    kind = path.suffix.lower()
    if kind not in _KINDS:
        raise OutputNameError(path, "a picture", _KINDS)
    with whole_file(path) as unfinished:
        if kind == ".png":
            unfinished.write_bytes(as_png(svg))
        elif kind == ".html":
            head = '<meta charset="utf-8"><title>Participant flow</title>'
            page = f'<!doctype html><html lang="en"><head>{head}</head><body>{svg}</body></html>'
            unfinished.write_text(page, encoding="utf-8")
        else:
            unfinished.write_text(svg, encoding="utf-8")


def as_png(svg: str) -> bytes:
    """A drawing in pixels; the converter is part of the extra `publish`."""
    try:
        converter = import_module("vl_convert")
    except ImportError as error:
        raise MissingPackageError("a PNG", "vl-convert-python", "publish") from error
    drawn: bytes = converter.svg_to_png(svg, scale=2)
    return drawn

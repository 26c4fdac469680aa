"""Named rows one below the other: each as high as its folded name needs, so that names never overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.report.pictures.drawing import FAINT, INK
from causalrules.report.terminal.fold import fold
from causalrules.report.words.sentences import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

LABEL_CELLS = 40
_MOST_LINES = 4
_LINE = 13
_GAP = 11
_HEADING = 22


@dataclass(frozen=True, slots=True)
class Rows:
    """Where each row stands, in pixels from the top.

    Examples
    --------
    >>> rows = Rows.of(["short", "a column=with a rather long value & another=of the same kind"])
    >>> rows.places, rows.height
    ([34.0, 64.5], 83)
    """

    labels: list[list[str]]
    places: list[float]
    height: int

    @classmethod
    def of(cls, names: Sequence[str], *, headed: bool = True) -> Rows:
        """Fold the names and stack them, below a line of headings if there is one."""
        labels = [folded_label(name) for name in names]
        places, top = [], _HEADING if headed else 0
        for lines in labels:
            size = _LINE * len(lines) + _GAP
            places.append(top + size / 2)
            top += size
        return cls(labels, places, top)

    def y(self, alt: Any, field: str = "y") -> Any:
        """The vertical channel of everything drawn in these rows."""
        return alt.Y(f"{field}:Q", scale=self.scale(alt), axis=None)

    def scale(self, alt: Any) -> Any:
        """Pixels as they are, from the top down."""
        return alt.Scale(domain=[0, self.height], range=[0, self.height], nice=False, zero=False)

    def names(self, alt: Any) -> Any:
        """The names, left of the plot."""
        entries = [
            {"label": label, "y": y - _LINE * (len(label) - 1) / 2}  # where the first line stands
            for label, y in zip(self.labels, self.places, strict=True)
        ]
        return self.texts(alt, entries, "label", x=-10, align="right", color=INK)

    def texts(self, alt: Any, entries: list[dict[str, Any]], field: str, **look: Any) -> Any:
        """A column of texts at one horizontal place."""
        x = look.pop("x")
        return (
            alt.Chart(alt.Data(values=entries))
            .mark_text(baseline="middle", fontSize=11, lineHeight=_LINE, limit=0, **look)
            .encode(text=f"{field}:N", x=alt.value(x), y=self.y(alt))
        )

    def heading(self, alt: Any, text: str, **look: Any) -> Any:
        """A heading above a column of texts."""
        return self.texts(alt, [{"text": text, "y": _HEADING / 2}], "text", color=FAINT, **look)

    def stripes(self, alt: Any) -> Any:
        """Thin lines that lead the eye from a name to its marks."""
        entries = [{"y": y} for y in self.places]
        return alt.Chart(alt.Data(values=entries)).mark_rule(color="#f0f0f0").encode(y=self.y(alt))


def folded_label(name: str) -> list[str]:
    """The name on a few lines; what is too long for them ends in an ellipsis."""
    lines = fold(printable(name), LABEL_CELLS)
    return lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 1], f"{lines[_MOST_LINES - 1]}…"]

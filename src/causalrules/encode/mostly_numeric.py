"""Columns that are nearly numbers or dates: a few texts among them make every value a category.

Such a column is not tested as what it is, and often left out as having too
many values. What the texts mean only the user knows, so the column stays as it
is and is named, with the way on.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from causalrules.domain.marker_phrases import DECIMAL_COMMA
from causalrules.domain.missing_values import missing_in, said_before
from causalrules.domain.quoted_names import typed_list
from causalrules.domain.sentences import counted, listed
from causalrules.encode.values import as_numpy, cleaned, is_text
from causalrules.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from causalrules.encode.column_roles import Roles
    from causalrules.encode.tally import Tally

Look = Literal["number", "comma", "unit", "date", "day first", "other"]

_MOSTLY, _PARTLY = 0.8, 0.2
_CLEARLY_NUMBERS = 50
"""From so many different numbers on, a few words beside them, as of a sensor that fails, may be frequent."""
_MOST_NAMED = 8
_MANY_NUMBERS, _MANY_COMMAS, _FEW_UNITS, _FEW_WORDS, _SHOWN = 10, 6, 3, 5, 3
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_COMMA = r"[+-]?(?:\d+,\d+|\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d+)?)"
_SIGNS = "€$£¥%‰°"
_AFTER = rf"[{_SIGNS}]|[^\W\d_][\w/²³°]{{0,7}}"
_UNIT = rf"(?P<before>[<>≤≥~±{_SIGNS}]*)\s*(?:{_COMMA}|{_NUMBER})\s*(?P<after>{_AFTER})?"
_LOOKS: tuple[tuple[Look, re.Pattern[str]], ...] = (
    ("number", re.compile(_NUMBER)),
    (
        "date",
        re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?"),
    ),
    ("day first", re.compile(r"(\d{1,2})[./-](\d{1,2})[./-]\d{4}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?")),
    ("comma", re.compile(_COMMA)),
    ("unit", re.compile(_UNIT)),
)
_MAY_BEGIN_A_NUMBER = rf"^[<>≤≥~±+\-{_SIGNS} ]*[.]?[0-9]"
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_ALL_COMMAS = re.compile(r"[+-]?\d+(,\d+)?")
_MONEY = re.compile("[€$£¥]?")
_CENTS_AFTER_COMMA = re.compile(r"\d,\d{1,2}(?!\d)")
_CODE = re.compile(r"[A-Za-z]+[\d.-]+")
_FOR_ITS_OWN = "so that it counts as texts, each a category of its own."


def look_of(text: str) -> Look:
    """What a text looks like.

    Examples
    --------
    >>> [look_of(text) for text in ("-1.5e3", "0,7", "1.061,00 €", "<0.1", "2024-05-01", "31.12.2024", "A 1")]
    ['number', 'comma', 'unit', 'unit', 'date', 'day first', 'other']
    """
    return next((look for look, pattern in _LOOKS if pattern.fullmatch(text)), "other")


def mostly_numeric(name: str, tally: Tally, roles: Roles) -> tuple[str, list[str]]:
    """An example of numbers with a decimal comma if all texts are, else notes on what a column nearly is.

    The user's word ends the doubt.
    """
    if roles.is_categorical(name) or not _may_be_numbers(tally):
        return "", []
    column = _Looks.of(name, tally, roles)
    if column.are_all_with_thousands:
        return "", [column.with_thousands()]
    if column.are_all_with_commas:
        return min(text for text in column.counts if "," in text), []
    return "", column.note() if roles.settings.holds_columns else []


def on_decimal_commas(shown: Mapping[str, str], *, is_text_file: bool) -> list[str]:
    """A note on all columns with decimal commas, by name with one of their numbers."""
    if not shown:
        return []
    columns, seem = ("Column", "seems") if len(shown) == 1 else ("Columns", "seem")
    way = "With --decimal , they are numbers." if is_text_file else "Write them with a point."
    named, example = listed([quoted(name) for name in shown], _MOST_NAMED), next(iter(shown.values()))
    return [
        f"{columns} {named} {seem} to hold {DECIMAL_COMMA} ({example}); they count as texts, "
        f"each a category of its own. {way}"
    ]


def texts_among_numbers(name: str, tally: Tally, roles: Roles) -> str:
    """How many values of a column that was to be numbers are none, and which; empty if all are none."""
    column = _Looks.of(name, tally, roles)
    n_known, n_others = sum(column.counts.values()), column.n_other_than(("number",))
    shown = column.shown_but(("number",))
    return "" if n_others == n_known else f"{n_others:,} other values among {n_known:,} {shown}"


def _may_be_numbers(tally: Tally) -> bool:
    """Whether many records have a text that begins as a number does; one look at all values at once."""
    if tally.overflowed or not len(tally.values) or not is_text(tally.values.type):
        return False
    begins = pc.match_substring_regex(pc.utf8_trim_whitespace(tally.values), _MAY_BEGIN_A_NUMBER)
    n_known, mask = int(tally.counts.sum()), as_numpy(begins.cast(pa.int32()), np.int32(0)) > 0
    is_so = n_known > 0 and int(tally.counts[mask].sum()) >= _PARTLY * n_known
    return is_so and tally.numbers is None


@dataclass(frozen=True, slots=True)
class _Looks:
    """A column's texts with their records, and what each looks like."""

    name: str
    roles: Roles
    counts: Counter[str]
    looks: dict[str, Look]

    @classmethod
    def of(cls, name: str, tally: Tally, roles: Roles) -> _Looks:
        counts: Counter[str] = Counter()
        texts = cleaned(tally.values, missing_in(roles.settings.missing, name)).to_pylist()
        for text, count in zip(texts, tally.counts.tolist(), strict=True):
            if text is not None:
                counts[text] += count
        return cls(name, roles, counts, {text: look_of(text) for text in counts})

    @property
    def are_all_with_commas(self) -> bool:
        has_comma = any("," in text for text in self.counts)
        return has_comma and len(self.counts) >= _MANY_COMMAS and all(map(_ALL_COMMAS.fullmatch, self.counts))

    @property
    def commas(self) -> list[str]:
        """Numbers with a comma."""
        return [text for text, look in self.looks.items() if look == "comma" and "," in text]

    @property
    def have_thousands(self) -> bool:
        """Whether all commas stand between thousands, as in 12,922; 0,711 and 1,5 are decimals."""
        return len(self.commas) >= _MANY_COMMAS and all(map(_THOUSANDS.fullmatch, self.commas))

    @property
    def are_all_with_thousands(self) -> bool:
        n_numbers = sum(look == "number" for look in self.looks.values())
        return self.have_thousands and n_numbers + len(self.commas) == len(self.looks)

    def with_thousands(self) -> str:
        """What to do about commas between thousands; of one comma before three digits nobody can be sure."""
        shown = self.shown_but(("number", "unit", "other", "date", "day first"))
        way = "With --thousands , they are numbers" if self.is_text_file else "Write them without it"
        if all(text.count(",") == 1 and "." not in text for text in self.looks):
            way += "; if it is a decimal sign, " + (
                "--decimal , makes them numbers" if self.is_text_file else "write a point"
            )
        return f"{self.name} has numbers with a comma between thousands {shown}, {_FOR_ITS_OWN} {way}."

    @property
    def is_text_file(self) -> bool:
        """Whether options say how its numbers are written: a file of text, or a sheet."""
        return self.roles.declared.has_written_values

    def note(self) -> list[str]:
        """What the column nearly is, how much of it is not, and what to do."""
        if self._mostly("day first"):
            return [self._with_day_or_month_first()]
        if self._mostly("date"):
            return self._with_others(("date",), "date")
        if self._mostly("number", "comma"):
            has_points = self._n("number") > 0
            return self._with_others(("number",) if has_points else ("comma",), "number")
        if self._mostly("number", "comma", "unit") and len(self._units()) <= _FEW_UNITS:
            shown = self.shown_but(("number", "comma", "other", "date", "day first"))
            way = "Write the numbers alone in the table."
            if self.is_text_file and all(_MONEY.fullmatch(before + after) for before, after in self._units()):
                option = "--decimal , --thousands ." if self._are_with_decimal_commas else "--thousands ,"
                way = f"With {option} they are numbers."
            return [f"{self.name} has numbers with a unit or a sign {shown}, {_FOR_ITS_OWN} {way}"]
        return []

    @property
    def _are_with_decimal_commas(self) -> bool:
        """Whether amounts are written as 1.061,00 €."""
        return any(_CENTS_AFTER_COMMA.search(text) for text in self.looks)

    def _with_others(self, looks: Sequence[Look], kind: str) -> list[str]:
        others = [text for text, look in self.looks.items() if look not in looks]
        if others and all(map(_CODE.fullmatch, others)):  # V57 among 250.83: they are codes, all of them
            return []
        n_others = self.n_other_than(looks)
        told = counted(n_others, "other value") if n_others else "other values"
        comma = " with a decimal comma" if looks == ("comma",) else ""
        return [
            f"{self.name} has {self._n(*looks):,} {kind}s{comma}, but also {told} "
            f"{self.shown_but(looks)}, {_FOR_ITS_OWN} {' '.join(self._ways_on(others, kind))}"
        ]

    def _ways_on(self, others: Sequence[str], kind: str) -> Iterator[str]:
        commas = [text for text in others if self.looks[text] == "comma"] if self.is_text_file else []
        words = [text for text in others if not any(map(str.isdigit, text))]
        if commas and kind == "number":
            option = "--thousands" if self.have_thousands else "--decimal"
            yield f"With {option} , those with a comma are numbers."
        if words and len(words) <= _FEW_WORDS and len(words) + len(commas) == len(others):
            own = [f"{self.name}={word}" for word in sorted(words)]
            option = f"--missing {typed_list([*said_before(self.roles.settings.missing), *own])}"
            they, makes = ("the others", "says so") if commas else ("they", f"makes {self.name} a {kind}")
            known = f"If {they} mean that nothing is known, {option} {makes}"
            yield f"{known}; else write them as {kind}s in the table."
        elif len(commas) < len(others):
            yield f"Write them as {kind}s in the table, or leave them empty."

    def _with_day_or_month_first(self) -> str:
        pattern = next(pattern for look, pattern in _LOOKS if look == "day first")
        found = [match for text in self.counts if (match := pattern.fullmatch(text))]
        is_month_first = any(int(match[2]) > 12 for match in found)
        shown = self.shown_but(("number", "comma", "unit", "other", "date"))
        first, way = "day", "With --day-first they are dates."
        if is_month_first:
            first, way = "month", "Write them as 2024-12-31 in the table."
        elif not self.is_text_file:
            way = "Write them as dates in the table."
        return f"{self.name} has dates with the {first} first {shown}, {_FOR_ITS_OWN} {way}"

    def _mostly(self, *looks: Look) -> bool:
        """Whether most records look so, and differ enough for a quantity."""
        n_different = sum(look in looks for look in self.looks.values())
        are_few_others = n_different >= _CLEARLY_NUMBERS and len(self.looks) - n_different <= _FEW_WORDS
        share = _PARTLY if are_few_others else _MOSTLY
        return n_different >= _MANY_NUMBERS and 0 < sum(self.counts.values()) * share <= self._n(*looks)

    def _n(self, *looks: Look) -> int:
        return sum(count for text, count in self.counts.items() if self.looks[text] in looks)

    def n_other_than(self, looks: Sequence[Look]) -> int:
        """Records with a text that looks otherwise."""
        return sum(self.counts.values()) - self._n(*looks)

    def shown_but(self, looks: Iterable[Look]) -> str:
        """A few texts that look otherwise, the most frequent first."""
        others = [text for text, look in self.looks.items() if look not in tuple(looks)]
        others.sort(key=lambda text: (-self.counts[text], text))
        more = ", …" if len(others) > _SHOWN else ""
        return f"({', '.join(map(quoted, others[:_SHOWN]))}{more})"

    def _units(self) -> set[tuple[str, str]]:
        pattern = next(pattern for look, pattern in _LOOKS if look == "unit")
        texts = (text for text, look in self.looks.items() if look == "unit")
        found = (pattern.fullmatch(text) for text in texts)
        return {(match["before"], match["after"] or "") for match in found if match}

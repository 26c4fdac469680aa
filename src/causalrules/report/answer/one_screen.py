"""The answer on one screen: at most 40 lines of 80 columns, whatever the table; causes first, by name."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from causalrules.domain.sentences import counted
from causalrules.report.answer.card import card_lines
from causalrules.report.answer.cause_rows import CauseRows
from causalrules.report.answer.sentences import FIRST, in_short, option, safe, sentence, told
from causalrules.report.answer.wording import LISTED, WIDTH, Line, Scale, fitting, listing, shown, wrapped
from causalrules.words.constants import COMPARABLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from causalrules.words.findings import Finding, Note
    from causalrules.words.result import Result

MOST_LINES = 40
"""Lines of an answer that was not asked for everything: a terminal's screen."""

_POSSIBLE_LINES = 6
"""Lines that possible causes may take of them."""

_FIRST_NAMES = 20
"""Cells of a name in the second line."""

_CAUTIONS = 2
"""Lines of what the reader must know of the whole table."""

_EXPLAINING = 3
"""Columns that are named for each that they explain."""


@dataclass(frozen=True)
class OneScreen:
    """The answer of a result, in parts.

    Parameters
    ----------
    result : Result
    everything : bool
        Whether nothing is cut.
    file : str
        Where the result was saved, if it was: for commands to paste.
    """

    result: Result
    everything: bool = False
    file: str = ""

    def lines(self) -> list[Line]:
        """The whole answer."""
        head, rest = self._head(), self._rest()
        causes = self._with("cause", "indirect")
        named = self._rows.of([*causes, *self._with("possible")])
        shown_causes, possible = named[: len(causes)], named[len(causes) :]
        heading = "Possible causes:" if causes else "Only possible causes:"
        possible = [[Line(heading)], *possible] if possible else []
        room = MOST_LINES - len(head) - len(rest)
        if not self.everything and sum(map(len, [*shown_causes, *possible])) > room:
            rest = self._rest(is_short=True)
            room = MOST_LINES - len(head) - len(rest)
        if not self.everything:
            possible = _cut(possible, min(_POSSIBLE_LINES, room))
            shown_causes = _cut(shown_causes, room - sum(map(len, possible)))
        return [*head, *_joined(shown_causes), *_joined(possible), *rest]

    @property
    def outcome(self) -> str:
        """The outcome's name, as it is printed."""
        return shown(self.result.data.outcome.name, 24)

    @property
    def scale(self) -> Scale:
        """How its risks or means are written."""
        return self._rows.scale

    @property
    def _rows(self) -> CauseRows:
        return CauseRows.of_result(self.result, everything=self.everything)

    def _with(self, *verdicts: str) -> list[Finding]:
        return [finding for finding in self.result.findings if finding.verdict in verdicts]

    def _head(self) -> list[Line]:
        """What was asked and found; then an empty line, or what changes the whole answer."""
        data, kind = self.result.data, self.result.data.outcome.kind
        mean = self.scale.value(data.outcome.mean)
        base = f"{self.outcome}: {f'mean {mean} in' if kind == 'mean' else f'{mean} of'}"
        base = f"{base} {counted(data.used, 'record')}."
        says = ["Nothing in this table is shown to be a cause.", "Nothing is shown to be a cause."]
        if self._with("cause", "indirect"):
            says = ["What moves it, adjusted for the others:", "What moves it:"]
        return [
            Line(fitting([f"{base} {said}" for said in says], WIDTH), 0, len(self.outcome)),
            Line(self.first_notes()),
        ]

    def first_notes(self) -> str:
        """What changes the whole answer, in one line; empty if nothing does."""
        return "".join(listing("Note: ", self._said_first(), 1))

    def _said_first(self) -> list[str]:
        named = self._first_names()
        return [told(FIRST, code, safe({"columns": named[code]}, _FIRST_NAMES)) for code in named]

    def _first_names(self) -> dict[str, list[str]]:
        """Which columns change the whole answer, by code."""
        of_findings = [(finding.name, note) for finding in self.result.findings for note in finding.notes]
        notes = [*(("?", note) for note in self.result.notes), *of_findings]
        found: dict[str, list[str]] = {}
        for code in FIRST:
            names = dict.fromkeys(note.data.get("column", name) for name, note in notes if note.code == code)
            found |= {code: list(names)} if names else {}
        return found

    def _rest(self, *, is_short: bool = False) -> list[Line]:
        """What is no cause, cautions, and where there is more: a line or two each."""
        most = None if self.everything else 2
        parts = {name for one in self._with("cause", "possible") for name in _parts(one)}
        alike = [
            shown(one.name, LISTED) + " alone" * (one.name in parts) for one in self._with("no difference")
        ]
        lists = [
            *listing("Explained by other columns: ", [*map(_explained, self._with("explained"))], most),
            *listing(f"No difference ({len(alike)}): ", alike, most),
            *listing("Comes after the outcome: ", self._names("after"), most and 1),
            *listing("Not comparable: ", self._in_short("not comparable"), most),
            *listing("Set aside: ", self._set_aside(is_short=is_short), most),
        ]
        ends = [*self._cautions(), *self._legend(), *self._more()]
        return [
            Line(text)
            for text in ([""] if self._with("cause", "indirect", "possible") else []) + lists + ends
        ]

    def _names(self, verdict: str) -> list[str]:
        return [shown(finding.name, LISTED) for finding in self._with(verdict)]

    def _set_aside(self, *, is_short: bool) -> list[str]:
        """Columns set aside, with the reason where the second line does not tell it.

        Where lines are short, only those that it does not tell.
        """
        is_told = not self.everything and listing("Note: ", self._said_first(), None) == [self.first_notes()]
        known = {name for names in self._first_names().values() for name in names if is_told}
        return [
            shown(one.name, LISTED) if one.name in known else in_short(one, self.result.notes)
            for one in self._with("set aside")
            if not (is_short and one.name in known)
        ]

    def _in_short(self, verdict: str) -> list[str]:
        return [in_short(finding, self.result.notes) for finding in self._with(verdict)]

    def _cautions(self) -> list[str]:
        """What the reader must know of the whole table, in two lines."""
        notes = [list(dict.fromkeys(sentence(note, most) for most in (6, 1))) for note in self._other_notes()]
        said = [*([text] for text in (*self._time(), *self._left_out())), *notes]
        if self.everything:
            return [line for text, *_ in said for line in wrapped(text)]
        if len(said) > _CAUTIONS:
            more = f" And {len(said) - _CAUTIONS} more (--all)"
            said = [*said[: _CAUTIONS - 1], [text + more for text in said[_CAUTIONS - 1]]]
        return [fitting(texts, WIDTH) for texts in said]

    def _time(self) -> list[str]:
        """That causes come first is not in the data."""
        asked_about = [
            column
            for finding in self._with("cause", "indirect", "possible")
            if finding.time == "unknown"
            for column in finding.factors[0].columns
        ]
        if not asked_about or self._is_randomised:
            return []
        columns = list(dict.fromkeys(asked_about))
        before = f"Assumes that causes come before {self.outcome}; say so with"
        asked = [f"{before} {option('before', columns[:n])}" for n in range(len(columns), 0, -1)]
        return [fitting([*asked, f"{before} --before NAME"], WIDTH)]

    def _left_out(self) -> list[str]:
        """Records that no study has; and those that a study of a cause lacks, where these are many."""
        without = self.result.data.records - self.result.data.used
        said = [f"{counted(without, 'record')} left out: the outcome is missing."] if without > 0 else []
        effects = [one.effect for one in self._with("cause", "indirect") if one.effect is not None]
        lacking = max((effect.left_out.get("missing", 0) for effect in effects), default=0)
        if lacking > (1 - COMPARABLE[1]) * self.result.data.used:
            said.append(f"Up to {counted(lacking, 'record')} left out of a study: a value is missing.")
        return said

    def _other_notes(self) -> list[Note]:
        """Notes on the table, but for those that the second line or a list tells."""
        listed = {finding.name for finding in self._with("set aside", "not comparable")}
        return [
            note
            for note in self.result.notes
            if note.code not in FIRST
            and note.code != "outcome_missing"
            and note.data.get("column") not in listed
        ]

    @property
    def _is_randomised(self) -> bool:
        """Whether time and confounding are settled by the design."""
        return bool(self.result.settings.get("randomised") or self.result.knowledge.get("randomised"))

    def _legend(self) -> list[str]:
        """What stands behind ±."""
        known = self._with("cause", "indirect", "possible")
        moved = next((one.moves[0] for one in known if one.moves is not None), None)
        if moved is None:
            return []
        risk = "risk" if self.scale.is_event else "mean"
        size = f"{self.scale.spread(moved)}{self.scale.unit}"
        text = f"{size}: how far the adjusted {risk} varies over the records"
        return [fitting([f"{text} (standard deviation)", text], WIDTH)]

    def _more(self) -> list[str]:
        """The commands that tell more."""
        if not self.result.findings:
            return []
        names = [shlex.quote(one.name) for one in self.result.findings[:1] if one.name.isprintable()]
        files = [shlex.quote(self.file)] if self.file and self.file.isprintable() else []
        saved = "" if self.file else "--json r.json, then "
        ways = [
            f"More: {saved}causalrules show {file} {name} · --all"
            for file in (*(files or ["r.json"]), "FILE")
            for name in (*names, "COLUMN")
        ]
        return [fitting(ways, WIDTH)]


def _parts(finding: Finding) -> tuple[str, ...]:
    """The columns of a cause that act together."""
    columns = finding.factors[0].columns
    return columns if len(columns) > 1 else ()


def _explained(finding: Finding) -> str:
    """A column and those that explain it."""
    by = [shown(name, LISTED) for name in finding.explained_by[:_EXPLAINING]]
    more = "" if len(finding.explained_by) <= _EXPLAINING else ", …"
    name = shown(finding.name, LISTED)
    return f"{name} ({', '.join(by)}{more})" if by else name


def _cut(rows: list[list[Line]], room: int) -> list[list[Line]]:
    """Rows as far as lines suffice, and how many there are more."""
    if sum(map(len, rows)) <= room:
        return rows
    kept: list[list[Line]] = []
    for row in rows:
        if sum(map(len, kept)) + len(row) > room - 1:
            break
        kept.append(row)
    return [*kept, [Line(f"    and {len(rows) - len(kept)} more (--all)")]]


def _joined(rows: Iterable[Iterable[Line]]) -> list[Line]:
    return [line for row in rows for line in row]


def answer_lines(result: Result, *, everything: bool = False, file: str = "") -> list[Line]:
    """The answer of a result, line by line: one screen, or everything; of one hypothesis its card."""
    screen = OneScreen(result, everything, file)
    if result.question == "mine" or not result.findings:
        return screen.lines()
    first, card = screen.first_notes(), card_lines(result, result.findings[0])
    headline = next((place for place, line in enumerate(card) if not line.text), len(card))
    return [*card[:headline], *([Line(first)] if first else []), *card[headline:]]


def plain_text(lines: Iterable[Line]) -> str:
    """Lines as one text."""
    return "\n".join(line.text for line in lines)


def styled(lines: Iterable[Line]) -> Text:
    """Lines for a terminal, names in bold."""
    text = Text(no_wrap=True, end="")
    for line in lines:
        own = Text(line.text + "\n")
        own.stylize("bold", line.start, line.stop)
        text.append_text(own)
    return text

"""Tables that were opened, kept for the next question."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from causalrules.encode import encode
from causalrules.errors import SourceError
from causalrules.explorer.served_files import PART, ListedFile
from causalrules.read import read_table
from causalrules.read.file_kinds import part_chosen_by, tables_in
from causalrules.read.table_at import TableAt

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from pathlib import Path

    from causalrules.domain import Item, Settings
    from causalrules.encode import CodedTable
    from causalrules.explorer.limits import Limits
    from causalrules.explorer.served_files import ServedFiles
    from causalrules.read import SourceTable

CODING = (
    "drop",
    "only",
    "categorical",
    "numeric",
    "bins",
    "cut",
    "join",
    "missing",
    "max_values",
    "cluster",
    "weights",
    "weights_are",
    "matched_set",
    "outcome_as",
)
"""The settings that decide how a table is coded; the others are about judging."""

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """The values used last, at most so many.

    Examples
    --------
    >>> recent = Recent(2)
    >>> [recent.get(key, lambda: key.upper()) for key in "abca"]
    ['A', 'B', 'C', 'A']
    >>> len(recent)
    2
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Value] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of this key, made if it is not there."""
        if key not in self._kept:
            while len(self._kept) >= self._most:
                self._kept.popitem(last=False)
            self._kept[key] = make()
        self._kept.move_to_end(key)
        return self._kept[key]

    def __len__(self) -> int:
        return len(self._kept)


@dataclass(frozen=True, slots=True)
class _State:
    """A file as it was when it was read; one that has changed is read again."""

    path: Path
    changed: int
    n_bytes: int
    part: str = ""

    @classmethod
    def of(cls, path: Path) -> _State:
        now = path.stat()
        return cls(path, now.st_mtime_ns, now.st_size)

    @property
    def said(self) -> dict[str, str]:
        """How the part is asked for, as in `TableAt`."""
        option = part_chosen_by(self.path)
        return {option: self.part} if option is not None and self.part else {}


class OpenTables:
    """Reads and codes each table once for many questions; of several at a time, one after the other.

    Two readings side by side would need the memory twice and not be faster.
    """

    def __init__(self, served: ServedFiles, limits: Limits) -> None:
        self._served = served
        self._read: Recent[SourceTable] = Recent(limits.tables)
        self._coded: Recent[CodedTable] = Recent(limits.coded_tables)
        self._parts: Recent[list[str]] = Recent(limits.files)
        self._lock = Lock()

    def read(self, file: str) -> SourceTable:
        """The table as it stands in the file."""
        with self._lock:
            return self._read_now(file, self._state(file))

    def parts(self, file: str) -> list[ListedFile]:
        """The sheets or tables of a file that has several, each to be asked for like a file."""
        with self._lock:
            state = self._state(file)
            base, name = file.partition(PART)[0], self._served.name(file)
            return [
                ListedFile(f"{base}{PART}{part}", f"{name}: {part}", state.n_bytes)
                for part in self._parts_now(state)
            ]

    def settled(self, file: str) -> str:
        """The file, or the first of its parts where it has several and none was chosen."""
        parts = [] if PART in file else self.parts(file)
        return parts[0].id if parts else file

    def said(self, file: str) -> dict[str, str]:
        """How the part of a file is asked for in the terminal, and how many titles were left out."""
        with self._lock:
            state = self._state(file)
            n_titles = self._read_now(file, state).declared.n_titles
            return {**state.said, **({"skip_rows": str(n_titles)} if n_titles else {})}

    def coded(self, file: str, outcome: Item | str, settings: Settings) -> CodedTable:
        """The table as items, for one outcome."""
        with self._lock:
            state = self._state(file)
            choices = tuple(getattr(settings, name) for name in CODING)

            def code() -> CodedTable:
                table = self._read_now(file, state)
                return encode(table.arrow, outcome, settings, table.declared)

            return self._coded.get((state, outcome, choices), code)

    def _state(self, file: str) -> _State:
        path = self._served.open(file)
        try:
            whole, part = _State.of(path), file.partition(PART)[2]
            first = [] if part else self._parts_now(whole)
            return replace(whole, part=part or (first[0] if first else ""))
        except OSError as error:
            problem = error.strerror or "it cannot be opened"
            raise SourceError(self._served.name(file), problem, "Choose another file.") from error

    def _parts_now(self, state: _State) -> list[str]:
        """The names of a file's parts, if there are several."""
        found = self._parts.get(replace(state, part=""), lambda: tables_in(state.path))
        return found if len(found) > 1 else []

    def _read_now(self, file: str, state: _State) -> SourceTable:
        return self._read.get(state, lambda: _read_as(state, self._served.name(file)))


def _read_as(state: _State, shown: str) -> SourceTable:
    """Read the file; errors and results call it by the name that people know.

    Titles above the names of a sheet's columns are left out, since nobody can say so on the page.
    """
    try:
        at: dict[str, Any] = dict(state.said)
        table = read_table(TableAt(state.path, **at))
        n_titles = table.declared.n_titles
        if n_titles:
            table = read_table(TableAt(state.path, **at, skip_rows=n_titles))
            rows = "first row, which seems" if n_titles == 1 else f"first {n_titles} rows, which seem"
            left_out = f"Left out: the {rows} to stand above the names of the columns."
            notes = (left_out, *table.declared.notes)
            table = replace(table, declared=replace(table.declared, n_titles=n_titles, notes=notes))
        return replace(table, declared=replace(table.declared, source=shown))
    except SourceError as error:
        raise error.renamed(shown) from error

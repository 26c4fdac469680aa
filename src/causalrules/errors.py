"""Every error raised on purpose.

CausalRulesError
├── SettingsError            a setting is out of range or unknown
├── SourceError              a table cannot be read
│   ├── SourceMissingError   there is no such file
│   └── UnknownFormatError   the file's kind is not known
├── TableError               a table was read but cannot be used
│   ├── UnknownColumnError   a column was named that the table does not have
│   ├── UnknownValueError    a value was named that the column does not have
│   ├── OutcomeError         the outcome does not split the records in two
│   └── NothingToMineError   no column is left to look for causes in
├── ExposureError            the text of a pattern cannot be understood
├── ResultFileError          a saved result cannot be read
├── OutputError              a file cannot be written
└── EngineError              an engine cannot answer a question
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class CausalRulesError(Exception):
    """Base of all errors raised on purpose; its text says what to do next."""


class SettingsError(CausalRulesError, ValueError):
    """A setting is out of range or unknown."""

    def __init__(self, name: str, demand: str, found: object) -> None:
        self.name = name
        super().__init__(f"{name} must be {demand}; it is {found!r}.")

    @classmethod
    def unknown(cls, name: str, known: Sequence[str]) -> SettingsError:
        """The setting does not exist."""
        return cls(name, f"a setting{_did_you_mean(name, known, else_list=True)}", "unknown")


class SourceError(CausalRulesError, ValueError):
    """A table cannot be read."""

    def __init__(self, source: object, problem: str, remedy: str) -> None:
        self.source = str(source)
        super().__init__(f"cannot read {self.source}: {problem}. {remedy}")


class SourceMissingError(SourceError, FileNotFoundError):
    """There is no such file."""

    def __init__(self, source: object, nearby: Sequence[str]) -> None:
        close = get_close_matches(str(source), nearby, n=3)
        remedy = (
            f"Did you mean {_either(close)}?" if close else "Check the path, or use - for standard input."
        )
        super().__init__(source, "there is no such file", remedy)


class UnknownFormatError(SourceError):
    """The file's kind is not known."""


class TableError(CausalRulesError, ValueError):
    """A table was read but cannot be used."""


class UnknownColumnError(TableError, KeyError):
    """A column was named that the table does not have."""

    def __init__(self, role: str, name: str, available: Sequence[str]) -> None:
        self.role, self.name, self.available = role, name, tuple(available)
        super().__init__(str(self))

    def __str__(self) -> str:
        found = f"{self.role} column {self.name!r} is not among the table's {len(self.available)} columns"
        return found + _did_you_mean(self.name, self.available, else_list=True)


class UnknownValueError(TableError, KeyError):
    """A value was named that the column does not have."""

    def __init__(self, role: str, column: str, value: str, counts: Mapping[str, int]) -> None:
        self.role, self.column, self.value, self.counts = role, column, value, dict(counts)
        super().__init__(str(self))

    def __str__(self) -> str:
        found = f"{self.role} value {self.value!r} does not occur in column {self.column!r}"
        return found + _did_you_mean(self.value, list(self.counts), else_list=True)


class OutcomeError(TableError):
    """The outcome does not split the records in two."""


class NothingToMineError(TableError):
    """No column is left to look for causes in."""

    def __init__(self, left_out: Mapping[str, str]) -> None:
        reasons = "; ".join(f"{column!r}: {reason}" for column, reason in list(left_out.items())[:8])
        more = f"; and {len(left_out) - 8} more" if len(left_out) > 8 else ""
        super().__init__(
            f"no column is left to look for causes in ({reasons or 'the table has only the outcome'}{more}). "
            "Use --categorical for numbers that are codes, --bins quantile:4 for numbers that MDL does not "
            "cut, or --max-values for columns with many values."
        )


class ExposureError(CausalRulesError, ValueError):
    """The text of a pattern cannot be understood."""


class ResultFileError(CausalRulesError, ValueError):
    """A saved result cannot be read."""


class OutputError(CausalRulesError, OSError):
    """A file cannot be written."""

    def __init__(self, path: object, problem: str) -> None:
        super().__init__(f"cannot write {path}: {problem}. Choose a writable place; nothing was left behind.")


class EngineError(CausalRulesError, RuntimeError):
    """An engine cannot answer a question."""


def _did_you_mean(name: str, known: Sequence[str], *, else_list: bool) -> str:
    close = get_close_matches(name, known, n=3) or _same_but_for_case(name, known)
    if close:
        return f". Did you mean {_either(close)}?"
    if not else_list or not known:
        return "."
    shown = ", ".join(map(_shortened, list(known)[:12]))
    return f". There {'are' if len(known) > 1 else 'is'}: {shown}{', …' if len(known) > 12 else ''}."


def _same_but_for_case(name: str, known: Sequence[str]) -> list[str]:
    return [other for other in known if other.casefold().strip() == name.casefold().strip()][:3]


def _either(names: Sequence[str]) -> str:
    return " or ".join(map(_shortened, names))


def _shortened(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:57] + "…")

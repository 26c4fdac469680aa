"""A table cannot be read, or was read and cannot be used."""

from __future__ import annotations

import os
import re
from copy import copy
from itertools import islice
from typing import TYPE_CHECKING, Self

from causalrules.errors.base import CausalRulesError, Setting
from causalrules.errors.wording import did_you_mean, either, one_line, quoted, similar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class SourceError(CausalRulesError, ValueError):
    """A table cannot be read."""

    def __init__(self, source: object, problem: str, remedy: str) -> None:
        self.source = one_line(str(source))
        super().__init__(f"cannot read {self.source}: {problem}. {remedy}")

    def renamed(self, shown: str) -> Self:
        """The same error with the name by which people know the source."""
        other = copy(self)
        other.parts = tuple(
            part.replace(self.source, shown) if isinstance(part, str) else part for part in self.parts
        )
        other.source, other.args = shown, (str(other),)
        return other


class SourceMissingError(SourceError, FileNotFoundError):
    """There is no such file; `nearby` are the names in its folder."""

    is_usage_mistake = True

    def __init__(
        self,
        source: object,
        nearby: Sequence[str],
        remedy: str = "Check the path, or use - for standard input.",
    ) -> None:
        close = similar(os.path.basename(str(source)), nearby)
        if close:
            remedy = f"Did you mean {either(close)}?"
        super().__init__(source, "there is no such file", remedy)


class UnknownDataSetError(SourceError):
    """There is no data set of this name."""

    is_usage_mistake = True

    def __init__(self, name: str, known: Sequence[str]) -> None:
        close = similar(name, known)
        remedy = f"Did you mean {either(close)}?" if close else f"There are: {', '.join(known)}."
        super().__init__(f"data set {name}", "there is no such name", remedy)


class UnknownFormatError(SourceError):
    """The file's kind is not known."""


ROLES = ("outcome", "exposure")
"""What a column may be named for, besides settings that are lists of columns."""


class TableError(CausalRulesError, ValueError):
    """A table was read but cannot be used."""


class UnknownColumnError(TableError, KeyError):
    """A column was named that the table does not have."""

    is_usage_mistake = True

    def __init__(self, role: str, name: str, available: Sequence[str]) -> None:
        self.role, self.name, self.available = role, name, tuple(available)
        near = did_you_mean(name, self.available, else_list=True)
        if "," not in name and any("," in one and one.startswith(name) for one in self.available):
            near += " In a list, a name with a comma stands in double quotes."
        columns = "one column" if len(self.available) == 1 else f"{len(self.available)} columns"
        n_nameless = sum(re.fullmatch(r"column_\d+", one) is not None for one in self.available)
        self._on_titles: tuple[str | Setting, ...] = ()
        if 2 * n_nameless >= len(self.available) > 0:
            most = " Most columns have no name: if titles stand above the header, skip them with "
            self._on_titles = (most, Setting("skip_rows"), ".")
        super().__init__(
            role if role in ROLES else Setting(role, is_subject=True),
            f" column {quoted(name)} is not among the table's {columns}{near}",
            *self._on_titles,
        )

    def below(self, n_titles: int) -> Self:
        """The same error of a sheet whose names seem to stand below so many rows."""
        if not n_titles:
            return self
        rows = "first row seems" if n_titles == 1 else f"first {n_titles} rows seem"
        other = copy(self)
        other.parts = (
            *self.parts[: len(self.parts) - len(self._on_titles)],
            f" The {rows} to stand above the names: ",
            Setting("skip_rows", n_titles),
            " leaves them out.",
        )
        other.args = (str(other),)
        return other

    def beside(self, sheets: Sequence[str]) -> Self:
        """The same error, with the other sheets of the workbook, in which the column may be."""
        if not sheets:
            return self
        listed = ", ".join(map(quoted, sheets[:8])) + (", …" if len(sheets) > 8 else "")
        other = copy(self)
        other.parts = (*self.parts, f" Other sheets of the workbook: {listed}. Choose one with ")
        other.parts += (Setting("sheet"), ".")
        other.args = (str(other),)
        return other


class UnknownValueError(TableError, KeyError):
    """A value was named that the column does not have."""

    is_usage_mistake = True

    def __init__(
        self, role: str, column: str, value: str, counts: Mapping[str, int], missing: Sequence[str] = ()
    ) -> None:
        self.role, self.column, self.value, self.counts = role, column, value, dict(counts)
        as_said = {value, f"{column}={value}"}
        if as_said.intersection(missing):
            super().__init__(
                f"{role} value {quoted(value)} of column {quoted(column)} counts as missing. If it is a "
                "value like others, name the texts that mean missing with ",
                Setting("missing", [one for one in missing if one not in as_said]),
                ".",
            )
        else:
            super().__init__(self._sentence())

    def _sentence(self) -> str:
        found = f"{self.role} value {quoted(self.value)} does not occur in column {quoted(self.column)}"
        return found + did_you_mean(self.value, list(self.counts), else_list=True)


class NoValueError(UnknownValueError):
    """A column was named, but none of its values."""

    def __init__(self, role: str, column: str, counts: Mapping[str, int]) -> None:
        super().__init__(role, column, "", counts)
        if len(self.counts) > 2 and _middle(self.counts) is None:
            value = quoted(list(self.counts)[-1])
            unknown = f" If one of them, {value} say, means that nothing is known, name it in "
            CausalRulesError.__init__(self, self._sentence(), unknown, Setting("missing"), ".")
        elif role == "outcome" and _middle(self.counts) is not None:
            mean = (" For its mean instead of a threshold, say ", Setting("outcome_as", "mean"))
            CausalRulesError.__init__(self, self._sentence(), *mean, " (mine and test).")

    def _sentence(self) -> str:
        choices = (
            quoted(f"{self.column}={value}") + (f" ({count:,} records)" if count else "")
            for value, count in self.counts.items()
        )
        which, middle = f"say which value of it: {' or '.join(islice(choices, 6))}", _middle(self.counts)
        if middle is not None:
            which = f"say a threshold, such as {quoted(f'{self.column}>={middle}')}, which is its middle"
        return f"the {self.role} {quoted(self.column)} names a column; {which}."


_MOST_LEVELS = 20
"""Different numbers up to which a column without a value may be meant value by value."""
_MOST_DIGITS = 7
"""A longer median is rounded: nobody asks about bmi>=27.099999904632568."""


def _middle(counts: Mapping[str, int]) -> str | None:
    """The median of a column of many different numbers, in at most four digits; None of any other."""
    try:
        values = sorted((float(value), value, count) for value, count in counts.items())
    except ValueError:
        return None
    left = sum(counts.values()) / 2
    for _, text, count in values if len(values) > _MOST_LEVELS else ():
        left -= count
        if left <= 0:
            return text if len(text) <= _MOST_DIGITS else f"{float(text):.4g}"
    return None


class OutcomeError(TableError):
    """The outcome does not split the records in two."""


class ConditionError(TableError):
    """A column is not what a condition takes it for."""

    is_usage_mistake = True

    def __init__(
        self, role: str, condition: str, column: str, limit: str, found: str, example: str = ""
    ) -> None:
        such_as = f", such as {quoted(example)}" if example else ""
        super().__init__(
            f"the {role} {quoted(condition)} compares with a {limit}, but column {quoted(column)} has "
            f"{found}. Compare with what it has{such_as}, or name a value of it: {quoted(f'{column}=value')}."
        )


class NothingToMineError(TableError):
    """No column is left to look for causes in; what was noticed about the columns may say why."""

    def __init__(self, left_out: Mapping[str, str], noticed: Sequence[str] = ()) -> None:
        reasons = "; ".join(f"{quoted(column)}: {reason}" for column, reason in list(left_out.items())[:8])
        more = f"; and {len(left_out) - 8} more" if len(left_out) > 8 else ""
        advice = (
            " Use ",
            Setting("categorical"),
            " for numbers that are codes, ",
            Setting("bins", "quantile:4"),
            " for numbers that MDL does not cut, or ",
            Setting("max_values"),
            " for columns with many values.",
        )
        super().__init__(
            f"no column is left to look for causes in ({reasons or 'the table has only the outcome'}{more}).",
            *(f" {note}" for note in noticed),
            *(advice if left_out else ()),
        )


class TooManyNumbersError(TableError):
    """A column has more different numbers than memory allows for."""

    def __init__(self, column: str, n_values: int) -> None:
        super().__init__(
            f"column {quoted(column)} has at least {n_values:,} different numbers, more than fit the memory "
            "allowed. Leave it out with ",
            Setting("drop"),
            ", round it, or allow more with ",
            Setting("memory"),
            ".",
        )

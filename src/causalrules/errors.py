"""Every error raised on purpose.

CausalRulesError
├── SettingsError            a setting is out of range or unknown
│   └── KnowledgeError       statements about the columns contradict each other
├── SourceError              a table cannot be read
│   ├── SourceMissingError   there is no such file
│   ├── UnknownDataSetError  there is no data set of this name
│   └── UnknownFormatError   the file's kind is not known
├── TableError               a table was read but cannot be used
│   ├── UnknownColumnError   a column was named that the table does not have
│   ├── UnknownValueError    a value was named that the column does not have
│   │   └── NoValueError     a column was named, but none of its values
│   ├── OutcomeError         the outcome does not split the records in two
│   ├── ConditionError       a column is not what a condition takes it for
│   ├── NothingToMineError   no column is left to look for causes in
│   └── TooManyNumbersError  a column has more different numbers than memory allows for
├── ExposureError            an exposure cannot be asked about
│   └── PatternError         the text of a pattern cannot be understood
├── ResultFileError          a saved result cannot be read
│   └── ResultMissingError   there is no such file
├── UnknownRuleError         a rule was named that the result does not have
├── PictureError             a result does not hold what a picture shows
├── OtherTableError          a table is not the one that a result was made from
├── MatchedRecordsError      it is not settled which records were compared
├── OutputError              a file cannot be written
│   └── OutputNameError      its name asks for a kind of file that is not written
├── CheckpointError          the folder of a checkpoint cannot be used
│   └── CheckpointOfAnotherRunError  it holds a run with other data or settings
├── EngineError              an engine cannot answer a question
│   ├── MissingJavaError     Spark was asked for on a machine without the Java it needs
│   └── SparkJobError        a job on Spark failed
├── ExplorerError            the explorer does not do what was asked of it
│   ├── NotServedError       a file that is not among those it was opened with
│   ├── UploadError          a file that it does not take
│   ├── UnknownRunError      a result that it does not remember
│   ├── BusyError            too much is under way
│   └── PortError            it cannot be reached at this port
└── MissingPackageError      a part was asked for whose package is not installed
"""

from __future__ import annotations

import os
import re
from copy import copy
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_LONGEST_SHOWN = 60
_MOST_COMPARED = 2000


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as a sentence mentions it; every face (Python, terminal, page) has its own words for it.

    Parameters
    ----------
    name : str
        Its name in `Settings`, or that of an argument beside them.
    value : optional
        What the reader should set it to.
    is_subject : bool
        It is what the sentence is about, as in "bins must be …", not a means to an end.

    Examples
    --------
    >>> in_python(Setting("bins", "quantile:4")), in_python(Setting("drop"))
    ("bins='quantile:4'", 'drop=')
    """

    name: str
    value: object = None
    is_subject: bool = False


def in_python(setting: Setting) -> str:
    """A setting as people write it in Python."""
    if setting.is_subject:
        return setting.name
    return f"{setting.name}=" if setting.value is None else f"{setting.name}={setting.value!r}"


class CausalRulesError(Exception):
    """Base of all errors raised on purpose; its text says what to do next.

    The text comes in parts, texts and settings, which are joined: `str` gives
    it in the words of Python, `told` in those of another face.

    Examples
    --------
    >>> error = OutcomeError("nobody is ill. Say with ", Setting("missing"), " which values are missing.")
    >>> print(error)
    nobody is ill. Say with missing= which values are missing.
    >>> error.told(lambda setting: f"--{setting.name}")
    'nobody is ill. Say with --missing which values are missing.'
    """

    parts: tuple[str | Setting, ...] = ()

    def __init__(self, *parts: str | Setting) -> None:
        self.parts = parts
        super().__init__(str(self))

    def __str__(self) -> str:
        return self.told(in_python)

    def told(self, words: Callable[[Setting], str]) -> str:
        """The text, with settings in the words that the function has for them."""
        return "".join(words(part) if isinstance(part, Setting) else part for part in self.parts)

    def _render_traceback_(self) -> list[str]:
        """What IPython and Jupyter print: the sentence, not the calls that led to it."""
        return [f"{type(self).__name__}: {self}"]

    def __reduce__(self) -> tuple[Any, ...]:
        # The default calls the class with the finished text, which is not what constructors take.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[CausalRulesError], args: tuple[Any, ...], state: dict[str, Any]) -> CausalRulesError:
    """An error that was pickled: the same text and attributes, without building the text anew."""
    # Where ValueError comes before OSError among the bases, Python still wants the one that has fields.
    maker: type[BaseException] = OSError if issubclass(kind, OSError) else kind
    error = maker.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


def _shown(value: object) -> str:
    """A value as Python writes it, cut where nobody reads on."""
    try:
        text = repr(value)
    except ValueError:  # Python does not write integers of more than some thousand digits
        return "a number of very many digits"
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


_LONGEST_VALUE = 200


class SettingsError(CausalRulesError, ValueError):
    """A setting is out of range or unknown; `name` is its name in Python."""

    name: str

    def __init__(self, name: str, demand: str, found: object) -> None:
        self.name = name
        super().__init__(Setting(name, is_subject=True), f" must be {demand}; it is {_shown(found)}.")

    @classmethod
    def unknown(cls, name: str, known: Sequence[str]) -> Self:
        """The setting does not exist."""
        near = _did_you_mean(name, known, else_list=True)
        return cls.saying(name, f"there is no setting {quoted(name)}{near}")

    @classmethod
    def choice(
        cls, name: str, choices: Sequence[str], found: object, former: Mapping[str, str] | None = None
    ) -> Self:
        """The setting is none of its choices; the nearest is named, or the one that replaces a former."""
        near = _did_you_mean(str(found), choices, else_list=False)
        if former and str(found) in former:
            near = f", which {former[str(found)]!r} replaces."
        listed = ", ".join(map(repr, choices))
        subject = Setting(name, is_subject=True)
        return cls.saying(name, subject, f" must be one of {listed}; it is {_shown(found)}{near}")

    @classmethod
    def saying(cls, name: str, *parts: str | Setting) -> Self:
        """An error with a sentence of its own."""
        error = cls.__new__(cls)
        error.name = name
        CausalRulesError.__init__(error, *parts)
        return error


class KnowledgeError(SettingsError):
    """Statements of the user's about columns contradict each other."""

    def __init__(self, statements: Sequence[object], why: str) -> None:
        said = " and ".join(quoted(str(statement)) for statement in statements)
        many = len(statements) > 1
        do, remedy = ("contradict each other", "Leave one out") if many else ("contradicts itself", "Mend it")
        self.name = "knowledge"
        CausalRulesError.__init__(self, f"{said} {do}: {why}. {remedy}.")


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

    def __init__(
        self,
        source: object,
        nearby: Sequence[str],
        remedy: str = "Check the path, or use - for standard input.",
    ) -> None:
        close = _similar(os.path.basename(str(source)), nearby)
        if close:
            remedy = f"Did you mean {_either(close)}?"
        super().__init__(source, "there is no such file", remedy)


class UnknownDataSetError(SourceError):
    """There is no data set of this name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        close = _similar(name, known)
        remedy = f"Did you mean {_either(close)}?" if close else f"There are: {', '.join(known)}."
        super().__init__(f"data set {name}", "there is no such name", remedy)


class UnknownFormatError(SourceError):
    """The file's kind is not known."""


ROLES = ("outcome", "exposure")
"""What a column may be named for, besides settings that are lists of columns."""


class TableError(CausalRulesError, ValueError):
    """A table was read but cannot be used."""


class UnknownColumnError(TableError, KeyError):
    """A column was named that the table does not have."""

    def __init__(self, role: str, name: str, available: Sequence[str]) -> None:
        self.role, self.name, self.available = role, name, tuple(available)
        near = _did_you_mean(name, self.available, else_list=True)
        super().__init__(
            role if role in ROLES else Setting(role, is_subject=True),
            f" column {quoted(name)} is not among the table's {_columns(self.available)}{near}",
        )


class UnknownValueError(TableError, KeyError):
    """A value was named that the column does not have."""

    def __init__(self, role: str, column: str, value: str, counts: Mapping[str, int]) -> None:
        self.role, self.column, self.value, self.counts = role, column, value, dict(counts)
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        found = f"{self.role} value {quoted(self.value)} does not occur in column {quoted(self.column)}"
        return found + _did_you_mean(self.value, list(self.counts), else_list=True)


class NoValueError(UnknownValueError):
    """A column was named, but none of its values."""

    def __init__(self, role: str, column: str, counts: Mapping[str, int]) -> None:
        super().__init__(role, column, "", counts)

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


def _middle(counts: Mapping[str, int]) -> str | None:
    """The median of a column of many different numbers; None of any other."""
    try:
        values = sorted((float(value), value, count) for value, count in counts.items())
    except ValueError:
        return None
    left = sum(counts.values()) / 2
    for _, text, count in values if len(values) > _MOST_LEVELS else ():
        left -= count
        if left <= 0:
            return text
    return None


class OutcomeError(TableError):
    """The outcome does not split the records in two."""


class ConditionError(TableError):
    """A column is not what a condition takes it for."""

    def __init__(self, role: str, condition: str, column: str, limit: str, found: str) -> None:
        super().__init__(
            f"the {role} {quoted(condition)} compares with a {limit}, but column {quoted(column)} has "
            f"{found}. Compare with what it has, or name a value of it: {quoted(f'{column}=value')}."
        )


class NothingToMineError(TableError):
    """No column is left to look for causes in."""

    def __init__(self, left_out: Mapping[str, str]) -> None:
        # A reason may end with a hint of its own ("; try …"); here all of them follow below.
        told = {column: reason.partition("; try ")[0] for column, reason in left_out.items()}
        reasons = "; ".join(f"{quoted(column)}: {reason}" for column, reason in list(told.items())[:8])
        more = f"; and {len(left_out) - 8} more" if len(left_out) > 8 else ""
        super().__init__(
            f"no column is left to look for causes in ({reasons or 'the table has only the outcome'}{more}).",
            " Use ",
            Setting("categorical"),
            " for numbers that are codes, ",
            Setting("bins", "quantile:4"),
            " for numbers that MDL does not cut, or ",
            Setting("max_values"),
            " for columns with many values.",
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


class ExposureError(CausalRulesError, ValueError):
    """An exposure cannot be asked about."""


class PatternError(ExposureError):
    """The text of a pattern cannot be understood; `place` is the character, from 1."""

    def __init__(self, role: str, text: str, place: int, what: str) -> None:
        self.role, self.text, self.place = role, text, place + 1
        here = f", {quoted(text[place:])}" if text[place:] else ", its end"
        super().__init__(
            f"the {role} {quoted(text)} is not understood at character {self.place}{here}: {what}."
        )


class ResultFileError(CausalRulesError, ValueError):
    """A saved result cannot be read."""


class ResultMissingError(ResultFileError, FileNotFoundError):
    """There is no such saved result; `nearby` are the names in its folder."""

    def __init__(self, path: object, nearby: Sequence[str]) -> None:
        close = _similar(os.path.basename(str(path)), nearby)
        remedy = f"Did you mean {_either(close)}?" if close else "Check the path."
        super().__init__(f"cannot read {one_line(str(path))}: there is no such file. {remedy}")


class UnknownRuleError(CausalRulesError, LookupError):
    """A rule was named that the result does not have."""

    def __init__(self, wanted: str | int, known: Sequence[str]) -> None:
        if not known:
            message = "the result has no rules: nothing was tested."
        elif isinstance(wanted, int):
            message = f"there is no rule at place {wanted}; the result has {len(known)}, from place 0 on."
        else:
            near = _did_you_mean(wanted, known, else_list=True)
            message = f"the rule {quoted(wanted)} is not among the {len(known)} tested{near}"
        super().__init__(message)


class PictureError(CausalRulesError, ValueError):
    """A result does not hold what a picture shows."""

    def __init__(self, what: str, rule: str, reason: str, remedy: str) -> None:
        super().__init__(f"cannot draw {what} of {quoted(rule)}: {reason}. {remedy}")


class OtherTableError(CausalRulesError, ValueError):
    """A table is not the one that a result was made from."""

    def __init__(self, rule: str, difference: str) -> None:
        super().__init__(
            f"this table is not the one that {quoted(rule)} was studied on: "
            f"{one_line(difference).rstrip('.')}. Give the table that the result was made from, with y= if "
            "the outcome was given as values, or run the study again."
        )


class MatchedRecordsError(CausalRulesError, ValueError):
    """It is not settled which records were compared."""

    def __init__(self, rule: str, method: str) -> None:
        super().__init__(
            f"the records compared for {quoted(rule)} cannot be told: {method} matching deals alike records "
            "out by lot and keeps their numbers only. Match exactly, or leave ",
            Setting("controls", "auto"),
            " to choose.",
        )


class OutputError(CausalRulesError, OSError):
    """A file cannot be written."""

    def __init__(
        self,
        path: object,
        problem: str,
        remedy: str = "Choose a writable place; nothing was left behind.",
    ) -> None:
        super().__init__(f"cannot write {one_line(str(path))}: {problem}. {remedy}")


class OutputNameError(OutputError):
    """The name of a file asks for a kind of file that is not written."""

    def __init__(self, path: object, what: str, endings: Sequence[str]) -> None:
        ways = f"{', '.join(endings[:-1])} or {endings[-1]}" if len(endings) > 1 else endings[0]
        super().__init__(path, f"{what} ends in {ways}", f"Name it {ways}; nothing was written.")


class CheckpointError(CausalRulesError, RuntimeError):
    """The folder of a checkpoint cannot be used."""

    def __init__(self, folder: object, problem: str, remedy: str) -> None:
        super().__init__(f"cannot use {one_line(str(folder))} as a checkpoint: {problem}. {remedy}")

    @classmethod
    def unusable(cls, folder: object, error: OSError) -> CheckpointError:
        """The system says no."""
        return cls(folder, error.strerror or str(error), "Name a folder that can be written to.")

    @classmethod
    def in_use(cls, folder: object, holder: str) -> CheckpointError:
        """Another run writes there now."""
        return cls(
            folder,
            f"another run writes there now (process {holder or 'unknown'})",
            "Wait until it has finished, or name another folder.",
        )

    @classmethod
    def foreign(cls, folder: object, name: str) -> CheckpointError:
        """A file has the name of ours and is something else."""
        return cls(folder, f"its file {name} was not written by causalrules", "Name another folder.")


class CheckpointOfAnotherRunError(CheckpointError, ValueError):
    """The folder holds a run with other data or settings."""

    def __init__(self, folder: object, differences: Sequence[str]) -> None:
        super().__init__(
            folder,
            f"it holds another run: {'; '.join(differences)}",
            "Name another folder for this run, or delete that one.",
        )


class EngineError(CausalRulesError, RuntimeError):
    """An engine cannot answer a question."""


class MissingJavaError(EngineError):
    """Spark was asked for on a machine without the Java it needs."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"the Spark engine needs Java 17 or later, but {found}. Install it (on Debian: apt install "
            "openjdk-17-jre-headless), or set JAVA_HOME to where it is."
        )


class SparkJobError(EngineError):
    """A job on Spark failed, also after Spark tried again."""

    def __init__(self, what: str, report: str) -> None:
        if "No module named 'causalrules" in report:
            remedy = (
                "the Python of Spark's workers has no causalrules, or another version. Install it there, or "
                "name a Python that has it with PYSPARK_PYTHON before the session is started."
            )
        else:
            remedy = f"{_cause_in(report)}. Spark's log and its web page (UI) tell more."
        super().__init__(f"Spark could not finish the job {quoted(what)}: {remedy}")


def _cause_in(report: str) -> str:
    """Of a report of many lines, the last line of a Python traceback, else the first line."""
    lines = [line.strip() for line in report.splitlines() if line.strip()]
    python = [line for line in lines if re.match(r"[A-Za-z_.]*(Error|Exception): ", line)]
    return quoted((python or lines or ["no reason given"])[-1 if python else 0])


class ExplorerError(CausalRulesError):
    """The explorer does not do what was asked of it; `about` names the control it concerns."""

    def __init__(self, *parts: str | Setting, about: str | None = None) -> None:
        self.about = about
        super().__init__(*parts)


class NotServedError(ExplorerError, FileNotFoundError):
    """A file was asked for that is not among those the explorer was opened with."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{quoted(name)} is not among the files of this explorer. Choose one of the list, or upload it.",
            about="file",
        )


class UploadError(ExplorerError, ValueError):
    """A file was sent that the explorer does not take."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"the file was not taken: {problem}. {remedy}", about="upload")


class UnknownRunError(ExplorerError, LookupError):
    """A result was asked for that is not remembered."""

    def __init__(self) -> None:
        super().__init__("this result is no longer kept. Run it again.")


class BusyError(ExplorerError, RuntimeError):
    """Too much is under way."""

    def __init__(self, what: str, most: int) -> None:
        super().__init__(
            f"{most} {what} are under way, as many as run at once. Wait for one of them or cancel it.",
            about="run",
        )


class PortError(ExplorerError, OSError):
    """The explorer cannot be reached at this port."""

    def __init__(self, port: int, problem: str) -> None:
        super().__init__(
            f"port {port} of this machine cannot be used: {problem}. Choose another with ",
            Setting("port"),
            ", or leave it out: then a free one is found.",
        )


class MissingPackageError(CausalRulesError, ImportError):
    """A part was asked for whose package is not installed."""

    def __init__(self, part: str, package: str, extra: str, instead: str = "") -> None:
        super().__init__(
            f"{part} needs {package}, which is not installed. "
            f"Install it with: pip install 'causalrules[{extra}]'{instead and f'. {instead}'}"
        )


def one_line(text: str) -> str:
    r"""Text on one line and in any encoding: what cannot be printed is shown as an escape.

    Examples
    --------
    >>> print(one_line("two\nlines.csv"))
    two\nlines.csv
    """
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def quoted(text: str) -> str:
    r"""Text as a message shows it: quoted, control characters visible, not too long.

    Examples
    --------
    >>> print(quoted("two\nlines"))
    'two\nlines'
    """
    shown = text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "…"
    return repr(shown)


def _did_you_mean(name: str, known: Sequence[str], *, else_list: bool) -> str:
    close = _similar(name, known)
    if close:
        return f". Did you mean {_either(close)}?"
    if not else_list or not known:
        return "."
    shown = ", ".join(map(quoted, list(known)[:12]))
    return f". There {'are' if len(known) > 1 else 'is'}: {shown}{', …' if len(known) > 12 else ''}."


def _similar(name: str, known: Iterable[str]) -> list[str]:
    """Up to three names that differ little, however they are written; only so many are looked at."""
    by_folded: dict[str, str] = {}
    for other in islice(known, _MOST_COMPARED):
        by_folded.setdefault(_folded(other), other)
    return [by_folded[match] for match in get_close_matches(_folded(name), by_folded, n=3)]


def _folded(name: str) -> str:
    return name[: 2 * _LONGEST_SHOWN].strip().casefold()


def _either(names: Sequence[str]) -> str:
    return " or ".join(map(quoted, names))


def _columns(names: Sequence[str]) -> str:
    return "one column" if len(names) == 1 else f"{len(names)} columns"

"""Errors as a page shows them: our sentence, and the control it is about."""

from __future__ import annotations

from dataclasses import dataclass

from causalrules.errors import (
    BusyError,
    CausalRulesError,
    ExplorerError,
    ExposureError,
    NothingToMineError,
    NotServedError,
    OutcomeError,
    PatternError,
    SettingsError,
    SourceError,
    UnknownColumnError,
    UnknownRunError,
    UnknownValueError,
)
from causalrules.explorer.form import on_the_page, sentence

UNEXPECTED = (
    "Something went wrong that was not foreseen; the terminal in which the explorer was started names it. "
    "Other questions can still be asked."
)
_NO_MEMORY = "The table does not fit into memory. Use fewer columns or a sample of the records."


@dataclass(frozen=True, slots=True)
class Complaint:
    """One sentence, and the control beside which it belongs, if there is one."""

    text: str
    about: str | None = None


def complaint_of(error: BaseException) -> Complaint:
    """What may be told of an error: of one that was not raised on purpose, nothing."""
    if isinstance(error, MemoryError):
        return Complaint(_NO_MEMORY)
    if not isinstance(error, CausalRulesError):
        return Complaint(UNEXPECTED)
    return Complaint(sentence(error.in_words(on_the_page)), _control(error))


def status_of(error: CausalRulesError) -> int:
    """The HTTP status that tells what kind of refusal it is."""
    if isinstance(error, BusyError):
        return 429
    if isinstance(error, NotServedError | UnknownRunError):
        return 404
    return 422


def _control(error: CausalRulesError) -> str | None:
    match error:
        case SettingsError():
            return "outcome" if error.name == "outcome_as" else error.name
        case UnknownColumnError() | UnknownValueError() | PatternError():
            return "hypothesis" if error.role == "exposure" else error.role
        case OutcomeError():
            return "outcome"
        case NothingToMineError():
            return "columns"
        case ExposureError():
            return "hypothesis"
        case SourceError():
            return "file"
        case ExplorerError():
            return error.about
    return None

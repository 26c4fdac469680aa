"""A result cannot be read or written, or does not hold what was asked of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from causalrules.errors.base import CausalRulesError
from causalrules.errors.wording import did_you_mean, either, one_line, quoted, similar

if TYPE_CHECKING:
    from collections.abc import Sequence


class ResultFileError(CausalRulesError, ValueError):
    """A saved result cannot be read."""


class ResultMissingError(ResultFileError, FileNotFoundError):
    """There is no such saved result; `nearby` are the names in its folder."""

    is_usage_mistake = True

    def __init__(self, path: object, nearby: Sequence[str]) -> None:
        close = similar(os.path.basename(str(path)), nearby)
        remedy = f"Did you mean {either(close)}?" if close else "Check the path."
        super().__init__(f"cannot read {one_line(str(path))}: there is no such file. {remedy}")


class UnknownRuleError(CausalRulesError, LookupError):
    """A rule was named that the result does not have."""

    is_usage_mistake = True

    def __init__(self, wanted: str | int, known: Sequence[str]) -> None:
        if not known:
            message = "the result has no rules: nothing was tested."
        elif isinstance(wanted, int):
            message = f"there is no rule at place {wanted}; the result has {len(known)}, from place 0 on."
        else:
            near = did_you_mean(wanted, known, else_list=True)
            message = f"the rule {quoted(wanted)} is not among the {len(known)} tested{near}"
        super().__init__(message)


class UnknownFactorError(CausalRulesError, KeyError):
    """A column, or columns that act together, was named that the result does not have."""

    is_usage_mistake = True

    def __init__(self, wanted: str, known: Sequence[str], lacks: str = "") -> None:
        near = did_you_mean(wanted, known, else_list=True)
        super().__init__(f"{quoted(wanted)} {lacks or 'is not among what was looked at'}{near}")


class UnknownLevelError(CausalRulesError, KeyError):
    """A level was named that the factor does not have, or that nothing can be compared with."""

    is_usage_mistake = True

    def __init__(self, factor: str, wanted: str, known: Sequence[str]) -> None:
        near = did_you_mean(wanted, known, else_list=True)
        super().__init__(f"{quoted(factor)} cannot be compared at the level {quoted(wanted)}{near}")


class NotWritableError(CausalRulesError, ValueError):
    """A rule cannot be written so that another program would choose the same records."""

    def __init__(self, rule: str, language: str, column: str, holds: str) -> None:
        super().__init__(
            f"the rule {quoted(rule)} cannot be written in {language}: the column {quoted(column)} holds "
            f"{holds}. Choose its records with rule.mask(frame)."
        )


class PictureError(CausalRulesError, ValueError):
    """A result does not hold what a picture shows."""

    def __init__(self, what: str, rule: str, reason: str, remedy: str) -> None:
        super().__init__(f"cannot draw {what} of {quoted(rule)}: {reason}. {remedy}")


class OtherTableError(CausalRulesError, ValueError):
    """A table is not the one that a result was made from."""

    def __init__(self, rule: str, difference: str) -> None:
        super().__init__(
            f"this table is not the one that {quoted(rule)} was studied on: "
            f"{one_line(difference).rstrip('.')}. Give the table that the result was made from, and the "
            "same values again if the outcome was given as values, or run the study again."
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

    is_usage_mistake = True

    def __init__(self, path: object, what: str, endings: Sequence[str]) -> None:
        ways = f"{', '.join(endings[:-1])} or {endings[-1]}" if len(endings) > 1 else endings[0]
        super().__init__(path, f"{what} ends in {ways}", f"Name it {ways}; nothing was written.")

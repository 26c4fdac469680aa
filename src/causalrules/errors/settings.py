"""What was asked is not understood: settings, knowledge, exposures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from causalrules.errors.base import CausalRulesError, Setting
from causalrules.errors.wording import did_you_mean, either, quoted, shown_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class SettingsError(CausalRulesError, ValueError):
    """A setting is out of range or unknown; `name` is its name in Python."""

    is_usage_mistake = True

    name: str

    def __init__(self, name: str, demand: str, found: object) -> None:
        self.name = name
        super().__init__(Setting(name, is_subject=True), f" must be {demand}; it is {shown_value(found)}.")

    @classmethod
    def unknown(cls, name: str, known: Sequence[str], meant: Sequence[str] = ()) -> Self:
        """The setting does not exist; `meant` are those that it is an option of."""
        near = f". Did you mean {either(meant)}?" if meant else did_you_mean(name, known, else_list=True)
        return cls.saying(name, f"there is no setting {quoted(name)}{near}")

    @classmethod
    def choice(
        cls, name: str, choices: Sequence[str], found: object, former: Mapping[str, str] | None = None
    ) -> Self:
        """The setting is none of its choices; the nearest is named, or the one that replaces a former."""
        near = did_you_mean(str(found), choices, else_list=False)
        if former and str(found) in former:
            near = f", which {former[str(found)]!r} replaces."
        listed = ", ".join(map(repr, choices))
        subject = Setting(name, is_subject=True)
        return cls.saying(name, subject, f" must be one of {listed}; it is {shown_value(found)}{near}")

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


class ExposureError(CausalRulesError, ValueError):
    """An exposure cannot be asked about."""

    is_usage_mistake = True


class PatternError(ExposureError):
    """The text of a pattern cannot be understood; `place` is the character, from 1."""

    def __init__(self, role: str, text: str, place: int, what: str) -> None:
        self.role, self.text, self.place = role, text, place + 1
        here = f", {quoted(text[place:])}" if text[place:] else ", its end"
        super().__init__(
            f"the {role} {quoted(text)} is not understood at character {self.place}{here}: {what}."
        )

"""What a page asks, checked and understood before anything is done."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.domain import Item, Settings
from causalrules.domain.pattern_grammar import Condition, written
from causalrules.domain.setting_fields import typed_option
from causalrules.domain.settings import NAME_LISTS
from causalrules.errors import ExplorerError, SettingsError
from causalrules.explorer.form import ASKED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from causalrules.domain import Item


@dataclass(frozen=True, slots=True)
class Question:
    """A table, an outcome, how to judge; and a hypothesis, or nothing: then causes are sought."""

    file: str
    outcome: Item | str
    settings: Settings
    hypothesis: tuple[Item, ...] = ()

    @classmethod
    def of(cls, body: dict[str, Any]) -> Question:
        """From what was sent."""
        _refuse_what_is_no_text({name: value for name, value in body.items() if name != "file"})
        hypothesis = body.get("hypothesis") or []
        if not isinstance(hypothesis, list):
            raise ExplorerError("the hypothesis is not a list of items. Reload the page.", about="hypothesis")
        settings = settings_of(body.get("settings") or {})
        return cls(
            file_of(body),
            _outcome(body.get("outcome"), settings),
            settings,
            tuple(_item(entry, "hypothesis") for entry in hypothesis),
        )

    @property
    def changed(self) -> dict[str, Any]:
        """The settings that are not at their defaults."""
        usual = Settings().to_dict()
        return {name: value for name, value in self.settings.to_dict().items() if value != usual[name]}

    @property
    def kind(self) -> str:
        """One hypothesis is a study; without one it is a search."""
        return "study" if self.hypothesis else "search"


def _refuse_what_is_no_text(asked: dict[str, Any]) -> None:
    """Half of a surrogate pair can be written in JSON, but never be shown again."""
    try:
        json.dumps(asked, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ExplorerError("the question holds a sign that is no text. Choose again.") from error


def file_of(body: dict[str, Any]) -> str:
    """The file that was chosen."""
    file = body.get("file")
    if not isinstance(file, str) or not file:
        raise ExplorerError("no table is chosen. Choose a file first.", about="file")
    return file


def settings_of(values: Any) -> Settings:
    """Settings from what the form and the columns' roles say; the others stay at their defaults."""
    if not isinstance(values, dict):
        raise ExplorerError("the settings are not understood. Reload the page.")
    for name, value in values.items():
        if name not in ASKED:
            raise SettingsError.unknown(name, ASKED)
        if name in NAME_LISTS and not isinstance(value, list):
            raise SettingsError(name, "a list of texts", value)
    return Settings.from_options(**values)


def _outcome(entry: Any, settings: Settings) -> Item | str:
    """A value of a column, or a pattern as people write it; of a column whose mean is asked for its name."""
    pattern = entry.get("pattern") if isinstance(entry, dict) else None
    if isinstance(pattern, str) and pattern.strip():
        return pattern.strip()
    item = _item(entry, "outcome")
    return str(Condition(item.column, "yes")) if settings.outcome_as == "mean" else item


def _item(entry: Any, what: str) -> Item:
    if isinstance(entry, dict):
        column, value = entry.get("column"), entry.get("value")
        if isinstance(column, str) and isinstance(value, str) and column:
            return Item(column, value)
    raise ExplorerError(f"the {what} has no column and value. Choose both.", about=what)


def typed_command(question: Question, table: str, said: Mapping[str, str]) -> str:
    """The whole command.

    Parameters
    ----------
    question : Question
        What the page asks.
    table : str
        The table as people name it.
    said : mapping
        How its part is asked for: a sheet, or a table of a database.
    """
    outcome = question.outcome
    words = ["causalrules", "test" if question.hypothesis else "mine", table, "--outcome"]
    words.append(outcome if isinstance(outcome, str) else _typed([outcome]))
    if question.hypothesis:
        words += ["--exposure", _typed(question.hypothesis)]
    for name, value in said.items():
        words += typed_option(name, value)
    for name, value in question.changed.items():
        words += typed_option(name, value)
    return shlex.join(words)


def _typed(items: tuple[Item, ...] | list[Item]) -> str:
    return written([Condition(item.column, "is", (item.value,)) for item in items])

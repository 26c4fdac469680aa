"""From the arguments of a Python call to a job: outcomes as values, settings of an earlier run, knowledge."""

from __future__ import annotations

import logging
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from causalrules.asked_settings import asked_settings, job_for, said_first
from causalrules.domain import Item, Result, Settings
from causalrules.domain.progress import ignore_progress
from causalrules.errors import (
    NoValueError,
    OutcomeError,
    SettingsError,
    UnknownColumnError,
    UnknownValueError,
    one_line,
    quoted,
)
from causalrules.paper.result import PaperResult
from causalrules.paper.settings import PaperSettings
from causalrules.saved_results import asked_in, load
from causalrules.words.result import Result as PlainResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


MethodChoice = Literal["default", "plain"]
RunBefore = Settings | PaperSettings | Result | PaperResult | PlainResult | str | os.PathLike[str] | None
"""What a run before was asked: its settings, its result, or the path of a saved one."""


def job_of(
    table: Any,
    outcome: Any,
    columns: Sequence[str] | None,
    delimiter: str | None,
    before: RunBefore,
    options: Mapping[str, Any],
    knowledge: str | os.PathLike[str] | None = None,
) -> Any:
    """The run that was asked for, of the method that the settings belong to."""
    changed: dict[str, Any] = {**options}
    if knowledge is not None:
        from causalrules.read.knowledge_files import read_knowledge, with_knowledge

        changed = with_knowledge(changed, read_knowledge(knowledge))
    result = result_of(before)
    if result is not None:
        asked_before = asked_in(result)
        outcome = asked_before.outcome if outcome is None else outcome
        before = asked_before.settings
    if before is not None and not isinstance(before, Settings | PaperSettings):
        raise SettingsError("settings", "Settings, a Result or the path of a saved one", before)
    asked_for = asked_settings(changed, before)
    from causalrules.read import source_at

    source, asked = _with_values(source_at(table, columns, delimiter), outcome)
    return job_for(asked_for)(
        source=source,
        outcome=asked,
        settings=asked_for,
        said_first=said_first(changed, before),
        on_progress=ignore_progress,
        on_remark=logging.getLogger("causalrules").info,
    )


def asked_method(method: MethodChoice | None, **own: Any) -> dict[str, Any]:
    """The options that say which method is meant, and what only one of them knows, as far as given."""
    return {name: value for name, value in {"method": method, **own}.items() if value}


def outcome_of(outcome: Any, y: Any) -> Any:
    """The outcome, under either of its names."""
    if y is None:
        return outcome
    if outcome is not None:
        raise SettingsError.saying("y", "outcome and y are two names of one thing; give one of them")
    import numpy as np

    from causalrules.read import is_values

    if not is_values(y):
        raise SettingsError("y", "one value a record; a text such as 'income=>50K' is an outcome", y)
    return np.array(y, object) if isinstance(y, list | tuple) else y  # a list of texts would be outcomes


@contextmanager
def explaining_outcomes(outcome: Any, before: Any) -> Iterator[None]:
    """Say what is amiss with an outcome that was given as values, or taken from a result."""
    from causalrules.read import is_values

    try:
        yield
    except NoValueError as error:
        if error.role != "outcome" or not is_values(outcome):
            raise
        values = [quoted(value) for value in error.counts][:6]
        raise OutcomeError(
            f"the outcome has the values {', '.join(values)}; say which of them is meant, as in "
            f"y=(y == {values[0]})."
        ) from error
    except (UnknownColumnError, UnknownValueError) as error:
        if outcome is not None or before is None or error.role != "outcome":
            raise
        raise OutcomeError(
            f"the result's outcome is not in this table: {one_line(str(error)).rstrip('.')}. "
            "If it was given as values, give them again: outcome=…"
        ) from error


def several_outcomes(outcome: Any) -> list[str | Item]:
    """The outcomes of a list of texts; empty where one is given, or a series or array of values."""
    is_list = isinstance(outcome, list | tuple) and bool(outcome)
    return list(outcome) if is_list and all(isinstance(one, str) for one in outcome) else []


def result_of(given: RunBefore) -> Result | PaperResult | PlainResult | None:
    """The result that a run is to repeat, if one is given."""
    if isinstance(given, str | os.PathLike):
        return load(given)
    return given if isinstance(given, Result | PaperResult | PlainResult) else None


def _with_values(table: Any, outcome: Any) -> tuple[Any, str | Item]:
    """A table and how to ask for its outcome; one that is given as values becomes a column."""
    if outcome is None:
        raise SettingsError("outcome", "a text such as 'income=>50K', or one value a record", outcome)
    if isinstance(outcome, Item) and not isinstance(outcome.value, str):
        raise SettingsError("outcome", "an item whose value is a text, such as 'true'", outcome)
    if isinstance(outcome, int) and not isinstance(outcome, bool):  # a column of a frame without names
        outcome = str(outcome)
    from causalrules.read import check_same_order, is_values, read_table, with_outcome

    if not is_values(outcome):
        return table, outcome
    check_same_order(table, outcome)
    return with_outcome(read_table(table), outcome)

"""A session in one file: the questions that were answered, with their answers, to be reopened another day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.domain import Result
from causalrules.errors import CausalRulesError, ExplorerError
from causalrules.explorer.question import Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.explorer.runs import Run

SCHEMA = "causalrules-session/1"


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that has its answer: what a session keeps of a run."""

    question: Question
    table: str
    result: Result
    seconds: float


def session_of(runs: Sequence[Run]) -> dict[str, Any]:
    """All runs that have a result, as a file holds them; the tables themselves are not in it."""
    return {
        "schema": SCHEMA,
        "runs": [
            {
                "table": run.table,
                "file": run.question.file,
                "outcome": run.describe()["outcome"],
                "hypothesis": run.describe()["hypothesis"],
                "settings": run.question.changed,
                "seconds": run.seconds or 0.0,
                "result": run.result.to_dict(),
            }
            for run in runs
            if run.result is not None
        ],
    }


def read_session(entry: dict[str, Any]) -> list[Answered]:
    """The answers of a saved session, checked as if they had just been asked for."""
    if entry.get("schema") != SCHEMA or not isinstance(entry.get("runs"), list):
        raise ExplorerError(
            "this file is no saved session. Choose one that “Save session” wrote.", about="session"
        )
    try:
        return [_answered(one) for one in entry["runs"]]
    except CausalRulesError as error:
        raise ExplorerError(f"this session cannot be reopened: {error}", about="session") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError) as error:
        raise ExplorerError(
            "this session is damaged or was edited. Save it again.", about="session"
        ) from error


def _answered(one: dict[str, Any]) -> Answered:
    return Answered(
        Question.of(one), str(one["table"]), Result.from_dict(one["result"]), float(one["seconds"])
    )

"""How far an interrupted run came: what it leaves open belongs into the first line of every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from causalrules.domain.result import Result


def how_far(result: Result) -> str:
    """What of an interrupted run was done, in a few words; empty if it was finished."""
    if not result.interrupted:
        return ""
    n_done, n_due = len(result.tested), sum(one.get("associations", 0) for one in result.by_length.values())
    if n_done < n_due:
        return f"{n_done:,} of {n_due:,} hypotheses studied"
    studied = "1 hypothesis" if n_done == 1 else f"{n_done:,} hypotheses"
    return f"{studied} studied, not all combinations looked at"


def unfinished(result: Result) -> str:
    """How an answer to an interrupted run begins; empty if it was finished."""
    far = how_far(result)
    return f"Unfinished ({far}): " if far else ""

"""What a search says first: leaks, values that settle the outcome, crowds of columns, alarms, halves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.cohort.neighbours.window_search import MOST_COLUMNS
from causalrules.domain.quoted_names import typed_list
from causalrules.domain.told_phrases import HOW_LONG_OBSERVED, NEARLY_DECIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from causalrules.domain import Item
    from causalrules.domain.falsification import NegativeControl
    from causalrules.engines.contract import Opened

CROWDED = (
    f"{MOST_COLUMNS} columns or more may be directly linked to the outcome, and no more are compared with "
    "each other at a time. Of columns that say much the same, other records may name others, whatever the "
    "probabilities here. --drop what says the same as another column, and see what new data name."
)
_VALUES_NAMED = 3


def leaks_among(columns: Mapping[str, str], notes: Sequence[str]) -> list[str]:
    """A sentence on each column that nearly decides the outcome; what that means is explained once.

    Parameters
    ----------
    columns : mapping of str to str
        How each of them does.
    notes : sequence of str
        What is said already: a time of observation is asked about, and decides the outcome by its nature.
    """
    found: list[str] = []
    is_explained = False
    for name, how in columns.items():
        option = typed_list([name])
        if any(note.startswith(f"Is {name}{HOW_LONG_OBSERVED}") for note in notes):
            found.append(f"{name}{NEARLY_DECIDES} ({how}), as a time of observation may: --after {option}.")
            continue
        if is_explained:
            ways = f"--after {option}, --before {option} or --drop {option}"
            found.append(f"{name}{NEARLY_DECIDES} ({how}), too: {ways}.")
            continue
        found.append(
            f"{name}{NEARLY_DECIDES} ({how}): a leak, a consequence, or the outcome in other "
            f"words. Studies do not adjust for it, but it makes other columns look less likely to be "
            f"directly linked to the outcome; --after {option} says that it comes after the "
            f"outcome, --before {option} that it comes before it, as an earlier measurement "
            f"of the same thing does, and is adjusted for; --drop {option} leaves it out."
        )
        is_explained = True
    return found


def values_that_settle(found: Mapping[Item, str]) -> list[str]:
    """A question, when values were known that leave hardly any doubt about the outcome."""
    if not found:
        return []
    told = [f"{item.name} ({how})" for item, how in list(found.items())[:_VALUES_NAMED]]
    if len(found) > _VALUES_NAMED:
        told.append(f"{len(found) - _VALUES_NAMED} more")
    names = typed_list(list(dict.fromkeys(item.column for item in found)))
    settle, ask = ("settles", "Is it") if len(found) == 1 else ("settle", "Are they")
    return [
        f"{' and '.join(told)} nearly {settle} the outcome. {ask} known before it, or only afterwards? "
        f"Say --before {names} or --after {names}."
    ]


def alarms_of(controls: Sequence[NegativeControl]) -> list[str]:
    """A sentence where negative controls show effects that there cannot be."""
    alarms = [one for one in controls if one.is_alarm]
    if not alarms:
        return []
    effects = [f"{one.exposure} on {one.outcome} ({one.odds_ratio.value:.2f})" for one in alarms]
    return [
        "Negative controls show effects where there can be none: odds ratios of "
        f"{'; '.join(effects)}. Something that is not adjusted for explains them, and may explain "
        "the findings too."
    ]


def halves_of(opened: Opened) -> str:
    """How many records hypotheses come from, and how many judge them, where some are held out."""
    seen, held_out = (
        f"{engine.n_with + engine.n_without:,} records ({engine.n_with:,} with the outcome)"
        for engine in (opened.engine, opened.judge_engine)
    )
    return f"Hypotheses and controls come from {seen}; judged on {held_out} held out."

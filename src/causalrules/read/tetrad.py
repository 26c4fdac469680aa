"""Tetrad's knowledge files: tiers, forbidden and required arrows."""

from __future__ import annotations

import re
from itertools import permutations
from typing import TYPE_CHECKING, Any

from causalrules.errors import SettingsError, SourceError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain.knowledge import Knowledge

_SECTIONS = ("addtemporal", "forbiddirect", "requiredirect")
_TIER = re.compile(r"(\d+)(\*?)")


def read_tetrad(text: str, source: object) -> dict[str, Any]:
    r"""The settings that a knowledge file of Tetrad stands for.

    Examples
    --------
    >>> read_tetrad("/knowledge\naddtemporal\n1 age sex\n2 smoking\n\nforbiddirect\nage bill\n", "k.txt")
    {'tiers': [['age', 'sex'], ['smoking']], 'forbid': [('age', 'bill')]}
    """
    tiers: dict[int, list[str]] = {}
    arrows: dict[str, list[tuple[str, str]]] = {"forbiddirect": [], "requiredirect": []}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "/knowledge":
            continue
        if len(words) == 1 and words[0] in _SECTIONS:
            section = words[0]
        elif section == "addtemporal" and (tier := _TIER.fullmatch(words[0])):
            place, is_closed = tier.groups()
            tiers.setdefault(int(place), []).extend(words[1:])
            if is_closed:
                arrows["forbiddirect"] += permutations(words[1:], 2)
        elif section in arrows and len(words) == 2:
            arrows[section].append((words[0], words[1]))
        else:
            raise SourceError(
                source,
                f"line {number}, {quoted(line)}, is not understood",
                f"Tetrad's sections are {', '.join(_SECTIONS)}.",
            )
    found: dict[str, Any] = {}
    ordered = [tiers[place] for place in sorted(tiers) if tiers[place]]
    if len(ordered) > 1:
        found["tiers"] = ordered
    for key, name in (("require", "requiredirect"), ("forbid", "forbiddirect")):
        if arrows[name]:
            found[key] = arrows[name]
    return found


def written_tetrad(knowledge: Knowledge, outcome: str = "") -> str:
    """A knowledge file for Tetrad; what comes before and after the outcome are tiers around it."""
    tiers = knowledge.tiers
    if knowledge.before or knowledge.after:
        if tiers or not outcome:
            raise SettingsError(
                "tiers", "left out, and the outcome given, where before and after become tiers", tiers
            )
        tiers = tuple(filter(None, (knowledge.before, (outcome,), knowledge.after)))
    lines = ["/knowledge", "addtemporal"]
    lines += [f"{place} {_words(tier)}" for place, tier in enumerate(tiers, 1)]
    lines += ["", "forbiddirect", *map(_words, knowledge.forbidden)]
    lines += ["", "requiredirect", *map(_words, knowledge.required)]
    return "\n".join([*lines, ""])


def _words(names: Sequence[str]) -> str:
    for name in names:
        if name.split() != [name]:
            raise SettingsError("knowledge", "of names without spaces for Tetrad", name)
    return " ".join(names)

"""The settings as a form: kinds, choices, defaults and help all come from `Settings`."""

from __future__ import annotations

import re
from dataclasses import fields
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from causalrules.domain import Settings

LABELS = {
    "What to look for": {
        "direction": "Direction",
        "max_length": "Longest rule",
        "min_support": "Minimum support",
    },
    "What is held fixed, who is compared": {
        "controls": "Hold fixed",
        "matching": "Matching",
        "caliper": "Caliper",
        "ratio": "Partners for each record",
        "replace": "Use partners again",
        "optimal": "Optimal pairs",
        "epsilon": "Exclusive up to (records)",
    },
    "How rules are judged": {
        "judge": "Judge by",
        "test": "Test",
        "mid_p": "Mid-p",
        "correction": "Correction for many rules",
        "alpha": "Level",
        "confidence": "Confidence of intervals",
        "min_odds_ratio": "Minimum odds ratio",
        "holdout": "Share held out",
        "pairs": "Pairs",
        "runs": "Random pairings",
        "votes": "Votes needed",
        "seed": "Seed",
    },
    "A closer look": {
        "explain": "Explain rejected rules",
        "bootstrap": "Bootstrap tables",
    },
    "How columns are read": {
        "bins": "Cut numbers by",
        "missing": "Texts that mean missing",
        "max_values": "Most values of a column",
    },
}
"""What the page offers, in groups, by the names that people read."""

ROLES = {"drop": "leave out", "categorical": "as categories", "numeric": "as numbers"}
"""What the page calls the lists of columns, which are chosen column by column."""

_NAMES = {name: label for group in LABELS.values() for name, label in group.items()} | ROLES
_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)")
OFFERED = [name for group in LABELS.values() for name in group]
_ENTRY = re.compile(r"^ {4}(\w+(?:, \w+)*) : [^\n]*\n((?: {8}[^\n]*\n)+)", re.MULTILINE)


def form() -> list[dict[str, Any]]:
    """Groups of controls as a page can draw them."""
    helps = help_texts()
    defaults = {field.name: field.default for field in fields(Settings)}
    settled = Settings().to_dict()
    hints = get_type_hints(Settings)
    return [
        {
            "title": title,
            "controls": [
                _kind(hints[name])
                | {
                    "name": name,
                    "label": label,
                    "help": helps.get(name, ""),
                    "default": _plain(defaults[name]),
                    "settled": settled[name],
                }
                for name, label in group.items()
            ],
        }
        for title, group in LABELS.items()
    ]


def in_words_of_the_page(text: str, setting: str | None = None) -> str:
    """A sentence in which options of the terminal, and the setting it is about, have the names of the page.

    Examples
    --------
    >>> in_words_of_the_page("min_support must be below 1; try --bins quantile:4.", "min_support")
    'Minimum support must be below 1; try “Cut numbers by” quantile:4.'
    """

    def renamed(option: re.Match[str]) -> str:
        label = _NAMES.get(option[1].replace("-", "_"))
        return option[0] if label is None else f"“{label}”"

    if setting in _NAMES and text.startswith(f"{setting} "):
        text = _NAMES[setting] + text.removeprefix(setting)
    text = _OPTION.sub(renamed, text)
    return text[:1].upper() + text[1:]


def help_texts() -> dict[str, str]:
    """What the docstring of `Settings` says of each setting.

    Examples
    --------
    >>> help_texts()["max_length"]
    'Most items in one pattern.'
    """
    found: dict[str, str] = {}
    for names, text in _ENTRY.findall(Settings.__doc__ or ""):
        words = " ".join(text.split()).replace("``", "").replace("`", "")
        found |= dict.fromkeys(names.split(", "), words)
    return found


def _kind(hint: Any) -> dict[str, Any]:
    """How a setting of this type is asked for."""
    parts = [hint] if get_origin(hint) in (Literal, tuple) or not get_args(hint) else list(get_args(hint))
    choices = [choice for part in parts if get_origin(part) is Literal for choice in get_args(part)]
    may_be_empty = NoneType in parts
    if float in parts and choices:
        return {"kind": "number-or-word", "words": choices, "optional": may_be_empty}
    if choices:
        return {"kind": "choice", "choices": choices, "optional": may_be_empty}
    for type_, kind in ((bool, "flag"), (int, "whole"), (float, "number"), (str, "text")):
        if type_ in parts:
            return {"kind": kind, "optional": may_be_empty}
    return {"kind": "texts", "optional": may_be_empty}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value

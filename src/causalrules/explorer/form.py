"""The settings as a form: labels, kinds, choices, defaults and help all come from `Settings`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from causalrules.domain import Settings
from causalrules.domain.setting_fields import kinds_of
from causalrules.domain.settings import GROUPS
from causalrules.errors import Setting, in_python

if TYPE_CHECKING:
    from dataclasses import Field

    from causalrules.domain.setting_fields import Kind

_LABELS = {field.name: field.metadata["label"] for field in fields(Settings) if field.metadata["label"]}
_BY_COLUMN = (
    "drop",
    "categorical",
    "numeric",
    "exposures",
    "adjust",
    "never_adjust",
    "before",
    "after",
    "cut",
)
ROLES = {name: _LABELS[name] for name in _BY_COLUMN}
"""What the page calls the lists of columns, which are chosen column by column."""

BY_OUTCOME = {name: _LABELS[name] for name in ("outcome_as",)}
"""What the choice of an outcome says: its mean, or a value of it."""

OFFERED = [name for name in _LABELS if name not in (*ROLES, *BY_OUTCOME)]
"""The settings that have a control of their own: all with a label that nothing else on the page says."""

ASKED = (*OFFERED, *ROLES, *BY_OUTCOME)
"""All settings that a page can send."""

_KINDS: dict[type, str] = {bool: "flag", int: "whole", float: "number", str: "text", tuple: "texts"}


def form() -> list[dict[str, Any]]:
    """Groups of controls as a page can draw them."""
    groups = [
        (group.title, [_control(field) for field in fields(group) if field.name in OFFERED])
        for group in GROUPS
    ]
    return [{"title": title, "controls": controls} for title, controls in groups if controls]


def _control(field: Field[Any]) -> dict[str, Any]:
    """How one setting is asked for."""
    default = list(field.default) if isinstance(field.default, tuple) else field.default
    return _kind(kinds_of(Settings)[field.name]) | {
        "name": field.name,
        "label": field.metadata["label"],
        "help": field.metadata["help"],
        "default": default,
        "unset": field.metadata["unset"],
    }


def _kind(kind: Kind) -> dict[str, Any]:
    if not kind.choices:
        return {"kind": _KINDS[kind.type], "optional": kind.is_optional}
    return {"kind": "choice", "choices": list(kind.choices), "optional": kind.is_optional}


def on_the_page(setting: Setting) -> str:
    """A setting by the name that the page has for it, if it has one.

    Examples
    --------
    >>> on_the_page(Setting("bins", "quantile:4")), on_the_page(Setting("min_support", is_subject=True))
    ('“Cut numbers by” quantile:4', 'Minimum support')
    """
    label = _LABELS.get(setting.name)
    if label is None:
        return in_python(setting)
    if setting.is_subject:
        return str(label)
    return f"“{label}”" if setting.value is None else f"“{label}” {setting.value}"


def sentence(text: str) -> str:
    """A text with a capital letter."""
    return text[:1].upper() + text[1:]

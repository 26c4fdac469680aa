"""Causal rules: what causes this outcome.

>>> import causalrules
>>> result = causalrules.mine("people.csv", outcome="income=>50K")  # doctest: +SKIP
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from causalrules.api import compare_matching, mine, study
    from causalrules.domain import Item, Result, Rule, Settings
    from causalrules.errors import CausalRulesError
    from causalrules.version import __version__

__all__ = [
    "CausalRulesError",
    "Item",
    "Result",
    "Rule",
    "Settings",
    "__version__",
    "compare_matching",
    "mine",
    "study",
]

_HOMES = {
    "CausalRulesError": "causalrules.errors",
    "Item": "causalrules.domain",
    "Result": "causalrules.domain",
    "Rule": "causalrules.domain",
    "Settings": "causalrules.domain",
    "__version__": "causalrules.version",
    "compare_matching": "causalrules.api",
    "study": "causalrules.api",
}


class _Package(ModuleType):
    """The package, importing public names when they are first used: a start stays quick."""

    def __getattr__(self, name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'causalrules' has no attribute {name!r}")
        value = getattr(import_module(_HOMES[name]), name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__, *__all__})

    @property
    def mine(self) -> Any:
        """The function people call; the room of that name is found by `from causalrules.mine import …`."""
        return import_module("causalrules.api").mine

    @mine.setter
    def mine(self, room: ModuleType) -> None:
        """The import system announces the room here; the function keeps the name."""


sys.modules[__name__].__class__ = _Package

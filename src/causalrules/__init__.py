"""Causal rules: what causes this outcome.

>>> import causalrules
>>> result = causalrules.mine("people.csv", outcome="income=>50K")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from causalrules.api import compare_matching, mine, study
    from causalrules.domain import Item, Result, Rule, Settings
    from causalrules.domain.answers import Answers
    from causalrules.errors import CausalRulesError
    from causalrules.version import __version__

__all__ = [
    "Answers",
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
    "Answers": "causalrules.domain.answers",
    "CausalRulesError": "causalrules.errors",
    "Item": "causalrules.domain",
    "Result": "causalrules.domain",
    "Rule": "causalrules.domain",
    "Settings": "causalrules.domain",
    "__version__": "causalrules.version",
    "compare_matching": "causalrules.api",
    "mine": "causalrules.api",
    "study": "causalrules.api",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562): a start stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'causalrules' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

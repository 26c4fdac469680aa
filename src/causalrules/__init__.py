"""Causal rules: what causes this outcome.

>>> import causalrules
>>> result = causalrules.mine("people.csv", outcome="income=>50K")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from causalrules import datasets, paper
    from causalrules.api import compare, compare_matching, explore, mine, study, table1, test
    from causalrules.domain import Item, Result, Rule, Settings
    from causalrules.domain.answers import Answers
    from causalrules.errors import CausalRulesError
    from causalrules.estimator import CausalRuleMiner
    from causalrules.read.table_at import TableAt
    from causalrules.saved_results import load
    from causalrules.simulation import simulate
    from causalrules.version import __version__

__all__ = [
    "Answers",
    "CausalRuleMiner",
    "CausalRulesError",
    "Item",
    "Result",
    "Rule",
    "Settings",
    "TableAt",
    "__version__",
    "compare",
    "compare_matching",
    "datasets",
    "explore",
    "load",
    "mine",
    "paper",
    "simulate",
    "study",
    "table1",
    "test",
]

_HOMES = {
    "Answers": "causalrules.domain.answers",
    "CausalRuleMiner": "causalrules.estimator",
    "CausalRulesError": "causalrules.errors",
    "Item": "causalrules.domain",
    "Result": "causalrules.domain",
    "Rule": "causalrules.domain",
    "Settings": "causalrules.domain",
    "TableAt": "causalrules.read.table_at",
    "__version__": "causalrules.version",
    "compare": "causalrules.api",
    "compare_matching": "causalrules.api",
    "explore": "causalrules.api",
    "load": "causalrules.saved_results",
    "mine": "causalrules.api",
    "simulate": "causalrules.simulation",
    "study": "causalrules.api",
    "table1": "causalrules.api",
    "test": "causalrules.api",
}
_MODULES = {"datasets": "causalrules.datasets", "paper": "causalrules.paper"}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562): a start stays quick."""
    if name in _MODULES:
        value: Any = import_module(_MODULES[name])
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'causalrules' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""The paper, whole: causal rules mined with cohort studies.

*From Observational Studies to Causal Rule Mining* (Li et al. 2015). Algorithm 1 is in
`algorithm_1`, Function 1 in `fair_data`; `mine`, `test` and `compare_matching` are the doors. Fixed
definitions and where they stand: docs/paper-to-code.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["PaperResult", "PaperRule", "PaperSettings", "compare_matching", "mine", "test"]

_HOMES = {
    "PaperResult": "causalrules.paper.result",
    "PaperRule": "causalrules.paper.rule",
    "PaperSettings": "causalrules.paper.settings",
    "compare_matching": "causalrules.paper.verbs",
    "mine": "causalrules.paper.verbs",
    "test": "causalrules.paper.verbs",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'causalrules.paper' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value

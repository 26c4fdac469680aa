"""The paper's data sets, which come with the package causalrules-lab."""

from __future__ import annotations

from typing import Any

from causalrules.lab_parts import lab_part


def __getattr__(name: str) -> Any:
    """Look a name up in the lab when it is used: without the lab, an error says what to install."""
    if name.startswith("__"):
        raise AttributeError(f"module 'causalrules.datasets' has no attribute {name!r}")
    return getattr(lab_part("datasets"), name)

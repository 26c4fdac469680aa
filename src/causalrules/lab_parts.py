"""The one door to the package causalrules-lab: the entry points that it declares."""

from __future__ import annotations

from typing import Any

from causalrules.errors import MissingPackageError

GROUP = "causalrules.lab"
LAB = "causalrules-lab"


def lab_part(name: str, otherwise: Any = None) -> Any:
    """What the lab has under the name of an entry point.

    Parameters
    ----------
    name : str
        Such as ``datasets``, or ``cli.reproduce`` for what a command does.
    otherwise : optional
        What to give where the lab is not installed; without it, an error says what to install.
    """
    from importlib.metadata import entry_points

    for entry in entry_points(group=GROUP, name=name):
        return entry.load()
    if otherwise is None:
        raise MissingPackageError(f"`{name.rpartition('.')[2]}`", LAB)
    return otherwise

"""What can be simulated: a kind, parameters and a seed → a table and its truth."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.errors import MissingPackageError, SettingsError
from causalrules.lab_parts import LAB, lab_part
from causalrules.simulation.planted import hospital_table
from causalrules.simulation.simulated import Simulated, Truth

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_RECORDS = 100_000_000
_PLACEHOLDERS = {"path": "FILE", "outcome": "NODE=VALUE"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A generator, and what it makes in a few words."""

    generate: Callable[..., Simulated[Truth]]
    about: str

    @property
    def parameters(self) -> dict[str, tuple[type, Any]]:
        """Type and default of each parameter but the seed; the default is None where one must be given."""
        signature = inspect.signature(self.generate, eval_str=True)
        return {
            name: (entry.annotation, None if entry.default is entry.empty else entry.default)
            for name, entry in signature.parameters.items()
            if name != "seed"
        }


HOSPITAL = {"hospital": Kind(hospital_table, "patients whose illness has known causes")}
"""The kind that needs no further package."""


def all_kinds() -> dict[str, Kind]:
    """The kinds by name; all but the hospital come with causalrules-lab."""
    further: dict[str, Kind] = lab_part("kinds", {})
    return HOSPITAL | further


def paper_tables() -> dict[str, tuple[str, dict[str, Any]]]:
    """The paper's synthetic tables, which come with causalrules-lab, by name: kind and parameters."""
    tables: dict[str, tuple[str, dict[str, Any]]] = lab_part("paper_tables", {})
    return tables


def simulate(kind: str, *, seed: int = 0, **parameters: Any) -> Simulated[Truth]:
    """Simulate a table with a known truth.

    Parameters
    ----------
    kind : str
        ``hospital``; with causalrules-lab also ``network``, ``logistic``,
        ``combined``, ``confounded``, ``bif``, or one of the paper's tables:
        ``V20-2K`` … ``V100-10K``, ``V200-10K`` … ``V1000-10K``, and ``V8-2K``,
        ``V12-2K``, ``V16-2K``, ``V20-2K-cmb`` with combined causes.
    seed : int
        Same seed, same table.
    **parameters
        Those of the kind; numbers may be given as text.

    Returns
    -------
    Simulated
        With ``.table`` and ``.truth``; ``.truth.to_dict()`` can be written as JSON.

    Examples
    --------
    >>> simulate("hospital", n_records="100", seed=1).table.shape
    (100, 14)
    """
    if kind in HOSPITAL:
        return _generated(kind, HOSPITAL[kind], seed, parameters)
    kinds, presets = all_kinds(), paper_tables()
    if kinds == HOSPITAL:
        raise MissingPackageError("every kind but `hospital`", LAB)
    if kind not in kinds and kind not in presets:
        raise SettingsError.choice("kind", [*kinds, *presets], kind)
    name, preset = presets.get(kind, (kind, {}))
    return _generated(name, kinds[name], seed, {**preset, **parameters})


def _generated(kind: str, made: Kind, seed: int, parameters: dict[str, Any]) -> Simulated[Truth]:
    """A table of a kind, with parameters that it knows."""
    known = made.parameters
    for name in parameters:
        if name not in known:
            raise SettingsError.unknown(name, list(known))
    lacking = [name for name, (_, default) in known.items() if default is None and name not in parameters]
    if lacking:
        ways = " ".join(f"--set {name}={_PLACEHOLDERS.get(name, 'VALUE')}" for name in lacking)
        message = f"the kind {kind!r} needs {' and '.join(lacking)}: {ways}"
        raise SettingsError.saying(lacking[0], message)
    typed = {name: _typed(name, value, known[name][0]) for name, value in parameters.items()}
    if not 1 <= typed.get("n_records", 1) <= MOST_RECORDS:
        raise SettingsError("n_records", f"a whole number from 1 to {MOST_RECORDS:,}", typed["n_records"])
    if seed < 0:
        raise SettingsError("seed", "a whole number of at least 0", seed)
    return made.generate(**typed, seed=seed)


def _typed(name: str, value: Any, wanted: type) -> Any:
    """A parameter as its type; whole numbers and texts of numbers are welcome where numbers are."""
    if wanted is int and isinstance(value, float) and value != int(value):
        raise SettingsError(name, "a whole number", value)
    try:
        return wanted(value)
    except (TypeError, ValueError, OverflowError) as error:
        demand = {int: "a whole number", float: "a number"}.get(wanted, "a text")
        raise SettingsError(name, demand, value) from error

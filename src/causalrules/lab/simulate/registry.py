"""All generators by name, for the terminal: a kind, parameters and a seed → a table and its truth."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.errors import SettingsError
from causalrules.lab.simulate.bif import bif_table
from causalrules.lab.simulate.combined import PAPER_COMBINED, combined_table
from causalrules.lab.simulate.confounded import confounded_table
from causalrules.lab.simulate.logistic_tables import PAPER_LOGISTIC, logistic_table
from causalrules.lab.simulate.planted import hospital_table
from causalrules.lab.simulate.random_networks import PAPER_NETWORKS, network_table
from causalrules.lab.simulate.simulated import Simulated, Truth

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Kind:
    """A generator, what it makes, in a few words, and what its records are."""

    generate: Callable[..., Simulated[Truth]]
    about: str
    records: str = "records"

    @property
    def parameters(self) -> dict[str, tuple[type, Any]]:
        """Type and default of each parameter but the seed; the default is None where one must be given."""
        signature = inspect.signature(self.generate, eval_str=True)
        return {
            name: (entry.annotation, None if entry.default is entry.empty else entry.default)
            for name, entry in signature.parameters.items()
            if name != "seed"
        }


MOST_RECORDS = 100_000_000
_PLACEHOLDERS = {"path": "FILE", "outcome": "NODE=VALUE"}

KINDS = {
    "hospital": Kind(hospital_table, "patients whose illness has known causes", "patients"),
    "network": Kind(network_table, "a random Bayesian network with a chosen neighbourhood of the target"),
    "logistic": Kind(logistic_table, "many columns, a share of which cause the outcome"),
    "combined": Kind(combined_table, "causes that only act together"),
    "confounded": Kind(confounded_table, "one exposure with a known effect, and confounders"),
    "bif": Kind(bif_table, "records from a Bayesian network in a BIF file"),
}


def simulate(kind: str, *, seed: int = 0, **parameters: Any) -> Simulated[Truth]:
    """Simulate a table with a known truth.

    Parameters
    ----------
    kind : str
        One of `KINDS`, or one of the paper's tables: ``V20-2K`` …
        ``V100-10K``, ``V200-10K`` … ``V1000-10K``, and ``V8-2K``, ``V12-2K``,
        ``V16-2K``, ``V20-2K-cmb`` with combined causes.
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
    >>> simulate("V8-2K").table.shape
    (2000, 8)
    >>> simulate("confounded", n_records=100, n_controls="2").table.column_names
    ['x', 'c1', 'c2', 'z']
    """
    preset = PAPER_TABLES.get(kind)
    if preset is not None:
        kind, parameters = preset[0], {**preset[1], **parameters}
    if kind not in KINDS:
        raise SettingsError.choice("kind", [*KINDS, *PAPER_TABLES], kind)
    known = KINDS[kind].parameters
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
    return KINDS[kind].generate(**typed, seed=seed)


def _paper_tables() -> dict[str, tuple[str, dict[str, Any]]]:
    tables: dict[str, tuple[str, dict[str, Any]]] = {}
    for name, plan in PAPER_NETWORKS.items():
        for thousands in (2, 5, 10):
            sizes = {"n_nodes": plan.n_nodes, "n_parents": plan.n_parents, "n_children": plan.n_children}
            tables[f"{name}-{thousands}K"] = ("network", {**sizes, "n_records": 1000 * thousands})
    for name, wide in PAPER_LOGISTIC.items():
        tables[f"{name}-10K"] = ("logistic", {**wide, "n_records": 10_000})
    for name, split in PAPER_COMBINED.items():
        tables[name] = (
            "combined",
            {**split, "n_records": 2000},
        )
    return tables


PAPER_TABLES = _paper_tables()
"""The paper's 24 synthetic tables by their names there: kind and parameters."""


def _typed(name: str, value: Any, wanted: type) -> Any:
    """A parameter as its type; whole numbers and texts of numbers are welcome where numbers are."""
    if wanted is int and isinstance(value, float) and value != int(value):
        raise SettingsError(name, "a whole number", value)
    try:
        return wanted(value)
    except (TypeError, ValueError, OverflowError) as error:
        demand = {int: "a whole number", float: "a number"}.get(wanted, "a text")
        raise SettingsError(name, demand, value) from error

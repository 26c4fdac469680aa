"""The kinds of tables that are simulated here, and the paper's among them."""

from __future__ import annotations

from typing import Any

from causalrules.simulation.kinds import Kind
from causalrules_lab.simulate.bif import bif_table
from causalrules_lab.simulate.combined import PAPER_COMBINED, combined_table
from causalrules_lab.simulate.confounded import confounded_table
from causalrules_lab.simulate.logistic_tables import PAPER_DENSE, PAPER_LOGISTIC, logistic_table
from causalrules_lab.simulate.random_networks import PAPER_NETWORKS, network_table

KINDS = {
    "network": Kind(network_table, "a random Bayesian network with a chosen neighbourhood of the target"),
    "logistic": Kind(logistic_table, "many columns, a share of which cause the outcome"),
    "combined": Kind(combined_table, "causes that only act together"),
    "confounded": Kind(confounded_table, "one exposure with a known effect, and confounders"),
    "bif": Kind(bif_table, "records from a Bayesian network in a BIF file"),
}


def _paper_tables() -> dict[str, tuple[str, dict[str, Any]]]:
    tables: dict[str, tuple[str, dict[str, Any]]] = {}
    for name, plan in PAPER_NETWORKS.items():
        for thousands in (2, 5, 10):
            sizes = {"n_nodes": plan.n_nodes, "n_parents": plan.n_parents, "n_children": plan.n_children}
            tables[f"{name}-{thousands}K"] = ("network", {**sizes, "n_records": 1000 * thousands})
    for name, wide in PAPER_LOGISTIC.items():
        tables[f"{name}-10K"] = ("logistic", {**wide, "n_records": 10_000})
    for name, dense in PAPER_DENSE.items():
        tables[name] = ("logistic", {"n_records": 5_000, **dense})
    for name, split in PAPER_COMBINED.items():
        tables[name] = (
            "combined",
            {**split, "n_records": 2000},
        )
    return tables


PAPER_TABLES = _paper_tables()
"""The paper's 24 synthetic tables by their names there, and two dense ones: kind and parameters."""

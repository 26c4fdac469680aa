"""Combined causes: parents of the target split in two halves, neither of which tells anything alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from causalrules.domain import Direction, Item
from causalrules.errors import SettingsError
from causalrules.simulation.simulated import Simulated
from causalrules_lab.simulate.random_networks import TARGET, NetworkPlan, random_network
from causalrules_lab.simulate.text_columns import BINARY, text_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules_lab.simulate.bayesian import NetworkTruth

_LEAST_DIFFERENCE = 0.1
_MOST_NETWORKS = 1000

PAPER_COMBINED = {
    "V8-2K": {"n_predictors": 7, "n_combined": 2, "n_parents": 3, "n_children": 1},
    "V12-2K": {"n_predictors": 11, "n_combined": 3, "n_parents": 4, "n_children": 3},
    "V16-2K": {"n_predictors": 15, "n_combined": 3, "n_parents": 4, "n_children": 3},
    "V20-2K-cmb": {"n_predictors": 19, "n_combined": 4, "n_parents": 5, "n_children": 3},
}
"""The paper's four tables with known combined causes, 2,000 records each.

Numbers of predictors and combined causes are the paper's; how many parents
and children the target has besides them is ours.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedCause:
    """Two items that together are a cause."""

    items: tuple[Item, Item]
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedTruth:
    """The combined causes, and the single ones that were left whole.

    The combined causes known here need not be all there are: other
    combinations may change the odds of the outcome as well.
    """

    outcome: str
    combined: tuple[CombinedCause, ...]
    parents: tuple[str, ...]
    children: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The truth as JSON knows it."""
        return {
            "outcome": self.outcome,
            "combined": [
                {
                    "pattern": [{"column": item.column, "value": item.value} for item in cause.items],
                    "direction": cause.direction,
                }
                for cause in self.combined
            ],
            "parents": list(self.parents),
            "children": list(self.children),
        }

    def in_words(self) -> list[str]:
        """The truth for people: combined causes, then the neighbours left whole."""
        together = [f"{' & '.join(map(str, cause.items))} {cause.direction} it" for cause in self.combined]
        return [
            *together,
            f"its single causes (parents): {', '.join(self.parents) or 'none'}",
            f"its effects (children): {', '.join(self.children) or 'none'}",
        ]


def combined_table(
    n_records: int = 2000,
    n_predictors: int = 19,
    n_combined: int = 4,
    n_parents: int = 5,
    n_children: int = 3,
    mean_degree: float = 2.0,
    seed: int = 0,
) -> Simulated[CombinedTruth]:
    """Draw a network and split parents of its target, as the paper did.

    A parent X becomes Xa and Xb with X = Xa and Xb. The records without X
    get one of the halves, or none, such that in the table each half is as
    frequent with the outcome as without it, up to the rounding of one record.

    Parameters
    ----------
    n_records : int
        Records to draw.
    n_predictors : int
        Columns besides the outcome, after splitting.
    n_combined : int
        Parents that are split.
    n_parents, n_children : int
        Neighbours of the target before splitting.
    mean_degree : float
        Of the network before splitting.
    seed : int
        Same seed, same table.

    Notes
    -----
    Halves that tell nothing alone can only be made by looking at the outcome
    (of the records without X, those with the outcome must get a half more
    often when X is rarer among them), so they are a construction on records,
    not a network. A parent qualifies when its share differs by 0.1 or more
    between records with and without the outcome and the halves fit;
    networks are drawn until enough parents qualify.

    Examples
    --------
    >>> simulated = combined_table(n_predictors=7, n_combined=2, n_parents=3, n_children=1)
    >>> simulated.table.num_columns, len(simulated.truth.combined)
    (8, 2)
    """
    if not 1 <= n_combined <= n_parents:
        raise SettingsError("n_combined", f"between 1 and n_parents ({n_parents})", n_combined)
    plan = NetworkPlan(
        n_nodes=n_predictors - n_combined + 1,
        n_parents=n_parents,
        n_children=n_children,
        mean_degree=max(mean_degree, 2 * (n_parents + n_children) / (n_predictors - n_combined + 1)),
    )
    for chance in np.random.default_rng(seed).spawn(_MOST_NETWORKS):
        network = random_network(plan, chance)
        codes = network.draw(n_records, chance)
        truth = network.around(TARGET, "yes")
        has_outcome = codes[TARGET] == 1
        fitting = [parent for parent in truth.parents if _can_split(codes[parent] == 1, has_outcome)]
        if len(fitting) >= n_combined:
            chosen = set(chance.permutation(fitting)[:n_combined].tolist())
            return _split(codes, chosen, truth, [node.name for node in network.nodes], chance)
    raise SettingsError(
        "n_combined",
        f"smaller, or n_records larger: none of {_MOST_NETWORKS} networks had so many parents to split",
        n_combined,
    )


def _split(
    codes: dict[str, NDArray[np.intp]],
    chosen: set[str],
    truth: NetworkTruth,
    names: list[str],
    chance: np.random.Generator,
) -> Simulated[CombinedTruth]:
    has_outcome = codes[TARGET] == 1
    columns: dict[str, pa.Array] = {}
    combined = []
    for name in names:
        if name not in chosen:
            columns[name] = text_column(codes[name], BINARY)
            continue
        is_x = codes[name] == 1
        for half, is_half in zip("ab", split_cause(is_x, has_outcome, chance), strict=True):
            columns[name + half] = text_column(is_half.astype(np.int8), BINARY)
        raises = is_x[has_outcome].mean() > is_x[~has_outcome].mean()
        halves = (Item(f"{name}a", "yes"), Item(f"{name}b", "yes"))
        combined.append(CombinedCause(items=halves, direction="raises" if raises else "lowers"))
    return Simulated(
        pa.table(columns),
        CombinedTruth(
            outcome=truth.outcome,
            combined=tuple(combined),
            parents=tuple(parent for parent in truth.parents if parent not in chosen),
            children=truth.children,
        ),
    )


def split_cause(
    is_x: NDArray[np.bool_], has_outcome: NDArray[np.bool_], chance: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Two halves of a cause: both hold exactly where it holds, and each is unrelated to the outcome."""
    low, high = _share_limits(is_x, has_outcome)
    halves = is_x.copy(), is_x.copy()
    for group in (has_outcome, ~has_outcome):
        free = chance.permutation(np.flatnonzero(group & ~is_x))
        n_each = round((low + high) / 2 * int(group.sum())) - int((group & is_x).sum())
        halves[0][free[:n_each]] = True
        halves[1][free[n_each : 2 * n_each]] = True
    return halves


def _can_split(is_x: NDArray[np.bool_], has_outcome: NDArray[np.bool_]) -> bool:
    """There is a difference between the groups, and room for both halves in either of them."""
    if has_outcome.all() or not has_outcome.any():
        return False
    low, high = _share_limits(is_x, has_outcome)
    shares = is_x[has_outcome].mean(), is_x[~has_outcome].mean()
    n_smaller = min(int(has_outcome.sum()), int((~has_outcome).sum()))
    return bool(abs(shares[0] - shares[1]) >= _LEAST_DIFFERENCE and (high - low) * n_smaller >= 4)


def _share_limits(is_x: NDArray[np.bool_], has_outcome: NDArray[np.bool_]) -> tuple[float, float]:
    """Between which shares of records a half may be had in both groups.

    At least all records with X have it; of the records without X at most
    one in two can, the others being left to the other half.
    """
    shares = float(is_x[has_outcome].mean()), float(is_x[~has_outcome].mean())
    return max(shares), (1 + min(shares)) / 2

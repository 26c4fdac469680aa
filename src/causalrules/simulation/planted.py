"""A hospital table in which every cause is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from causalrules.domain import Direction, Item
from causalrules.simulation.simulated import Simulated

if TYPE_CHECKING:
    from numpy.typing import NDArray

N_NOISE_COLUMNS = 6


@dataclass(frozen=True, slots=True)
class PlantedCause:
    """A pattern that was given an effect on the outcome."""

    items: frozenset[Item]
    direction: Direction
    remark: str


def _cause(direction: Direction, remark: str, **values: str) -> PlantedCause:
    return PlantedCause(frozenset(Item(column, value) for column, value in values.items()), direction, remark)


PLANTED = (
    _cause("raises", "single cause", smoker="yes"),
    _cause("lowers", "single cause", smoker="no"),
    _cause("raises", "copy of smoker", smoker_copy="yes"),
    _cause("lowers", "copy of smoker", smoker_copy="no"),
    _cause("lowers", "single cause", exercise="daily"),
    _cause("raises", "single cause", exercise="rarely"),
    _cause("raises", "single cause, confounds treatment", severity="high"),
    _cause("lowers", "single cause, confounds treatment", severity="low"),
    _cause("raises", "combined cause", drug_a="yes", drug_b="yes"),
    _cause("lowers", "other side of the combined cause", drug_a="yes", drug_b="no"),
    _cause("lowers", "other side of the combined cause", drug_a="no", drug_b="yes"),
    _cause("raises", "other side of the combined cause", drug_a="no", drug_b="no"),
)
"""What affects `ill=yes`. The treatment lowers it a little but looks as if it raised it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedTruth:
    """The causes planted in the hospital table."""

    outcome: str
    causes: tuple[PlantedCause, ...]

    def to_dict(self) -> dict[str, Any]:
        """The truth as JSON knows it."""
        return {
            "outcome": self.outcome,
            "causes": [
                {
                    "pattern": [{"column": item.column, "value": item.value} for item in sorted(cause.items)],
                    "direction": cause.direction,
                    "remark": cause.remark,
                }
                for cause in self.causes
            ],
        }

    def in_words(self) -> list[str]:
        """The truth for people, one line a cause."""
        names = (" & ".join(sorted(map(str, cause.items))) for cause in self.causes)
        return [
            f"{name} {cause.direction} it ({cause.remark})"
            for name, cause in zip(names, self.causes, strict=True)
        ]


def hospital_table(n_records: int = 10_000, seed: int = 0) -> Simulated[PlantedTruth]:
    """The table of `planted_table` with its truth."""
    return Simulated(planted_table(n_records, seed), PlantedTruth(outcome="ill=yes", causes=PLANTED))


def planted_table(n_records: int = 10_000, seed: int = 0) -> pa.Table:
    """Simulate patients whose illness has the causes listed in `PLANTED`.

    Effects add up as risks, so the parts of the combined cause have no effect
    on average: the two drugs are taken independently of each other, each
    slightly good alone and bad together. The treatment goes mostly to severe
    cases; it looks harmful (Simpson's paradox) although it helps a little.

    Parameters
    ----------
    n_records : int
        Number of patients.
    seed : int
        Same seed, same table.
    """
    chance = np.random.default_rng(seed)

    def happens(probability: float | NDArray[np.float64]) -> NDArray[np.bool_]:
        return chance.random(n_records) < probability

    smoker, exercise, severe = happens(0.3), happens(0.4), happens(0.35)
    treated = happens(np.where(severe, 0.8, 0.15))
    takes_a, takes_b = happens(0.4), happens(0.4)
    risk = (
        0.24
        + 0.14 * smoker
        - 0.10 * exercise
        + 0.25 * severe
        - 0.04 * treated
        + _interaction(takes_a, takes_b)
    )
    ill = happens(risk)
    columns = {
        "smoker": _words(smoker, "yes", "no"),
        "smoker_copy": _words(smoker, "yes", "no"),
        "exercise": _words(exercise, "daily", "rarely"),
        "severity": _words(severe, "high", "low"),
        "treatment": _words(treated, "new", "old"),
        "drug_a": _words(takes_a, "yes", "no"),
        "drug_b": _words(takes_b, "yes", "no"),
    }
    for number in range(1, N_NOISE_COLUMNS + 1):
        columns[f"noise_{number}"] = np.array(["x", "y", "z"])[chance.integers(0, 3, n_records)]
    columns["ill"] = _words(ill, "yes", "no")
    return pa.table(columns)


def _interaction(takes_a: NDArray[np.bool_], takes_b: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Risk added by the two drugs: zero on average whatever the other drug (each is taken by 2 in 5)."""
    together = 0.18
    return together * np.where(takes_a, 1.0, -2 / 3) * np.where(takes_b, 1.0, -2 / 3)


def _words(holds: NDArray[np.bool_], if_so: str, if_not: str) -> NDArray[np.str_]:
    return np.where(holds, if_so, if_not)

"""Many binary predictors, a share of which cause the outcome through a logistic model."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from causalrules.errors import SettingsError
from causalrules.simulation.simulated import Simulated
from causalrules_lab.simulate.text_columns import BINARY, text_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.domain import Direction

PAPER_LOGISTIC = {f"V{n}": {"n_predictors": n - 1, "n_causes": n // 10} for n in (200, 400, 600, 800, 1000)}
"""The paper's five wide tables, 10,000 records each; one in five records has the outcome (19.8 %)."""

PAPER_DENSE = {
    "V100-5K-dense": {"n_predictors": 99, "n_causes": 20},
    "V120-5K-dense": {"n_predictors": 119, "n_causes": 26},
}
"""Two tables with many causes for their size, 5,000 records each, which the paper names for their time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogisticTruth:
    """The causes, and what each does to the odds of the outcome.

    Parameters
    ----------
    outcome : str
        As ``column=value``.
    causes : tuple of (str, {'raises', 'lowers'})
        Predictors of the logistic model, and their direction when ``yes``.
    followers : tuple of (str, str)
        Predictors without an effect that follow a cause, with that cause.
    odds_ratio : float
        By which a cause multiplies, or divides, the odds, other causes held fixed.
    """

    outcome: str
    causes: tuple[tuple[str, Direction], ...]
    followers: tuple[tuple[str, str], ...]
    odds_ratio: float

    def to_dict(self) -> dict[str, Any]:
        """The truth as JSON knows it."""
        return {
            "outcome": self.outcome,
            "causes": [{"column": column, "direction": direction} for column, direction in self.causes],
            "followers": [{"column": column, "of": cause} for column, cause in self.followers],
            "odds_ratio": self.odds_ratio,
        }

    def in_words(self) -> list[str]:
        """The truth for people, one line a cause."""
        causes = [f"{column}=yes {direction} it" for column, direction in self.causes]
        return causes + [f"{column} only follows {cause}" for column, cause in self.followers]


def logistic_table(
    n_records: int = 10_000,
    n_predictors: int = 199,
    n_causes: int = 20,
    n_followers: int = 0,
    odds_ratio: float = 2.0,
    prevalence: float = 0.198,
    seed: int = 0,
) -> Simulated[LogisticTruth]:
    """Simulate a wide table.

    Causes and bystanders are independent, each present with a probability
    between 0.2 and 0.8. A follower equals its cause in four of five records,
    so that it is associated with the outcome without causing it.

    Parameters
    ----------
    n_records : int
        Records to draw.
    n_predictors : int
        Columns besides the outcome.
    n_causes, n_followers : int
        How many of them are causes, and how many follow one.
    odds_ratio : float
        Of each cause; half of the causes, at random, lower the odds instead.
    prevalence : float
        Expected share of records with the outcome; the model's constant is
        chosen, given the predictors drawn, so that it holds.
    seed : int
        Same seed, same table.

    Examples
    --------
    >>> simulated = logistic_table(n_records=500, n_predictors=199, n_causes=20)
    >>> simulated.table.num_columns, len(simulated.truth.causes)
    (200, 20)
    """
    if not n_causes >= 1 or not 0 <= n_followers <= n_predictors - n_causes:
        found = (n_predictors, n_causes, n_followers)
        raise SettingsError(
            "n_causes and n_followers", "at least 1 and 0, and together at most n_predictors", found
        )
    if not 0 < prevalence < 1:
        raise SettingsError("prevalence", "between 0 and 1", prevalence)
    if not odds_ratio > 0:
        raise SettingsError("odds_ratio", "above 0", odds_ratio)
    chance = np.random.default_rng(seed)
    is_present = chance.random((n_predictors, n_records)) < chance.uniform(0.2, 0.8, n_predictors)[:, None]
    roles = chance.permutation(n_predictors)
    causes, followers = np.sort(roles[:n_causes]), np.sort(roles[n_causes : n_causes + n_followers])
    leaders = chance.choice(causes, n_followers)
    is_alike = chance.random((n_followers, n_records)) < 0.8
    is_present[followers] = is_present[leaders] == is_alike
    raises = chance.permutation(n_causes) % 2 == 0
    score = np.where(raises, log(odds_ratio), -log(odds_ratio)) @ is_present[causes]
    has_outcome = chance.random(n_records) < logistic(constant_for(score, prevalence) + score)

    columns = {
        f"v{i + 1}": text_column(column.astype(np.int8), BINARY) for i, column in enumerate(is_present)
    }
    truth = LogisticTruth(
        outcome="z=yes",
        causes=tuple(
            (f"v{cause + 1}", "raises" if up == (odds_ratio >= 1) else "lowers")
            for cause, up in zip(causes.tolist(), raises.tolist(), strict=True)
        ),
        followers=tuple(
            (f"v{column + 1}", f"v{cause + 1}")
            for column, cause in zip(followers.tolist(), leaders.tolist(), strict=True)
        ),
        odds_ratio=odds_ratio,
    )
    return Simulated(pa.table({**columns, "z": text_column(has_outcome.astype(np.int8), BINARY)}), truth)


def constant_for(
    score: NDArray[np.float64], prevalence: float, weights: NDArray[np.float64] | None = None
) -> float:
    """The constant at which the (weighted) probabilities average to the prevalence, by bisection."""
    low, high = -100.0 - score.max(), 100.0 - score.min()
    for _ in range(60):
        middle = (low + high) / 2
        if np.average(logistic(middle + score), weights=weights) < prevalence:
            low = middle
        else:
            high = middle
    return float(low)


def logistic(score: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability whose log-odds are given."""
    return 1 / (1 + np.exp(-np.clip(score, -500, 500)))

"""One exposure, one outcome, and controls that affect both: the true effect is known."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import log
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa

from causalrules.errors import SettingsError
from causalrules.simulation.simulated import Simulated
from causalrules_lab.simulate.logistic_tables import constant_for, logistic
from causalrules_lab.simulate.text_columns import BINARY, text_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_ENUMERATED = 16
_N_MONTE_CARLO = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfoundedTruth:
    """True effects of ``x=yes`` on ``z=yes``, in the model and not in the records drawn.

    Parameters
    ----------
    outcome, exposure : str
        As ``column=value``.
    controls : tuple of str
        The confounding columns.
    conditional_odds_ratio : float
        Among records that agree on all controls.
    marginal_odds_ratio : float
        If everybody, or nobody, were exposed.
    crude_odds_ratio : float
        Without any control.
    effect_on_exposed : float
        Average risk difference among the exposed.
    average_effect : float
        Average risk difference among all.
    exposed_odds_ratio : float
        Odds ratio of the exposed against the same records unexposed.
    computed_by : {'enumeration', 'monte carlo'}
        Exactly, over all combinations of controls (up to 16 of them), or
        from a million records drawn with the seed.
    """

    outcome: str
    exposure: str
    controls: tuple[str, ...]
    conditional_odds_ratio: float
    marginal_odds_ratio: float
    crude_odds_ratio: float
    exposed_odds_ratio: float
    effect_on_exposed: float
    average_effect: float
    computed_by: Literal["enumeration", "monte carlo"]

    def to_dict(self) -> dict[str, Any]:
        """The truth as JSON knows it."""
        return asdict(self) | {"controls": list(self.controls)}

    def in_words(self) -> list[str]:
        """The truth for people."""
        return [
            f"{self.exposure} multiplies its odds by {self.conditional_odds_ratio:.3g} at fixed controls",
            f"without controls it would seem to be {self.crude_odds_ratio:.3g}",
            f"risk difference among the exposed {self.effect_on_exposed:+.3f}",
            f"controls: {', '.join(self.controls) or 'none'}",
        ]


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """Log-odds of exposure and outcome given the controls."""

    control_shares: NDArray[np.float64]
    on_exposure: NDArray[np.float64]
    on_outcome: NDArray[np.float64]
    exposure_constant: float
    outcome_constant: float
    effect: float

    def exposure_risk(self, controls: NDArray[np.float64]) -> NDArray[np.float64]:
        return logistic(self.exposure_constant + controls @ self.on_exposure)

    def outcome_risk(self, controls: NDArray[np.float64], is_exposed: Any) -> NDArray[np.float64]:
        return logistic(self.outcome_constant + controls @ self.on_outcome + self.effect * is_exposed)


def confounded_table(
    n_records: int = 5000,
    n_controls: int = 3,
    odds_ratio: float = 2.0,
    confounding: float = 2.0,
    exposed_share: float = 0.4,
    prevalence: float = 0.3,
    seed: int = 0,
) -> Simulated[ConfoundedTruth]:
    """Simulate an exposure x and an outcome z that share n controls as causes.

    Controls are independent; exposure and outcome follow logistic models.

    Parameters
    ----------
    n_records : int
        Records to draw.
    n_controls : int
        Columns c1, c2, … that raise the odds of both.
    odds_ratio : float
        True effect of x on z at fixed controls; 1 for none.
    confounding : float
        By which each control multiplies the odds of x and of z.
    exposed_share, prevalence : float
        Share of exposed records, and of outcomes among the unexposed, when
        averaged over the controls' distribution.
    seed : int
        Same seed, same table.

    Examples
    --------
    >>> truth = confounded_table(odds_ratio=1.0).truth
    >>> round(truth.conditional_odds_ratio, 2), round(truth.effect_on_exposed, 2)
    (1.0, 0.0)
    >>> truth.crude_odds_ratio > 1.2
    True
    """
    for name, ratio in {"odds_ratio": odds_ratio, "confounding": confounding}.items():
        if not ratio > 0:
            raise SettingsError(name, "above 0", ratio)
    for name, share in {"exposed_share": exposed_share, "prevalence": prevalence}.items():
        if not 0 < share < 1:
            raise SettingsError(name, "between 0 and 1", share)
    if n_controls < 0:
        raise SettingsError("n_controls", "a whole number of at least 0", n_controls)
    for_model, for_records, for_truth = np.random.default_rng(seed).spawn(3)
    shares = for_model.uniform(0.2, 0.8, n_controls)
    cells, weights = _all_controls(shares, for_truth)
    slope = np.full(n_controls, log(confounding))
    model = _Model(
        control_shares=shares,
        on_exposure=slope,
        on_outcome=slope,
        exposure_constant=constant_for(cells @ slope, exposed_share, weights),
        outcome_constant=constant_for(cells @ slope, prevalence, weights),
        effect=log(odds_ratio),
    )
    has_control = (for_records.random((n_records, n_controls)) < shares).astype(np.float64)
    is_exposed = for_records.random(n_records) < model.exposure_risk(has_control)
    has_outcome = for_records.random(n_records) < model.outcome_risk(has_control, is_exposed)
    columns = {"x": is_exposed} | {f"c{i + 1}": has_control[:, i] for i in range(n_controls)}
    table = pa.table(
        {name: text_column(column.astype(np.int8), BINARY) for name, column in columns.items()}
        | {"z": text_column(has_outcome.astype(np.int8), BINARY)}
    )
    return Simulated(table, _truth_of(model, cells, weights))


def _all_controls(
    shares: NDArray[np.float64], chance: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Combinations of controls with their probabilities: all of them, or a million drawn."""
    n = len(shares)
    if n > _MOST_ENUMERATED:
        drawn = (chance.random((_N_MONTE_CARLO, n)) < shares).astype(np.float64)
        return drawn, np.full(_N_MONTE_CARLO, 1 / _N_MONTE_CARLO)
    cells = (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(np.float64)
    return cells, np.where(cells == 1, shares, 1 - shares).prod(axis=1)


def _truth_of(model: _Model, cells: NDArray[np.float64], weights: NDArray[np.float64]) -> ConfoundedTruth:
    exposed = weights * model.exposure_risk(cells)
    unexposed = weights - exposed
    risk, risk_without = model.outcome_risk(cells, 1), model.outcome_risk(cells, 0)

    def average(values: NDArray[np.float64], over: NDArray[np.float64]) -> float:
        return float(values @ over / over.sum())

    return ConfoundedTruth(
        outcome="z=yes",
        exposure="x=yes",
        controls=tuple(f"c{i + 1}" for i in range(len(model.control_shares))),
        conditional_odds_ratio=float(np.exp(model.effect)),
        marginal_odds_ratio=_odds_ratio(average(risk, weights), average(risk_without, weights)),
        crude_odds_ratio=_odds_ratio(average(risk, exposed), average(risk_without, unexposed)),
        exposed_odds_ratio=_odds_ratio(average(risk, exposed), average(risk_without, exposed)),
        effect_on_exposed=average(risk - risk_without, exposed),
        average_effect=average(risk - risk_without, weights),
        computed_by="monte carlo" if len(model.control_shares) > _MOST_ENUMERATED else "enumeration",
    )


def _odds_ratio(risk: float, other: float) -> float:
    return risk / (1 - risk) / (other / (1 - other))

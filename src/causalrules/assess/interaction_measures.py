"""Measures of interaction from the adjusted risks of all combinations of a pattern's parts.

Risks are standardised to the records that have every part: in each stratum
the risk of a combination is weighted by those records, as in the study's own
risk difference. What the risks are beyond a sum is then said in the three
ways of the field: the relative excess risk due to interaction, the
attributable proportion and the synergy index (Rothman 1976), each a ratio of
two sums of risks, with limits by the delta method (Hosmer and Lemeshow 1992).
"""

from __future__ import annotations

from math import exp, inf, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.odds import critical_value
from causalrules.domain.estimate import Estimate
from causalrules.domain.interaction import CombinationRisk, Interaction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.domain import Direction

UNDEFINED = Estimate(inf, inf, inf)
"""A measure whose denominator is not above 0; all its places in a file are null."""


def standardised_risks(cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """The risk of every combination among records like those that have all parts; see `interaction_of`."""
    weights, _, share = _weights_and_shares(cells)
    risks: NDArray[np.float64] = (weights * share).sum(axis=0)
    return risks


def _weights_and_shares(
    cells: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """What each stratum counts, by its records with all parts; records and risk of every cell."""
    n = cells.sum(axis=2).astype(np.float64)
    return (n[:, -1] / n[:, -1].sum())[:, None], n, cells[:, :, 1] / n


def is_every_part_needed(cells: NDArray[np.int64], direction: Direction) -> bool:
    """Whether the risk with all parts goes further in the direction than with any one part less.

    Where it does not, the effect has the name of a part that works against it.

    Examples
    --------
    A drug that halves the risk of the severe: of the two together, the severity alone raises it.

    >>> cells = np.array([[[900, 100], [950, 50], [400, 600], [700, 300]]])
    >>> is_every_part_needed(cells, "raises"), is_every_part_needed(cells[:, [1, 0, 3, 2]], "raises")
    (False, True)
    """
    risks = standardised_risks(cells)
    without_one = [risks[(len(risks) - 1) ^ (1 << part)] for part in range(len(risks).bit_length() - 1)]
    return bool(risks[-1] > max(without_one) if direction == "raises" else risks[-1] < min(without_one))


def interaction_of(cells: NDArray[np.int64], direction: Direction, confidence: float) -> Interaction | None:
    """Adjusted risks of all combinations, and the measures of interaction.

    Parameters
    ----------
    cells : int64[n_strata, 2**k, 2]
        Records without and with the outcome. Combination c has the parts whose bits are set in c; every
        stratum has records of every combination.
    direction : {'raises', 'lowers'}
        Of the pattern with all parts. Where it lowers, its own combination is the reference and the one
        without any part takes its place (Knol et al. 2011): measures of risks that sink are hard to read.
    confidence : float
        Of all intervals.

    Returns
    -------
    Interaction or None
        None without a stratum.

    Examples
    --------
    Each part alone adds 10 points to a risk of 10 %, both add 40:

    >>> cells = np.array([[[900, 100], [800, 200], [800, 200], [500, 500]]])
    >>> found = interaction_of(cells, "raises", 0.95)
    >>> [round(one.value, 2) for one in (found.reri, found.attributable_proportion, found.synergy)]
    [2.0, 0.4, 2.0]
    """
    if not len(cells):
        return None
    z = critical_value(confidence)
    n_parts = int(cells.shape[1]).bit_length() - 1
    weights, n, share = _weights_and_shares(cells)
    risks = (weights * share).sum(axis=0)
    # A lone record's variance cannot be seen; that of the whole combination is at least as large on average.
    of_one = np.where(n > 1, share * (1 - share) * n / np.maximum(n - 1, 1), risks * (1 - risks))
    variances = (weights**2 * of_one / n).sum(axis=0)
    effective = 1 / (weights**2 / n).sum(axis=0)
    reri, proportion, synergy = relative_excess(risks, variances, direction, z)
    totals = cells.sum(axis=0)
    return Interaction(
        contrast=_log_odds_contrast(risks, variances, effective, z),
        reri=reri,
        attributable_proportion=proportion,
        synergy=synergy,
        standardised_to=int(n[:, -1].sum()),
        risks=tuple(
            CombinationRisk(
                exposed=tuple(bool(c >> part & 1) for part in range(n_parts)),
                records=int(totals[c].sum()),
                cases=int(totals[c, 1]),
                risk=_wilson(float(risks[c]), float(variances[c]), float(effective[c]), z),
            )
            for c in range(len(risks))
        ),
    )


def relative_excess(
    risks: NDArray[np.float64], variances: NDArray[np.float64], direction: Direction, z: float
) -> tuple[Estimate, Estimate, Estimate]:
    """Relative excess risk due to interaction, attributable proportion and synergy index.

    With more than two parts these are the total ones (Katsoulis and Bamia
    2014): all that the risk with every part has beyond the sum of each part's own.

    Parameters
    ----------
    risks, variances : float64[2**k]
        Of independent estimates, in the order of `interaction_of`.
    direction : {'raises', 'lowers'}
        Whether the reference is the combination without any part, or with all.
    z : float
        Half the width of intervals in standard errors.
    """
    last = len(risks) - 1
    n_parts = last.bit_length()
    reference, top = (0, last) if direction == "raises" else (last, 0)
    singles = [reference ^ (1 << part) for part in range(n_parts)]
    of_top, of_reference, of_singles = (np.zeros(last + 1) for _ in range(3))
    of_top[top], of_reference[reference] = 1, 1
    of_singles[singles] = 1
    own = of_singles - n_parts * of_reference
    together = of_top - of_reference
    return (
        _ratio(together - own, of_reference, risks, variances, z),
        _ratio(together - own, of_top, risks, variances, z),
        _log_ratio(together, own, risks, variances, z),
    )


def _ratio(
    above: NDArray[np.float64],
    below: NDArray[np.float64],
    risks: NDArray[np.float64],
    variances: NDArray[np.float64],
    z: float,
) -> Estimate:
    """A ratio of two sums of risks; its slope in each risk is (above - ratio · below)/denominator."""
    denominator = float(below @ risks)
    if denominator <= 0:
        return UNDEFINED
    value = float(above @ risks) / denominator
    slopes = (above - value * below) / denominator
    half_width = z * sqrt(float(slopes**2 @ variances))
    return Estimate(value, value - half_width, value + half_width)


def _log_ratio(
    above: NDArray[np.float64],
    below: NDArray[np.float64],
    risks: NDArray[np.float64],
    variances: NDArray[np.float64],
    z: float,
) -> Estimate:
    """A ratio of two sums of risks that are both above 0, with limits on the logarithmic scale."""
    numerator, denominator = float(above @ risks), float(below @ risks)
    if numerator <= 0 or denominator <= 0:
        return UNDEFINED
    slopes = above / numerator - below / denominator
    half_width = z * sqrt(float(slopes**2 @ variances))
    value = numerator / denominator
    # Beyond e^±700 there are no floats; such an interval says nothing anyway.
    return Estimate(value, exp(max(log(value) - half_width, -700)), exp(min(log(value) + half_width, 700)))


def _log_odds_contrast(
    risks: NDArray[np.float64], variances: NDArray[np.float64], effective: NDArray[np.float64], z: float
) -> Estimate:
    """The contrast of the highest order; where all or none have the outcome, half a record is added."""
    is_inside = (risks > 0) & (risks < 1)
    chance = np.where(is_inside, risks, (risks * effective + 0.5) / (effective + 1))
    spread = chance * (1 - chance)
    errors = np.where(is_inside, variances, spread / (effective + 1)) / spread**2
    n_parts = (len(risks) - 1).bit_length()
    signs = np.array([(-1) ** (n_parts - c.bit_count()) for c in range(len(risks))])
    value = float(signs @ np.log(chance / (1 - chance)))
    half_width = z * sqrt(float(errors.sum()))
    return Estimate(value, value - half_width, value + half_width)


def _wilson(risk: float, variance: float, effective: float, z: float) -> Estimate:
    """Wilson's interval with as many records as would give the variance."""
    n = risk * (1 - risk) / variance if variance > 0 else effective
    centre = risk + z**2 / (2 * n)
    half_width = z * sqrt(risk * (1 - risk) / n + z**2 / (4 * n * n))
    return Estimate(
        risk,
        max(0.0, (centre - half_width) / (1 + z**2 / n)),
        min(1.0, (centre + half_width) / (1 + z**2 / n)),
    )

"""The sums over one rule's strata that tests and intervals are computed from, by name."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.kernels.strata_sums import N_SUMS, sum_strata

if TYPE_CHECKING:
    from causalrules.domain.histogram import StrataHistogram


class StrataSums(NamedTuple):
    """Fifteen sums over strata; `kernels.strata_sums.sum_strata` says what each is."""

    n11: float
    n12: float
    n21: float
    n22: float
    var12: float
    var21: float
    covariance: float
    r: float
    s: float
    pr: float
    ps_qr: float
    qs: float
    surplus: float
    largest_surplus: float
    variance: float

    @property
    def log_odds_ratio_variance(self) -> float:
        """Variance of ln R/S (Robins, Breslow and Greenland 1986); infinite where either is 0."""
        r, s = self.r, self.s
        if r <= 0 or s <= 0:
            return inf
        return self.pr / (2 * r * r) + self.ps_qr / (2 * r * s) + self.qs / (2 * s * s)


def sums_of(strata: StrataHistogram) -> StrataSums:
    """Add up a histogram."""
    sums = np.empty(N_SUMS)
    sum_strata(strata.rows, sums)
    return StrataSums(*sums.tolist())

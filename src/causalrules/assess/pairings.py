"""Matched pairs from a strata histogram: the average over all pairings, or one drawn at random."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.stratum_sums import sums_of
from causalrules.domain import PairCounts

if TYPE_CHECKING:
    from causalrules.domain.histogram import StrataHistogram


def stable_generator(seed: int, run: int, what: str) -> np.random.Generator:
    """Chance that depends on these three and nothing else."""
    return np.random.default_rng([seed, run, *blake2b(what.encode(), digest_size=16).digest()])


def expected_pairs(strata: StrataHistogram) -> PairCounts:
    """Mean pair counts over all maximal pairings within strata.

    A stratum of a exposed and b unexposed records gives min(a, b) pairs;
    each exposed record is equally likely to meet each unexposed one.

    Examples
    --------
    >>> from causalrules.domain.histogram import StrataHistogram
    >>> expected_pairs(StrataHistogram.from_strata([(1, 0, 1, 3)], 0, 0))
    PairCounts(n11=0.25, n12=0.75, n21=0.0, n22=0.0)
    """
    sums = sums_of(strata)
    return PairCounts(n11=sums.n11, n12=sums.n12, n21=sums.n21, n22=sums.n22)


def random_pairs(strata: StrataHistogram, *, seed: int, run: int, rule: str) -> PairCounts:
    """Pair counts of one uniformly random maximal pairing.

    The draw depends on what is drawn (seed, run and rule, over the sorted
    histogram), never on when or where.

    Parameters
    ----------
    strata : StrataHistogram
        The strata of the rule.
    seed, run : int
        Which of the repeated pairings.
    rule : str
        The rule's name with its direction.
    """
    rows = np.repeat(strata.rows[:, :4], strata.rows[:, 4], axis=0)
    if len(rows) == 0:
        return PairCounts(n11=0, n12=0, n21=0, n22=0)
    chance = stable_generator(seed, run, rule)
    a1, a0, b1, b0 = rows.T
    n_pairs = np.minimum(a1 + a0, b1 + b0)
    exposed_with = chance.hypergeometric(a1, a0, n_pairs)
    unexposed_with = chance.hypergeometric(b1, b0, n_pairs)
    both = chance.hypergeometric(exposed_with, n_pairs - exposed_with, unexposed_with)
    n11 = int(both.sum())
    n12 = int(exposed_with.sum()) - n11
    n21 = int(unexposed_with.sum()) - n11
    return PairCounts(n11=n11, n12=n12, n21=n21, n22=int(n_pairs.sum()) - n11 - n12 - n21)

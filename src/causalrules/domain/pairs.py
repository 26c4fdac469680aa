"""The four kinds of matched pairs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """What one fair data set shows: how many pairs of each kind.

    The first index tells whether the exposed record has the outcome, the
    second whether its unexposed partner has it; 1 is yes and 2 is no, as in
    the paper. Averaged over pairings the counts need not be whole.

    Examples
    --------
    >>> pairs = PairCounts(n11=40, n12=25, n21=10, n22=125)
    >>> pairs.n_pairs, pairs.n_discordant
    (200, 35)
    """

    n11: float
    n12: float
    n21: float
    n22: float

    @property
    def n_pairs(self) -> float:
        """All pairs."""
        return self.n11 + self.n12 + self.n21 + self.n22

    @property
    def n_discordant(self) -> float:
        """Pairs of which exactly one record has the outcome."""
        return self.n12 + self.n21

    def worth(self, factor: float) -> PairCounts:
        """The pairs, each counted as so many."""
        return PairCounts(
            n11=factor * self.n11, n12=factor * self.n12, n21=factor * self.n21, n22=factor * self.n22
        )

    def flipped(self) -> PairCounts:
        """The same pairs for the opposite outcome."""
        return PairCounts(n11=self.n22, n12=self.n21, n21=self.n12, n22=self.n11)

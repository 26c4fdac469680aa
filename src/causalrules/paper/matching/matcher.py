"""One way of matching, ready to be applied to the signatures of any study."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain import Closeness, Item
from causalrules.paper.matching.almost_exact import match_almost_exactly
from causalrules.paper.matching.distances import SPACES
from causalrules.paper.matching.matched_strata import FairData, Parts, fair_data
from causalrules.paper.matching.nearest import match_nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.domain.signatures import Signatures

    Matched = tuple[tuple[Parts, Parts], Closeness]
    """The exposed and the unexposed side's parts, and how close partners are."""
    from causalrules.paper.settings import PaperSettings

_NOBODY = Parts(*(np.zeros(0, np.int64) for _ in range(3)))


@dataclass(frozen=True, eq=False)
class Matcher:
    """Matches records other than by exact agreement.

    Parameters
    ----------
    settings : PaperSettings
        The way of matching, its caliper and so on.
    items : sequence of Item
        Names of the items.
    is_exact : bool[n_items]
        Items on which partners agree whatever the distance.
    """

    settings: PaperSettings
    items: Sequence[Item]
    is_exact: NDArray[np.bool_]

    @cached_property
    def _names(self) -> list[str]:
        return list(map(str, self.items))

    def __call__(self, signatures: Signatures, chances: Sequence[np.random.Generator]) -> list[FairData]:
        """The fair data sets of one study, one for each source of chance.

        They are the same whatever the places of the columns.
        """
        ordered, place = signatures.ordered_by(self._names)
        match = self._prepared(ordered)
        runs = [fair_data(ordered, *match(chance), chance) for chance in chances]
        return [replace(fair, weights=fair.weights[place]) for fair in runs]

    def _prepared(self, signatures: Signatures) -> Callable[[np.random.Generator], Matched]:
        """Everything that does not depend on chance, done once."""
        is_exact = self.is_exact[signatures.controls]
        if self.settings.matching == "almost-exact":
            almost = self._almost_exact(signatures, is_exact)
            return lambda _: almost
        if len(signatures.controls) == 0:
            nothing = Closeness(
                method=self.settings.matching,
                mean_distance=0.0,
                worst_distance=0.0,
                caliper=self.settings.largest_distance or 0.0,
            )
            return lambda _: ((_NOBODY, _NOBODY), nothing)
        space = SPACES[self.settings.matching](signatures, ~is_exact, self.settings.largest_distance)
        _, block = np.unique(signatures.words_of(is_exact), axis=0, return_inverse=True)
        return partial(match_nearest, space, signatures.sizes, block.reshape(-1), self.settings)

    def _almost_exact(self, signatures: Signatures, is_exact: NDArray[np.bool_]) -> Matched:
        caliper = self.settings.largest_distance
        assert caliper is not None
        sides, given_up, n_pairs, share = match_almost_exactly(signatures, is_exact, caliper)
        closeness = Closeness(
            method=self.settings.matching,
            mean_distance=float(share @ n_pairs / n_pairs.sum()) if n_pairs.sum() else 0.0,
            worst_distance=float(share.max(initial=0.0)),
            caliper=caliper,
            given_up=tuple(self.items[signatures.controls[i]] for i in given_up),
        )
        return sides, closeness

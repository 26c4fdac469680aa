"""Function 1 of the paper: fair data sets, who is compared with whom."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.pairings import stable_generator
from causalrules.domain import Closeness
from causalrules.domain.file_layout import from_entry, to_entry
from causalrules.domain.histogram import StrataHistogram
from causalrules.errors import SettingsError
from causalrules.paper.matching import Matcher

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Item
    from causalrules.domain.signatures import Signatures
    from causalrules.engines.contract import Engine, MatchedItems, Packed
    from causalrules.paper.settings import PaperSettings


@dataclass(frozen=True, slots=True, eq=False)
class FairDataSet:
    """The matched records of one study.

    Parameters
    ----------
    runs : tuple of StrataHistogram
        More than one where matching draws lots and is repeated.
    closeness : Closeness, optional
        How alike partners are; None where they agree on every control.
    items : MatchedItems, optional
        Who has each item before and after matching, where it is known already.
    """

    runs: tuple[StrataHistogram, ...]
    closeness: Closeness | None = None
    items: MatchedItems | None = None

    @property
    def strata(self) -> StrataHistogram:
        """The strata of the first run."""
        return self.runs[0]

    def flipped(self) -> FairDataSet:
        """The same records for the opposite outcome."""
        return replace(self, runs=tuple(strata.flipped() for strata in self.runs))


class FairDataSets:
    """Builds fair data sets in the way that the settings ask for.

    Parameters
    ----------
    engine : Engine
        The records to be compared.
    items : sequence of Item
        Names of the items.
    settings : PaperSettings
        Matching, caliper, runs, seed and so on.
    """

    def __init__(self, engine: Engine, items: Sequence[Item], settings: PaperSettings) -> None:
        self._engine = engine
        self._settings = settings
        columns = {item.column for item in items}
        for name in settings.exact_on:
            if name not in columns:
                raise SettingsError("exact_on", "columns that take part in the search", name)
        self.is_exact = np.array([item.column in settings.exact_on for item in items], np.bool_)
        self._match = Matcher(settings, items, self.is_exact)

    def of(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_], names: Sequence[str]
    ) -> Iterator[FairDataSet]:
        """One fair data set for each pattern, in order, as they become ready; chance is drawn from the names.

        Parameters
        ----------
        patterns : intp[n_patterns, length]
        controls : bool[n_patterns, n_items]
        names : sequence of str
        """
        if self._settings.matching == "exact":
            return (FairDataSet((strata,)) for strata in self._engine.strata(patterns, controls))
        match = _NamedMatch(self._match, self._settings, names)
        matched = self._engine.nearest_pairs(patterns, controls, match)
        return (replace(fair, items=items) for fair, items in matched)

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_], fair: Sequence[FairDataSet]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after matching, for each fair data set."""
        known = [one.items for one in fair if one.items is not None]
        return iter(known) if known else self._engine.matched_items(patterns, controls)


@dataclass(frozen=True, slots=True, eq=False)
class _NamedMatch:
    """The way of matching for rules with these names; its answers can be saved."""

    matcher: Matcher
    settings: PaperSettings
    names: Sequence[str]

    def __call__(self, rule: int, signatures: Signatures) -> tuple[FairDataSet, NDArray[np.int64]]:
        n_runs = self.settings.runs if self.settings.pairs == "random" else 1
        seed, what = self.settings.seed, f"match {self.names[rule]}"
        runs = self.matcher(signatures, [stable_generator(seed, run, what) for run in range(n_runs)])
        return FairDataSet(tuple(run.strata for run in runs), runs[0].closeness), runs[0].weights

    def name_of(self, rule: int) -> str:
        """What chance is drawn from."""
        return self.names[rule]

    def pack(self, answer: FairDataSet) -> Packed:
        """The strata of every run, and how close partners are; items are kept by the engine."""
        assert answer.closeness is not None
        arrays = [array for strata in answer.runs for array in strata.to_arrays()]
        return arrays, json.dumps(to_entry(answer.closeness))

    def unpack(self, packed: Packed) -> FairDataSet:
        """Read back what `pack` made."""
        arrays, text = packed
        runs = (StrataHistogram.from_arrays(arrays[i : i + 2]) for i in range(0, len(arrays), 2))
        return FairDataSet(tuple(runs), from_entry(Closeness, json.loads(text)))

"""Matching by distance: what records are alike is gathered, and the weights they get are sent back.

Signatures add up over any parts of the records, so one job gathers those of
some rules. They are matched on the driver, and another job adds up who has
each item by the weights that came out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain.signatures import Signatures, n_words_for
from causalrules.engines.contract import MatchedItems
from causalrules.engines.questions import PackedControls
from causalrules.engines.record_lines import RecordLines
from causalrules.engines.rule_strata import signatures_of
from causalrules.engines.stratum_scratch import Scratch
from causalrules.errors import EngineError, Setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from causalrules.engines.contract import Packed
    from causalrules.engines.spark.jobs import WorkerEngine

MOST_GROUPS = 5_000_000
"""Kinds of records of one rule that the driver matches."""

_BYTES_AT_ONCE = 1 << 28
_MOST_RULES_AT_ONCE = 256


@dataclass(frozen=True, slots=True, eq=False)
class SignaturesQuestion:
    """The signatures of some rules.

    Parameters
    ----------
    patterns, controls
        As in the contract.
    """

    patterns: NDArray[np.intp]
    controls: NDArray[np.bool_]

    def ask(self, engine: WorkerEngine) -> Iterator[Signatures]:
        """The signatures of the records of a task, rule after rule."""
        records = engine.records
        scratch = Scratch.for_profiles(records.n_profiles)
        for pattern, held in zip(self.patterns, self.controls, strict=True):
            yield signatures_of(records, pattern, held, scratch)[0]

    def __reduce__(self) -> tuple[Any, ...]:
        """Controls travel in bits."""
        return _unpickled, (self.patterns, PackedControls.of(self.controls))

    def without_words(self) -> SignaturesQuestion:
        """Enough of the question to read and add up answers."""
        return SignaturesQuestion(self.patterns[:0], self.controls[:0])

    def pack(self, answer: Signatures) -> Packed:
        """The answer about one rule as arrays."""
        return [answer.words.view(np.int64), answer.counts, answer.controls.astype(np.int64)], ""

    def unpack(self, packed: Packed) -> Signatures:
        """Read back what `pack` made."""
        words, counts, held = packed[0]
        return Signatures(words.view(np.uint64), counts, held.astype(np.intp))


@dataclass(frozen=True, slots=True, eq=False)
class WeighedQuestion:
    """Who has each item, by the weights that matching gave to some rules.

    Parameters
    ----------
    patterns : intp[n_rules, length]
        As in the contract.
    matched : list of (Signatures, int64[n_groups, 2])
        For each rule the groups of all records, whose counts are not needed any more, and the weights of
        their exposed and unexposed ones.
    """

    patterns: NDArray[np.intp]
    matched: list[tuple[Signatures, NDArray[np.int64]]]

    def ask(self, engine: WorkerEngine) -> Iterator[MatchedItems]:
        """The sums over the records of a task, rule after rule."""
        records = engine.records
        scratch, lines = Scratch.for_profiles(records.n_profiles), RecordLines.of(records)
        for pattern, (signatures, weights) in zip(self.patterns, self.matched, strict=True):
            held = np.zeros(len(records.base), np.bool_)
            held[signatures.controls] = True
            here, group = signatures_of(records, pattern, held, scratch)
            weights_here = weights[signatures.places_of(here)]
            yield records.matched_items(records.has_pattern(pattern), group, weights_here, lines)

    def without_words(self) -> WeighedQuestion:
        """Enough of the question to read and add up answers."""
        return WeighedQuestion(self.patterns[:0], [])

    def pack(self, answer: MatchedItems) -> Packed:
        """The answer about one rule as arrays."""
        return answer.to_arrays(), ""

    def unpack(self, packed: Packed) -> MatchedItems:
        """Read back what `pack` made."""
        return MatchedItems.from_arrays(packed[0])


def _unpickled(patterns: NDArray[np.intp], packed: PackedControls) -> SignaturesQuestion:
    return SignaturesQuestion(patterns, packed.controls)


def rules_at_once(n_distinct: int, controls: NDArray[np.bool_]) -> int:
    """Rules whose signatures fit the driver's memory, should no two records be alike."""
    n_words = n_words_for(int(controls.sum(axis=1).max(initial=0)))
    n_bytes = n_distinct * (8 * n_words + 32)
    return min(_MOST_RULES_AT_ONCE, max(1, _BYTES_AT_ONCE // max(n_bytes, 1)))


def check_groups(gathered: Iterable[Signatures]) -> None:
    """Refuse to match more on the driver than it could."""
    n_groups = max((len(one.words) for one in gathered), default=0)
    if n_groups > MOST_GROUPS:
        raise EngineError(
            f"matching by distance brings all kinds of records to Spark's driver, {MOST_GROUPS:,} at most; "
            f"a rule has {n_groups:,}. Use ",
            Setting("matching", "exact"),
            ", or hold fewer columns fixed.",
        )

"""What the survey of a table settled, in a form that can be saved: items and counts, no records."""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain import DataSummary, Item
from causalrules.domain.column_labels import LabelledColumns
from causalrules.encode.codes import Vocabulary
from causalrules.encode.number_digits import CarriedNumber
from causalrules.engines.checkpoint.lazy_engine import LazyEngine
from causalrules.engines.contract import Opened
from causalrules.errors import SourceError
from causalrules.kernels.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from causalrules.engines.contract import Engine

_CARRIED = ("role", "column", "low", "unit", "n_digits", "decimals")


@dataclass(frozen=True, slots=True)
class Gathered:
    """Records that one engine counts.

    Parameters
    ----------
    n_with, n_without : int
        How many have the outcome, and how many do not.
    fingerprint : str
        See `Engine.fingerprint`.
    has_workers : bool
        Whether threads asked about them side by side.
    """

    n_with: int
    n_without: int
    fingerprint: str
    has_workers: bool = False

    @classmethod
    def by(cls, engine: Engine, fingerprint: str) -> Gathered:
        """The records of an engine."""
        return cls(engine.n_with, engine.n_without, fingerprint, engine.workers is not None)


@dataclass(frozen=True, slots=True, eq=False)
class SavedSurvey:
    """A table as it was settled, and what its engines counted first.

    Parameters
    ----------
    vocabulary : Vocabulary
        Its items.
    labelled : LabelledColumns
        What its columns are called.
    engines : tuple of Gathered
        One for each engine, see `engines_of`.
    """

    vocabulary: Vocabulary
    labelled: LabelledColumns
    engines: tuple[Gathered, ...]

    @classmethod
    def of(cls, opened: Opened, fingerprints: Sequence[str]) -> SavedSurvey:
        """What to keep of a table that was opened, with the fingerprint of each engine's records."""
        engines = zip(engines_of(opened), fingerprints, strict=True)
        gathered = tuple(Gathered.by(engine, fingerprint) for engine, fingerprint in engines)
        return cls(opened.vocabulary, opened.labelled, gathered)

    def opened(self, open_again: Callable[[], Opened], threads: int | None) -> Opened:
        """The table with engines whose records are loaded when they are first asked about."""
        found: list[Engine] = []
        opening = Lock()

        def engine(number: int) -> Engine:
            with opening:
                if not found:
                    found.extend(engines_of(open_again()))
            return found[number]

        columns, workers = self.vocabulary.column_of_item, Workers(threads)
        engines = [
            LazyEngine(
                one.n_with,
                one.n_without,
                columns,
                one.fingerprint,
                partial(engine, number),
                workers if one.has_workers else None,
            )
            for number, one in enumerate(self.engines)
        ]
        return Opened(self.vocabulary, engines[0], engines[-1], self.labelled)

    def check(self, opened: Opened) -> None:
        """Refuse a table whose records are not those that were surveyed."""
        fingerprints = [one.fingerprint() for one in engines_of(opened)]
        if fingerprints != [one.fingerprint for one in self.engines]:
            raise SourceError(self.vocabulary.summary.source, "it changed while it was read", "Try again.")

    def to_text(self) -> str:
        """All of it as JSON."""
        words = self.vocabulary
        return json.dumps(
            {
                "items": [[item.column, item.value, item.kind] for item in words.items],
                "first_item": words.first_item.tolist(),
                "summary": words.summary.to_dict(),
                "fine": [values.tolist() for values in words.fine],
                "chosen_cuts": sorted(words.chosen_cuts),
                "n_cluster_digits": words.n_cluster_digits,
                "orders": {name: list(order) for name, order in words.orders.items()},
                "repeating": list(words.repeating),
                "carried": [[getattr(one, name) for name in _CARRIED] for one in words.carried],
                "columns": list(self.labelled.columns),
                "names": dict(self.labelled.names),
                "codes": {name: dict(codes) for name, codes in self.labelled.codes.items()},
                "engines": [list(astuple(one)) for one in self.engines],
            }
        )

    @classmethod
    def from_text(cls, text: str) -> SavedSurvey:
        """Read back what `to_text` wrote."""
        found: dict[str, Any] = json.loads(text)
        vocabulary = Vocabulary(
            items=tuple(Item(*one) for one in found["items"]),
            first_item=np.array(found["first_item"], np.intp),
            summary=DataSummary.from_dict(found["summary"]),
            fine=tuple(np.array(values, np.float64) for values in found["fine"]),
            chosen_cuts=frozenset(found["chosen_cuts"]),
            n_cluster_digits=found["n_cluster_digits"],
            orders={name: tuple(order) for name, order in found["orders"].items()},
            repeating=tuple(found.get("repeating", ())),
            # Their kind is only needed to read them from texts, which is done.
            carried=tuple(
                CarriedNumber(**dict(zip(_CARRIED, one, strict=True)), kind=None) for one in found["carried"]
            ),
        )
        labelled = LabelledColumns(tuple(found["columns"]), found["names"], found["codes"])
        return cls(vocabulary, labelled, tuple(Gathered(*one) for one in found["engines"]))


def engines_of(opened: Opened) -> list[Engine]:
    """That which proposes hypotheses and, where it is another one, that which judges them."""
    engines = [opened.engine]
    if opened.judge_engine is not opened.engine:
        engines.append(opened.judge_engine)
    return engines

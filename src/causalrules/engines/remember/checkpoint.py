"""A folder that a run saves to and goes on from."""

from __future__ import annotations

import json
import logging
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Self

from causalrules.domain.settings import WITHOUT_EFFECT
from causalrules.engines.remember.answers import SavedAnswers
from causalrules.engines.remember.remembering import RememberingEngine
from causalrules.errors import CheckpointOfAnotherRunError
from causalrules.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from causalrules.domain import DataSummary, Item, Settings
    from causalrules.engines.contract import Engine

SCHEMA = "causalrules-checkpoint/2"
_PARTS = {1: ("all",), 2: ("proposing", "judging")}


class Checkpoint:
    """What a run has counted, kept in a folder.

    Everything a search needs to know of the records are the engine's
    answers, so these are what is kept; verdicts and statistics follow from
    them anew. Within its `with` block the folder is locked; at its end,
    however it comes, what was answered is saved. The content stays after
    success: the same run again answers at once.

    Parameters
    ----------
    folder : str or path
        Empty, new, or with a checkpoint of the same data and settings.
    on_trouble : callable, optional
        Told in words when answers cannot be saved, or are damaged; by
        default this is logged.
    """

    def __init__(
        self, folder: str | os.PathLike[str], on_trouble: Callable[[str], None] | None = None
    ) -> None:
        self._saved = SavedAnswers(folder, on_trouble or logging.getLogger("causalrules").warning)

    def __enter__(self) -> Self:
        self._saved.open()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._saved.save()
        finally:
            self._saved.close()

    def around(
        self, engines: Sequence[Engine], data: DataSummary, items: Sequence[Item], settings: Settings
    ) -> list[Engine]:
        """Engines that answer from the folder what is there, and save what is not.

        Parameters
        ----------
        engines : sequence of Engine
            One, or that which proposes hypotheses and that which judges them.
        data, items, settings
            What the run is of; a checkpoint of another run is refused.
        """
        here = describe(data, items, settings, [engine.fingerprint() for engine in engines])
        there = self._saved.run()
        if there is None:
            self._saved.describe(json.dumps(here, indent=1).encode())
        elif found := differences(json.loads(there), here):
            raise CheckpointOfAnotherRunError(self._saved.folder, found)
        parts = _PARTS[len(engines)]
        return [
            RememberingEngine(engine, self._saved, part) for engine, part in zip(engines, parts, strict=True)
        ]

    @property
    def n_taken(self) -> int:
        """Answers about single rules that were taken from the folder so far."""
        return self._saved.n_taken


def describe(
    data: DataSummary, items: Sequence[Item], settings: Settings, fingerprints: Sequence[str]
) -> dict[str, Any]:
    """Everything that an answer depends on, in words where people can read them.

    That includes the version of causalrules, since another one may match
    other records, and only those settings that can change a result. The
    source is for people alone: the table may have moved since.
    """
    chosen = {name: value for name, value in settings.to_dict().items() if name not in WITHOUT_EFFECT}
    names = json.dumps([[item.column, item.value] for item in items])
    return {
        "schema": SCHEMA,
        "version": __version__,
        "settings": json.loads(json.dumps(chosen)),
        "outcome": str(data.outcome),
        "n_records": data.outcome.n_records,
        "n_items": len(items),
        "items": sha256(names.encode()).hexdigest(),
        "records": " ".join(fingerprints),
        "source": data.source,
    }


def differences(there: dict[str, Any], here: dict[str, Any]) -> list[str]:
    """What was other in a run than in the one at hand, in words; empty if nothing was."""
    if there["schema"] != SCHEMA:
        return [f"its form is {there['schema']!r}, this version of causalrules reads {SCHEMA!r}"]
    found = []
    if there["version"] != here["version"]:
        found.append(f"it was made by causalrules {there['version']}, this is {here['version']}")
    for name in {**there["settings"], **here["settings"]}:
        before, now = (run["settings"].get(name, "unknown") for run in (there, here))
        if before != now:
            found.append(f"{name} was {_shown(before)} and is {_shown(now)} now")
    n_records, n_items = here["n_records"], here["n_items"]
    if there["outcome"] != here["outcome"]:
        found.append(f"the outcome was {there['outcome']!r} and is {here['outcome']!r} now")
    elif there["items"] != here["items"]:
        found.append(
            f"the columns or their values are others ({there['n_items']:,} items there, {n_items:,} now)"
        )
    elif there["n_records"] != n_records:
        found.append(f"the records are others ({there['n_records']:,} there, {n_records:,} now)")
    elif there["records"] != here["records"]:
        found.append(f"some of the {n_records:,} records are others")
    return found


def _shown(value: Any) -> str:
    return "not given" if value is None else repr(value)

"""A folder that a run saves to and goes on from."""

from __future__ import annotations

import hashlib
import json
import logging
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from causalrules.domain.settings import WITHOUT_EFFECT
from causalrules.engines.checkpoint.caching_engine import CachingEngine
from causalrules.engines.checkpoint.saved_answers import SavedAnswers
from causalrules.engines.checkpoint.saved_survey import SavedSurvey, engines_of
from causalrules.errors import CheckpointOfAnotherRunError
from causalrules.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from causalrules.domain import DataSummary, Item
    from causalrules.domain.table_settings import TableSettings
    from causalrules.engines.blocks import Blocks
    from causalrules.engines.contract import Engine, Opened
    from causalrules.read.source_files import SourceFiles

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
    keeps_records : bool
        Whether the coded records are kept too, so that a table need not be read again.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        on_trouble: Callable[[str], None] | None = None,
        *,
        keeps_records: bool = False,
    ) -> None:
        self._on_trouble = on_trouble or logging.getLogger("causalrules").warning
        self._saved = SavedAnswers(folder, self._on_trouble)
        self._keeps_records = keeps_records
        self._surveyed: tuple[bytes, Opened] | None = None

    def __enter__(self) -> Self:
        self._saved.open()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._saved.save()
        finally:
            self._saved.close()

    @contextmanager
    def load_or_resume(
        self,
        load: Callable[[], AbstractContextManager[Opened]],
        load_kept: Callable[..., AbstractContextManager[Opened]],
        files: SourceFiles | None,
        outcome: str | Item,
        settings: TableSettings,
    ) -> Iterator[Opened]:
        """Open a table; one that was surveyed before is not read until something new is asked about it.

        Parameters
        ----------
        load : callable
            Reads and surveys the table, and gathers its records.
        load_kept : callable
            Takes records that were gathered before from files; it is given what the survey settled.
        files : SourceFiles, optional
            Those of the table; without them only reading tells whether it is still the same.
        outcome, settings
            What else the survey depends on.
        """
        if files is None or settings.is_sampled:  # a sample's records are needed to draw others from them
            with load() as opened:
                yield opened
            return
        key = _key_of_survey(files, outcome, settings)
        survey = self._survey(key)
        with ExitStack() as stack:
            if survey is None:
                opened = stack.enter_context(load())
                if files.are_unchanged():
                    self._surveyed = key, opened
                yield opened
                return

            def open_again() -> Opened:
                kept = self._records(key)
                if kept is not None:
                    return stack.enter_context(load_kept(survey.vocabulary, survey.labelled, kept))
                opened = stack.enter_context(load())
                survey.check(opened)
                self._keep_records(key, opened)
                return opened

            yield survey.opened(open_again, settings.threads)

    def _survey(self, key: bytes) -> SavedSurvey | None:
        found = None if self._saved.run() is None else self._saved.find(key)
        return None if found is None else SavedSurvey.from_text(found[1])

    def _records(self, key: bytes) -> list[list[Path]] | None:
        """The files that keep the records of a table, if there are any and all of them are whole."""
        listed = self._saved.find(_key_of_records(key))
        if listed is None:
            return None
        found = records_in(self._saved.folder, listed[1])
        if found is None:
            self._on_trouble(
                f"The records in the checkpoint {self._saved.folder} are damaged: the table is read again."
            )
        return found

    def _keep_records(self, key: bytes, opened: Opened) -> None:
        """Keep a table's records if that was asked for; where it fails the run goes on."""
        if not (self._keeps_records and opened.records):
            return
        try:
            listed = keep_records(self._saved.folder, opened.records)
        except OSError as error:
            self._on_trouble(
                f"Cannot keep records in the checkpoint {self._saved.folder}: {error.strerror or error}. "
                "The run goes on; one that resumes it reads the table again."
            )
            return
        self._saved.add(_key_of_records(key), "records", ([], listed))

    def around(
        self, engines: Sequence[Engine], data: DataSummary, items: Sequence[Item], settings: TableSettings
    ) -> list[Engine]:
        """Engines that answer from the folder what is there, and save what is not.

        Parameters
        ----------
        engines : sequence of Engine
            One, or that which proposes hypotheses and that which judges them.
        data, items, settings
            What the run is of; a checkpoint of another run is refused.
        """
        fingerprints = [engine.fingerprint() for engine in engines]
        here = describe(data, items, settings, fingerprints)
        there = self._saved.run()
        if there is None:
            self._saved.describe(json.dumps(here, indent=1).encode())
        elif found := differences(json.loads(there), here):
            raise CheckpointOfAnotherRunError(self._saved.folder, found)
        if self._surveyed is not None and engines_of(self._surveyed[1]) == list(engines):
            key, opened = self._surveyed
            self._saved.add(key, "survey", ([], SavedSurvey.of(opened, fingerprints).to_text()))
            self._keep_records(key, opened)
        parts = _PARTS[len(engines)]
        return [CachingEngine(engine, self._saved, part) for engine, part in zip(engines, parts, strict=True)]

    @property
    def n_taken(self) -> int:
        """Answers about single rules that the calling thread took from the folder so far."""
        return self._saved.n_taken


def _key_of_survey(files: SourceFiles, outcome: str | Item, settings: TableSettings) -> bytes:
    """Other for other files, another question, and another version, which may survey in another way."""
    asked = [SCHEMA, __version__, repr(outcome), _with_effect(settings), files.digest()]
    return sha256(json.dumps(asked).encode()).digest()[:16]


def _key_of_records(survey: bytes) -> bytes:
    return sha256(survey + b"records").digest()[:16]


def _with_effect(settings: TableSettings) -> dict[str, Any]:
    """The settings that can change a result, as they stand in a JSON file."""
    chosen = {name: value for name, value in settings.to_dict().items() if name not in WITHOUT_EFFECT}
    found: dict[str, Any] = json.loads(json.dumps(chosen))
    return found


def describe(
    data: DataSummary, items: Sequence[Item], settings: TableSettings, fingerprints: Sequence[str]
) -> dict[str, Any]:
    """Everything that an answer depends on, in words where people can read them.

    That includes the version of causalrules, since another one may match
    other records, and only those settings that can change a result. The
    source is for people alone: the table may have moved since.
    """
    names = json.dumps([[item.column, item.value] for item in items])
    return {
        "schema": SCHEMA,
        "version": __version__,
        "settings": _with_effect(settings),
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
    if set(there["settings"]) != set(here["settings"]):
        found.append("another method was asked")
    for name in (one for one in there["settings"] if one in here["settings"]):
        before, now = (run["settings"][name] for run in (there, here))
        if before != now:
            found.append(f"{name} was {_shown(before)} and is {_shown(now)} now")
    n_records, n_items = here["n_records"], here["n_items"]
    if there["outcome"] != here["outcome"]:
        found.append(f"the outcome was {there['outcome']!r} and is {here['outcome']!r} now")
    elif there["n_records"] != n_records:  # which may have changed values and cut points as well
        found.append(f"the records are others ({there['n_records']:,} there, {n_records:,} now)")
    elif there["items"] != here["items"]:
        found.append(
            f"the columns or their values are others ({there['n_items']:,} items there, {n_items:,} now)"
        )
    elif there["records"] != here["records"]:
        found.append(f"some of the {n_records:,} records are others")
    return found


def _shown(value: Any) -> str:
    return "not given" if value is None else repr(value)


def name_of(group: int, number: int) -> str:
    """The name of a file of records."""
    return f"records-{group}-{number}.parquet"


def keep_records(folder: Path, groups: Sequence[Blocks]) -> str:
    """Put the records into the folder and list the files."""
    listed = []
    for number, blocks in enumerate(groups):
        files = blocks.keep_in(folder, partial(name_of, number))
        listed.append([[file.name, _digest_of(file)] for file in files])
    return json.dumps(listed)


def records_in(folder: Path, listed: str) -> list[list[Path]] | None:
    """The files of each group of records; None if one is not what was listed."""
    try:
        found = [
            [(folder / Path(name).name, digest) for name, digest in group] for group in json.loads(listed)
        ]
        if all(_digest_of(file) == digest for group in found for file, digest in group):
            return [[file for file, _ in group] for group in found]
    except OSError:
        pass
    return None


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

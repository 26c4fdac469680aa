"""The coded records of a run in its checkpoint's folder: Parquet files, and a list of them with digests.

Files count from the moment the list is saved, and only as long as every one of
them is byte for byte what was listed. So it does not matter when a run that writes
them is killed, or what becomes of them later.
"""

from __future__ import annotations

import hashlib
import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.engines.blocks import Blocks


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

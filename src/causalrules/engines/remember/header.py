"""What a checkpoint is of: the run's data and settings."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from causalrules.domain.settings import WITHOUT_EFFECT
from causalrules.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import DataSummary, Item, Settings

SCHEMA = "causalrules-checkpoint/1"


class SchemaError(ValueError):
    """A checkpoint that another version of causalrules wrote in another form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Everything that an answer depends on, in words where people can read them.

    Parameters
    ----------
    version : str
        Of causalrules: another one may match other records.
    settings : dict
        Those that can change a result.
    outcome : str
        Column and value.
    n_records, n_items : int
        With a known outcome; that take part.
    items, records : str
        Digest of the items' names in their order, and the engines' fingerprints.
    source : str
        Where the table came from; it may have moved since.
    """

    version: str
    settings: dict[str, Any]
    outcome: str
    n_records: int
    n_items: int
    items: str
    records: str
    source: str

    @classmethod
    def of(
        cls, data: DataSummary, items: Sequence[Item], settings: Settings, fingerprints: Sequence[str]
    ) -> Header:
        """For a run over this table."""
        chosen = {name: value for name, value in settings.to_dict().items() if name not in WITHOUT_EFFECT}
        return cls(
            version=__version__,
            settings=json.loads(json.dumps(chosen)),
            outcome=str(data.outcome),
            n_records=data.outcome.n_records,
            n_items=len(items),
            items=_digest([[item.column, item.value] for item in items]),
            records=" ".join(fingerprints),
            source=data.source,
        )

    @property
    def fingerprint(self) -> str:
        """Equal for two runs exactly when one may go on with the answers of the other."""
        entry = asdict(self)
        del entry["source"]
        return _digest([SCHEMA, entry])

    def to_bytes(self) -> bytes:
        """The file: JSON with a checksum."""
        entry = {"schema": SCHEMA, **asdict(self), "fingerprint": self.fingerprint}
        return json.dumps({**entry, "checksum": _digest(entry)}, indent=1).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Header | None:
        """Read what `to_bytes` made; None if it is damaged, a `SchemaError` if it is of another form."""
        try:
            entry = json.loads(data)
            checksum = entry.pop("checksum")
            if checksum != _digest(entry):
                return None
            schema = entry.pop("schema")
            del entry["fingerprint"]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None
        if schema != SCHEMA:
            raise SchemaError(f"its form is {schema!r}, this version of causalrules reads {SCHEMA!r}")
        try:
            return cls(**entry)
        except TypeError as error:
            raise SchemaError("it holds other entries than this version of causalrules reads") from error

    def differences(self, here: Header) -> list[str]:
        """What was other in this run than in the one at hand, in words; empty if nothing was."""
        found = []
        if self.version != here.version:
            found.append(f"it was made by causalrules {self.version}, this is {here.version}")
        for name in {**self.settings, **here.settings}:
            there, now = self.settings.get(name, "unknown"), here.settings.get(name, "unknown")
            if there != now:
                found.append(f"{name} was {_shown(there)} and is {_shown(now)} now")
        if self.outcome != here.outcome:
            found.append(f"the outcome was {self.outcome!r} and is {here.outcome!r} now")
        elif self.items != here.items:
            found.append(
                f"the columns or their values are others ({self.n_items:,} items there, {here.n_items:,} now)"
            )
        elif self.records != here.records:
            found.append(
                f"the records are others ({self.n_records:,} there, {here.n_records:,} now)"
                if self.n_records != here.n_records
                else f"some of the {here.n_records:,} records are others"
            )
        return found


def _digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _shown(value: Any) -> str:
    return "not given" if value is None else repr(value)

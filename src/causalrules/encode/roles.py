"""What the user, or the source itself, says about columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.domain import Declared
from causalrules.encode.choosing import choose_coding
from causalrules.encode.columns import plain
from causalrules.errors import SettingsError, UnknownColumnError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Settings
    from causalrules.encode.coding import Coding
    from causalrules.encode.tally import Tally


@dataclass(frozen=True, slots=True)
class Roles:
    """Which columns take part and what the user or the source says of them; the user wins."""

    settings: Settings
    declared: Declared

    def check(self, columns: Sequence[str]) -> None:
        """Refuse names that the table does not have."""
        for role in ("exact_on", "drop", "only", "categorical", "numeric"):
            for name in getattr(self.settings, role):
                if name not in columns:
                    raise UnknownColumnError(role, name, columns)
        for name in self.settings.numeric:
            if name in self.settings.categorical:
                raise SettingsError("numeric", "columns that are not categorical as well", name)

    def why_not(self, name: str, kind: pa.DataType) -> str | None:
        """Why a column takes no part whatever its values are."""
        if name in self.settings.drop:
            return "dropped on request"
        if self.settings.only and name not in self.settings.only:
            return "not among the columns asked for"
        if name in self.declared.ignored and name not in self.settings.only:
            return "its description says to ignore it"
        is_usable = plain(pa.chunked_array([], kind)) is not None
        return None if is_usable else f"its values are of type {kind}"

    def is_categorical(self, name: str) -> bool:
        """Whether its values are categories although they may look like numbers."""
        declared = name in self.declared.categorical and name not in self.settings.numeric
        return name in self.settings.categorical or declared

    def is_numeric(self, name: str) -> bool:
        """Whether it is cut into bins although it may look like categories."""
        declared = name in self.declared.numeric and name not in self.settings.categorical
        return name in self.settings.numeric or declared

    def coding_of(self, name: str, tally: Tally) -> Coding | str:
        """What becomes of a column, or why it is left out."""
        return choose_coding(
            name,
            tally,
            self.settings,
            is_categorical=self.is_categorical(name),
            is_numeric=self.is_numeric(name),
        )

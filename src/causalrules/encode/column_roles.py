"""Which columns take part, and what the user and the source say of them; the user's word counts first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from causalrules.domain.data_summary import WhyLeftOut
from causalrules.domain.marker_phrases import NOT_ASKED_FOR
from causalrules.domain.missing_values import unknown_column
from causalrules.domain.pattern_grammar import parse
from causalrules.encode.columns import is_known
from causalrules.errors import ExposureError, PatternError, SettingsError, UnknownColumnError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from causalrules.domain import Declared
    from causalrules.domain.pattern_grammar import Condition
    from causalrules.domain.table_settings import TableSettings


@dataclass(frozen=True, slots=True)
class AskedOf:
    """A condition that a column is to be coded by, and what for."""

    condition: Condition
    role: Literal["exposure", "adjust"]


@dataclass(frozen=True, slots=True)
class Roles:
    """Which columns take part and what the user or the source says of them; the user wins."""

    settings: TableSettings
    declared: Declared
    exposure: str = ""

    def conditions(self, columns: Sequence[str]) -> dict[str, AskedOf]:
        """The conditions that the exposure, or what to adjust for, makes for columns.

        An exposure that is not understood is none here: it may be a value with
        signs in it, and is looked for as such when all items are known.
        """
        found: dict[str, AskedOf] = {}
        for text in self.settings.adjusted_for:
            if text not in columns:
                for one in parse(text, columns, "adjust"):
                    self._add(found, AskedOf(one, "adjust"))
        try:
            asked = parse(self.exposure, columns, "exposure") if self.exposure else ()
        except (PatternError, UnknownColumnError):
            asked = ()
        for one in asked:
            self._add(found, AskedOf(one, "exposure"))
        return found

    def _add(self, found: dict[str, AskedOf], asked: AskedOf) -> None:
        name = asked.condition.column
        other = found.setdefault(name, asked)
        if other != asked and "adjust" in (other.role, asked.role):
            both = " and ".join(quoted(str(one.condition)) for one in (other, asked))
            raise ExposureError(f"{both} cut column {quoted(name)} in two ways. Leave one of them out.")

    def check(self, columns: Sequence[str]) -> None:
        """Refuse names that the table does not have."""
        for role in ("exact_on", "drop", "only", "categorical", "numeric"):
            for name in getattr(self.settings, role):
                if name not in columns:
                    raise UnknownColumnError(role, name, columns)
        for role in ("cluster", "weights", "matched_set"):
            column = getattr(self.settings, role)
            if column is not None and column not in columns:
                raise UnknownColumnError(role, column, columns)
        self.settings.knowledge.check_names(columns)
        for name in self.settings.cuts:
            if name not in columns:
                raise UnknownColumnError("cut", name, columns)
        unknown = unknown_column(self.settings.missing, columns)
        if unknown is not None:
            raise UnknownColumnError("missing", unknown, columns)
        for name in self.settings.numeric:
            if name in self.settings.categorical:
                raise SettingsError("numeric", "columns that are not categorical as well", name)

    def why_not(self, name: str, kind: pa.DataType) -> str | None:
        """Why a column takes no part whatever its values are; None if it may."""
        if name == self.settings.group_column:
            if not is_known(kind):
                role = "cluster" if self.settings.matched_set is None else "matched_set"
                raise SettingsError(role, "a column of texts, numbers or dates", f"one of type {kind}")
            return WhyLeftOut("it says which records belong together", "cluster")
        if name == self.settings.weights:
            says = (
                "what each record represents"
                if self.settings.is_sampled
                else "how many records each row stands for"
            )
            return WhyLeftOut(f"it says {says}", "weight")
        if name in self.settings.drop:
            return WhyLeftOut("dropped on request", "dropped")
        if self.settings.only and name not in self.settings.only:
            return WhyLeftOut(NOT_ASKED_FOR, "not_asked")
        if name in self.declared.ignored and name not in self.settings.only:
            return WhyLeftOut("its description says to ignore it", "ignored")
        return None if is_known(kind) else WhyLeftOut(f"its values are of type {kind}", "type")

    def is_categorical(self, name: str) -> bool:
        """Whether its values are categories although they may look like numbers."""
        declared = name in self.declared.categorical and name not in self.settings.numeric
        return name in self.settings.categorical or declared

    def is_numeric(self, name: str) -> bool:
        """Whether it is cut into bins although it may look like categories."""
        declared = name in self.declared.numeric and name not in self.settings.categorical
        return name in self.settings.numeric or name in self.settings.cuts or declared

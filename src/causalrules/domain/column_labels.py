"""Columns that are called by a label: who knows their names may use these as well."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from causalrules.domain.cut_points import read_cuts, written_cuts
from causalrules.domain.knowledge import read_arrow, read_tiers, written_arrow, written_tiers
from causalrules.domain.pattern_grammar import parse, written
from causalrules.errors import PatternError, UnknownColumnError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from causalrules.domain.settings import Settings

_LISTS = (
    *("drop", "only", "categorical", "numeric", "exact_on"),
    *("exposures", "never_adjust", "before", "after"),
    *("by", "negative_exposure"),
)
_SINGLE = ("cluster", "weights", "matched_set")


@dataclass(frozen=True, slots=True)
class ColumnLabel:
    """A column that is called by its label, and the name it has in the source."""

    label: str
    name: str


@dataclass(frozen=True, slots=True)
class LabelledColumns:
    """Columns of a table, and the names of those that are called by a label.

    Parameters
    ----------
    columns : tuple of str
        What the columns are called.
    names : mapping of str to str
        For each label the name.

    Examples
    --------
    >>> table = LabelledColumns(("smoking status", "age"), {"smoking status": "smk"})
    >>> table.pattern("smk=current & age>=60")
    'smoking status=current & age>=60'
    """

    columns: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def _labels(self) -> dict[str, str]:
        return {name: label for label, name in self.names.items()}

    def pattern(self, text: str) -> str:
        """A pattern with labels in the place of names; one that is not understood stays as it is."""
        labels = self._labels
        try:
            conditions = parse(text, [*self.columns, *labels])
        except (PatternError, UnknownColumnError):
            return text
        if not any(one.column in labels for one in conditions):
            return text
        return written([replace(one, column=labels.get(one.column, one.column)) for one in conditions])

    def settings(self, settings: Settings) -> Settings:
        """The settings, with labels in the place of names."""
        labels = self._labels
        if not labels:
            return settings

        def label(name: str) -> str:
            return labels.get(name, name)

        changed: dict[str, Any] = {one: tuple(map(label, getattr(settings, one))) for one in _LISTS}
        changed["adjust"] = tuple(map(self._adjusted, settings.adjust))
        changed |= {
            one: label(getattr(settings, one)) for one in _SINGLE if getattr(settings, one) is not None
        }
        changed["join"] = tuple(map(self.pattern, settings.join))
        changed["negative_outcome"] = tuple(map(self.pattern, settings.negative_outcome))
        changed["ordered"] = tuple(map(self._ordered, settings.ordered))
        if settings.tiers:
            changed["tiers"] = written_tiers([list(map(label, tier)) for tier in read_tiers(settings.tiers)])
        for role in ("require", "forbid"):
            arrows = (read_arrow(text, role) for text in getattr(settings, role))
            changed[role] = tuple(written_arrow([label(name) for name in arrow]) for arrow in arrows)
        changed["cut"] = tuple(
            written_cuts(label(read_cuts(text).column), text.rpartition("=")[2].strip())
            for text in settings.cut
        )
        different = {name: value for name, value in changed.items() if value != getattr(settings, name)}
        return replace(settings, **different) if different else settings

    def _ordered(self, text: str) -> str:
        """An ordered column, with its order or without."""
        name, equals, order = text.partition("=")
        return f"{self._labels.get(name.strip(), name.strip())}{equals}{order}"

    def _adjusted(self, text: str) -> str:
        """What to adjust for, a name or a pattern, which a plus sign may lead."""
        plain = text.removeprefix("+").strip()
        return ("+" if text.startswith("+") else "") + self.pattern(plain)

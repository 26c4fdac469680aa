"""Columns and values that are called by a label: who knows their names and codes may use these as well."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from causalrules.domain.cut_points import read_cuts, written_cuts
from causalrules.domain.knowledge import read_arrow, read_tiers, written_arrow, written_tiers
from causalrules.domain.pattern_grammar import parse, written
from causalrules.domain.value_meaning import value_meant
from causalrules.errors import PatternError, UnknownColumnError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from causalrules.domain.pattern_grammar import Condition
    from causalrules.domain.table_settings import TableSettings

AnySettings = TypeVar("AnySettings", bound="TableSettings")

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
    """Columns of a table, with the names and codes of those that are called by labels.

    Parameters
    ----------
    columns : tuple of str
        What the columns are called.
    names : mapping of str to str
        For each label the name.
    codes : mapping of str to mapping of str to str
        By what a column is called: the label of each of its codes.

    Examples
    --------
    >>> codes = {"smoking status": {"0": "never", "1": "current"}}
    >>> table = LabelledColumns(("smoking status", "age"), {"smoking status": "smk"}, codes)
    >>> table.pattern("smk=current & age>=60")
    'smoking status=current & age>=60'
    >>> table.pattern("smk=1"), table.pattern("smk")
    ('smoking status=current', 'smoking status=current')
    """

    columns: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def _labels(self) -> dict[str, str]:
        return {name: label for label, name in self.names.items()}

    def pattern(self, text: str) -> str:
        """A pattern with labels for names and codes; one that is not understood stays as it is."""
        try:
            conditions = parse(text, [*self.columns, *self._labels])
        except (PatternError, UnknownColumnError):
            return text
        labelled = tuple(map(self._condition, conditions))
        return text if labelled == conditions else written(labelled)

    def _condition(self, one: Condition) -> Condition:
        """A condition with labels; a column of the codes 0 and 1 without a value means its 1."""
        column = self._labels.get(one.column, one.column)
        if one.kind == "yes" and set(self.codes.get(column, ())) == {"0", "1"}:
            return replace(one, column=column, kind="is", values=(self.codes[column]["1"],))
        values = tuple(self._value(column, value) for value in one.values)
        return replace(one, column=column, values=values)

    def _value(self, column: str, value: str) -> str:
        """The label of a code; what is a label already, or no code, stays."""
        codes = self.codes.get(column, {})
        code = None if value_meant(value, codes.values()) else value_meant(value, codes)
        return value if code is None else codes[code]

    def settings(self, settings: AnySettings) -> AnySettings:
        """The settings, with labels in the place of names and codes."""
        labels = self._labels
        if not (labels or self.codes):
            return settings

        def label(name: str) -> str:
            return labels.get(name, name)

        def each(write: Callable[[str], str]) -> Callable[[Any], Any]:
            return lambda texts: tuple(map(write, texts))

        def arrow(text: str) -> str:
            return written_arrow([label(name) for name in read_arrow(text, "forbid")])

        def cut(text: str) -> str:
            return written_cuts(label(read_cuts(text).column), text.rpartition("=")[2].strip())

        def tiers(text: str) -> str:
            return written_tiers([list(map(label, tier)) for tier in read_tiers(text)]) if text else text

        ways: dict[str, Callable[[Any], Any]] = {
            **dict.fromkeys(_LISTS, each(label)),
            **dict.fromkeys(_SINGLE, lambda name: None if name is None else label(name)),
            **dict.fromkeys(("join", "negative_outcome"), each(self.pattern)),
            **dict.fromkeys(("require", "forbid"), each(arrow)),
            "adjust": each(self._adjusted),
            "missing": each(self._missing),
            "ordered": each(self._ordered),
            "cut": each(cut),
            "tiers": tiers,
        }
        names = (one.name for one in fields(settings) if one.name in ways)
        changed = {name: ways[name](getattr(settings, name)) for name in names}
        different = {name: value for name, value in changed.items() if value != getattr(settings, name)}
        return replace(settings, **different) if different else settings

    def _ordered(self, text: str) -> str:
        """An ordered column, with its order or without."""
        name, equals, order = text.partition("=")
        column = self._labels.get(name.strip(), name.strip())
        if column not in self.codes:
            return f"{column}{equals}{order}"
        return f"{column}{equals}{'<'.join(self._value(column, one.strip()) for one in order.split('<'))}"

    def _missing(self, text: str) -> str:
        """What means a missing value in one column, or in all."""
        found = [one for one in (*self.columns, *self._labels) if text.startswith(f"{one}=")]
        if not found:
            return text
        name = max(found, key=len)
        column = self._labels.get(name, name)
        return f"{column}={self._value(column, text[len(name) + 1 :])}"

    def _adjusted(self, text: str) -> str:
        """What to adjust for, a name or a pattern, which a plus sign may lead."""
        plain = text.removeprefix("+").strip()
        return ("+" if text.startswith("+") else "") + self.pattern(plain)

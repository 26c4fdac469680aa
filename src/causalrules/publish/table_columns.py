"""Columns of a table as Table 1 describes them: numbers, or categories in an order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.missing_values import missing_in
from causalrules.encode.column_codings import text_order
from causalrules.encode.columns import distinct_of, plain
from causalrules.encode.joined_values import joined_names, joins_in
from causalrules.encode.values import as_numbers, cleaned, texts_of
from causalrules.publish.characteristics import category_characteristic, number_characteristic

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from causalrules.domain import Settings
    from causalrules.publish.characteristics import Characteristic, Group

_FEW_NUMBERS = 10
"""Different numbers up to which a column is described as a category, unless it is declared a number."""


@dataclass(frozen=True, slots=True, eq=False)
class TableColumn:
    """A column of the whole table: its different values in order, and which of them each record has."""

    name: str
    values: NDArray[np.float64] | tuple[str, ...]
    codes: NDArray[np.int64]
    is_date: bool = False

    def described(self, rows: NDArray[np.int64], groups: Sequence[Group]) -> Characteristic:
        """The column among the records at these places of the table."""
        own = self.codes[rows]
        if isinstance(self.values, tuple):
            return category_characteristic(self.name, self.values, own, groups)
        return number_characteristic(self.name, self.values, own, groups, is_date=self.is_date)


def table_column(
    name: str, column: pa.ChunkedArray, settings: Settings, in_order: Sequence[str] = ()
) -> TableColumn | None:
    """A number or a category, whose values come in the order that is known; None for what is neither."""
    usable = plain(column)
    if usable is None:
        return None
    distinct = distinct_of(usable, settings.missing, name)
    numbers = None if name in settings.categorical else as_numbers(distinct.values)
    if numbers is not None and (name in settings.numeric or len(distinct.values) > _FEW_NUMBERS):
        values, places = np.unique(numbers.values, return_inverse=True)
        is_number = ~np.isnan(values)
        codes = np.append(np.where(is_number[places], places, -1), -1)[distinct.indices]
        return TableColumn(name, values[is_number], codes, is_date=numbers.are_dates)
    merged = cleaned(texts_of(distinct.values), missing_in(settings.missing, name)).dictionary_encode()
    names = merged.dictionary.to_pylist()
    known = {value: place for place, value in enumerate(in_order)}
    order = sorted(
        range(len(names)),
        key=lambda place: (known.get(names[place], len(known)), text_order(names[place])),
    )
    shown, place_of = joined_names([names[place] for place in order], joins_in(settings.join, name))
    recode = np.full(len(names) + 1, -1, np.int64)
    recode[order] = place_of
    merged_codes = np.array([-1 if code is None else code for code in merged.indices.to_pylist()], np.int64)
    codes = np.append(recode[merged_codes], -1)[distinct.indices]
    return TableColumn(name, tuple(shown), codes)

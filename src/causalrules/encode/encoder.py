"""A whole table as items and codes, with a reason for every column left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain import Declared
from causalrules.domain.notation import split_item
from causalrules.encode.coding import Coding, record_codes
from causalrules.encode.columns import distinct_of, plain
from causalrules.encode.outcome import OutcomeValue, choose_outcome, outcome_values
from causalrules.encode.roles import Roles
from causalrules.encode.survey import name_items
from causalrules.encode.tally import Tally
from causalrules.encode.vocabulary import CodedTable

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from causalrules.domain import Item, Settings


def encode(
    table: pa.Table, outcome: str | Item, settings: Settings, declared: Declared | None = None
) -> CodedTable:
    """Turn a table into items and codes.

    Parameters
    ----------
    table : pyarrow.Table
        Any named columns.
    outcome : str or Item
        ``column=value``.
    settings : Settings
        Which columns take part and how numbers become items.
    declared : Declared, optional
        What the source itself says about its columns.
    """
    roles = Roles(settings, declared or Declared())
    roles.check(table.column_names)
    found, states = find_outcome(table, outcome, settings.missing)
    is_known = states >= 0
    known = None if is_known.all() else is_known
    columns: dict[str, Coding | str] = {}
    codes: list[NDArray[np.uint16]] = []
    for column in table.column_names:
        if column == found.column:
            continue
        chosen, coded = _code(column, table.column(column), states, known, roles)
        columns[column] = chosen
        if coded is not None:
            codes.append(coded)
    n_with, n_without = int((states == 1).sum()), int((states == 0).sum())
    vocabulary = name_items(columns, found, table.num_rows, n_with, n_without, roles.declared)
    return CodedTable(
        items=vocabulary.items,
        first_item=vocabulary.first_item,
        summary=vocabulary.summary,
        codes=np.stack(codes),
        has_outcome=states[is_known] == 1,
    )


def find_outcome(
    table: pa.Table, outcome: str | Item, missing: tuple[str, ...]
) -> tuple[OutcomeValue, NDArray[np.int8]]:
    """The outcome's value, and what each record has: 1 for the outcome, 0 for another value, -1 for none."""
    name, asked = split_item(outcome, table.column_names, "outcome")
    distinct = outcome_values(name, table.column(name), missing)
    counts = Tally.of(distinct, np.zeros(table.num_rows, np.int8)).counts
    found = choose_outcome(name, asked, distinct.values, counts, missing, table.num_rows)
    return found, found.states_of(distinct)


def _code(
    name: str,
    column: pa.ChunkedArray,
    states: NDArray[np.int8],
    known: NDArray[np.bool_] | None,
    roles: Roles,
) -> tuple[Coding | str, NDArray[np.uint16] | None]:
    """How a column is coded with its codes, or why it is left out."""
    why_not = roles.why_not(name, column.type)
    if why_not is not None:
        return why_not, None
    distinct = distinct_of(plain(column), roles.settings.missing)
    coding = roles.coding_of(name, Tally.of(distinct, states))
    if isinstance(coding, str):
        return coding, None
    codes = record_codes(coding, distinct)
    return coding, codes if known is None else codes[known]

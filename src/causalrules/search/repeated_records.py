"""A warning where records repeat although no column tells who they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine

_FEWEST_COLUMNS, _MOST_RECORDS, _MOST_ALIKE = 10, 50_000, 100
_EXPECTED_TWINS = 0.01
_LEAST_SHARE = 0.3


def warn_of_twins(engine: Engine, vocabulary: Vocabulary) -> list[str]:
    """A sentence if many records equal another one in every column, where chance would give hardly any.

    If columns were independent, a record would have n Π Σ p² others like it. Where these are
    less than one in a hundred, and yet three records in ten are not
    alone, several records of one person are likelier than chance. Larger tables
    are not looked at: all their distinct records would have to come together.
    """
    n_records = engine.n_with + engine.n_without
    columns = vocabulary.held_columns
    is_told = vocabulary.n_cluster_digits or vocabulary.repeating
    if is_told or len(columns) < _FEWEST_COLUMNS or n_records > _MOST_RECORDS:
        return []
    support, first = engine.item_counts().support, vocabulary.first_item
    expected = float(n_records)
    for column in columns:
        known = support[first[column.place] : first[column.place + 1]]
        shares = np.append(known, n_records - known.sum()) / n_records
        expected *= float(shares @ shares)
    if expected > _EXPECTED_TWINS:
        return []
    rows = engine.unique_rows(np.array([column.place for column in columns], np.intp))
    alike = rows.counts.sum(axis=1)
    n_twins = int(alike[(alike > 1) & (alike <= _MOST_ALIKE)].sum())
    if n_twins < _LEAST_SHARE * n_records:
        return []
    return [
        f"{n_twins:,} of {n_records:,} records equal another one in every column but the outcome. If they "
        "are records of the same persons, they belong together, and intervals are too narrow and p-values "
        "too small; name a column that identifies the persons, with --cluster COLUMN, to correct them."
    ]

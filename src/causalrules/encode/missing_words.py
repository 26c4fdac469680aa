"""Words such as NA that were taken for missing values, though they may be values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.missing_values import DEFAULT_MISSING, of_all_columns, of_column
from causalrules.domain.quoted_names import typed_list
from causalrules.encode.values import is_text
from causalrules.errors import quoted

if TYPE_CHECKING:
    from causalrules.encode.column_kinds import Roles
    from causalrules.encode.tally import Tally


def words_for_missing(column: str, tally: Tally, roles: Roles) -> list[str]:
    """A note on each word of a column of texts that counts as missing without anybody having said so.

    A library that has nulls of its own need not write them as texts. A file
    of text must, so there only a word that is half as frequent as the column's
    values are on average looks like one of them. Among numbers it is none.
    """
    missing = roles.settings.missing
    if not tally.absent or of_all_columns(missing) != DEFAULT_MISSING or not is_text(tally.values.type):
        return []
    own = of_column(missing, column)
    n_present, n_values = int(tally.counts.sum()), int(np.count_nonzero(tally.counts))
    if not n_values or tally.numbers is not None:
        return []
    others = {word: typed_list([one for one in missing if one != word]) for word in tally.absent}
    least = n_present / (2 * n_values) if roles.declared.is_untyped else 1
    return [
        f"{quoted(word)} in {column} counts as missing ({count:,} records). If it is a value, name the texts "
        f"that mean missing without it: --missing {others[word]}."
        for word, count in sorted(tally.absent.items())
        if count >= least and word not in own
    ]

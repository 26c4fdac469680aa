"""Records for the rooms of the method, made of tables as a run makes them."""

import numpy as np
import pyarrow as pa

from causalrules.domain import Settings
from causalrules.encode import encode
from causalrules.encode.canonical_records import canonical_records


def coded_records(columns, outcome, **settings):
    """Records of a table, or of columns by name, and the columns that were left out with the reasons."""
    table = columns if isinstance(columns, pa.Table) else pa.table(dict(columns))
    coded = encode(table, outcome, Settings(**settings))
    times = np.ones(len(coded.has_outcome), np.int64) if coded.times is None else coded.times
    has = coded.has_outcome.astype(bool)
    records, _ = canonical_records(coded, coded.codes, np.where(has, times, 0), np.where(has, 0, times))
    return records, coded

"""Small random tables in which every corner can occur."""

from __future__ import annotations

import hypothesis.strategies as st
import pyarrow as pa

from causalrules.domain import Settings
from causalrules.encode import encode

COLUMNS = ["a", "b", "c", "d", "e"]
VALUES = ["p", "q", "r"]
WORD_EDGES = [2, 3, 7, 8, 63, 64, 65, 127, 128, 129]


@st.composite
def record_lists(draw, n_rows=None, max_rows=60):
    """Records as dicts with an outcome that some have and some have not."""
    n = draw(n_rows if n_rows is not None else st.integers(2, max_rows))
    columns = COLUMNS[: draw(st.integers(1, len(COLUMNS)))]
    value = st.sampled_from([*VALUES, None])
    row = st.fixed_dictionaries({**dict.fromkeys(columns, value), "z": st.booleans()})
    rows = draw(st.lists(row, min_size=n, max_size=n))
    rows[0] = {**rows[0], "z": True}
    rows[1] = {**rows[1], "z": False}
    for number, column in enumerate(columns):  # no column may be constant or empty: it would be left out
        rows[0][column] = VALUES[number % 3]
        rows[1][column] = VALUES[(number + 1) % 3]
    return rows


def columns_of(rows):
    return [name for name in rows[0] if name != "z"]


def arrow_of(rows):
    columns = {name: pa.array([row[name] for row in rows], pa.string()) for name in columns_of(rows)}
    return pa.table({**columns, "z": pa.array(["yes" if row["z"] else "no" for row in rows])})


def coded(rows):
    return encode(arrow_of(rows), "z=yes", Settings(categorical=tuple(columns_of(rows))))

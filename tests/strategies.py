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


@st.composite
def dependent_records(draw):
    """Records in which columns lean on each other, so that there is something to separate."""
    n = draw(st.integers(20, 120))
    seed = st.integers(0, 2**n - 1)
    cause, noise, other = draw(seed), draw(seed) & draw(seed), draw(seed)
    outcome = (cause & other) | noise if draw(st.booleans()) else cause ^ noise
    masks = {"a": cause, "b": cause ^ (draw(seed) & draw(seed)), "c": other, "d": draw(seed)}
    rows = [
        {column: "yes" if mask >> i & 1 else "no" for column, mask in masks.items()}
        | {"z": bool(outcome >> i & 1)}
        for i in range(n)
    ]
    rows[0] |= {"a": "no", "b": "no", "c": "no", "d": "no", "z": False}
    rows[1] |= {"a": "yes", "b": "yes", "c": "yes", "d": "yes", "z": True}
    if draw(st.booleans()):
        rows[2]["a"] = None
    return rows


def columns_of(rows):
    return [name for name in rows[0] if name != "z"]


def items_of(rows):
    return [
        (column, value)
        for column in columns_of(rows)
        for value in sorted({row[column] for row in rows} - {None})
    ]


def arrow_of(rows):
    columns = {name: pa.array([row[name] for row in rows], pa.string()) for name in columns_of(rows)}
    return pa.table({**columns, "z": pa.array(["yes" if row["z"] else "no" for row in rows])})


def coded(rows):
    return encode(arrow_of(rows), "z=yes", Settings(categorical=tuple(columns_of(rows))))

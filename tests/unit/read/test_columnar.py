import random
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from causalrules.errors import SourceError
from causalrules.read import open_batches, read_table

TABLE = pa.table({"age": [31, None, 57], "sex": ["f", "m", None], "ill": [True, False, True]})


def test_parquet_keeps_types_and_reads_text_as_dictionaries(tmp_path):
    parquet.write_table(TABLE, tmp_path / "table.parquet")
    table = read_table(tmp_path / "table.parquet").arrow
    assert table.to_pylist() == TABLE.to_pylist()
    assert pa.types.is_dictionary(table.schema.field("sex").type)
    assert pa.types.is_int64(table.schema.field("age").type)


def test_parquet_is_seen_by_its_bytes(tmp_path):
    parquet.write_table(TABLE, tmp_path / "table.csv")
    assert read_table(tmp_path / "table.csv").arrow.to_pylist() == TABLE.to_pylist()


def test_nothing_of_a_parquet_file_is_kept_but_the_batch_at_hand(tmp_path):
    path = tmp_path / "table.parquet"
    noise = np.random.default_rng(0).integers(0, 1 << 62, 1 << 20)
    parquet.write_table(pa.table({"a": noise}), path, row_group_size=1 << 14, use_dictionary=False)
    before = pa.total_allocated_bytes()
    kept = [pa.total_allocated_bytes() - before for _ in open_batches(path, tmp_path).parts()]
    assert len(kept) > 8
    assert max(kept) < path.stat().st_size / 2


def test_feather(tmp_path):
    feather.write_feather(TABLE, tmp_path / "table.feather", compression="zstd")
    assert read_table(tmp_path / "table.feather").arrow.equals(TABLE)


def test_an_arrow_stream(tmp_path):
    with pa.ipc.new_stream(tmp_path / "table.arrow", TABLE.schema) as stream:
        stream.write_table(TABLE)
    assert read_table(tmp_path / "table.arrow").arrow.equals(TABLE)


def test_json_lines(tmp_path):
    path = tmp_path / "table.jsonl"
    path.write_text('{"a": 1, "b": "x"}\n{"a": 2.5}\n{"b": "é", "c": [1]}\n', encoding="utf-8")
    assert read_table(path).arrow.to_pylist() == [
        {"a": 1, "b": "x", "c": None},
        {"a": 2.5, "b": None, "c": None},
        {"a": None, "b": "é", "c": [1]},
    ]


def test_a_long_json_line(tmp_path):
    path = tmp_path / "table.jsonl"
    path.write_text('{"a": "' + "x" * 3_000_000 + '"}\n{"a": "y"}\n')
    assert read_table(path).arrow.num_rows == 2


@pytest.mark.parametrize("text", ['{"a": 1', '{"a": 1}\n{"a": "x"}\n', "nothing"])
def test_json_that_is_not_one_object_a_line(tmp_path, text):
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(SourceError, match=r"not a sound JSON lines file .* Write one object on each line"):
        read_table(path)


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_damage_is_told_and_never_crashes(tmp_path, kind):
    path = tmp_path / f"table.{kind}"
    write = parquet.write_table if kind == "parquet" else feather.write_feather
    write(pa.table({"a": [f"é{n % 7}" for n in range(300)], "b": list(range(300))}), path)
    sound = path.read_bytes()
    chance = random.Random(0)
    n_refused = 0
    for _ in range(150):
        damaged = bytearray(sound)
        for _ in range(chance.randint(1, 6)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged[: chance.choice([len(sound), chance.randrange(1, len(sound))])])
        with suppress(SourceError):
            read_table(path)
            n_refused -= 1
        n_refused += 1
    assert n_refused > 50


def test_text_that_is_no_text(tmp_path):
    offsets = pa.py_buffer(b"\0\0\0\0\x02\0\0\0")
    broken = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(b"\xff\xfe")])
    parquet.write_table(pa.table({"a": broken}), tmp_path / "table.parquet")
    with pytest.raises(SourceError, match="not a sound Parquet file"):
        read_table(tmp_path / "table.parquet")


def test_an_index_that_pandas_saved_is_ignored(tmp_path):
    import pandas as pd

    frame = pd.DataFrame({"a": [1, 2, 3, 4]})
    frame[frame["a"] > 2].to_parquet(tmp_path / "table.parquet")
    table = read_table(tmp_path / "table.parquet")
    assert table.declared.ignored == {name for name in table.arrow.column_names if name != "a"}


def test_a_table_without_records(tmp_path):
    parquet.write_table(TABLE.slice(0, 0), tmp_path / "table.parquet")
    with pytest.raises(SourceError, match="it has 3 columns but no records"):
        read_table(tmp_path / "table.parquet")


@pytest.mark.parametrize("opened", [read_table, open_batches])
def test_columns_within_columns_are_columns_by_their_path(tmp_path, opened):
    homes = [{"city": "p", "at": {"floor": 2}}, None, {"city": None, "at": None}]
    # Older versions of Arrow put the fields of dictionaries into the order of their names.
    home = pa.struct([("city", pa.string()), ("at", pa.struct([("floor", pa.int64())]))])
    nested = pa.table({"home": pa.array(homes, home), "z": ["yes", "no", "no"]})
    parquet.write_table(nested, tmp_path / "t.parquet")
    where = () if opened is read_table else (tmp_path,)
    table = opened(tmp_path / "t.parquet", *where)
    assert table.schema.names == ["home.city", "home.at.floor", "z"]
    assert table.arrow.to_pydict() == {
        "home.city": ["p", None, None],
        "home.at.floor": [2, None, None],
        "z": ["yes", "no", "no"],
    }


def test_a_path_that_is_a_column_as_well_is_refused():
    with pytest.raises(SourceError, match=r"'a\.b'"):
        read_table(pa.table({"a": pa.array([{"b": 1}]), "a.b": [2]}))

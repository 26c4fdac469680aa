"""A source read in parts gives the same records as read at once."""

import gzip
import os
from itertools import chain
from threading import Thread

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from causalrules.errors import SourceError, SourceMissingError
from causalrules.read import delimited, open_batches, read_table, source

N = 60_000
TABLE = pa.table(
    {
        "text": [f"value {k % 7}" for k in range(N)],
        "number": [k % 1000 / 8 for k in range(N)],
        "id": [f"record {k}" for k in range(N)],
    }
)


def csv_text(delimiter=","):
    return TABLE.to_pandas().to_csv(index=False, sep=delimiter)


def texts(table):
    """All values as texts, whatever their types."""
    return [[str(value) for value in column.to_pylist()] for column in table.columns]


def whole(opened):
    parts = list(opened.parts())
    return parts, [list(chain.from_iterable(columns)) for columns in zip(*map(texts, parts), strict=True)]


WRITERS = {
    "table.parquet": lambda path: parquet.write_table(TABLE, path, row_group_size=15_000),
    "table.feather": lambda path: feather.write_feather(TABLE, path, chunksize=30_000, compression="lz4"),
    "table.csv": lambda path: path.write_text(csv_text()),
    "table.tsv": lambda path: path.write_text(csv_text("\t")),
    "marked.csv": lambda path: path.write_text("\ufeff" + csv_text(), encoding="utf-8"),
    "blank ends.csv": lambda path: path.write_text("\n \n" + csv_text() + "\n  \n"),
    "table.csv.gz": lambda path: path.write_bytes(gzip.compress(csv_text().encode(), 1)),
    "western.csv": lambda path: path.write_bytes(csv_text().replace("value", "véleur").encode("cp1252")),
}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(source, "ROWS_A_BATCH", 20_000)
    monkeypatch.setattr(delimited, "BLOCK_BYTES", 1 << 17)


@pytest.mark.parametrize("name", WRITERS)
def test_parts_are_the_whole(name, tmp_path):
    path = tmp_path / name
    WRITERS[name](path)
    opened = open_batches(path, tmp_path)
    parts, found = whole(opened)
    assert len(parts) > 1
    expected = read_table(path)
    assert found == texts(expected.arrow)
    assert opened.schema.names == expected.arrow.column_names
    assert opened.declared == expected.declared
    assert whole(opened)[1] == found, "parts can be gone through again"


def test_a_folder_of_parquet_files(tmp_path):
    folder = tmp_path / "parts"
    (folder / "year=2").mkdir(parents=True)
    parquet.write_table(TABLE.slice(0, 100), folder / "a.parquet")
    parquet.write_table(TABLE.slice(100, 50), folder / "year=2" / "b.parquet")
    assert whole(open_batches(folder, tmp_path))[1] == texts(TABLE.slice(0, 150))
    assert texts(read_table(folder).arrow) == texts(TABLE.slice(0, 150))


def test_a_stream_is_kept_for_later_passes(tmp_path):
    reader = TABLE.slice(0, 1000).to_reader(300)
    opened = open_batches(reader, tmp_path)
    assert whole(opened)[1] == whole(opened)[1] == texts(TABLE.slice(0, 1000))


def test_a_data_frame_is_cut(tmp_path):
    opened = open_batches(pd.DataFrame({"a": range(30_000)}), tmp_path)
    parts, found = whole(opened)
    assert len(parts) == 2
    assert found == [[str(k) for k in range(30_000)]]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("ragged.csv", "a,b\n1,2\n3\n", "line 3 has 1 value"),
        ("open.csv", 'a,b\n1,"2\n3,4\n', "never closed"),
        ("header.csv", "a,b\n", "no records"),
        ("broken.parquet", "PAR1 and then nothing", "not a sound Parquet file"),
        ("blank.csv", " \n", "it is empty"),
    ],
)
def test_complaints_are_the_same(name, content, message, tmp_path):
    path = tmp_path / name
    path.write_text(content)
    for read in (read_table, lambda path: list(open_batches(path, tmp_path).parts())):
        with pytest.raises(SourceError, match=message):
            read(path)


def test_what_is_missing(tmp_path):
    with pytest.raises(SourceMissingError):
        open_batches(tmp_path / "none.csv", tmp_path)
    with pytest.raises(SourceError, match="a folder without Parquet files"):
        open_batches(tmp_path, tmp_path)


def test_files_of_a_folder_that_do_not_fit_together(tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    parquet.write_table(pa.table({"a": ["x"], "b": [1]}), folder / "1.parquet")
    parquet.write_table(pa.table({"b": [2], "a": ["y"]}), folder / "2.parquet")
    for whole in (read_table(folder).arrow, pa.concat_tables(open_batches(folder, tmp_path).parts())):
        assert texts(whole) == [["x", "y"], ["1", "2"]]
    for odd, message in (({"a": ["x"]}, "'b' is missing"), ({"a": ["x"], "b": ["2"]}, "'b' is string")):
        parquet.write_table(pa.table(odd), folder / "2.parquet")
        for read in (read_table, lambda path: list(open_batches(path, tmp_path).parts())):
            with pytest.raises(SourceError, match=rf"2\.parquet: its column {message}.* int64"):
                read(folder)


def test_an_empty_gzip_file(tmp_path):
    (tmp_path / "empty.csv.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(SourceError, match="it is empty"):
        open_batches(tmp_path / "empty.csv.gz", tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_read_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = Thread(target=lambda: (tmp_path / "pipe").write_text("a,b\n1,2\n"))
    writer.start()
    assert whole(open_batches(tmp_path / "pipe", tmp_path))[1] == [["1"], ["2"]]
    writer.join()

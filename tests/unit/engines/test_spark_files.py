"""Parquet files that Spark's workers open themselves: which they are, and how they are divided."""

from datetime import date, datetime
from types import SimpleNamespace

import pyarrow as pa
import pytest
from pyarrow import parquet

from causalrules.engines.spark import parquet_files
from causalrules.engines.spark.parquet_files import PackFiles, pieces_of
from causalrules.engines.spark.records import unpacked

COLUMNS = {
    "name": pa.array(["a", None, "b", "a"]),
    "coded": pa.array(["x", "y", "x", None]).dictionary_encode(),
    "n": pa.array([1, 2, None, 4], pa.int32()),
    "size": pa.array([0.5, None, float("nan"), 2.0]),
    "ill": pa.array([True, False, None, True]),
    "day": pa.array([date(2024, 1, 1), None, date(2024, 1, 2), date(2024, 1, 1)]),
}
AS_SPARK_SEES_THEM = pa.schema(
    {
        "name": pa.string(),
        "coded": pa.string(),
        "n": pa.int32(),
        "size": pa.float64(),
        "ill": pa.bool_(),
        "day": pa.date32(),
    }
)


def reading(*paths):
    """A data frame that reads these files."""
    return SimpleNamespace(inputFiles=lambda: [path.as_uri() for path in paths])


@pytest.mark.parametrize("large", [False, True])
def test_records_are_those_of_the_files(tmp_path, monkeypatch, large):
    monkeypatch.setattr(parquet_files, "_LEAST_BYTES", 1)
    table = pa.table(COLUMNS)
    if large:
        table = table.set_column(0, "name", table["name"].cast(pa.large_string()))
    paths = [tmp_path / "a part.parquet", tmp_path / "50%.parquet"]
    for path in paths:
        parquet.write_table(table, path, row_group_size=1)
    pieces = pieces_of(reading(*paths), AS_SPARK_SEES_THEM, 3)
    assert 2 <= len(pieces) <= 4
    assert sorted(group for piece in pieces for group in piece) == sorted(
        (str(path), group) for path in paths for group in range(4)
    )
    pack = PackFiles(pieces, ("day", "name", "coded", "n", "ill"))
    numbers = pa.RecordBatch.from_pydict({"id": list(range(len(pieces)))})
    found = [one for part in unpacked(pack([numbers])) for one in part.to_pylist()]
    assert found == table.select(pack.names).to_pylist() * 2


def test_small_files_share_a_piece(tmp_path):
    paths = [tmp_path / f"{number}.parquet" for number in range(5)]
    for path in paths:
        parquet.write_table(pa.table(COLUMNS), path)
    assert [len(piece) for piece in pieces_of(reading(*paths), AS_SPARK_SEES_THEM, 2)] == [5]


@pytest.mark.parametrize(
    "other",
    [
        pa.table(COLUMNS | {"n": pa.array([1, 2, None, 4], pa.uint16())}),
        pa.table(COLUMNS | {"day": pa.array([datetime(2024, 1, 1)] * 4)}),
        pa.table(COLUMNS).select(["coded", "name", "n", "size", "ill", "day"]),
        pa.table(COLUMNS).drop_columns(["day"]),
    ],
    ids=["type", "moment", "order", "column"],
)
def test_files_with_other_columns_are_read_by_spark(tmp_path, other):
    parquet.write_table(pa.table(COLUMNS), tmp_path / "0.parquet")
    parquet.write_table(other, tmp_path / "1.parquet")
    assert pieces_of(reading(tmp_path / "0.parquet"), AS_SPARK_SEES_THEM, 1)
    frame = reading(tmp_path / "0.parquet", tmp_path / "1.parquet")
    assert pieces_of(frame, AS_SPARK_SEES_THEM, 1) is None


def test_files_elsewhere_broken_or_very_many_are_read_by_spark(tmp_path, monkeypatch):
    path = tmp_path / "0.parquet"
    parquet.write_table(pa.table(COLUMNS), path)
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    elsewhere = SimpleNamespace(inputFiles=lambda: ["hdfs://head" + str(path)])
    assert pieces_of(elsewhere, AS_SPARK_SEES_THEM, 1) is None
    assert pieces_of(reading(tmp_path / "broken.parquet"), AS_SPARK_SEES_THEM, 1) is None
    monkeypatch.setattr(parquet_files, "MOST_FILES", 0)
    assert pieces_of(reading(path), AS_SPARK_SEES_THEM, 1) is None

"""A mistake in a name is told from the first bytes of a large file."""

import pyarrow as pa
import pytest
from pyarrow import parquet

import causalrules
from causalrules.errors import UnknownColumnError
from causalrules.read import read_table
from causalrules.read.header import LARGE_BYTES, header_names
from causalrules.read.table_at import TableAt

N = LARGE_BYTES // 8


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "visits.csv"
    path.write_text("smoker,age,ill\n" + "yes,41,no\nno,7,yes\n" * N)
    return path


def test_a_text_and_a_parquet_file(text, tmp_path):
    assert header_names(text) == ["smoker", "age", "ill"] == read_table(text).schema.names
    assert header_names(TableAt(str(text), ("a", "b", "c"))) == ["a", "b", "c"]
    in_parquet = tmp_path / "visits.parquet"
    parquet.write_table(pa.table({"ill": range(N), "age": range(N)}), in_parquet, compression="none")
    assert header_names(TableAt(in_parquet)) == ["ill", "age"]


def test_what_only_reading_tells(text, tmp_path):
    small = tmp_path / "small.csv"
    small.write_text("a,b\n1,2\n")
    western = tmp_path / "western.csv"
    western.write_bytes("größe,b\n".encode("cp1252") + b"1,2\n" * N)
    ragged = tmp_path / "ragged.csv"
    ragged.write_bytes(b"a,a\n" + b"1,2\n" * N)
    for source in (
        small,
        western,
        ragged,
        tmp_path,
        tmp_path / "nothing.csv",
        "-",
        {"a": [1]},
        "s3://a/b.csv",
    ):
        assert header_names(source) is None


@pytest.mark.parametrize(
    "asked", [{"outcome": "sick=yes"}, {"outcome": "ill=yes", "drop": ["height"]}], ids=["outcome", "drop"]
)
def test_records_are_not_read_for_a_mistake(text, asked, monkeypatch):
    def read(*_, **__):
        raise AssertionError("read all the same")

    monkeypatch.setattr("causalrules.engines.load.read_table", read)
    with pytest.raises(UnknownColumnError):
        causalrules.mine(text, **asked)

import io
import os
import sys

import pytest

from causalrules.errors import SettingsError, SourceError, SourceMissingError, UnknownFormatError
from causalrules.read import read_table
from causalrules.read.table_at import TableAt


class StandardInput:
    def __init__(self, content):
        self.buffer = io.BytesIO(content)


@pytest.mark.parametrize(
    "content",
    [
        b"a,b\n1,x\n2,y\n",
        b'{"a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n',
        b'\xef\xbb\xbf{ "a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n',
        b"% a remark\n\n@RELATION r\n@attribute a numeric\n@attribute b {x, y}\n@data\n1,x\n2,y\n",
    ],
)
def test_standard_input_is_recognised_by_its_first_bytes(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", StandardInput(content))
    table = read_table("-")
    assert table.declared.source == "standard input"
    assert table.arrow.column("b").to_pylist() == ["x", "y"]


def test_a_missing_file_suggests_a_near_name(tmp_path):
    (tmp_path / "patients.csv").write_text("a,b\n1,2\n")
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(SourceMissingError, match=r"Did you mean 'patients\.csv'\?") as caught:
        read_table(tmp_path / "patient.csv")
    assert "notes" not in str(caught.value)
    assert isinstance(caught.value, FileNotFoundError)


def test_a_missing_file_that_resembles_nothing(tmp_path):
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(SourceMissingError, match="Check the path, or use - for standard input"):
        read_table(tmp_path / "patient.csv")


def test_a_missing_folder(tmp_path):
    with pytest.raises(SourceMissingError, match="there is no such file"):
        read_table(tmp_path / "nowhere" / "patient.csv")


def test_a_folder(tmp_path):
    with pytest.raises(SourceError, match="it is a folder without Parquet files"):
        read_table(tmp_path)


def test_a_name_that_no_file_can_have():
    with pytest.raises(SourceError, match="File name too long"):
        read_table("x" * 5000)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe(tmp_path):
    from threading import Thread

    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    writer = Thread(target=path.write_text, args=["a,b\n1,2\n"])
    writer.start()
    assert read_table(path).arrow.to_pylist() == [{"a": "1", "b": "2"}]
    writer.join()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (bytes(range(256)), "binary data of an unknown kind"),
        (b"\x01\x02\x80\x81,\xff\n\x03,\x04\n", "binary data of an unknown kind"),
        (b"\xff\xfe" + b"\0\0a\0" * 3, "binary data|UTF-32 text is damaged"),
        (b"\xff\xfea\0b", "UTF-16 text is damaged"),
        (b"PK\x03\x04and so on", "its zip data is damaged"),
        (b"SQLite format 3\0", "SQLite database"),
    ],
)
def test_what_is_no_table_is_named(tmp_path, content, what):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=what):
        read_table(path)


def test_binary_data_is_an_unknown_format(tmp_path):
    path = tmp_path / "table"
    path.write_bytes(b"\x7fELF\0\0\0")
    with pytest.raises(UnknownFormatError, match="Save it as CSV"):
        read_table(path)


@pytest.mark.parametrize("content", [b"\x1f\x8bjunk", b"\x1f\x8b\x08\0\0\0\0\0\0\x03K"])
def test_damaged_gzip(tmp_path, content):
    path = tmp_path / "table.csv.gz"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="its gzip data is damaged"):
        read_table(path)


def test_gzip_that_fails_its_checksum(tmp_path):
    import gzip

    packed = bytearray(gzip.compress(b"a,b\n1,2\n"))
    packed[-5] ^= 1
    path = tmp_path / "table.csv.gz"
    path.write_bytes(bytes(packed))
    with pytest.raises(SourceError, match="its gzip data is damaged"):
        read_table(path)


def test_names_are_refused_where_the_file_has_its_own(tmp_path):
    path = tmp_path / "table.jsonl"
    path.write_text('{"a": 1}\n')
    with pytest.raises(SettingsError, match="columns must be left out for a JSON file"):
        read_table(path, columns=["b"])


def test_files_of_a_list_may_be_written_in_different_ways(tmp_path):
    (tmp_path / "a.csv").write_text("x;y\n1,5;no\n")
    (tmp_path / "b.csv").write_text("Plant 7\nx,y\n2.5,yes\n")
    asked = [TableAt(tmp_path / "a.csv", decimal=","), TableAt(tmp_path / "b.csv", skip_rows=1)]
    assert read_table(asked).arrow.to_pydict() == {"x": ["1.5", "2.5"], "y": ["no", "yes"]}
    named = [tmp_path / "a.csv", tmp_path / "a.csv"]
    assert (
        read_table(named, columns=["p", "q"], delimiter=";").arrow.column("q").to_pylist() == ["y", "no"] * 2
    )

"""Damaged and hostile files of every kind: each is read, or refused in one sentence."""

import gzip
import sqlite3
import zipfile

import pytest

import source_formats as formats
from causalrules.errors import SourceError
from causalrules.read import open_batches, read_table
from causalrules.read.table_at import TableAt

FILES = [name for name in formats.FILES if "*" not in name and "-" not in name]
DAMAGES = {
    "cut in half": lambda content: content[: len(content) // 2],
    "cut to its beginning": lambda content: content[:24],
    "without its beginning": lambda content: content[24:],
    "with a hole": lambda content: (
        content[: len(content) // 3] + bytes(300) + content[len(content) // 3 + 300 :]
    ),
    "with other bytes": lambda content: content[:100] + b"\xff\xfe\x81" * 100 + content[400:],
    "twice": lambda content: content + content,
}


def read_or_one_sentence(source):
    """The table, or the sentence that says why there is none."""
    try:
        return read_table(source).arrow
    except SourceError as error:
        told = str(error)
        assert "\n" not in told
        assert len(told) < 600
        return told


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_read_or_refused_in_one_sentence(tmp_path, name, damage):
    family, write = formats.FILES[name]
    if family in formats.NEEDS:
        pytest.importorskip(formats.NEEDS[family])
    path = write(tmp_path, name)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    read_or_one_sentence(path)


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_something_else_is_read_or_refused_in_one_sentence(tmp_path, name):
    family, _ = formats.FILES[name]
    if family in formats.NEEDS:
        pytest.importorskip(formats.NEEDS[family])
    path = tmp_path / name
    for content in (b"nothing of the kind", b"\0" * 5000, formats.text()):
        path.write_bytes(content)
        read_or_one_sentence(path)
    path.write_bytes(b"")
    with pytest.raises(SourceError, match=r"it is empty|damaged"):
        read_table(path)


def test_a_workbook_with_a_password(tmp_path):
    pytest.importorskip("fastexcel")
    path = tmp_path / "people.xlsx"
    path.write_bytes(
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "EncryptedPackage".encode("utf-16-le")
    )
    with pytest.raises(SourceError, match=r"it is a workbook with a password\. Save it without one"):
        read_table(path)


def test_an_archive_with_a_password_or_many_files(tmp_path):
    path = tmp_path / "people.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("people.csv", formats.text())
    content = bytearray(path.read_bytes())
    content[6] |= 1  # the flag of encryption, in the file's own header and in the directory
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    with pytest.raises(SourceError, match="a zip archive with a password"):
        read_table(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", formats.text())
        archive.writestr("b.csv", formats.text())
    with pytest.raises(SourceError, match=r"a zip archive with 2 files: 'a\.csv', 'b\.csv'\. Unpack it"):
        read_table(path)
    with zipfile.ZipFile(path, "w"):
        pass
    with pytest.raises(SourceError, match="a zip archive with 0 files"):
        read_table(path)


def test_a_workbook_of_very_many_columns_and_a_huge_cell(tmp_path):
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    path = tmp_path / "wide.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for column in range(10_000):
            sheet.write(0, column, f"c{column}")
            sheet.write(1, column, column)
        sheet.write(1, 1, "x" * 32_000)
    read = read_table(path).arrow
    assert read.num_columns == 10_000
    assert len(read.column("c1")[0].as_py()) == 32_000


def test_a_sheet_that_is_not_there(tmp_path):
    pytest.importorskip("fastexcel")
    path = formats.FILES["people.xlsx"][1](tmp_path, "people.xlsx")
    with pytest.raises(SourceError, match=r"it has no sheet 'Peple'\. Its sheets are 'About', 'People'"):
        read_table(TableAt(path, sheet="Peple"))


def test_values_of_several_kinds_in_one_sqlite_column(tmp_path):
    path = tmp_path / "mixed.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("create table t (x, y)")
        connection.executemany(
            "insert into t values (?, ?)", [(1, b"b"), (2.5, None), ("NA", "text"), (None, 3)]
        )
    connection.close()
    assert read_table(path).arrow.to_pylist() == [
        {"x": "1", "y": "b"},
        {"x": "2.5", "y": None},
        {"x": "NA", "y": "text"},
        {"x": None, "y": "3"},
    ]


@pytest.mark.parametrize(
    "query", ["drop table people", "insert into people values (1, 2, 3, 4, 5)", "select", ";"]
)
@pytest.mark.parametrize("name", ["people.sqlite", "people.duckdb"])
def test_a_query_of_a_file_can_only_read(tmp_path, name, query):
    path = formats.FILES[name][1](tmp_path, name)
    before = path.read_bytes()
    with pytest.raises(SourceError, match=r"database says|selects nothing"):
        read_table(TableAt(path, query=query))
    assert path.read_bytes() == before


@pytest.mark.parametrize("query", ["select * from read_csv('/etc/passwd')", "copy people to '/tmp/x.csv'"])
def test_a_query_of_duckdb_reads_no_other_file(tmp_path, query):
    path = formats.FILES["people.duckdb"][1](tmp_path, "people.duckdb")
    with pytest.raises(SourceError, match="the DuckDB database says"):
        read_table(TableAt(path, query=query))


def test_a_table_with_strange_names(tmp_path):
    path = tmp_path / "strange.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute('create table "a ""b"" c; drop" (x)')
        connection.execute('insert into "a ""b"" c; drop" values (1)')
    connection.close()
    assert read_table(path).arrow.to_pylist() == [{"x": 1}]


@pytest.mark.parametrize("mark", ["_delta_log/0.json", "metadata/v1.metadata.json"])
def test_a_table_of_a_lake_is_refused(tmp_path, mark):
    (tmp_path / mark).parent.mkdir()
    (tmp_path / mark).write_text("{}")
    formats.FILES["people.parquet"][1](tmp_path, "people.parquet")
    with pytest.raises(SourceError, match=r"it is a table of (Delta Lake|Iceberg), whose files also hold"):
        read_table(tmp_path)


def test_files_of_a_pattern_must_be_alike(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    (tmp_path / "b.csv").write_text("y,x\n3,4\n")
    assert read_table(tmp_path / "*.csv").arrow.to_pylist() == [{"x": "1", "y": "2"}, {"x": "4", "y": "3"}]
    (tmp_path / "c.csv").write_text("x,z\n1,2\n")
    with pytest.raises(SourceError, match=r"c\.csv: column 'y' is in .*a\.csv but not in .*c\.csv"):
        read_table(tmp_path / "*.csv")
    with pytest.raises(SourceError, match="No file fits this pattern"):
        read_table(tmp_path / "*.tsv")


def test_compressed_files_of_a_pattern_stay_apart(tmp_path):
    """Each is unpacked to a place of its own, and can be read again."""
    for name, value in (("a", 1), ("b", 2)):
        (tmp_path / f"{name}.csv.gz").write_bytes(gzip.compress(f"x,y\n{value},2\n".encode()))
    table = open_batches(tmp_path / "*.csv.gz", tmp_path)
    for _ in range(2):
        assert table.arrow.column("x").to_pylist() == ["1", "2"]

"""Tables on servers give the same result as in memory, and never show who asked."""

import subprocess
import sys
import traceback
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet
import pytest

import causalrules
import source_formats as formats
import stand_ins
from causalrules.errors import SourceError
from causalrules.read import read_table
from causalrules.read.table_at import TableAt
from source_formats import answer, rounded


@pytest.fixture(scope="module")
def expected():
    return answer(formats.TABLE)


@pytest.fixture(scope="module")
def database():
    """The address of a database that has the table."""
    dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi")
    with stand_ins.postgresql() as port:
        address = (
            f"postgresql://{stand_ins.USER}:{quote(stand_ins.PASSWORD, safe='')}@127.0.0.1:{port}/postgres"
        )
        with dbapi.connect(address) as connection, connection.cursor() as cursor:
            cursor.adbc_ingest("people", formats.TABLE)
            cursor.execute("create table numbers as select 1.5::numeric as x, true as y")
            connection.commit()
        yield address


@pytest.fixture(scope="module")
def store():
    """The port of an object store, and of a web server, that has the table in several forms."""
    sink = pa.BufferOutputStream()
    pyarrow.parquet.write_table(formats.TABLE, sink)
    half = len(formats.ROWS) // 2
    files = {
        "bucket/people.csv": formats.text(),
        "bucket/people.parquet": sink.getvalue().to_pybytes(),
        "bucket/parts/a.csv": formats.text(rows=formats.ROWS[:half]),
        "bucket/parts/b.csv": formats.text(rows=formats.ROWS[half:]),
        "bucket/parts/notes.txt": b"no part of it",
        "private/people.csv": formats.text(),
        "bucket/damaged.csv": formats.text() + b"too,few\n",
    }
    for sex in ("female", "male"):
        rows = [{key: row[key] for key in row if key != "SEX"} for row in formats.ROWS if row["SEX"] == sex]
        sink = pa.BufferOutputStream()
        pyarrow.parquet.write_table(pa.Table.from_pylist(rows), sink)
        files[f"bucket/by-sex/SEX={sex}/part-0.parquet"] = sink.getvalue().to_pybytes()
    with stand_ins.object_store(files) as port:
        yield port


def s3(port, path, user="right:secret", host="127.0.0.1"):
    return f"s3://{user}@{path}?region=here&scheme=http&endpoint_override={host}:{port}"


@pytest.mark.parametrize("engine", ["auto", "memory"])
@pytest.mark.parametrize("what", [{"table": "people"}, {"query": 'select * from people order by "AGE"'}])
def test_a_postgresql_table_gives_the_same_result(database, engine, what, expected):
    assert answer(TableAt(database, **what), engine=engine) == expected


def test_numbers_of_postgresql_are_numbers(database):
    read = read_table(TableAt(database, query="select * from numbers")).arrow
    assert [str(value) for value in read.to_pylist()[0].values()] == ["1.5", "True"]


def test_several_tables_are_named(database):
    with pytest.raises(SourceError, match=r"2 tables: 'numbers', 'people'\. Choose one with --table"):
        read_table(database)


@pytest.mark.parametrize(
    "query", ["delete from people", "create table more (x int)", 'update people set "AGE" = 1']
)
def test_a_query_can_only_read(database, query):
    with pytest.raises(SourceError, match="read-only transaction"):
        read_table(TableAt(database, query=query))
    assert read_table(TableAt(database, table="people")).arrow.num_rows == len(formats.ROWS)


def test_credentials_are_nowhere(database, tmp_path, caplog):
    """Neither in a result, nor on a page, in what is printed, in an error or in a checkpoint."""
    caplog.set_level("DEBUG")
    command = [
        sys.executable,
        "-m",
        "causalrules",
        "mine",
        database,
        "--table",
        "people",
        "--outcome",
        "ILL=yes",
    ]
    kept = ["--json", tmp_path / "r.json", "--html", tmp_path / "r.html", "--checkpoint", tmp_path / "kept"]
    done = subprocess.run([*command, "--max-length", "1", *kept], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 3
    said = [done.stdout, done.stderr, *(path.read_bytes() for path in files)]
    for source in (
        TableAt(database, query="select nonsense"),
        TableAt(database.replace(quote(stand_ins.PASSWORD, safe=""), "wr0ngPass"), table="people"),
        database.replace("postgresql://", "mysql://"),
        database.replace("127.0.0.1", "[::bad"),
        database.replace(quote(stand_ins.PASSWORD, safe=""), stand_ins.PASSWORD),
        database + "?password=wr0ngPass",
    ):
        with pytest.raises(SourceError) as caught:
            causalrules.mine(source, "ILL=yes")
        assert caught.value.__cause__ is None
        said.append("".join(traceback.format_exception_only(caught.value)).encode())
    said.append(caplog.text.encode())
    secrets = [
        stand_ins.PASSWORD,
        quote(stand_ins.PASSWORD, safe=""),
        "wr0ngPass",
        f"{stand_ins.USER}:",
        "cr/et",
    ]
    for content in said:
        for secret in secrets:
            assert secret.encode() not in content
    assert b"127.0.0.1" in (tmp_path / "r.json").read_bytes()


def test_a_server_that_is_not_there_is_one_sentence():
    address = f"postgresql://ann:secret@127.0.0.1:{stand_ins.free_port()}/x"
    with pytest.raises(SourceError, match="the server says:") as caught:
        read_table(address)
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("path", ["bucket/people.csv", "bucket/people.parquet", "bucket/parts/*.csv"])
def test_an_object_store_gives_the_same_result(store, path, expected):
    assert answer(s3(store, path)) == expected


def test_folders_of_a_store_have_columns_in_their_names(store, expected):
    assert rounded(answer(s3(store, "bucket/by-sex"))) == rounded(expected)


@pytest.mark.parametrize("name", ["../../../outside.csv", "deeper/../../../outside.csv", "..\\outside.csv"])
@pytest.mark.parametrize("asked", ["bucket/data", "bucket/data/**/*.csv"])
def test_an_object_whose_name_leads_out_of_its_folder_is_not_fetched(tmp_path, monkeypatch, name, asked):
    """A store takes any text as a name, also one that would be written elsewhere on this machine."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found = stand_ins.object_store({f"bucket/data/{name}": b"x,y\n1,2\n"})
    with found as port, pytest.raises(SourceError, match="an object's name leads out of its folder"):
        read_table(s3(port, asked))
    assert not list(tmp_path.rglob("*outside*"))


def test_a_web_server_gives_the_same_result(store, expected):
    assert answer(f"http://127.0.0.1:{store}/bucket/people.csv") == expected
    assert answer(f"http://ann:secret@127.0.0.1:{store}/private/people.csv") == expected


def test_a_result_names_the_address_without_credentials(store):
    result = causalrules.mine(s3(store, "bucket/people.csv"), "ILL=yes", max_length=1)
    assert result.data.source == "s3://bucket/people.csv"


@pytest.mark.parametrize(
    ("path", "user", "what"),
    [
        ("bucket/people.csv", "wrong:hush", "refuses the credentials"),
        ("bucket/nothing.csv", "right:hush", "nothing of this name"),
        ("bucket/none/*.csv", "right:hush", "nothing of this name"),
        ("bucket/damaged.csv", "right:hush", r"s3://bucket/damaged\.csv: line 402 has 2 values"),
    ],
)
def test_what_a_store_does_not_give_is_one_sentence(store, path, user, what):
    with pytest.raises(SourceError, match=what) as caught:
        read_table(s3(store, path, user))
    assert "hush" not in str(caught.value)
    assert "scratch" not in str(caught.value)


@pytest.mark.parametrize("address", ["private/people.csv", "nothing.csv"])
def test_what_a_web_server_refuses_is_one_sentence(store, address):
    with pytest.raises(SourceError, match=r"the server answers 40[14]"):
        read_table(f"http://127.0.0.1:{store}/{address}")


@pytest.mark.parametrize("scheme", ["s3", "http", "hdfs", "abfss", "ftp"])
def test_a_place_that_is_not_there_is_one_sentence(scheme):
    port = stand_ins.free_port()
    address = s3(port, "bucket/people.csv") if scheme == "s3" else f"{scheme}://127.0.0.1:{port}/people.csv"
    with pytest.raises(SourceError):
        read_table(address)


@pytest.mark.parametrize(
    ("address", "path"),
    [("sqlite:///app.db", "'app.db'"), ("duckdb:////data/app.duckdb", "'/data/app.duckdb'")],
)
def test_the_address_of_a_database_file_is_answered_with_its_path(address, path):
    with pytest.raises(SourceError, match="is no scheme that is read") as refused:
        read_table(address)
    assert str(refused.value).endswith(f"A database file is read by its path: {path}.")

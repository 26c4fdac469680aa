import gzip
import json

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import datasets
from causalrules.errors import SourceError
from causalrules.read import read_table
from causalrules.read.c45 import parse_names

NAMES = """| the classes come first
sick, well.   | two of them

age: continuous.
code: 1, 2, 3.
note: ignore.
"""


@pytest.fixture
def read(tmp_path):
    def read(data, names=None, name="study.data", **options):
        content = data if isinstance(data, bytes) else data.encode()
        (tmp_path / name).write_bytes(content)
        if names is not None:
            (tmp_path / "study.names").write_text(names)
        return read_table(tmp_path / name, **options)

    return read


def test_class_last_with_comments_and_full_stops(read):
    table = read("| made by hand\n31, 1, x, sick.|17\n45, 2, y, well. | 18\n\n", NAMES)
    assert table.arrow.column_names == ["age", "code", "note", "class"]
    assert [value.strip() for value in table.arrow.column("class").to_pylist()] == ["sick", "well"]
    assert table.declared.numeric == {"age"}
    assert table.declared.categorical == {"code"}
    assert table.declared.ignored == {"note"}
    assert table.declared.notes == ()


def test_class_first(read):
    table = read("sick,31,1,x\nwell,45,2,y\n", NAMES)
    assert table.arrow.column_names == ["class", "age", "code", "note"]


def test_class_named_among_the_attributes(read):
    table = read("sick,31\nwell,45\n", "state.\nstate: sick, well.\nage: continuous.\n")
    assert table.arrow.column_names == ["state", "age"]


@pytest.mark.parametrize("name", ["study.data.gz", "study.test.gz"])
def test_gzip(read, name):
    table = read(gzip.compress(b"31,1,x,sick.\n45,2,y,well.\n"), NAMES, name)
    assert table.arrow.column("class").to_pylist() == ["sick", "well"]


def test_latin_1(read):
    table = read("größe,sick\nkleiner,well\n".encode("latin-1"), "sick,well.\nsize: größe, kleiner.\n")
    assert table.arrow.column("size").to_pylist() == ["größe", "kleiner"]


def test_a_number_that_ends_with_a_full_stop_is_still_one(read):
    assert read("a,5.\nb,6.25\n").arrow.column("column_2").to_pylist() == ["5", "6.25"]


def test_a_bar_can_be_the_delimiter(read):
    assert read("a|b\nc|d\n", delimiter="|").arrow.num_columns == 2


@pytest.mark.parametrize(
    "names",
    [
        None,
        "1. Title: a study\n\n2. Sources:\n   (a) us\n",
        NAMES + "one: continuous.\ntoo many: continuous.\n",
    ],
    ids=["none", "prose", "does not fit"],
)
def test_columns_are_numbered_with_a_note(read, names):
    table = read("31,1,x,sick\n45,2,y,well\n", names)
    assert table.arrow.column_names == ["column_1", "column_2", "column_3", "column_4"]
    assert "Give names with --columns" in table.declared.notes[0]


def test_given_names_win(read):
    table = read("31,1,x,sick\n45,2,y,well\n", NAMES, columns=["a", "b", "c", "d"])
    assert table.arrow.column_names == ["a", "b", "c", "d"]
    assert table.declared.notes == ()


def test_nothing_but_comments(read):
    with pytest.raises(SourceError):
        read("| nothing\n| at all\n", NAMES)


def test_kinds_of_attributes():
    names = parse_names("a, b\nx: Continuous\ny: discrete 5.\nz: p, q,\n   r.\nw: label.\n")
    assert names.classes == ("a", "b")
    assert names.attributes == {"x": "continuous", "y": "nominal", "z": "nominal", "w": "label"}


@pytest.mark.parametrize("text", ["", "one line", "a: b\nc: d\n", "a, b\nno colon\n"])
def test_prose_is_not_understood(text):
    assert parse_names(text) is None


REAL = {
    "hypothyroid/hypothyroid.data": ("hypothyroid", "class", "hypothyroid", 151),
    "sick/sick.data": ("sick", "class", "sick", 171),
    "adult/adult.data": ("adult", "class", ">50K", 7841),
    "adult/adult.test": ("adult", "class", ">50K", 3846),
    "census-income/census-income.data.gz": ("census-income", "class", "50000+", 12382),
    "mushroom/agaricus-lepiota.data": ("mushroom", "column_1", "p", 3916),
    "german/german.data": ("german", "column_21", "2", 300),
}


@pytest.mark.parametrize("file", REAL)
def test_real_data(file):
    datasets.require("sick")  # or skip
    name, column, value, count = REAL[file]
    about = json.loads((datasets.FOLDER / "columns.json").read_text())[name]
    table = read_table(datasets.FOLDER / file)
    values = pc.utf8_trim_whitespace(table.arrow.column(column).cast(pa.string()))
    assert pc.sum(pc.equal(values, value)).as_py() == count
    assert table.arrow.num_columns == len(about["columns"])
    if column == "class":
        place = {name: number for number, name in enumerate(table.arrow.column_names)}
        numbers = {about["columns"].index(name) for name in about["continuous"]}
        assert {place[name] for name in table.declared.numeric} == numbers
        assert table.declared.notes == ()
    else:
        assert "numbered" in table.declared.notes[0]

import pytest

from causalrules.errors import SourceError
from causalrules.read import read_table

HEAD = """% a remark
@RELATION 'a study'

@attribute 'full name' string
@Attribute age NUMERIC
@attribute code{1, 2}
@attribute "it's" {'yes, sir', no}  % another
@attribute score real

@DATA
"""


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "study.arff"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_table(path)

    return read


def records(table):
    return [[value.strip() for value in record.values()] for record in table.arrow.to_pylist()]


def test_names_kinds_and_records(read):
    table = read(HEAD + "% remark\n'Lee, Ann',31,1,'yes, sir',1.5\n  % remark\nBob,?,2,no,?\n\n")
    assert table.arrow.column_names == ["full name", "age", "code", "it's", "score"]
    assert table.declared.categorical == {"code", "it's"}
    assert table.declared.numeric == {"age", "score"}
    assert records(table) == [["Lee, Ann", "31", "1", "yes, sir", "1.5"], ["Bob", "?", "2", "no", "?"]]


@pytest.mark.parametrize(
    ("record", "values"),
    [
        ("'a', 31, 1, 'yes, sir', 2", ["a", "31", "1", "yes, sir", "2"]),
        (r"'it\'s',1,1,no,2", ["it's", "1", "1", "no", "2"]),
        ("\"say 'hi', Ann\",1,1,'no',2", ["say 'hi', Ann", "1", "1", "no", "2"]),
        ("O'Brien,1,1,no,2", ["O'Brien", "1", "1", "no", "2"]),
        ('5" disk,1,1,no,2', ['5" disk', "1", "1", "no", "2"]),
        ("'',1,1,no,2", ["", "1", "1", "no", "2"]),
    ],
)
def test_quotes(read, record, values):
    assert records(read(HEAD + record + "\r\nplain,1,1,no,2\r\n"))[0] == values


def test_latin_1(read):
    table = read("@relation r\n@attribute größe {groß, klein}\n@data\ngroß\nklein\n".encode("latin-1"))
    assert table.arrow.to_pydict() == {"größe": ["groß", "klein"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD.replace("@DATA", ""), "no @data section"),
        ("@relation r\n@data\n1,2\n", "0 attributes and 1 records"),
        (HEAD, "5 attributes and 0 records"),
        (HEAD + "{0 Ann, 1 31}\n", "sparse ARFF file. Write it as an ordinary"),
        (HEAD + "Ann,31\n", "5 column names were given but the first record has 2 values"),
        ("@relation r\n@attribute a real\n@attribute a real\n@data\n1,2\n", "occur more than once: 'a'"),
    ],
)
def test_mistakes(read, text, message):
    with pytest.raises(SourceError, match=message):
        read(text)

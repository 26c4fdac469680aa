import csv
import gzip
import io

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causalrules.errors import SettingsError, SourceError
from causalrules.read import delimited, read_table
from causalrules.read.text import as_utf8

RECORDS = [["ann", "1", "yes"], ["bob", "2", "no"], ["cy", "3", "yes"]]


def written(delimiter=",", line_end="\n"):
    return line_end.join(delimiter.join(record) for record in [["name", "n", "ill"], *RECORDS]) + line_end


@pytest.fixture
def read(tmp_path):
    def read(content, name="table.csv", **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_table(path, **options)

    return read


def rows(table):
    return [list(record.values()) for record in table.arrow.to_pylist()]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
def test_the_delimiter_is_found(read, delimiter):
    table = read(written(delimiter))
    assert table.arrow.column_names == ["name", "n", "ill"]
    assert rows(table) == RECORDS


@pytest.mark.parametrize(("given", "used"), [(":", ":"), ("\\t", "\t"), ("tab", "\t"), ("space", " ")])
def test_a_delimiter_can_be_given(read, given, used):
    assert rows(read(written(used), delimiter=given)) == RECORDS


def test_a_given_delimiter_beats_the_ending_of_the_name(read):
    assert rows(read(written(";"), "table.tsv", delimiter=";")) == RECORDS
    assert rows(read(written("\t"), "table.tsv")) == RECORDS


@pytest.mark.parametrize("delimiter", ["ab", "→", "\n", '"', "\r"])
def test_an_impossible_delimiter_is_refused(read, delimiter):
    with pytest.raises(SettingsError, match="delimiter must be one ASCII character"):
        read(written(), delimiter=delimiter)


def test_spaces_inside_values_do_not_pass_for_delimiters(read):
    table = read("full name,place\nann lee,york\nbob ray,hull\n")
    assert table.arrow.column_names == ["full name", "place"]


def test_a_value_cut_off_at_the_end_of_the_sample_does_not_mislead(read):
    long = "x;" * 1500
    table = read("a,b\n" + f'"{long}",1\n' * 40)
    assert table.arrow.column_names == ["a", "b"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_any_line_end(read, line_end):
    assert rows(read(written(line_end=line_end))) == RECORDS


@pytest.mark.parametrize("blank", ["\n\n\n", "  \n \n", "\r\n\r\n"])
def test_blank_lines_around_the_table_are_ignored(read, blank):
    assert rows(read(blank + written() + blank)) == RECORDS


def test_a_last_line_without_an_end(read):
    assert rows(read(written().rstrip("\n"))) == RECORDS


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8-sig", b""),
        ("utf-16", b""),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-32", b""),
        ("latin-1", b""),
        ("cp1252", b""),
    ],
)
def test_encodings(read, encoding, mark):
    table = read(mark + "größe,ort\ngroß,Köln\nklein,Jülich\n".encode(encoding))
    assert table.arrow.column_names == ["größe", "ort"]
    assert rows(table) == [["groß", "Köln"], ["klein", "Jülich"]]


def test_the_euro_sign_of_windows(read):
    assert rows(read("price,of\n5 €,tea\n".encode("cp1252"))) == [["5 €", "tea"]]


def test_bytes_that_windows_does_not_use_are_latin_1(read):
    assert rows(read(b"a,b\n\xe9\x81,1\n")) == [["é\x81", "1"]]


@pytest.mark.parametrize("shift", range(4))
def test_a_character_across_the_border_of_two_pieces_is_still_utf_8(shift):
    content = pa.py_buffer(b"x" * ((4 << 20) - 4 + shift) + "€".encode() * 8)
    assert as_utf8("a file", content).equals(content)


def test_gzip(read):
    assert rows(read(gzip.compress(written().encode()), "table.csv.gz")) == RECORDS


def test_gzip_is_seen_by_its_bytes(read):
    assert rows(read(gzip.compress(written().encode()), "table.csv")) == RECORDS


def test_quotes_delimiters_and_newlines_in_values(read):
    table = read('"a, b",c\n"1\n2","say ""hi"""\n"x,y",z\n')
    assert table.arrow.column_names == ["a, b", "c"]
    assert rows(table) == [["1\n2", 'say "hi"'], ["x,y", "z"]]


def test_a_newline_in_a_name(read):
    table = read('"two\nlines",b\n1,2\n')
    assert table.arrow.column_names == ["two\nlines", "b"]
    assert rows(table) == [["1", "2"]]


def test_nothing_is_guessed_about_values(read):
    assert rows(read("a,b,c\n01,,NA\n1.50,null,true\n")) == [["01", "", "NA"], ["1.50", "null", "true"]]


def test_names_are_trimmed_and_missing_ones_numbered(read):
    assert read(" a ,,c\n1,2,3\n").arrow.column_names == ["a", "column_2", "c"]


def test_given_names_mean_there_is_no_header(read):
    table = read("ann,1\nbob,2\n", columns=["name", "n"])
    assert rows(table) == [["ann", "1"], ["bob", "2"]]


def test_a_header_equal_to_the_given_names_is_no_record(read):
    assert rows(read("name,n\nann,1\n", columns=["name", "n"])) == [["ann", "1"]]


def test_given_names_must_be_as_many_as_the_columns(read):
    with pytest.raises(SourceError, match="3 column names were given but the first record has 2 values"):
        read("1,2\n", columns=["a", "b", "c"])


def test_given_names_must_be_a_list(read):
    with pytest.raises(SettingsError, match="columns must be a list of texts; it is 'ab'"):
        read("1,2\n", columns="ab")


def test_very_many_columns(read):
    names = [f"a rather long column name {number}" for number in range(6000)]
    table = read(",".join(names) + "\n" + ",".join("1" * 6000) + "\n" + ",".join("2" * 6000) + "\n")
    assert table.arrow.column_names == names


def test_a_column_whose_values_repeat_is_a_dictionary(read):
    types = read("id,sex\n" + "".join(f"{n},{'mf'[n % 2]}\n" for n in range(100))).arrow.schema.types
    assert [str(kind) for kind in types] == ["string", "dictionary<values=string, indices=int32, ordered=0>"]


def test_dictionaries_are_one_over_many_blocks(read):
    lines = [f"{'early' if n < 400_000 else 'late'},{n % 3}" for n in range(800_000)]
    column = read("when,k\n" + "\n".join(lines) + "\n").arrow.column("when")
    assert column.num_chunks > 1
    assert {tuple(chunk.dictionary.to_pylist()) for chunk in column.chunks} == {("early", "late")}


@pytest.mark.parametrize(
    ("text", "line", "values"),
    [
        ("a,b\n1,2\n3\n", 3, "1 value "),
        ("a,b\n1,2\n3,4,5\n", 3, "3 values"),
        ("a,b\n1,2\n\n\n3\n", 5, "1 value "),
        ('a,b\n"1\n1",2\n3\n', 4, "1 value "),
    ],
)
def test_ragged_records_are_told_with_their_line(read, text, line, values):
    with pytest.raises(SourceError, match=f"line {line} has {values}.*but there are 2 columns"):
        read(text)


def test_a_ragged_record_far_down_is_told_with_its_line(read):
    lines = ["a,b"] + ["1,2"] * 2_000_000
    lines[1_500_000] = "1,2,3"
    with pytest.raises(SourceError, match="line 1500001 has 3 values"):
        read("\n".join(lines) + "\n")


def test_control_characters_of_a_ragged_record_are_shown(read):
    with pytest.raises(SourceError, match=r"\\x1b\[31mred"):
        read("a,b\n1,2\n\x1b[31mred\n")


@pytest.mark.parametrize("end", ["\n", ""])
def test_a_quotation_mark_that_is_never_closed(read, end):
    with pytest.raises(SourceError, match="quotation mark is never closed; what it opens begins '2"):
        read('a,b\n1,"2\n3,4\n5,6' + end)


def test_a_last_value_of_several_lines_is_no_open_quotation(read):
    assert rows(read('a,b\n1,"2\n3"\n')) == [["1", "2\n3"]]


@pytest.mark.parametrize("length", [1_000_001, 3_000_000, 10_000_000])
def test_an_endless_value(read, length):
    with pytest.raises(SourceError, match=r"bytes.*never closed"):
        read("a,b\n1,2\n" + "x" * length + ",4\n")


def test_an_endless_name(read):
    with pytest.raises(SourceError, match="first record has a value of more than"):
        read("a," + "x" * 10_000_000 + "\n1,2\n")


def test_repeated_names(read):
    with pytest.raises(SourceError, match=r"1 column name.* occur more than once: 'a'"):
        read("a,b,a\n1,2,3\n")


@pytest.mark.parametrize("text", ["a,b", "a,b\n", "a,b\n\n\n"])
def test_a_header_without_records(read, text):
    with pytest.raises(SourceError, match="it has 2 columns but no records"):
        read(text)


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xef\xbb\xbf\n"])
def test_empty_files(read, content):
    with pytest.raises(SourceError, match="it is empty"):
        read(content)


values = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=8)


@given(
    st.lists(st.lists(values, min_size=2, max_size=2), min_size=1, max_size=12),
    st.sampled_from(",;\t|"),
    st.sampled_from(["\n", "\r\n"]),
)
def test_what_the_standard_library_writes_is_read_back(tmp_path_factory, records, delimiter, line_end):
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    writer.writerows([["first", "second"], *records])
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    path.write_bytes(file.getvalue().encode())
    assert rows(read_table(path)) == records


def test_columns_that_nobody_needs_stay_unread_where_nothing_is_quoted(read):
    table = read(written(), is_needed={"name", "ill"}.__contains__)
    assert table.arrow.column_names == ["name", "n", "ill"]
    assert rows(table) == [[name, None, ill] for name, _, ill in RECORDS]
    quoted = written().replace("ann", '"ann"')
    assert rows(read(quoted, is_needed={"name", "ill"}.__contains__)) == RECORDS


def test_a_ragged_record_is_told_also_if_its_column_is_not_needed(read):
    with pytest.raises(SourceError, match="line 5 has 2 values"):
        read(written() + "dan,4\n", is_needed={"name"}.__contains__)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("block", range(20, 27))
def test_lines_without_quotes_are_records_wherever_a_block_ends(read, line_end, block, monkeypatch):
    monkeypatch.setattr(delimited, "BLOCK_BYTES", block)
    assert rows(read(written(line_end=line_end + line_end))) == RECORDS

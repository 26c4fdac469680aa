"""The same table in every format and from every source gives the same result."""

import io
import sys
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pytest

import causalrules
import source_formats as formats
from causalrules.domain import Settings
from causalrules.domain.column_labels import LabelledColumns
from causalrules.read.table_at import TableAt
from source_formats import answer, rounded


@pytest.fixture(scope="module")
def expected():
    return answer(formats.TABLE)


CUT_FROM_MEMORY = ("compressed", "ARFF", "JSON", "C4.5")
"""Families that the streaming engine reads like others, of which one is enough."""

CASES = [
    (name, engine)
    for name, (family, _) in formats.FILES.items()
    for engine in ("memory", "streaming")
    if engine == "memory" or family not in CUT_FROM_MEMORY or name == "people.zip"
]


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_every_file_gives_the_same_result(tmp_path, name, engine, expected):
    family, write = formats.FILES[name]
    if family in formats.NEEDS:
        pytest.importorskip(formats.NEEDS[family])
    source = write(tmp_path, name)
    if name == "people.xlsx":  # another sheet comes first
        source = TableAt(source, sheet="People")
    elif family == "C4.5":  # its description calls the outcome `class`
        source = TableAt(source, columns=tuple(formats.ROWS[0]))
    found = answer(source, engine=engine)
    if family in ("SPSS", "Stata") or name == "people-by-sex":
        # Values keep the order of their codes, and a column of the path comes last: sums have another order.
        found, expected = rounded(found), rounded(expected)
    assert found == expected


def test_standard_input_gives_the_same_result(monkeypatch, expected):
    class Typed:
        buffer = io.BytesIO(formats.text())

    monkeypatch.setattr(sys, "stdin", Typed)
    assert answer("-") == expected


@pytest.mark.parametrize("kind", ["pandas", "polars", "stream"])
def test_frames_give_the_same_result(kind, expected):
    if kind == "pandas":
        source = formats.TABLE.to_pandas()
    elif kind == "polars":
        polars = pytest.importorskip("polars")
        source = polars.from_arrow(formats.TABLE)
    else:
        source = pa.RecordBatchReader.from_batches(formats.TABLE.schema, formats.TABLE.to_batches(100))
    assert answer(source) == expected


def test_labels_are_used_and_names_are_understood(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = formats.coded_frame()
    frame.loc[:19, "SMOKING"] = 9.0
    path = tmp_path / "people.sav"
    pyreadstat.write_sav(
        frame,
        str(path),
        column_labels={"SMOKING": "smoking status", "BMI": "a question " * 10, "ILL": "sex"},
        variable_value_labels={**formats.CODES, "SMOKING": {**formats.CODES["SMOKING"], 9.0: "refused"}},
        missing_ranges={"SMOKING": [9.0]},
    )
    result = causalrules.mine(path, "ILL=yes", only=("SMOKING", "AGE"), before="AGE", max_length=1)
    columns = {item.column for rule in result.tested for item in rule.pattern}
    assert columns == {"smoking status", "AGE"}
    assert [(one.label, one.name) for one in result.data.labels] == [("smoking status", "SMOKING")]
    assert result.settings.only == ("smoking status", "AGE")
    assert "refused" not in str([rule.name for rule in result.tested])
    again = causalrules.Result.from_dict(result.to_dict())
    assert again.data.labels == result.data.labels
    tested = causalrules.test(path, "ILL=yes", "SMOKING=current")
    assert tested.tested[0].name == "smoking status=current"
    plain = causalrules.mine(TableAt(path, labels="none"), "ILL=1", only=("SMOKING",), max_length=1)
    assert {rule.name for rule in plain.tested} <= {"SMOKING=1", "SMOKING=2", "SMOKING=3"}
    assert not plain.data.labels


def test_values_with_labels_keep_their_order(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    from causalrules.encode import encode
    from causalrules.read import read_table

    path = tmp_path / "people.dta"
    pyreadstat.write_dta(formats.coded_frame(), str(path), variable_value_labels=formats.CODES)
    table = read_table(path)
    coded = encode(table.arrow, formats.OUTCOME, Settings(only=("SMOKING",)), table.declared)
    assert [item.value for item in coded.items] == ["never", "former", "current"]


def test_labels_have_an_order_where_the_user_says_that_it_means_more_and_less(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "people.dta"
    labels = {"column_labels": {"SMOKING": "smoking status"}, "variable_value_labels": formats.CODES}
    pyreadstat.write_dta(formats.coded_frame(), str(path), **labels)
    asked = {"outcome": formats.OUTCOME, "exposure": "SMOKING=current", "adjust": "AGE"}
    for ordered in ("smoking status", "SMOKING", "SMOKING=never<former<current"):
        (rule,) = causalrules.test(path, **asked, ordered=ordered).tested
        levels = [level.name for level in rule.dose.levels]
        assert levels == [f"smoking status={value}" for value in ("never", "former", "current")]
    assert causalrules.test(path, **asked).tested[0].dose is None


@pytest.mark.parametrize(
    ("setting", "name"),
    [("by", "SEX"), ("weights", "AGE"), ("matched_set", "AGE"), ("negative_exposure", "SEX")],
)
def test_every_setting_understands_names(setting, name):
    labels = LabelledColumns(
        ("sex of person", "age in years"), {"sex of person": "SEX", "age in years": "AGE"}
    )
    label = {"SEX": "sex of person", "AGE": "age in years"}[name]
    asked = Settings.from_options(**{setting: name, "adjust": "SEX" if setting == "matched_set" else None})
    assert getattr(labels.settings(asked), setting) in (label, (label,))
    outcome = Settings(negative_outcome=("SEX=male",))
    assert labels.settings(outcome).negative_outcome == ("sex of person=male",)


def test_ordered_categories_of_a_frame_keep_their_order():
    import pandas as pd

    from causalrules.encode import encode
    from causalrules.read import read_table

    frame = formats.TABLE.to_pandas()
    grades = ["never", "former", "current"]
    frame["SMOKING"] = pd.Categorical(frame["SMOKING"], categories=grades, ordered=True)
    table = read_table(frame)
    coded = encode(table.arrow, formats.OUTCOME, Settings(only=("SMOKING",)), table.declared)
    assert [item.value for item in coded.items] == grades


def test_names_and_codes_of_the_file_are_understood_wherever_values_are_named(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "people.dta"
    labels = {"column_labels": {"SMOKING": "smoking status"}, "variable_value_labels": formats.CODES}
    pyreadstat.write_dta(formats.coded_frame(), str(path), **labels)
    smoking = {int(code): label for code, label in formats.CODES["SMOKING"].items()}
    first, second = list(smoking)[:2]
    for name in ("SMOKING", "smoking status"):
        for value in (first, smoking[first]):
            result = causalrules.mine(path, "ILL", missing=f"{name}={value}", max_length=1)
            assert f"smoking status={smoking[first]}" in result.settings.missing
            assert f"{smoking[first]} in smoking status" in " ".join(result.data.notes)
    joined = causalrules.mine(path, "ILL", join=f"SMOKING={first}|{second}", max_length=1)
    assert joined.settings.join == (f"smoking status={smoking[first]}|{smoking[second]}",)
    by_code = causalrules.test(path, "ILL", f"SMOKING={second}")
    assert by_code.rules == causalrules.test(path, "ILL", f"smoking status={smoking[second]}").rules


def test_a_column_of_the_codes_0_and_1_without_a_value_means_its_1():
    columns = LabelledColumns(
        ("mood", "sex"), {}, {"mood": {"0": "well", "1": "low"}, "sex": {"1": "m", "2": "f"}}
    )
    assert columns.pattern("mood") == "mood=low"
    assert columns.pattern("sex") == "sex"
    assert columns.pattern("mood = well") == "mood = well"  # nothing to do: as it was typed


def test_a_number_with_labels_for_some_values_stays_a_number(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    from causalrules.read import read_table

    path = tmp_path / "people.sav"
    pyreadstat.write_sav(
        formats.coded_frame(), str(path), variable_value_labels={"AGE": {79.0: "79 or older"}}
    )
    table = read_table(path)
    assert pa.types.is_floating(table.schema.field("AGE").type)
    assert "have labels only in part" in " ".join(table.declared.notes)


def test_the_first_sheet_is_read_and_the_others_are_named(tmp_path):
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    from causalrules.read import read_table

    path = formats.FILES["people.xlsx"][1](tmp_path, "people.xlsx")
    read = read_table(TableAt(path, sheet="2"))
    assert read.arrow.num_rows == len(formats.ROWS)
    assert not read.declared.notes
    with xlsxwriter.Workbook(path) as book:
        for name in ("Visits", "Codes"):
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, ["a", "b"])
            sheet.write_row(1, 0, [name, 1.5])
    read = read_table(path)
    assert read.arrow.to_pylist() == [{"a": "Visits", "b": 1.5}]
    assert read.declared.notes == (
        "The workbook has 2 sheets; 'Visits' was read. --sheet chooses another: 'Codes'.",
    )


def test_cells_keep_their_kind_and_nothing_is_printed(tmp_path, capfd):
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    from causalrules.read import read_table

    path = tmp_path / "kinds.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet, as_date = book.add_worksheet(), book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.write_row(0, 0, ["day", "yes", "mixed", "number", "nothing", "code"])
        for row in (1, 2):
            sheet.write_datetime(row, 0, datetime(2024, 1, row), as_date)
            sheet.write_boolean(row, 1, row == 2)
            sheet.write(row, 2, "x" if row == 2 else row)
            sheet.write(row, 3, row * 1.5)
            sheet.write_formula(row, 4, "=NA()", None, "#N/A")
            sheet.write_string(row, 5, f"0{row}")
    assert read_table(path).arrow.to_pylist() == [
        {
            "day": datetime(2024, 1, 1),
            "yes": False,
            "mixed": "1",
            "number": 1.5,
            "nothing": None,
            "code": "01",
        },
        {
            "day": datetime(2024, 1, 2),
            "yes": True,
            "mixed": "x",
            "number": 3.0,
            "nothing": None,
            "code": "02",
        },
    ]
    assert capfd.readouterr() == ("", "")


def test_a_folder_of_sexes_is_one_table(tmp_path):
    from causalrules.read import open_batches, read_table

    folder = formats.FILES["people-by-sex"][1](tmp_path, "people-by-sex")
    whole = read_table(folder).arrow
    parts = open_batches(folder, tmp_path).arrow
    for table in (whole, parts):
        assert sorted(table.column("SEX").to_pylist()) == sorted(formats.TABLE.column("SEX").to_pylist())


def test_the_page_of_sources_lists_the_formats_that_are_tested():
    page = (Path(__file__).parents[1] / "docs" / "sources.md").read_text(encoding="utf-8")
    assert formats.table_of_formats() in page

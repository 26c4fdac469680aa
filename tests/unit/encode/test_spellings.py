"""Values that differ only in capitals or blanks are asked about, and never joined without being asked."""

import pyarrow as pa
import pytest

from causalrules.asked_settings import asked_settings
from causalrules.domain import Declared, Settings
from causalrules.encode import encode
from causalrules.encode.column_roles import Roles
from causalrules.encode.columns import Batches
from causalrules.encode.survey import survey

N = 600
ILL = [("yes", "no", "no", "Yes", "no", "YES")[n % 6] for n in range(N)]
FIRM = [("Müller GmbH", "Kovács", "MÜLLER  GMBH", "Kovács")[n % 4] for n in range(N)]
TABLE = pa.table({"ill": ILL, "firm": FIRM, "sex": [("m", "f")[n % 2] for n in range(N)]})


def asked_about(outcome="ill=yes", exposure="", table=TABLE, **settings):
    notes = encode(table, outcome, asked_settings(settings), exposure=exposure).summary.notes
    return [note for note in notes if "only in capitals or blanks" in note]


def test_an_outcome_that_is_written_in_several_ways():
    first, _ = asked_about()
    assert first == (
        "Of the outcome ill=yes: 'YES' (100 records) and 'Yes' (100 records) differ from it only in "
        "capitals or blanks, and count as without the outcome. If they mean the same: "
        "--outcome 'ill=yes|YES|Yes'."
    )


def test_asking_as_was_said_ends_the_question():
    (only,) = asked_about("ill=yes|YES|Yes")
    assert only.startswith("firm ")
    left, _ = asked_about("ill=yes|YES")
    assert "'Yes' (100 records) differs from it only in capitals or blanks, and counts as" in left
    assert left.endswith("--outcome 'ill=yes|YES|Yes'.")


def test_all_but_a_value():
    table = pa.table({"ill": [("yes", "no", "No")[n % 3] for n in range(N)], "sex": TABLE["sex"]})
    (note,) = asked_about("ill!=no", table=table)
    assert "'No' (200 records) differs from it" in note
    assert note.endswith("counts as with the outcome. If it means the same: --outcome 'ill!=no|No'.")


def test_a_pattern_of_several_columns():
    first, _ = asked_about("ill=yes & sex=m")
    assert first.startswith("Of the outcome ill=yes: ")


def test_other_columns():
    _, note = asked_about()
    assert note == (
        "firm has values that differ only in capitals or blanks, and count as different ones: 'MÜLLER  GMBH' "
        "(150 records) and 'Müller GmbH' (150 records). If they mean the same: --join "
        "'firm=MÜLLER  GMBH|Müller GmbH'."
    )
    (outcome,) = asked_about(exposure="firm=Müller GmbH|MÜLLER  GMBH")
    assert outcome.startswith("Of the outcome ill=yes: ")


@pytest.mark.parametrize("settings", [{"controls": "items"}, {"controls": "columns"}])
def test_the_papers_protocol_is_as_it_was(settings):
    assert not asked_about(**settings)


def test_nothing_is_asked_of_values_that_differ():
    table = pa.table({"ill": ["yes", "no"] * 50, "size": ["1e5", "1E5", "10", "xl"] * 25})
    assert not asked_about(table=table.set_column(1, "size", pa.array(["a", "b", "ab", "a b"] * 25)))
    assert asked_about(table=table)


def test_one_note_names_a_few_of_many_columns():
    many = {f"c{k}": [("a", "A", "b")[n % 3] for n in range(N)] for k in range(9)}
    notes = asked_about(table=pa.table({"ill": [("yes", "no")[n % 7 == 0] for n in range(N)], **many}))
    assert len(notes) == 4
    assert notes[-1] == "Values that differ only in capitals or blanks are also in c3, c4, c5, c6, c7 and c8."


def test_a_table_in_parts_is_asked_the_same():
    settings = Settings()
    batches = Batches(lambda: [TABLE.slice(0, 101), TABLE.slice(101)], settings.missing, None)
    vocabulary, _ = survey(batches, TABLE.schema, "ill=yes", Roles(settings, Declared()))
    assert [note for note in vocabulary.summary.notes if "capitals" in note] == asked_about()

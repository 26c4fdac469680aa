"""A column of numbers or dates that a few texts turn into categories is named, with the way on."""

import pyarrow as pa
import pytest

from causalrules.asked_settings import asked_settings
from causalrules.domain import Declared, Settings
from causalrules.encode import encode
from causalrules.errors import SettingsError

N = 400
ILL = ["yes" if n % 3 == 0 else "no" for n in range(N)]
NUMBERS = [f"{n % 97 / 8:.3f}" for n in range(N)]
TEXT_FILE = Declared(is_untyped=True)


def notes_of(x, declared=TEXT_FILE, **settings):
    table = pa.table({"ill": ILL, "x": x, "sex": [("m", "f")[n % 2] for n in range(N)]})
    notes = encode(table, "ill=yes", asked_settings(settings), declared).summary.notes
    return [note for note in notes if note.startswith(("x ", "Column 'x'"))]


def with_texts(*texts, among=NUMBERS):
    """The values, every twentieth of which is one of these texts."""
    return [texts[n // 20 % len(texts)] if n % 20 == 0 else among[n] for n in range(N)]


def test_a_few_texts_among_numbers():
    (note,) = notes_of(with_texts("err"))
    assert note == (
        "x has 380 numbers, but also 20 other values ('err'), so that it counts as texts, each a category of "
        "its own. If they mean that nothing is known, --missing x=err makes x a number; else "
        "write them as numbers in the table."
    )
    assert not notes_of(with_texts("err"), missing=("err",))


def test_a_sensor_that_often_fails_is_still_one_of_numbers():
    often = ["ERR" if n % 5 < 2 else NUMBERS[n] for n in range(N)]
    (note,) = notes_of(often)
    assert note.startswith("x has 240 numbers, but also 160 other values ('ERR'), so that it counts as texts")
    assert "--missing x=ERR makes x a number" in note
    words = ("never", "daily", "weekly", "monthly")
    assert not notes_of(
        [str(n % 12) if n % 5 < 3 else words[n % 4] for n in range(N)]
    )  # few different numbers


def test_a_text_that_says_missing_is_asked_about_once():
    table = pa.table({"ill": ILL, "x": with_texts("n/a")})
    notes = encode(table, "ill=yes", Settings(), TEXT_FILE).summary.notes
    (note,) = [note for note in notes if "n/a" in note]
    assert "--missing x=n/a makes x a number" in note


def test_up_to_three_texts_are_shown():
    (note,) = notes_of(with_texts("err", "off", "<1", "2.0 g"))
    assert "20 other values ('2.0 g', '<1', 'err', …)" in note
    assert "--missing" not in note
    assert "--missing x=err,x=off" in notes_of(with_texts("err", "off"))[0]
    many = with_texts(*(f"see note {k}" for k in range(20)))
    assert notes_of(many)[0].endswith("Write them as numbers in the table, or leave them empty.")


def test_decimal_commas_among_points():
    (note,) = notes_of(with_texts("0,711"))
    assert note.endswith("With --decimal , those with a comma are numbers.")
    (note,) = notes_of(with_texts("0,711"), Declared())
    assert note.endswith("Write them as numbers in the table, or leave them empty.")


def test_the_advice_about_a_comma_is_true(tmp_path):
    import causalrules

    path = tmp_path / "x.csv"
    lines = [f"{ill};{x}" for ill, x in zip(ILL, with_texts("0,711"), strict=True)]
    path.write_text("\n".join(["ill;x", *lines]))
    told = causalrules.mine(str(path), "ill=yes", max_length=1).data
    assert any(note.startswith("x has 380 numbers") for note in told.notes)
    mended = causalrules.mine(causalrules.TableAt(path, decimal=","), "ill=yes", max_length=1).data
    assert [(one.column, "number" in one.reason) for one in mended.left_out] == [("x", True)]


def test_a_column_of_commas_is_named_also_where_it_is_left_out():
    (note,) = notes_of([f"{n},5" for n in range(N)])
    assert "Column 'x' seems to hold numbers with a decimal comma (0,5)" in note
    assert note.endswith("With --decimal , they are numbers.")


VISITS = [f"{37 * n + 600:,}" for n in range(N)]


def test_commas_between_thousands_are_no_decimal_signs():
    (note,) = notes_of(VISITS)
    assert note == (
        "x has numbers with a comma between thousands ('1,007', '1,044', '1,081', …), so that it counts as "
        "texts, each a category of its own. With --thousands , they are numbers."
    )
    (note,) = notes_of([f"{text}.50" for text in VISITS[20:]] + VISITS[:20], Declared())
    assert note.endswith("Write them without it.")
    (note,) = notes_of(VISITS[20:] + VISITS[20:40])
    assert note.endswith(
        "With --thousands , they are numbers; if it is a decimal sign, --decimal , makes them numbers."
    )


def test_words_among_thousands_do_not_make_their_comma_a_decimal_sign():
    (note,) = notes_of(with_texts("err", among=VISITS))
    assert "With --thousands , those with a comma are numbers." in note


def test_the_advice_about_thousands_is_true(tmp_path):
    import causalrules

    path = tmp_path / "x.csv"
    path.write_text(
        "\n".join(["ill;x", *(f"{ill};{x}" for ill, x in zip(ILL, VISITS[:97] * 5, strict=False))])
    )
    data = causalrules.mine(causalrules.TableAt(path, thousands=","), "ill=yes", max_length=1).data
    assert not any(note.startswith("x has") for note in data.notes)
    assert [(one.column, "number without a cut" in one.reason) for one in data.left_out] == [("x", True)]


def test_numbers_with_units():
    (note,) = notes_of([f"{n % 50}.5 %" for n in range(N)])
    assert note == (
        "x has numbers with a unit or a sign ('0.5 %', '1.5 %', '10.5 %', …), so that it counts as texts, "
        "each a category of its own. Write the numbers alone in the table."
    )
    (note,) = notes_of([f"1.{n:03},00 €" for n in range(N)])
    assert note.startswith("x has numbers with a unit or a sign ('1.000,00 €', ")
    assert note.endswith("With --decimal , --thousands . they are numbers.")
    money = [f"${37 * n + 600:,}.50" for n in range(N)]
    for declared in (Declared(is_untyped=True), Declared(is_workbook=True)):
        (note,) = notes_of(money, declared)
        assert note.endswith("With --thousands , they are numbers.")
    (note,) = notes_of(money, Declared())
    assert note.endswith("Write the numbers alone in the table.")


@pytest.mark.parametrize(("sign", "declared"), [(".", TEXT_FILE), ("/", TEXT_FILE), (".", Declared())])
def test_dates_with_the_day_first(sign, declared):
    (note,) = notes_of([f"{n % 28 + 1:02}{sign}{n % 12 + 1:02}{sign}2024" for n in range(N)], declared)
    assert note.startswith(f"x has dates with the day first ('01{sign}")
    way = "With --day-first they are dates." if declared is TEXT_FILE else "Write them as dates in the table."
    assert note.endswith(way)


def test_dates_with_the_month_first():
    (note,) = notes_of([f"{n % 12 + 1:02}/{n % 28 + 1:02}/2024" for n in range(N)])
    assert note.startswith("x has dates with the month first ('01/")
    assert note.endswith("Write them as 2024-12-31 in the table.")


def test_a_few_texts_among_dates():
    days = [f"2024-{n % 12 + 1:02}-{n % 28 + 1:02}" for n in range(N)]
    (note,) = notes_of(with_texts("n.n.", among=days))
    assert note.startswith("x has 380 dates, but also 20 other values ('n.n.')")
    assert "makes x a date" in note


@pytest.mark.parametrize(
    "values",
    [
        [("1", "2", "3", "other")[n % 4] for n in range(N)],
        [("a", "b")[n % 2] for n in range(N)],
        [f"A{n % 60}" for n in range(N)],
        [f"{n % 9} to {n % 9 + 1}" for n in range(N)],
        [str(n % 30) if n % 2 else f"V{n % 30}" for n in range(N)],
        NUMBERS,
    ],
)
def test_categories_are_left_alone(values):
    assert not notes_of(values)


def test_who_says_categorical_is_not_asked():
    assert not notes_of(with_texts("err"), categorical=("x",))
    assert not notes_of(with_texts("err"), controls="items")


def test_numeric_tells_how_many_texts_there_are():
    with pytest.raises(SettingsError, match="'x' has 20 other values among 400") as told:
        notes_of(with_texts("err", "0,7"), numeric=("x",))
    assert str(told.value) == (
        "numeric must be columns of numbers; 'x' has 20 other values among 400 ('0,7', 'err'). "
        "Write them as numbers, or name those that mean nothing is known in missing."
    )


def test_no_cluster_is_made_of_amounts():
    """What belongs to an amount may well be the same wherever it is met; it is no person for that."""
    keys = [n * 7 % 90 for n in range(N)]
    bits = {f"b{k}": [("u", "v")[(key * (2 * k + 3) >> k) & 1] for key in keys] for k in range(3)}

    def asked_about(values):
        table = pa.table({"ill": ILL, "x": values, **bits})
        notes = encode(table, "ill=yes", Settings(), TEXT_FILE).summary.notes
        return [note for note in notes if "--cluster" in note]

    assert asked_about([f"p{key}" for key in keys])
    assert not asked_about([f"{key},00 €" for key in keys])

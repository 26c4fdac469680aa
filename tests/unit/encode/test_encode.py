import datetime as dt

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import causalrules
import datasets
import naive
from causalrules.domain import Declared, Settings
from causalrules.encode import encode
from causalrules.errors import NothingToMineError, SettingsError, UnknownColumnError
from causalrules.paper import PaperSettings
from causalrules.read import read_table

N = 60
SOUND = [*"ab"] * (N // 2)
OUTCOME = ["yes"] * (N // 3) + ["no"] * (N - N // 3)


def coded(columns, settings=None, outcome="z=yes", **declared):
    table = pa.table({"z": OUTCOME} | columns)
    return encode(table, outcome, settings or PaperSettings(), Declared(**declared))


def items(table, column):
    return [item.value for item in table.items if item.column == column]


def why_left_out(table, column):
    return next(entry.reason for entry in table.summary.left_out if entry.column == column)


def test_codes_items_and_summary_belong_together():
    table = coded({"sex": ["m", "f", None] * 20, "smokes": [True, False] * 30})
    assert [str(item) for item in table.items] == ["sex=f", "sex=m", "smokes=false", "smokes=true"]
    assert table.codes.dtype == np.uint16
    assert table.codes[:, :3].tolist() == [[2, 1, 0], [2, 1, 2]]
    assert table.first_item.tolist() == [0, 2, 4]
    assert table.column_of_item.tolist() == [0, 0, 1, 1]
    assert table.has_outcome.tolist() == [True] * 20 + [False] * 40
    assert (table.summary.rows, table.summary.columns, table.summary.items) == (N, 2, 4)
    assert (table.summary.outcome.n_with, table.summary.outcome.n_without) == (20, 40)


def test_records_without_an_outcome_are_left_out_and_counted():
    outcome = ["yes", "no", "?"] * 20
    table = encode(pa.table({"z": outcome, "a": ["p", "q", "only here"] * 20}), "z=yes", PaperSettings())
    assert table.summary.rows == N
    assert table.summary.rows_without_outcome == 20
    assert items(table, "a") == ["p", "q"]
    assert table.codes.tolist() == [[1, 2] * 20]


def test_few_whole_numbers_are_categories():
    table = coded(
        {"five": [1, 2, 3, 4, 5] * 12, "floats": [1.0, None, 2.0] * 20, "text": ["1", "10", "2"] * 20}
    )
    assert items(table, "five") == ["1", "2", "3", "4", "5"]
    assert items(table, "floats") == ["1", "2"]
    assert items(table, "text") == ["1", "2", "10"]


def test_many_numbers_are_cut():
    table = coded({"age": list(range(100, 100 + 3 * N, 3))})
    assert items(table, "age") == ["<=158.5", ">158.5"]


def test_numbers_as_asked():
    columns = {"few": [1, 2, 3] * 20, "many": sorted([1, 2, 3, 4, 5, 6] * 10)}
    settings = PaperSettings(numeric=("few",), categorical=("many",), bins="quantile:2")
    table = coded(columns, settings)
    assert items(table, "few") == ["<=1.5", ">1.5"]
    assert items(table, "many") == ["1", "2", "3", "4", "5", "6"]


def test_no_bins():
    table = coded(
        {"x": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5] * 10, "id": range(N)},
        PaperSettings(bins="none", max_values=20),
    )
    assert items(table, "x") == ["0.5", "1.5", "2.5", "3.5", "4.5", "5.5"]
    assert why_left_out(table, "id") == "it has 60 different values, more than 20"


def test_quantiles():
    table = coded({"x": [float(n) + 0.5 for n in range(N)]}, PaperSettings(bins="quantile:4"))
    assert items(table, "x") == ["<=15", "(15, 30]", "(30, 45]", ">45"]


def test_declared_by_the_source_and_overruled_by_the_user():
    columns = {
        "code": sorted([1, 2, 3, 4, 5, 6] * 10),
        "flag": [0, 0, 0, 1, 1, 1] * 10,
        "note": SOUND,
        "ok": SOUND,
    }
    declared = {"categorical": ["code"], "numeric": ["flag"], "ignored": ["note"]}
    table = coded(columns, PaperSettings(bins="quantile:2"), **declared)
    assert items(table, "code") == ["1", "2", "3", "4", "5", "6"]
    assert items(table, "flag") == ["<=0.5", ">0.5"]
    assert why_left_out(table, "note") == "its description says to ignore it"
    settings = PaperSettings(
        bins="quantile:2",
        numeric=("code",),
        categorical=("flag",),
        only=("code", "flag", "note"),
    )
    table = coded(columns, settings, **declared)
    assert items(table, "code") == ["<=3.5", ">3.5"]
    assert items(table, "flag") == ["0", "1"]
    assert items(table, "note") == ["a", "b"]


def test_dates_are_cut_at_days():
    days = [dt.date(2026, 1, 1) + dt.timedelta(days=2 * n) for n in range(N)]
    for values in (days, [day.isoformat() for day in days], pd.to_datetime(pd.Series(days))):
        table = coded({"day": pa.array(values)})
        assert items(table, "day") == ["<=2026-02-09", ">2026-02-09"]
        assert table.codes.tolist() == [[1] * 20 + [2] * 40]


def test_moments_are_cut_at_seconds():
    start = dt.datetime(2026, 1, 1, 12)
    table = coded({"when": [start + dt.timedelta(hours=n) for n in range(N)]})
    assert items(table, "when") == ["<=2026-01-02T07:30:00", ">2026-01-02T07:30:00"]


REASONS = {
    "constant": (["x"] * N, "it is constant: always 'x'"),
    "constant number": ([7.5] * N, "it is constant"),
    "empty": ([None] * N, "it never has a value"),
    "missing": (["?"] * N, "it never has a value"),
    "text nearly all different": (
        [f"name {n}" for n in range(N)],
        "it looks like an identifier: 60 different",
    ),
    "running number": (range(N), "it looks like an identifier: every record"),
    "running number as text": ([str(n) for n in range(N)], "it looks like an identifier: every record"),
    "patient_id": ([n * n for n in range(N)], "it looks like an identifier: every record"),
    "uninformative number": ([n * 7 % 30 + 0.5 for n in range(N)], "it is a number without a cut"),
    "lists": ([[n] for n in range(N)], "its values are of type list"),
    "bytes": ([b"x", b"y"] * 30, "its values are of type binary"),
    "many": ([f"{n % 30}?" for n in range(N)], "it has 30 different values, more than 20"),
    "long": (["x" * 1000] * N, "it is constant: always 'xxx"),
}


@pytest.mark.parametrize("name", REASONS)
def test_columns_left_out_have_a_reason(name):
    values, reason = REASONS[name]
    table = coded({name: values, "sound": SOUND}, PaperSettings(max_values=20))
    assert why_left_out(table, name).startswith(reason)
    assert len(why_left_out(table, name)) < 120
    assert items(table, "sound") == ["a", "b"]


def amounts(n, *, seed=5):
    """Whole incomes: nearly all of them differ, and some agree."""
    return np.random.default_rng(seed).lognormal(10.5, 0.4, n).round()


def test_amounts_are_no_identifier_though_few_records_agree():
    n = 3000
    income = amounts(n)
    assert 0.95 * n < len(np.unique(income)) < n
    few = np.unique(amounts(120))[:100]
    for values in (income, few):
        columns = {"income": values, "z": np.resize(["yes", "no"], len(values))}
        table = encode(pa.table(columns), "z=yes", Settings())
        assert [column.name for column in table.held_columns] == ["income"]


NUMBERS_OF_PERSONS = {
    "with gaps": lambda draw, n: 7 * draw.permutation(n),
    "drawn at random": lambda draw, n: draw.choice(10**9, n, replace=False),
    "by site": lambda draw, n: (
        10_000 * draw.choice([1, 2, 3, 11, 41], n, p=[0.4, 0.3, 0.2, 0.05, 0.05]) + np.arange(n)
    ),
}


@pytest.mark.parametrize("numbers", NUMBERS_OF_PERSONS.values(), ids=NUMBERS_OF_PERSONS)
def test_numbers_of_persons_are_identifiers_unless_the_user_says_otherwise(numbers):
    n = 2000
    draw = np.random.default_rng(3)
    columns = {"who": numbers(draw, n), "sound": draw.choice(["a", "b"], n), "z": ["yes", "no"] * (n // 2)}
    table = pa.table(columns)
    assert why_left_out(encode(table, "z=yes", Settings()), "who").startswith("it looks like an identifier")
    for settings in (Settings(numeric=("who",)), Settings(adjust=("who",))):
        held = encode(table, "z=yes", settings).held_columns
        assert "who" in [column.name for column in held]


def test_columns_left_out_on_request():
    table = coded({"a": SOUND, "b": SOUND}, PaperSettings(drop=("a",)))
    assert why_left_out(table, "a") == "dropped on request"
    table = coded({"a": SOUND, "b": SOUND}, PaperSettings(only=("a",)))
    assert why_left_out(table, "b") == "not among the columns asked for"


def test_a_value_or_nothing_is_one_item():
    assert items(coded({"a": ["x", None] * 30}), "a") == ["x"]


def test_nothing_left():
    with pytest.raises(NothingToMineError, match=r"'id': it looks like an identifier.*'k': it is constant"):
        coded({"id": [f"p{n}" for n in range(N)], "k": ["x"] * N})
    with pytest.raises(NothingToMineError, match="the table has only the outcome"):
        coded({})


def test_where_nothing_is_left_but_decimal_commas_the_way_to_read_them_is_said(tmp_path):
    """A file of measurements, written where the comma is the decimal point."""
    lines = [f"{50 + n / 100:.2f};{'yes' if n % 3 else 'no'}".replace(".", ",") for n in range(1500)]
    file = tmp_path / "sensors.csv"
    file.write_text("\n".join(["pressure;defect", *lines]))
    with pytest.raises(
        NothingToMineError, match=r"numbers with a decimal comma \(5.*With --decimal , they are"
    ):
        causalrules.mine(file, "defect=yes")


def test_more_values_than_codes():
    n = 70_000
    columns = {"z": ["yes", "no"] * (n // 2), "sound": ["a", "b", "a", "a"] * (n // 4)}
    columns["text"] = [f"v{k // 2}" for k in range(n)]
    columns["wide"] = [f"v{k}" for k in range(n)]
    settings = PaperSettings(max_values=100_000, categorical=("wide", "text"))
    table = encode(pa.table(columns), "z=yes", settings)
    assert why_left_out(table, "wide") == "it has more than 65,535 different values"
    assert len(items(table, "text")) == 35_000
    assert table.codes.max() == 35_000


def test_more_bins_than_codes():
    n = 70_000
    columns = {
        "z": ["yes", "no"] * (n // 2),
        "sound": ["a", "b", "a", "a"] * (n // 4),
        "x": np.sqrt(np.arange(n)),
    }
    table = encode(pa.table(columns), "z=yes", PaperSettings(bins="quantile:70000"))
    assert why_left_out(table, "x") == "it has 70,000 different values, more than 65,535"


@pytest.mark.parametrize("role", ["drop", "only", "categorical", "numeric"])
def test_unknown_columns(role):
    with pytest.raises(
        UnknownColumnError, match=f"{role} column 'sounds' is not among.*Did you mean 'sound'"
    ):
        coded({"sound": SOUND}, PaperSettings(**{role: ("sounds",)}))


def test_a_number_that_is_a_text():
    with pytest.raises(SettingsError, match=r"numeric must be columns of numbers; 'sound' has the text 'b'"):
        coded({"sound": SOUND}, PaperSettings(numeric=("sound",)))


def test_a_column_cannot_be_both():
    with pytest.raises(
        SettingsError, match="numeric must be columns that are not categorical as well; it is 'a'"
    ):
        coded({"a": SOUND}, PaperSettings(numeric=("a",), categorical=("a",)))


def test_infinities_and_extremes():
    numbers = [float("-inf")] * 20 + [1.7e308] * 20 + [float("inf"), -1.7e308] * 10
    table = coded({"x": numbers}, PaperSettings(numeric=("x",)))
    assert items(table, "x") == ["<=-inf", ">-inf"]


values = st.none() | st.sampled_from(["a", "b", " a", "?", "7", "10"])
numbers = st.none() | st.integers(0, 9).map(float) | st.just(0.5)
tables = st.lists(st.tuples(st.sampled_from(["yes", "no", "?"]), values, numbers), min_size=4, max_size=50)


@given(tables, st.randoms(use_true_random=False), st.sampled_from(["mdl", "quantile:3", "none"]))
def test_shuffled_records_give_the_same_items_and_shuffled_codes(records, chance, bins):
    records = [("yes", "a", 0.0), ("no", "b", 0.5), *records]
    order = list(range(len(records)))
    chance.shuffle(order)
    before, after = (
        encode(
            pa.table(dict(zip("ztx", zip(*rows, strict=True), strict=True))),
            "z=yes",
            PaperSettings(bins=bins),
        )
        for rows in (records, [records[place] for place in order])
    )
    assert after.items == before.items
    assert after.summary == before.summary
    assert sorted(zip(*after.codes.tolist(), after.has_outcome, strict=True)) == sorted(
        zip(*before.codes.tolist(), before.has_outcome, strict=True)
    )


def test_a_csv_and_a_frame_give_the_same_items(tmp_path):
    frame = pd.DataFrame(
        {"z": OUTCOME, "n": [1, None, 2] * 20, "x": np.linspace(0, 7, N), "b": [True, False] * 30, "t": SOUND}
    )
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    sources = [frame, tmp_path / "t.csv", tmp_path / "t.parquet"]
    from_frame, from_csv, from_parquet = (
        encode(read_table(source).arrow, "z=yes", PaperSettings()) for source in sources
    )
    assert (from_parquet.codes == from_frame.codes).all()
    assert from_parquet.items == from_frame.items
    assert (from_csv.codes.shape) == from_frame.codes.shape
    assert [(i.column, i.value.casefold().removesuffix(".0")) for i in from_csv.items] == [
        (i.column, i.value) for i in from_frame.items
    ]


def nominal_items(name):
    data = datasets.require(name)
    settings = PaperSettings(missing=("?",), categorical=tuple(data.nominal), only=tuple(data.nominal))
    table = encode(data.arrow([*data.nominal, data.outcome_column]), data.outcome, settings)
    return table.summary


def test_adult_has_99_nominal_items():
    summary = nominal_items("adult")
    assert (summary.columns, summary.items) == (8, 99)


def test_german_numbers_are_cut_like_the_oracle():
    """54 nominal items, and the bins of those numbers that MDL cuts at all."""
    data = datasets.require("german")
    table = encode(data.arrow(), data.outcome, PaperSettings(numeric=tuple(data.numbers)))
    n_items = 54
    for name in data.numbers:
        cuts = naive.mdl_cuts([float(row[name]) for row in data.rows], data.has_outcome())
        assert len(items(table, name)) == (len(cuts) + 1 if cuts else 0)
        n_items += len(items(table, name))
    assert table.summary.items == n_items


def test_decimal_commas_are_remarked_on():
    table = coded({"age": [f"{k % 9},5" for k in range(N)], "code": [f"{k % 3},a" for k in range(N)]})
    (note,) = table.summary.notes
    assert "Column 'age' seems to hold numbers with a decimal comma (0,5)" in note


def test_decimal_commas_of_several_columns_are_remarked_on_once():
    values = {name: [f"{k % 9},5" for k in range(N)] for name in ("age", "pay", "dose")}
    (note,) = coded(values).summary.notes
    assert note.startswith("Columns 'age', 'pay' and 'dose' seem to hold numbers with a decimal comma (0,5);")


def test_the_default_holds_a_number_by_fine_bins():
    """A number has items, by cuts, and up to a hundred bins with their means, which are no hypotheses."""
    numbers = [float(i) for i in range(300)]
    z = ["yes" if i >= 150 else "no" for i in range(300)]
    halves = [i + 0.5 for i in numbers]
    table = encode(pa.table({"x": halves, "z": z}), "z=yes", Settings())
    assert [str(item) for item in table.items[: table.n_items]] == ["x=<=150", "x=>150"]
    (means,) = table.fine
    assert len(means) == 100
    assert means.tolist() == sorted(means)
    (held,) = table.held_columns
    assert held.is_number
    assert (held.name, held.place, held.n_codes) == ("x", 1, 100)


def test_the_default_holds_a_number_without_a_cut():
    noise = [((i * 7919) % 101) / 3 for i in range(300)]
    table = encode(pa.table({"x": noise, "z": ["yes", "no", "no"] * 100}), "z=yes", Settings())
    assert table.n_items == 0
    assert len(table.numbers_without_items) == 1
    assert [column.name for column in table.held_columns] == ["x"]

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causalrules.domain import Item
from causalrules.domain.notation import find_pattern, known_pattern, split_item
from causalrules.errors import ExposureError, PatternError, UnknownColumnError, UnknownValueError

ITEMS = [
    Item("sex", "male"),
    Item("sex", "female"),
    Item("firm", "Smith"),
    Item("firm", "Smith & Sons"),
    Item("a=b", "c"),
    Item("a", "b=c"),
    Item("age", "<=27.5"),
    Item("age", "(27.5, 41]"),
    Item("odd", "x & sex=male"),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("income=>50K", ("income", ">50K")),
        (" income = >50K ", ("income", ">50K")),
        ("income=a=b", ("income", "a=b")),
        ("in=come=yes", ("in=come", "yes")),
        ("in=x", ("in", "x")),
        ("income=", ("income", "")),
        ("income", ("income", None)),
        ("padded=1", (" padded ", "1")),
        ("two words=1", ("two words", "1")),
    ],
)
def test_items_are_split_at_the_right_sign(text, found):
    assert split_item(text, ["income", "in", "in=come", " padded ", "two words"], "outcome") == found


@pytest.mark.parametrize("text", ["wage=1", "incomes=1", "=1", "", "income yes"])
def test_unknown_columns(text):
    with pytest.raises(UnknownColumnError, match="outcome column"):
        split_item(text, ["income"], "outcome")


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("sex=male", [ITEMS[0]]),
        (" sex = male&firm=Smith ", [ITEMS[0], ITEMS[2]]),
        ("firm=Smith & Sons", [ITEMS[3]]),
        ("firm=Smith & Sons & sex=female", [ITEMS[1], ITEMS[3]]),
        ("a=b=c", [ITEMS[4]]),
        ("age=<=27.5", [ITEMS[6]]),
        ("age<=27.5", [ITEMS[6]]),
        ("age <= 27.5", [ITEMS[6]]),
        ("age=(27.5, 41] & sex=male", [ITEMS[0], ITEMS[7]]),
        ("odd=x & sex=male", [ITEMS[8]]),
        ("odd=x & sex=male & sex=male", [ITEMS[0], ITEMS[8]]),
    ],
)
def test_patterns_are_found_in_the_order_of_the_table(text, pattern):
    assert find_pattern(text, ITEMS) == tuple(pattern)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("sex=mal", UnknownValueError, "exposure value 'mal' does not occur in column 'sex'.*'male'"),
        ("sexx=male", UnknownColumnError, "exposure column 'sexx'.*Did you mean 'sex'"),
        ("sex=male & oops", UnknownColumnError, "exposure column 'oops' is not among"),
        ("", PatternError, "at character 1, its end: the name of a column must stand here"),
        ("sex=male & sex=female", ExposureError, "names a column twice"),
        ("sex=male &", PatternError, "at character 11, its end: the name of a column must stand here"),
        ("zip=1", ExposureError, "'zip' takes no part in this run: it is constant"),
    ],
)
def test_mistakes(text, error, message):
    with pytest.raises(error, match=message):
        find_pattern(text, ITEMS, {"zip": "it is constant"})


names = st.text("ab=& '\n", min_size=1, max_size=5).filter(lambda text: text == text.strip())


@given(st.lists(st.tuples(names, names), min_size=1, max_size=3, unique_by=lambda pair: pair[0]))
def test_items_as_we_write_them_are_found(pairs):
    """Unless another set of items is written in the same way, which only strange names bring about."""
    items = [Item(column, value) for column, value in pairs]
    text = " & ".join(map(str, items))
    assert " & ".join(sorted(map(str, find_pattern(text, items)))) == " & ".join(sorted(map(str, items)))


def test_picked_items_are_not_parsed():
    items = [Item("a", "b"), Item("a", "b & c=d"), Item("c", "d")]
    assert known_pattern([Item("a", "b & c=d")], items) == (Item("a", "b & c=d"),)
    assert find_pattern("a=b & c=d", items) == (Item("a", "b"), Item("c", "d"))


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ([Item("a", "x")], UnknownValueError, "value 'x' does not occur in column 'a'"),
        ([Item("z", "x")], UnknownColumnError, "column 'z' is not among the table's 2 columns"),
        ([Item("out", "x")], ExposureError, "takes no part in this run: it is constant"),
        ([Item("a", "b"), Item("a", "b & c=d")], ExposureError, "names a column twice"),
        ([], ExposureError, "names no item"),
    ],
)
def test_picked_items_that_cannot_be_asked_for(asked, error, words):
    items = [Item("a", "b"), Item("a", "b & c=d"), Item("c", "d")]
    with pytest.raises(error, match=words):
        known_pattern(asked, items, {"out": "it is constant"})

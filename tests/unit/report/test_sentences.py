"""Codes and the sentences made of them."""

import ast
from pathlib import Path

import pytest

import answers
import causalrules
from causalrules.report.answer.sentences import FIRST, LEFT_OUT, SENTENCES, SHORT, option, sentence, verdict
from causalrules.report.answer.wording import GLUE
from causalrules.words.findings import Note

SOURCE = Path(causalrules.__file__).parent
ROOMS = ("words", "look", "find", "adjust", "estimate", "judge", "encode")
CODE = ("Note", "note")


def codes_made():
    """The codes that rooms make: what stands first in a call of Note, wherever it is a text."""
    files = [file for room in ROOMS for file in (SOURCE / room).rglob("*.py")]
    for file in [*files, SOURCE / "plain.py", SOURCE / "walk.py"]:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in CODE and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value


def test_every_code_that_a_room_makes_has_a_sentence():
    assert sorted(set(codes_made()) - SENTENCES.keys()) == []


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_needs_no_data(code):
    told = sentence(Note(code))
    assert told.endswith(".")
    assert "None" not in told
    assert "{" not in told


def test_short_words_are_of_codes_that_have_sentences():
    assert SHORT.keys() <= SENTENCES.keys()
    assert FIRST.keys() <= SENTENCES.keys()


def test_a_code_without_a_sentence_is_printed_itself():
    assert sentence(Note("odd", {"column": "a\nb", "n": 3})) == "odd (column: a\\nb, n: 3)."
    assert sentence(Note("odd")) == "odd."


def test_options_are_ready_to_be_pasted():
    assert option("before", ["age", "income, net"]) == "--before 'age,income\\, net'"
    assert option("before", ["a\nb"]) == "--before NAME"


@pytest.mark.parametrize(
    ("finding", "told"),
    [
        (
            answers.finding("age", "possible", "fragile", p=0.03, p_corrected=0.11),
            "age is a possible cause of y=1 (fragile): may be chance: p = 0.03, and p = 0.11 corrected for "
            "the number of columns.",
        ),
        (
            answers.finding(
                "dose",
                "possible",
                p=0.044,
                p_corrected=0.044,
                effect=answers.effect("none", half=0.1, none=0.2, some=0.25, much=0.3),
            ),
            "dose is a possible cause of y=1: no single level differs clearly from none (all together "
            "p = 0.044).",
        ),
        (
            answers.finding("age", "possible", rivals=("a", "b", "c", "d")),
            "age is a possible cause of y=1: a, b, c and d could stand in its place.",
        ),
        (
            answers.finding("a b", "explained", explained_by=("c",)),
            "a b: explained by c. Not a cause if c comes first; a cause that acts through c if it comes "
            "after: --tiers 'a b < c < y'",
        ),
        (
            answers.finding("a", "indirect", "strong", explained_by=("c", "d")),
            "a is a cause of y=1 that acts through c and d (strong).",
        ),
        (answers.finding("a", "no difference"), "a makes no difference to y=1 that these records show."),
        (answers.finding("a", "after"), "a comes after y=1, as you said; it was not studied."),
        (
            answers.finding(["a", "b"], "cause", "strong"),
            "a or b (the table cannot tell them apart) is a cause of y=1 (strong).",
        ),
    ],
)
def test_verdicts_in_words(finding, told):
    outcome = answers.result([], name="y=1", column="y").data.outcome
    assert verdict(finding, outcome).replace(GLUE, " ") == told


def test_reasons_to_leave_records_out_are_known():
    assert {"missing", "implausible"} <= LEFT_OUT.keys()

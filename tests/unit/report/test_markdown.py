"""Markdown that every reader of it understands, whatever the names."""

import re

import pytest

from causalrules.report.markdown import as_code, escaped, mining_markdown, study_markdown
from unit.report.results import ODD_NAMES, mined, of_nothing, studied, with_names


def tables_of(text):
    """Rows of cells of each table, read as GitHub does: a pipe splits unless a backslash stands before it."""
    tables, rows = [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            assert line.endswith("|")
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            rows.append([cell.strip().replace("\\|", "|") for cell in cells])
        elif rows:
            tables.append(rows)
            rows = []
    return tables


@pytest.mark.parametrize("result", [mined(), with_names(ODD_NAMES)], ids=["plain", "odd names"])
def test_each_causal_rule_is_one_row(result):
    tables = tables_of(mining_markdown(result))
    rows = [row for _, line, *rows in tables for row in rows if len(row) == len(line) == 10]
    assert all(re.fullmatch("-+:?", mark) for _, line, *_ in tables for mark in line)
    told = [(re.sub(r"^(`+) ?(.*?) ?\1$", r"\2", row[0]), row[1]) for row in rows]
    causal = [one for one in told if one[1].startswith("causal")]
    assert sorted(causal) == sorted((rule.name, f"causal, {rule.direction}") for rule in result.causal)


def test_one_hypothesis_is_a_sentence_and_a_row():
    text = study_markdown(studied("drug_a=yes"))
    (table,) = tables_of(text)
    assert len(table) == 3
    assert table[2][:2] == ["`drug_a=yes`", "rejected"]
    assert "is not clearly associated with ill=yes" in text.splitlines()[2]


def test_nothing_found_is_still_text():
    text = mining_markdown(of_nothing())
    assert tables_of(text) == []
    assert "Nothing found" in text


def test_signs_that_mean_something_are_escaped():
    assert escaped("a*b_c|d<e>[f]#g\\h`i~") == r"a\*b\_c\|d\<e\>\[f\]\#g\\h\`i\~"
    assert "\n" not in escaped("two\nlines")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a=b", "`a=b`"),
        ("a=`b`", "`` a=`b` ``"),
        ("``=a", "``` ``=a ```"),
        ("a|b=c", r"`a\|b=c`"),
    ],
)
def test_code_spans_hold_any_name(name, code):
    assert as_code(name) == code

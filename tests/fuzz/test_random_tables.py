"""Tables of any texts at all, drawn by Hypothesis: an answer or one of our own errors, shown safely."""

import csv
import io
import json
import re
from contextlib import suppress

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import causalrules
from causalrules.errors import CausalRulesError
from causalrules.report.page.html import render
from causalrules.report.page.view import view_of
from causalrules.report.terminal.mining import mining_report

ODD = (
    "",
    " ",
    "=1+1",
    "@x",
    "</script>",
    "\x1b[31m",
    "\u202e",
    "a & b",
    "x=y",
    '"',
    "'",
    "NA",
    "1e999",
    "-0",
    "1_0",
)
TEXTS = st.one_of(st.sampled_from(ODD), st.text(st.characters(exclude_categories=["Cs"]), max_size=8))


@st.composite
def tables(draw):
    """Two columns of few different texts, and an outcome."""
    names = draw(st.lists(TEXTS.filter(lambda name: name != "ill"), min_size=2, max_size=2, unique=True))
    values = [draw(st.lists(TEXTS, min_size=1, max_size=3)) for _ in names]
    return [
        {
            **{name: of_column[row % len(of_column)] for name, of_column in zip(names, values, strict=True)},
            "ill": "yes" if (row * 7) % 5 < 2 else "no",
        }
        for row in range(60)
    ]


def _csv(rows):
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _parquet(rows):
    sink = pa.BufferOutputStream()
    pyarrow.parquet.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue().to_pybytes()


WRITERS = {
    "a.csv": _csv,
    "a.jsonl": lambda rows: "\n".join(map(json.dumps, rows)).encode(),
    "a.json": lambda rows: json.dumps(rows).encode(),
    "a.parquet": _parquet,
}


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=25)
@given(rows=tables())
def test_any_texts_are_answered_or_refused_and_shown_safely(tmp_path_factory, name, rows):
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(WRITERS[name](rows))
    with suppress(CausalRulesError):
        result = causalrules.mine(path, "ill=yes", max_length=1, min_support=0.1)
        for shown in (repr(result), str(result), str(result.summary()), _in_terminal(result)):
            assert not CONTROL.search(shown), shown
        page = render(view_of(result))
        assert page.count("</script>") == page.count("<script")


CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
"""Signs that move a cursor, colour a terminal or turn the direction of writing; no line end."""


def _in_terminal(result):
    out = io.StringIO()
    Console(file=out, width=100).print(mining_report(result))
    return out.getvalue()

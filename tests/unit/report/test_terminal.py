"""The table of mine at any width, with any name, in any encoding."""

import io
import re
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from causalrules.report.terminal.mining import mining_report
from causalrules.report.terminal.rule_columns import bar
from causalrules.report.words.formatting import fold
from unit.report.results import ODD_NAMES, mined, named, of_nothing, with_names, without_causes


def printed(result, width=80):
    console = Console(file=io.StringIO(), width=width, highlight=False)
    console.print(mining_report(result))
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def rows_of(lines):
    """Those with numbers in columns; sentences have their intervals in brackets."""
    return [line for line in lines if re.search(r" [\d.,]+ – ", line)]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("result", [mined, lambda: with_names(ODD_NAMES)], ids=["plain", "odd names"])
def test_no_line_is_wider_than_the_terminal_and_no_number_is_cut(result, width):
    lines = printed(result(), width)
    assert max(map(cell_len, lines)) <= width
    rows = rows_of(lines)
    assert len(rows) == len(result().causal) + len(result().with_verdict("possible"))
    assert not any("…" in row for row in rows)


def test_a_narrow_terminal_gives_up_bars_then_probabilities_then_crude_then_matched():
    headings = {
        width: [line for line in printed(mined(), width) if line.strip().startswith("odds ratio")][1].split()
        for width in (90, 80, 76, 70, 64, 58)
    }
    kept = ["odds", "ratio", "95", "%", "interval"]
    assert headings[90] == headings[80] == [*kept, "crude", "matched", "P", "Γ", "grade"]
    assert any("█" in line for line in printed(mined(), 90))
    assert not any("█" in line for line in printed(mined(), 80))
    assert headings[76] == [*kept, "crude", "matched", "Γ", "grade"]
    assert headings[70] == [*kept, "matched", "Γ", "grade"]
    assert headings[64] == [*kept, "Γ", "grade"]
    assert headings[58] == [*kept, "grade"]


def test_names_break_between_items_and_never_within_a_word_that_fits():
    name = ODD_NAMES[4]
    lines = printed(with_names([name]))
    start = next(place for place, line in enumerate(lines) if line.startswith("raises the odds")) + 1
    width = lines[start - 2].index("odds")
    shown = [line[:width].strip() for line in lines[start : lines.index("", start)]]
    assert len(shown) > 2
    assert " ".join(shown).replace("= ", "=") == name


def test_continued_names_are_indented():
    lines = printed(with_names([ODD_NAMES[4], "short=yes"]))
    start = next(place for place, line in enumerate(lines) if line.startswith("detailed"))
    assert lines[start + 1].startswith("  ")
    assert " – " not in lines[start + 1]


@given(name=st.text(min_size=1, max_size=120), width=st.integers(2, 60))
def test_folding_loses_nothing_but_spaces_and_keeps_the_width(name, width):
    lines = fold(name, width)
    assert "".join("".join(lines).split()) == "".join(name.split())
    assert all(cell_len(line) <= width for line in lines)


@pytest.mark.parametrize(
    ("name", "width", "lines"),
    [
        ("a=b & c=d", 20, ["a=b & c=d"]),
        ("workclass=Local-gov & relationship=Husband", 38, ["workclass=Local-gov &", "relationship=Husband"]),
        ("detailed industry recode=<=0.5", 25, ["detailed industry recode=", "<=0.5"]),
        ("age=(35.5, 41.5]", 11, ["age=(35.5,", "41.5]"]),
        ("漢字漢字=漢字", 9, ["漢字漢字=", "漢字"]),
    ],
)
def test_where_names_are_folded(name, width, lines):
    assert fold(name, width) == lines


def test_bars_grow_with_the_odds_ratio():
    odds = [1.0, 1.001, 1.5, 2.0, 4.0, 9.0, 16.0, inf]
    lengths = [
        8 * (len(text) - 1) + "▏▎▍▌▋▊▉█".index(text[-1]) + 1 if text else 0
        for text in (bar(one, 16.0) for one in odds)
    ]
    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[1], lengths[4], lengths[-1]) == (0, 1, 32, 64)


def test_an_infinite_odds_ratio_leaves_the_other_bars_readable():
    first, *others = mined().causal
    endless = replace(first, adjusted_odds_ratio=replace(first.adjusted_odds_ratio, value=inf, high=inf))
    alone = [rule for rule in others if not rule.group]
    rows = rows_of(printed(replace(mined(), tested=(endless, *alone)), 120))
    assert len(rows) == 1 + len(alone)
    assert sum("████████" in row for row in rows) == 2
    assert all("█" in row for row in rows)


def test_it_tells_how_many_were_rejected_and_how_to_see_one():
    text = " ".join(printed(mined(), 200))
    n_rejected = mined().n_by_verdict["rejected"]
    assert f"{n_rejected} associations were rejected" in text
    assert "causalrules test … --exposure drug_a=yes" in text


def test_one_rejected_rule_is_one():
    (rejected, *_) = mined().with_verdict("rejected")
    text = " ".join(printed(replace(mined(), tested=(*mined().causal, rejected)), 200))
    assert "1 association was rejected" in text


def test_a_rejected_name_that_a_shell_would_misread_is_quoted():
    first = mined().with_verdict("rejected")[0]
    odd = replace(first, pattern=named("firm=Smith & Sons=x"))
    text = " ".join(printed(replace(mined(), tested=(odd,)), 200))
    assert "--exposure 'firm=Smith & Sons=x'" in text


def test_nothing_found_says_what_to_try():
    assert any("Nothing found" in line for line in printed(without_causes()))
    lines = printed(of_nothing())
    assert "try a smaller --min-support" in " ".join(lines)
    assert not any("rejected" in line for line in lines)

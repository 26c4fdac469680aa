"""Methods, results, checklist, and the files they are written to."""

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import docx
import numpy as np
import openpyxl
import pytest

import causalrules
from causalrules.domain import Item, Result
from causalrules.errors import MissingPackageError, OutputNameError
from causalrules.publish import office_files
from causalrules.publish.document import Document, Heading, Line, Listing, Paragraph, Sheet
from causalrules.publish.journal_p import bare_p
from causalrules.publish.references import REFERENCES
from causalrules.publish.results_text import findings_sheet
from causalrules.publish.strobe import strobe_items
from causalrules.publish.write_document import write_document
from unit.publish.patients import patients


@pytest.fixture(scope="module")
def frame():
    return patients()


@pytest.fixture(scope="module")
def tested(frame):
    return causalrules.test(frame, "ill=yes", "drug=yes", adjust=["age", "sex"])


@pytest.fixture(scope="module")
def mined(frame):
    return causalrules.mine(frame, "ill=yes")


def test_results_tell_the_rules_own_numbers(tested):
    text = str(tested.methods())
    (rule,) = tested.tested
    odds = rule.adjusted_odds_ratio
    assert (
        f"adjusted odds ratio {odds.value:.2f} (95% CI {odds.low:.2f} to {odds.high:.2f}), P < 0.001" in text
    )
    assert f"{rule.design.matched_exposed:,} of {rule.exposed:,} exposed" in text
    assert f"differed by {100 * rule.effects.risk_difference.value:.1f} percentage points" in text
    assert f"the E-value is {rule.doubts.e_value:.2f}" in text
    assert "588 of the 1,470 records" in text
    assert "30 records without a known outcome were excluded" in text
    assert "causalrules " + causalrules.__version__ in text
    assert "in agreement." in text


def test_methods_say_what_was_done(frame, tested, mined):
    text = str(tested.methods())
    assert "adjusted for age and sex, chosen by the authors" in text
    assert "propensity" in text
    assert "One hypothesis was studied: that drug=yes" in text
    assert "Benjamini" not in text
    text = str(mined.methods())
    assert "Hypotheses were not stated beforehand" in text
    assert "Benjamini-Hochberg" in text
    assert "Bayesian networks" in text
    holm = str(replace(mined, settings=replace(mined.settings, correction="holm")).methods())
    assert "Holm's procedure" in holm
    assert "Benjamini-Hochberg" not in holm
    exact = causalrules.test(frame, "ill=yes", "drug=yes", adjust=["sex"], missing_controls="value")
    text = str(exact.methods())
    assert "agree exactly" in text
    assert "propensity to be exposed" not in text
    assert "counted as a level of its own" in text
    lowered = str(causalrules.test(frame, "ill=no", "drug=yes", adjust=["age", "sex"]).methods())
    told = "drug=yes was associated after adjustment with lower odds of ill=no: adjusted odds ratio 0."
    assert told in lowered


def test_every_citation_is_listed_once_and_in_order(tested, mined):
    for result in (tested, mined):
        text = str(result.methods())
        body, _, listed = text.partition("REFERENCES")
        cited = list(dict.fromkeys(int(n) for n in re.findall(r"\[(\d+)\]", body)))
        assert cited == list(range(1, len(cited) + 1))
        assert len(re.findall(r"^\d+\. ", listed, re.MULTILINE)) == len(cited)
        assert not re.search(r"\[[A-Z]", body)
        assert "  " not in text
    for name, reference in REFERENCES.items():
        assert name.split()[-1] in reference
        assert name.split()[0] in reference


def test_nothing_found_and_untestable_have_sentences_too(mined, tested):
    nothing = replace(mined, tested=(), by_length={1: {"candidates": 3}})
    assert "0 were judged causal" in str(nothing.methods())
    assert "Participant flow" not in str(nothing.article())
    rule = replace(tested.tested[0], verdict="untestable", reason="no partners")
    text = str(replace(tested, tested=(rule,)).methods())
    assert "could not be tested: no partners." in text


def test_the_checklist_has_all_items_and_something_in_each(mined):
    items = strobe_items(mined)
    assert [item.number for item in items] == [str(n) for n in range(1, 23)]
    assert all(item.given or item.left for item in items)


def test_the_checklist_claims_only_what_is_there(tested, frame):
    given = {item.number: item.given for item in strobe_items(tested)}
    assert given["17"] == "Results: second opinion, sensitivity."
    assert given["19"] == "Results: Γ, E-value."
    assert not given["11"]
    assert "correction" not in given["12"]
    asked = causalrules.test(frame, "ill=yes", "drug=yes", by=["site"], cut=["age=50,65"])
    given = {item.number: item.given for item in strobe_items(asked)}
    assert "subgroups and interactions" in given["17"]
    assert given["11"].startswith("Methods: cut points")
    assert "follows the STROBE" not in str(tested.methods())


@pytest.mark.parametrize(
    ("grade", "told"),
    [
        ("strong", "drug=yes raised the odds of ill=yes"),
        ("moderate", "drug=yes was associated after adjustment with higher odds of ill=yes"),
        ("fragile", "drug=yes was associated after adjustment with higher odds of ill=yes"),
    ],
)
def test_only_strong_evidence_has_a_causal_verb(tested, grade, told):
    rule = replace(tested.tested[0], grade=grade, arrow="cause")
    assert told in str(replace(tested, tested=(rule,)).methods())


def test_where_nobody_knows_what_came_first_the_text_says_so(tested, mined):
    def told(arrow, **changed):
        rule = replace(tested.tested[0], arrow=arrow, **changed)
        return str(replace(tested, tested=(rule,)).article())

    unknown = "The data do not show which came first; the exposure was taken to precede the outcome."
    assert unknown in told("undecided")
    assert unknown not in told("cause")
    assert unknown not in told(None)
    assert unknown not in told("undecided", verdict="consequence")
    assert "was associated after adjustment with higher odds" in told("undecided", grade="strong")

    rules = [replace(rule, arrow="undecided") for rule in mined.causal]
    text = str(replace(mined, tested=(replace(rules[0], arrow="cause"), *rules[1:])).methods())
    assert len(rules) > 1
    counted = f"For {len(rules) - 1} of the {len(rules)} judged causal the data do not show which came first"
    assert counted in text
    assert text.count(unknown) == len(rules) - 1


def test_the_table_of_findings_marks_what_has_no_direction(tested):
    def sheet(arrow):
        rule = replace(tested.tested[0], arrow=arrow)
        return findings_sheet(replace(tested, tested=(rule,)))

    assert sheet("undecided").lines[0].cells[0].startswith("causal ‡")
    assert any("‡" in note and "precede" in note for note in sheet("undecided").notes)
    assert "‡" not in str(sheet("cause"))


def test_what_was_adjusted_for_nothing_is_not_called_adjusted(frame):
    alone = causalrules.test(frame[["drug", "ill"]], "ill=yes", "drug=yes")
    text = str(alone.methods())
    assert "drug=yes was associated with higher odds of ill=yes" in text
    assert "matched, and nothing was adjusted for." in text


def test_one_column_was_and_several_were(frame):
    one = str(causalrules.test(frame, "ill=yes", "drug=yes", never_adjust=["site"]).methods())
    assert "site was never adjusted for" in one
    two = str(causalrules.test(frame, "ill=yes", "drug=yes", never_adjust=["site", "sex"]).methods())
    assert "site and sex were never adjusted for" in two


def test_a_word_file_has_text_tables_and_pictures(tested, frame, tmp_path):
    tested.article(frame).save(tmp_path / "paper.docx")
    file = docx.Document(tmp_path / "paper.docx")
    headings = [one.text for one in file.paragraphs if one.style.name.startswith("Heading")]
    assert headings == [
        "Methods",
        "Results",
        "Participant flow",
        "References",
        "STROBE checklist",
        "To repeat this analysis",
    ]
    first = [table.rows[0].cells[0].text for table in file.tables]
    assert len(file.tables) == 4
    table = file.tables[0]
    assert [cell.text for cell in table.rows[0].cells][1] == "Before matching"
    shown = {row.cells[0].text: [cell.text for cell in row.cells[1:]] for row in table.rows[2:]}
    expected = tested.table1(0, frame).sheet.lines
    assert shown["age, mean (SD)"][0] == next(one for one in expected if one.name.startswith("age")).cells[0]
    assert first[1] == "Exposure"
    assert len(file.inline_shapes) == 1
    assert any("--outcome ill=yes" in one.text for one in file.paragraphs)


def test_the_same_article_is_the_same_text_from_a_saved_result(mined, tmp_path):
    mined.save(tmp_path / "result.json")
    assert str(Result.load(tmp_path / "result.json").article()) == str(mined.article())


EVIL = '=HYPERLINK("http://x","y")'
SHEET = Sheet(
    title="+1", columns=(EVIL, "@b", "n"), lines=(Line(EVIL, (EVIL, 3)), Line("-2\x00", ("\\input{x}", 0.5)))
)


def test_no_cell_of_a_spreadsheet_becomes_a_formula(tmp_path):
    write_document(Document(EVIL, (SHEET, SHEET)), tmp_path / "evil.xlsx")
    with zipfile.ZipFile(tmp_path / "evil.xlsx") as parts:
        pages = [parts.read(name).decode() for name in parts.namelist() if "worksheets/" in name]
        names = parts.read("xl/workbook.xml").decode()
        texts = parts.read("xl/sharedStrings.xml").decode()
    assert len(pages) == 2
    assert 'name="Table 2"' in names
    assert not any("<f>" in page or "hyperlink" in page for page in pages)
    assert "=HYPERLINK" in texts
    assert "<v>3</v>" in pages[0]  # numbers stay numbers


def test_nothing_in_the_data_commands_latex_or_html(tmp_path):
    blocks = (Heading("<b>"), Paragraph("50% & \\input{x} $y$"), Listing(("#1", "a_b")), SHEET)
    document = Document("<script>", blocks)
    for ending in ("tex", "html", "md", "docx"):
        write_document(document, tmp_path / f"evil.{ending}")
    latex = (tmp_path / "evil.tex").read_text()
    assert r"\input" not in latex
    assert r"50\% \& \textbackslash{}input\{x\} \$y\$" in latex
    assert "<script>" not in (tmp_path / "evil.html").read_text()
    assert "<b>" not in (tmp_path / "evil.md").read_text()


def test_every_kind_of_file_holds_the_findings(mined, tmp_path):
    for ending in ("docx", "xlsx", "tex", "md", "html"):
        mined.article().save(tmp_path / f"paper.{ending}")
    for ending in ("tex", "md", "html"):
        text = (tmp_path / f"paper.{ending}").read_text(encoding="utf-8")
        assert "STROBE checklist" in text
        assert text.replace(r"\allowbreak{}", "").count("drug=yes") > 3
    latex = (tmp_path / "paper.tex").read_text()
    assert "mine TABLE.csv -{}-outcome ill=yes" in latex
    assert latex.count(r"\begin{longtable}") == latex.count(r"\end{longtable}}") >= 4
    assert "<svg" in (tmp_path / "paper.html").read_text()
    with pytest.raises(OutputNameError, match=r"\.docx, \.xlsx"):
        mined.article().save(tmp_path / "paper.odt")


def test_a_missing_package_answers_with_what_to_install(mined, tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(office_files, "import_module", missing)
    for ending in ("docx", "xlsx"):
        with pytest.raises(MissingPackageError, match="publish"):
            mined.article().save(tmp_path / f"paper.{ending}")
    assert list(Path(tmp_path).iterdir()) == []


def test_names_of_all_kinds_survive(tested, tmp_path):
    rule = replace(tested.tested[0], pattern=(Item("薬 & \\x", "\x07日本語" + "long " * 30),))
    odd = replace(tested, tested=(rule,))
    for ending in ("docx", "xlsx", "tex", "md", "html"):
        odd.article().save(tmp_path / f"odd.{ending}")
    assert any("薬" in one.text for one in docx.Document(tmp_path / "odd.docx").paragraphs)


def test_methods_tell_what_else_was_asked_and_known(frame):
    asked = frame.assign(
        pair=np.arange(len(frame)) // 2,
        weight=1 + np.arange(len(frame)) % 2,
        injury=np.where(np.arange(len(frame)) % 7 == 0, "yes", "no"),
    )

    def told(*, drop, **settings):
        return str(causalrules.test(asked, "ill=yes", "drug=yes", drop=drop, **settings).methods())

    by_site = told(drop=["pair", "weight", "injury"], by=["site"])
    assert "within the values of site" in by_site
    assert "Breslow NE" in by_site
    assert "gave no sign that an effect differs" in by_site
    matched = told(drop=["weight", "injury"], matched_set="pair")
    assert "within the sets in which they had been matched" in matched
    assert "posterior probability of at least 0.2" not in matched
    assert "doubly robust" not in matched
    assert "sums over clusters" in told(drop=["weight", "injury"], cluster="pair")
    assert "exact conditional distribution" not in told(drop=["weight", "injury"], cluster="pair")
    assert "as its weight says" in told(drop=["pair", "injury"], weights="weight")
    checked = told(drop=["pair", "weight"], negative_outcome=["injury=yes"], placebo=2)
    assert "negative controls" in checked
    assert "repeated on 2 tables" in checked
    known = told(drop=["pair", "weight", "injury"], require=["sex -> drug"], cut=["age=50,65"])
    assert "sex -> drug was taken to exist" in known
    assert "points that the authors chose (age=50,65)" in known
    assert "tested on the others" in told(drop=["pair", "weight", "injury"], holdout=0.4)


def test_methods_of_one_hypothesis_and_of_intervals_are_true(frame):
    one = str(causalrules.test(frame, "ill=yes", "drug=yes").methods())
    assert "corrected by" not in one
    assert "corrected P" not in one
    alone = str(causalrules.mine(frame, "ill=yes", judge="interval").methods())
    assert "the interval of its odds ratio excluded 1" in alone
    assert "significant at the level below" not in alone
    above = str(causalrules.mine(frame, "ill=yes", min_odds_ratio=1.1).methods())
    assert "exceeded 1.1" in above
    assert "by 1.00 (Γ)" not in above


def test_brackets_in_a_name_are_no_citation(frame):
    named = frame.rename(columns={"site": "site [A 1999]"})
    text = str(causalrules.test(named, "ill=yes", "drug=yes", adjust=["site [A 1999]"]).methods())
    assert "adjusted for site [A 1999]" in text


def test_tables_and_figures_of_an_article_are_numbered_and_table_one_comes_first(tested, frame):
    document = tested.article(frame).document
    assert [sheet.title.split(". ")[0] for sheet in document.sheets] == [
        "Table 1",
        "Table 2",
        "Table 3",
        "STROBE checklist for observational studies",
    ]
    assert document.sheets[0].title.startswith("Table 1. Characteristics")


def test_subgroups_and_levels_have_tables_of_their_own(frame, tmp_path):
    result = causalrules.test(frame, "ill=yes", "drug=yes", by=["sex", "site"], adjust=["sex", "age"])
    article = result.article(frame)
    (subgroups,) = (sheet for sheet in article.document.sheets if sheet.name == "Subgroups")
    assert subgroups.title == "Table 3. Effect of drug=yes in subgroups"
    (rule,) = result.tested
    first = rule.subgroups[0]
    names = [line.name for line in subgroups.lines]
    assert names[:2] == ["All compared", "sex"]
    group = first.groups[0]
    line = subgroups.lines[2]
    odds = group.odds_ratio
    assert f"sex={line.name}" == group.name
    assert line.cells[2] == f"{odds.value:.2f} ({odds.low:.2f} to {odds.high:.2f})"
    assert subgroups.lines[1].cells[-1] == bare_p(first.interaction_q)
    assert "corrected for the number of columns" in subgroups.notes[0]
    article.save(tmp_path / "paper.xlsx")
    assert "Subgroups" in openpyxl.load_workbook(tmp_path / "paper.xlsx").sheetnames


def test_the_levels_of_an_exposure_have_a_table(frame):
    result = causalrules.mine(frame, "ill=yes", cut=["age=50,60"], max_length=1)
    (rule,) = (rule for rule in result.causal[:3] if rule.dose is not None)
    (sheet,) = (sheet for sheet in result.article().document.sheets if sheet.name == "Levels")
    assert [line.name for line in sheet.lines] == [level.name for level in rule.dose.levels]
    assert sheet.lines[rule.dose.reference].cells[-1] == "reference"
    assert sheet.columns == ("Level", "Cases", "Records", "Adjusted OR (95% CI)")
    assert "test of trend" in sheet.notes[0]

"""Methods, results, checklist, and the files they are written to."""

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import docx
import pytest

import causalrules
from causalrules.domain import Item, Result
from causalrules.errors import MissingPackageError, OutputNameError
from causalrules.publish import office_files
from causalrules.publish.document import Document, Heading, Line, Listing, Paragraph, Sheet
from causalrules.publish.references import REFERENCES
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
    paper = str(causalrules.mine(frame, "ill=yes", controls="items", pairs="random").methods())
    assert "drawn at random 3 times" in paper
    assert "doubly robust" not in paper
    lowered = str(causalrules.test(frame, "ill=no", "drug=yes", adjust=["age", "sex"]).methods())
    assert "drug=yes lowered the odds of ill=no: adjusted odds ratio 0." in lowered


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
    table = file.tables[1]
    assert [cell.text for cell in table.rows[0].cells][1] == "Before matching"
    shown = {row.cells[0].text: [cell.text for cell in row.cells[1:]] for row in table.rows[2:]}
    expected = tested.table1(0, frame).sheet.lines
    assert shown["age, mean (SD)"][0] == next(one for one in expected if one.name.startswith("age")).cells[0]
    assert first[0] == "Exposure"
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

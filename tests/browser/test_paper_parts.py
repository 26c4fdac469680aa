"""What a paper needs, on the page: the participant flow, Table 1, doses, subgroups, methods to copy."""

import re

import pytest
from accessibility import complaints
from page_width import assert_nothing_is_wider_than
from test_findings import LOOKS, headings

from unit.publish.patients import patients


@pytest.fixture(params=LOOKS.values(), ids=LOOKS.keys())
def look(request):
    return request.param


def place_of(result, wanted):
    return next(place for place, rule in enumerate(result.tested, 1) if wanted(rule))


def number(text):
    return int(re.match(r"[\d,]+", text)[0].replace(",", ""))


def test_the_flow_has_the_numbers_of_the_result_and_loses_nobody(show, reports):
    result = reports.result("one cohort")
    flow, page = result.flow(0), show("one cohort")
    boxes = page.locator(".flow .flow-box > div").all_inner_texts()
    assert f"{flow.read:,} records read" in boxes
    assert f"{flow.outcome_known:,} records with a known outcome" in boxes
    assert f"{flow.exposure_unknown:,} left out: exposure not known" in boxes
    arms = page.locator(".flow-arm")
    sizes = ((flow.exposed, flow.matched_exposed), (flow.unexposed, flow.matched_unexposed))
    for arm, (size, matched) in zip(arms.all(), sizes, strict=True):
        first, *_, last = arm.locator(".flow-box").all_inner_texts()
        assert (number(first), number(last)) == (size, matched)
        lost = sum(map(number, arm.locator(".flow-box.lost > div").all_inner_texts()))
        assert size - lost == matched


def test_where_nobody_was_left_out_nothing_is_said(show, reports):
    result = reports.result("findings")
    assert result.flow(0).exposure_unknown == 0
    page = show("findings", "#rule-1")
    assert page.locator(".flow .lost", has_text="exposure not known").count() == 0


def test_table_one_is_that_of_the_library(show, reports):
    result = reports.result("one cohort")
    sheet, page = result.table1(0, patients(3000)).sheet, show("one cohort")
    page.locator(".card summary", has_text="characteristics before and after").click()
    rows = page.locator(".table-one tbody tr")
    assert rows.count() == len(sheet.lines)
    for row, line in zip(rows.all(), sheet.lines, strict=True):
        cells = row.locator("th, td").all_inner_texts()
        assert cells[0] == line.name
        for shown, cell in zip(cells[1:], line.cells, strict=True):
            assert shown == (f"{cell:.2f}" if isinstance(cell, float) else cell or "")
    marked = page.locator(".table-one .unlike").all_inner_texts()
    assert all(text == "∞" or float(text) > 0.1 for text in marked)
    assert marked  # age and sex differ before matching


def test_a_page_without_the_table_says_how_to_get_table_one(show):
    page = show("findings", "#rule-1")
    assert page.locator(".table-one").count() == 0
    assert "--table" in page.locator(".part", has_text="Table 1").inner_text()


def test_a_dose_is_a_small_picture_and_its_levels_stand_in_the_card(show, reports):
    result = reports.result("cohort")
    place = place_of(result, lambda rule: rule.dose is not None)
    dose = result.tested[place - 1].dose
    page = show("cohort", f"#rule-{place}")
    sketch = page.locator(".dose-sketch svg").first
    told = sketch.get_attribute("aria-label")
    assert all(level.name in told for level in dose.levels)
    assert sketch.locator("circle").count() == sum(
        1
        for at, level in enumerate(dose.levels)
        if at == dose.reference or (level.is_informative and level.odds_ratio.value)
    )
    rows = page.locator(".part", has_text="Level by level").locator(".rows .row")
    assert rows.count() == len(dose.levels)
    last = dose.levels[-1].odds_ratio
    assert f"{last.value:.2f} ({last.low:.2f} – {last.high:.2f})" in rows.last.inner_text()


def test_subgroups_stand_on_one_axis_with_the_test_of_interaction(show, reports):
    rule = reports.result("one cohort").tested[0]
    page = show("one cohort")
    part = page.locator(".part", has_text="Subgroups")
    (found,) = rule.subgroups
    assert "interaction p =" in part.inner_text()
    assert part.locator(".rows .row").count() == 1 + len(found.groups)
    for group in found.groups:
        row = part.locator(".row", has_text=group.name)
        assert f"{group.odds_ratio.value:.2f}" in row.inner_text()
        square = row.locator("svg svg").last.bounding_box()
        whole = part.locator(".row", has_text="all compared").locator("svg svg").last.bounding_box()
        is_right = group.odds_ratio.value > rule.of_the_outcome().adjusted_odds_ratio.value
        assert (square["x"] > whole["x"]) == is_right


def test_methods_and_results_can_be_read_and_copied(show, reports):
    page, result = show("cohort"), reports.result("cohort")
    assert "For the paper" in headings(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".write-up summary").first.click()
    page.get_by_role("button", name="Copy the text").click()
    page.get_by_text(re.compile("Copied|Marked")).wait_for()
    shown = page.locator(".write-up-text").inner_text()
    for paragraph in str(result.methods()).split("\n\n")[1:7]:
        assert paragraph in shown
    page.locator(".write-up .strobe summary").click()
    assert page.locator(".strobe tbody tr").count() == 22


@pytest.mark.parametrize("name", ["cohort", "one cohort"])
def test_nothing_is_wider_than_the_window(show, name, look):
    page = show(name, "#rule-1", **look)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert_nothing_is_wider_than(page, look["viewport"]["width"])


@pytest.mark.parametrize("name", ["cohort", "one cohort"])
def test_axe_finds_nothing_serious(show, name, look):
    page = show(name, "#rule-1", **look)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert complaints(page) == []


def test_on_paper_table_one_is_opened_for_a_single_study_only(show):
    for name, is_open in (("one cohort", True), ("cohort", False)):
        page = show(name)
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        tables = page.locator(".evidence .table-one, .card .table-one")
        assert tables.count() > 0
        assert tables.last.is_visible() == is_open


def test_the_keyboard_reaches_what_can_be_folded_out(show):
    page = show("one cohort")
    summary = page.locator(".write-up summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator(".write-up-text").is_visible()

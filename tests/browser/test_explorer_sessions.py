"""Beginning, keeping and coming back in the explorer: sample data, sessions, settings, help."""

import csv
import re
from pathlib import Path

import pytest
from accessibility import complaints
from test_explorer import choose, find_causes, own_addresses

from causalrules.explorer.limits import Limits
from explorer.asking import people_csv, serving

SMALL_DESK = {"viewport": {"width": 1280, "height": 900}}


@pytest.fixture
def address(tmp_path):
    (tmp_path / "people.csv").write_text(people_csv())
    (tmp_path / "more.csv").write_text(people_csv().replace("coffee", "tea"))
    with serving(tmp_path, Limits()) as url:
        yield url


@pytest.fixture
def page(open_page, address):
    return open_page(address, own=own_addresses(address), **SMALL_DESK)


def test_sample_data_lead_to_an_answer(page):
    page.get_by_role("button", name="Try sample data").click()
    page.get_by_text("3,200 of 10,000 records have it").wait_for()
    find_causes(page)
    assert page.get_by_role("heading", name="What causes ill=yes?").is_visible()
    assert page.locator(".in-short .two-by-two").count() == 1
    assert (
        page.get_by_label("File", exact=True).locator("option", has_text="sample patients.csv").count() == 1
    )


def test_a_session_is_saved_and_reopened(page, open_page, address, tmp_path):
    choose(page)
    find_causes(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save session").click()
    assert download.value.suggested_filename == "causalrules-session.json"
    download.value.save_as(tmp_path / "kept.json")
    page.get_by_role("button", name="Forget Search 1").click()
    page.get_by_role("heading", name="What causes it?").wait_for()
    page.get_by_label("Reopen a session…").set_input_files(tmp_path / "kept.json")
    page.get_by_role("heading", name="What causes health=ill?").wait_for()
    assert page.locator(".results li").count() == 1
    page.get_by_text("120 of 400 records have it").wait_for()  # and the question is there


def test_a_file_that_is_no_session_is_refused_beside_the_button(page, tmp_path):
    page.get_by_role("button", name="Try sample data").wait_for()
    (tmp_path / "other.json").write_text("not JSON")
    page.get_by_label("Reopen a session…").set_input_files(tmp_path / "other.json")
    page.locator(".session .complaint", has_text="no saved session").wait_for()


def test_settings_go_back_to_their_defaults_with_another_table(page):
    choose(page)
    page.get_by_label("Minimum support", exact=True).fill("0.2")
    page.get_by_label("Longest rule", exact=True).fill("1")
    choose(page, file="more.csv")
    assert page.get_by_label("Minimum support", exact=True).input_value() == "0.05"
    assert page.get_by_label("Longest rule", exact=True).input_value() == "2"
    assert page.locator(".field.changed").count() == 0


def test_help_never_opens_behind_the_button_at_the_foot(page):
    choose(page)
    page.get_by_text("More settings").click()
    helps = page.locator(".question .fields .why")
    assert helps.count() > 10
    for place in range(helps.count()):
        button = helps.nth(place)
        button.scroll_into_view_if_needed()
        button.click()
        text = page.locator("#" + button.get_attribute("aria-controls"))
        foot = page.locator(".go").bounding_box()["y"]
        box = text.bounding_box()
        assert box["y"] + box["height"] <= foot + 1, text.inner_text()
        button.click()


def test_two_results_are_compared_in_sentences(page):
    choose(page)
    find_causes(page)
    page.get_by_label("Direction", exact=True).select_option("lowers")
    find_causes(page)
    for box in page.locator(".results input").all():
        box.click()
    page.get_by_role("button", name="Compare the two").click()
    page.get_by_role("heading", name="Search 1 beside Search 2").wait_for()
    told = page.locator(".changes li").all_inner_texts()
    assert told == ["smokes=yes raises the odds in Search 1; Search 2 did not study it."]


def test_the_page_has_no_options_of_the_terminal(page):
    page.get_by_role("button", name="Try sample data").click()
    page.get_by_text("records have it").wait_for()
    find_causes(page)
    page.locator(".contrast .open").first.click()
    shown = ".answer, .findings, .how-to-read, .rules, .variables, .question .field"
    words = " ".join(page.locator(shown).all_text_contents())
    assert "--" not in words


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious_at_the_start(open_page, address, width):
    page = open_page(address, own=own_addresses(address), viewport={"width": width, "height": 900})
    page.get_by_role("button", name="Try sample data").wait_for()
    assert complaints(page, "light", "dark") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_table_one_and_matched_records_come_when_they_are_asked_for(open_page, address):
    page = open_page(address, own=own_addresses(address))
    page.get_by_role("button", name="Try sample data").click()
    page.get_by_text("records have it").wait_for()
    find_causes(page)
    page.locator(".contrast .open").first.click()
    page.get_by_role("button", name="Show Table 1").click()
    page.locator(".table-one").wait_for()
    sizes = page.locator(".table-one thead").inner_text()
    matched = int(re.findall(r"n\s=\s([\d,]+)", sizes)[2].replace(",", ""))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download matched records").click()
    rows = list(csv.DictReader(Path(download.value.path()).read_text(encoding="utf-8").splitlines()))
    assert sum(row["arm"] == "exposed" for row in rows) == matched
    assert {"row", "stratum", "weight"} <= rows[0].keys()


@pytest.mark.parametrize("name", ["Word", "Excel", "LaTeX"])
def test_what_a_paper_needs_can_be_downloaded(open_page, address, name):
    page = open_page(address, own=own_addresses(address))
    page.get_by_role("button", name="Try sample data").click()
    page.get_by_text("records have it").wait_for()
    find_causes(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    content = Path(download.value.path()).read_bytes()
    if name == "LaTeX":
        assert rb"\caption{Characteristics of records" in content
    else:
        assert content[:2] == b"PK"


def test_no_option_of_the_terminal_stands_in_an_answer(open_page, address):
    page = open_page(address, own=own_addresses(address))
    page.get_by_role("button", name="Try sample data").click()
    page.get_by_text("records have it").wait_for()
    find_causes(page)
    for opener in page.locator(".contrast .open").all():
        opener.click()
    page.evaluate("document.querySelectorAll('#answer details').forEach(one => { one.open = true; })")
    lines = page.locator("#answer").inner_text().split("\n")
    typed = page.locator("#answer pre").inner_text()
    assert [line for line in lines if "--" in line and line not in typed] == []

"""Roles, time, thresholds and cut points in a real browser, by mouse and keyboard."""

import shlex

import pytest
from accessibility import complaints

import causalrules
import known_roles
from browser.test_explorer import find_causes, own_addresses
from causalrules.cli.typed_settings import split_list
from causalrules.explorer.limits import Limits
from explorer.asking import serving


@pytest.fixture
def table(tmp_path):
    table = known_roles.drug_after_illness(4000)
    table["age"] = [20 + number % 60 for number in range(len(table))]
    table["bmi"] = [18 + number % 31 / 2 for number in range(len(table))]
    table.to_csv(tmp_path / "patients.csv", index=False)
    return table


@pytest.fixture
def address(table, tmp_path):
    with serving(tmp_path, Limits()) as address:
        yield address


@pytest.fixture
def page(open_page, address):
    page = open_page(address, own=own_addresses(address))
    page.get_by_label("Column", exact=True).wait_for()
    return page


def shown_command(page):
    return page.locator(".command .typed").text_content()


def test_roles_time_and_cut_points_and_the_command_that_does_the_same(page, table, tmp_path):
    page.get_by_label("Column", exact=True).select_option("ill")
    page.get_by_label("Value", exact=True).select_option("yes")
    page.get_by_text("records have it").wait_for()
    page.get_by_role("button", name="Roles of columns").click()
    page.get_by_label("Time of drug").select_option("after")
    page.get_by_label("Part of sex").select_option("never_adjust")
    page.get_by_label("Cut points of age").fill("every:20")
    page.get_by_label("Cut points of age").press("Enter")
    page.get_by_label("Part of smoking").focus()
    page.keyboard.press("ArrowDown")  # ask about it
    page.get_by_label("Part of drug").select_option("exposures")
    page.get_by_label("Part of age").select_option("exposures")
    page.wait_for_function(
        "() => document.querySelector('.command .typed').textContent.includes('smoking,drug,age')"
    )
    command = shlex.split(shown_command(page))
    assert command[:5] == ["causalrules", "mine", "patients.csv", "--outcome", "ill=yes"]
    options = dict(zip(command[5::2], command[6::2], strict=True))
    assert options == {
        "--after": "drug",
        "--never-adjust": "sex",
        "--exposures": "smoking,drug,age",
        "--cut": "age=every:20",
    }
    page.get_by_role("button", name="Done").click()
    assert "never adjust for it: sex" in page.locator(".said").inner_text()
    assert "age at every:20" in page.locator(".said").inner_text()
    find_causes(page)
    page.get_by_text("You said: after drug: never a cause").first.wait_for()
    expected = causalrules.mine(
        tmp_path / "patients.csv",
        command[4],
        after="drug",
        never_adjust="sex",
        exposures=split_list(options["--exposures"]),
        cut=options["--cut"],
    )
    assert {rule.name: rule.verdict for rule in expected.tested}["drug=yes"] == "consequence"
    assert page.get_by_text("drug").count() > 0


def test_a_contradiction_is_told_beside_the_columns(browser, address):
    """Its own page: a refused request is an error to the browser's console, and is meant here."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    page.get_by_label("Column", exact=True).select_option("ill")
    page.get_by_label("Value", exact=True).select_option("yes")
    page.get_by_text("records have it").wait_for()
    page.get_by_role("button", name="Roles of columns").click()
    page.get_by_label("Time of drug").select_option("after")
    page.get_by_label("Part of drug").select_option("adjust")
    complaint = page.locator("[data-about=columns] .complaint")
    complaint.wait_for()
    assert "'adjust drug' and 'after drug' contradict each other" in complaint.inner_text()
    assert page.locator("#roles .complaint").is_visible()
    page.get_by_role("button", name="Done").click()
    page.locator("#question [data-about=columns] .complaint").wait_for()
    context.close()


def test_cut_points_are_lines_in_the_histogram_of_the_number(page):
    page.get_by_label("Column", exact=True).select_option("ill")
    page.get_by_label("Value", exact=True).select_option("yes")
    page.get_by_text("records have it").wait_for()
    page.get_by_role("button", name="Roles of columns").click()
    row = page.locator(".roles tr", has_text="age")
    assert row.locator(".cut-bars span").count() > 5
    assert row.locator(".cut-bars i").count() == 0
    page.get_by_label("Cut points of age").fill("30,65")
    lines = row.locator(".cut-bars i")
    assert lines.count() == 2
    bars, low, high = row.locator(".cut-bars").bounding_box(), 20, 79
    for line, cut in zip(lines.all(), (30, 65), strict=True):
        share = (line.bounding_box()["x"] - bars["x"]) / bars["width"]
        assert share == pytest.approx((cut - low) / (high - low), abs=0.02)
    assert page.locator(".roles tr", has_text="smoking").locator(".cut-bars").count() == 0


def test_an_outcome_is_built_from_a_histogram(page, table):
    page.get_by_label("Column", exact=True).select_option("bmi")
    page.get_by_label("The outcome is").select_option(">=")
    threshold = page.get_by_label("Threshold", exact=True)
    threshold.fill("30")
    threshold.press("Enter")
    n_with = int((table.bmi >= 30).sum())
    page.get_by_text(f"{n_with:,} of {len(table):,} records have it").wait_for()
    assert page.locator(".threshold .bars span.in").count() > 3
    assert "--outcome 'bmi>=30'" in shown_command(page)
    slider = page.get_by_label("Threshold on the histogram")
    slider.press("ArrowLeft")
    page.wait_for_function("() => document.querySelector('.threshold input[type=text]').value !== '30'")
    box = slider.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    page.wait_for_function("() => Number(document.querySelector('.threshold input[type=text]').value) > 31")
    threshold.fill("30")
    threshold.press("Enter")
    page.get_by_text(f"{n_with:,} of {len(table):,} records have it").wait_for()
    find_causes(page)
    page.get_by_role("heading", name="What causes bmi>=30?").wait_for()
    page.reload()
    page.get_by_text(f"{n_with:,} of {len(table):,} records have it").wait_for()
    assert page.get_by_label("Threshold", exact=True).input_value() == "30"


def test_the_mean_of_a_number_is_an_outcome(open_page, table, tmp_path):
    table["cost"] = [
        100 + number * 7 % 997 + 300 * (table.ill[number] == "yes") for number in range(len(table))
    ]
    table.to_csv(tmp_path / "patients.csv", index=False)
    with serving(tmp_path, Limits()) as address:
        page = open_page(address, own=own_addresses(address))
        page.get_by_label("Column", exact=True).select_option("bmi")
        what = page.get_by_label("The outcome is")
        assert what.input_value() == ""  # a value can be chosen from the list
        page.get_by_label("Column", exact=True).select_option("cost")
        assert what.input_value() == "mean"  # too many values for that
        summary = f"{len(table):,} records, mean {table.cost.mean():.0f}, standard deviation"
        page.get_by_text(summary).wait_for()
        assert "--outcome cost --as mean" in shown_command(page)
        find_causes(page)
        page.get_by_role("heading", name="What changes cost?").wait_for()
        page.reload()
        page.get_by_text(summary).wait_for()
        assert what.input_value() == "mean"
        what.select_option(">=")
        page.get_by_text("records have it").wait_for()
        assert "--as mean" not in shown_command(page)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_table_of_roles_fits_and_axe_finds_nothing_serious(open_page, address, width):
    page = open_page(address, own=own_addresses(address), viewport={"width": width, "height": 900})
    page.get_by_label("Column", exact=True).select_option("ill")
    page.get_by_label("Value", exact=True).select_option("yes")
    page.get_by_text("records have it").wait_for()
    page.get_by_role("button", name="Roles of columns").click()
    page.get_by_label("Cut points of age").fill("30,65")
    box = page.locator("#roles").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert complaints(page, "light", "dark") == []
    page.keyboard.press("Escape")
    assert page.locator("#roles").is_hidden()
    page.get_by_text("age at 30,65").wait_for()


def test_an_order_in_time_and_arrows_are_typed(page):
    page.get_by_label("Column", exact=True).select_option("ill")
    page.get_by_label("Value", exact=True).select_option("yes")
    page.get_by_text("records have it").wait_for()
    page.locator("summary", has_text="More settings").click()
    for label, text in (
        ("Order in time", "sex < smoking < ill < drug"),
        ("Arrows that there are", "smoking -> ill"),
        ("Arrows that there are not", "sex -> ill"),
    ):
        page.get_by_label(label, exact=True).fill(text)
        page.keyboard.press("Tab")
    page.wait_for_function("() => document.querySelector('.command .typed').textContent.includes('--forbid')")
    command = shlex.split(shown_command(page))
    assert dict(zip(command[5::2], command[6::2], strict=True)) == {
        "--tiers": "sex < smoking < ill < drug",
        "--require": "smoking -> ill",
        "--forbid": "sex -> ill",
    }
    find_causes(page)
    page.get_by_text("after it, not adjusted for: drug").first.wait_for()

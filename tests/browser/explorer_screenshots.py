"""Take the pictures of the explorer that the documents show: python tests/browser/explorer_screenshots.py."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser")]

DESK = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 800}}


def take(page, name):
    """One picture; it must not be large."""
    page.screenshot(path=IMAGES / name)
    n_bytes = (IMAGES / name).stat().st_size
    assert n_bytes < 300_000, f"{name} has {n_bytes:,} bytes"
    print(f"{name}: {n_bytes / 1000:.0f} kB")


def ask_sample(page, address):
    """The sample data and their answer."""
    from test_explorer import find_causes

    page.set_default_timeout(90_000)
    page.goto(address)
    page.get_by_role("button", name="Try sample data").click()
    page.get_by_text("records have it").wait_for()
    find_causes(page)


def on_a_desk(browser, address):
    """The start, an answer, values to choose from, a search under way, two results side by side."""
    import pytest
    from test_explorer import find_causes

    from explorer.asking import held_back

    page = browser.new_page(**DESK)
    page.goto(address)
    page.get_by_role("button", name="Try sample data").wait_for()
    take(page, "explorer-start.png")
    ask_sample(page, address)
    page.get_by_role("button", name="Choose values").click()
    page.get_by_role("group", name="smoker", exact=True).get_by_role("button", name="yes").click()
    page.get_by_role("group", name="exercise", exact=True).get_by_role("button", name="rarely").click()
    take(page, "explorer-values.png")
    page.get_by_role("button", name="Done").click()
    page.evaluate("scrollTo(0, 0)")
    take(page, "explorer-answer.png")
    page.get_by_role("button", name="Test it").click()
    page.get_by_role("heading", name="cause ill=yes?").wait_for()
    page.get_by_role("button", name="Roles of columns").click()
    page.get_by_label("Time of treatment").select_option("before")
    page.get_by_label("Role of severity").select_option("drop")
    page.get_by_text("Takes no part. Dropped on request.").wait_for()
    take(page, "explorer-roles.png")
    page.get_by_label("Time of treatment").select_option("")
    page.get_by_role("button", name="Done").click()
    page.get_by_text("12 of 13 take part").wait_for()
    find_causes(page)
    boxes = page.locator(".results input").all()
    boxes[0].click()
    boxes[2].click()
    page.get_by_role("button", name="Compare the two").click()
    page.get_by_role("heading", name="Search 1 beside Search 3").wait_for()
    page.evaluate("scrollTo(0, 0)")
    take(page, "explorer-compare.png")
    with pytest.MonkeyPatch.context() as patch, held_back(patch) as gate:
        page.get_by_role("button", name="Find causes").click()
        gate.release(4)
        page.get_by_text(re.compile(r"4 of \d+ studies")).wait_for()
        page.evaluate("scrollTo(0, 0)")
        take(page, "explorer-progress.png")
    page.close()


def elsewhere(browser, address):
    """In the dark, and on a phone."""
    page = browser.new_page(**DESK, color_scheme="dark")
    page.goto(address)
    page.get_by_role("heading", name="What causes").wait_for()
    page.get_by_role("button", name="Search 1 causes of").click()
    page.get_by_role("heading", name="What causes ill=yes?").wait_for()
    page.locator(".findings.of-causes").evaluate("node => node.scrollIntoView()")
    take(page, "explorer-dark.png")
    page.close()
    page = browser.new_page(**PHONE)
    page.goto(address)
    page.get_by_role("button", name="Search 1 causes of").click()
    page.get_by_role("heading", name="What causes ill=yes?").wait_for()
    page.locator(".findings.of-causes").evaluate("node => node.scrollIntoView()")
    take(page, "explorer-phone.png")
    page.close()


def main() -> None:
    """Write every picture, and say how large it is."""
    from playwright.sync_api import sync_playwright

    from causalrules.explorer.limits import Limits
    from explorer.asking import people_csv, serving

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        tables = Path(folder) / "cohorts"
        tables.mkdir()
        (tables / "people.csv").write_text(people_csv())
        (tables / "more people.csv").write_text(people_csv())
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with serving(tables, Limits()) as address:
            on_a_desk(browser, address)
            elsewhere(browser, address)
        browser.close()


if __name__ == "__main__":
    main()

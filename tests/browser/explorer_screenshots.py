"""Take the pictures of the explorer that the documents show: python tests/browser/explorer_screenshots.py."""

from __future__ import annotations

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
    page.wait_for_timeout(50)
    page.screenshot(path=IMAGES / name)
    n_bytes = (IMAGES / name).stat().st_size
    assert n_bytes < 300_000, f"{name} has {n_bytes:,} bytes"
    print(f"{name}: {n_bytes / 1000:.0f} kB")


def ask_adult(page, address):
    from test_explorer import choose, find_causes

    page.goto(address)
    choose(page, "adult.csv", "income", ">50K")
    find_causes(page)


def on_a_desk(browser, address):
    """An answer, values to choose from, a search under way, two results side by side."""
    from test_explorer import find_causes

    page = browser.new_page(**DESK)
    ask_adult(page, address)
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("button", name="Choose values").click()
    page.get_by_role("group", name="education", exact=True).get_by_role("button", name="Bachelors").click()
    page.get_by_role("group", name="sex", exact=True).get_by_role("button", name="Female").click()
    take(page, "explorer-values.png")
    page.get_by_role("button", name="Done").click()
    take(page, "explorer-answer.png")
    page.get_by_role("button", name="Test it").click()
    page.get_by_role("heading", name="cause income=>50K?").wait_for()
    page.get_by_text("More settings").click()
    page.get_by_label("Correction for many rules", exact=True).select_option("bonferroni")
    find_causes(page)
    boxes = page.locator(".results input").all()
    boxes[0].click()
    boxes[2].click()
    page.get_by_role("button", name="Compare the two").click()
    page.get_by_role("heading", name="Search 1 beside Search 3").wait_for()
    page.evaluate("scrollTo(0, 0)")
    take(page, "explorer-compare.png")
    page.get_by_label("Adjust for", exact=True).select_option("items")  # which studies thousands of patterns
    page.get_by_label("Longest rule", exact=True).fill("4")
    page.get_by_label("Minimum support", exact=True).fill("0.001")
    page.get_by_role("button", name="Find causes").click()
    page.wait_for_function(
        """() => { const bar = document.querySelector('progress');
                   return bar && bar.max > 300 && bar.value > 0.2 * bar.max && bar.value < 0.8 * bar.max }"""
    )
    take(page, "explorer-progress.png")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("studies finished before are kept").wait_for(timeout=120_000)
    page.close()


def elsewhere(browser, address):
    """In the dark, and on a phone."""
    page = browser.new_page(**DESK, color_scheme="dark")
    ask_adult(page, address)
    take(page, "explorer-dark.png")
    page.close()
    page = browser.new_page(**PHONE)
    ask_adult(page, address)
    page.locator(".findings.of-undecided").evaluate("node => node.scrollIntoView()")
    take(page, "explorer-phone.png")
    page.close()


def main() -> None:
    """Write every picture, and say how large it is."""
    from playwright.sync_api import sync_playwright
    from pyarrow import csv

    from causalrules.explorer.limits import Limits
    from datasets import load
    from explorer.asking import serving

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        tables = Path(folder) / "cohorts"
        tables.mkdir()
        csv.write_csv(load("adult").arrow(), tables / "adult.csv")
        csv.write_csv(load("german").arrow(), tables / "german.csv")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with serving(tables, Limits()) as address:
            on_a_desk(browser, address)
            elsewhere(browser, address)
        browser.close()


if __name__ == "__main__":
    main()

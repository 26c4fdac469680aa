"""Take the pictures of the report that the documents show: python tests/browser/screenshots.py."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser")]

DESK = {"viewport": {"width": 1120, "height": 1240}}
PHONE = {"viewport": {"width": 360, "height": 760}, "device_scale_factor": 2}
LOW = {"viewport": {"width": 1120, "height": 700}}
SHOTS = {  # file: report, rule whose card is opened, part that is looked at, how
    "report-light.png": ("adult findings", None, None, DESK),
    "report-dark.png": ("adult findings", None, ".findings.of-undecided", DESK | {"color_scheme": "dark"}),
    "report-card.png": ("adult findings", "sex=Female", None, DESK),
    "report-table-one.png": ("adult findings", "sex=Female", ".table-one", LOW),
    "report-together.png": ("findings", None, ".findings.of-causes", LOW),
    "report-variables.png": ("adult findings", None, ".variables", LOW),
    "report-phone.png": ("adult findings", None, ".findings.of-undecided", PHONE),
}


def main() -> None:
    """Write every picture, and say how large it is."""
    from playwright.sync_api import sync_playwright
    from reports import Reports

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        reports = Reports(Path(folder))
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for file, (report, rule, part, look) in SHOTS.items():
            names = [one.name for one in reports.result(report).tested]
            page = browser.new_page(**look)
            page.goto(reports.address(report) + (f"#rule-{names.index(rule) + 1}" if rule else ""))
            if part == ".table-one":
                page.locator(".card summary", has_text="characteristics").click()
                part = ".part:has(.table-one)"
            if part:
                page.locator(part).evaluate("node => node.scrollIntoView()")
            page.locator(".graph svg").wait_for()
            page.screenshot(path=IMAGES / file)
            page.close()
            print(f"{file}: {(IMAGES / file).stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()

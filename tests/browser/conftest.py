"""A real browser: Debian's chromium, driven by Playwright, cut off from the network."""

from __future__ import annotations

import os
import shutil

import pytest


def _absent(reason):
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser():
    """The launched browser, or a skip with the reason; in CI its absence is a failure.

    It ends with the file that uses it: Playwright keeps an event loop running
    meanwhile, in which a later test of the same worker could not start its own.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _absent("playwright is not installed: make test installs it")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        _absent("no chromium is installed: apt-get install chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield launched
        launched.close()


class Watched:
    """What a page did that it should not: errors, and requests to other places than its own."""

    def __init__(self, page, own):
        self.errors = []
        self.requests = []
        page.on(
            "console",
            lambda message: message.type in ("error", "warning") and self.errors.append(message.text),
        )
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: request.url.startswith(own) or self.requests.append(request.url))


@pytest.fixture
def open_page(browser):
    """Open an address; afterwards the page must have made no error and asked nobody else."""
    contexts, watched = [], []

    def open_address(address, own=None, **options):
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        context.set_default_timeout(90_000)  # a first answer may wait for kernels to be compiled
        contexts.append(context)
        page = context.new_page()
        watched.append(Watched(page, own or address.partition("#")[0]))
        page.goto(address)
        return page

    yield open_address
    for context in contexts:
        context.close()
    for one in watched:
        assert one.errors == []
        assert one.requests == []


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    """Results and their baked pages, by name."""
    from reports import Reports

    return Reports(tmp_path_factory.mktemp("reports"))


@pytest.fixture
def show(open_page, reports):
    """Open a report by name."""

    def open_report(name, fragment="", **options):
        return open_page(reports.address(name) + fragment, **options)

    return open_report

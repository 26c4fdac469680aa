"""Hypothesis without deadlines, since a kernel's first call compiles it; and which tests share a worker."""

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ours",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("ours")

if "PYTEST_XDIST_WORKER" in os.environ:
    # Coverage watches the workers, not the commands that tests start: with them it took 68 % more
    # processor time instead of 30 %, and what they run is also run inside of this process.
    os.environ.pop("COVERAGE_PROCESS_CONFIG", None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """For tests in parallel: a file stays on one worker, and so do all tests of Spark, and of the browser.

    A Spark session, a browser and what a file mines once for its tests are
    then made once. Spark and the browser are the longest, so they start first.
    """
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item)))
    items.sort(key=lambda item: _group(item) not in ("spark", "browser"))


def _group(item):
    if item.nodeid.startswith("tests/browser/"):
        return "browser"
    return "spark" if "spark" in item.nodeid else item.nodeid.partition("::")[0]

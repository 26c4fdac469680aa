"""Hypothesis without deadlines, since a kernel's first call compiles it; and which tests share a worker."""

import json
import os
import sys
from functools import wraps

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

import datasets
import naive
import naive_baselines
import naive_matching
import naive_sampling
import naive_study
from unwatched import leave_unwatched, not_watching, only_examples_watched

settings.register_profile(
    "ours",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("ours")

_MOST_RULES_CHECKED = 200
"""Of one result: the others hardly differ, and take seconds."""

collect_ignore = ["typed"]
"""A user's file, which the type checker reads and nobody runs."""

if "PYTEST_XDIST_WORKER" in os.environ:
    # Coverage watches the workers, not the commands that tests start: with them it took 68 % more
    # processor time instead of 30 %, and what they run is also run inside of this process.
    os.environ.pop("COVERAGE_PROCESS_CONFIG", None)

if sys.gettrace():
    for module in (naive, naive_baselines, naive_matching, naive_sampling, naive_study, datasets):
        leave_unwatched(module)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Hypothesis's own lines are not ours; to watch them takes as long as the tests."""
    if not is_hypothesis_test(pyfuncitem.obj):
        return (yield)
    with only_examples_watched(pyfuncitem.obj.hypothesis):
        return (yield)


@pytest.fixture(autouse=True, scope="session")
def _results_fit_their_schema():
    """Every result that a test writes is held to the published schema."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError:  # tests with the oldest packages do without
        yield
        return
    from causalrules.domain import Result
    from causalrules.domain.result_schema import result_schema

    schema = result_schema()
    one_rule = Draft202012Validator(schema["properties"]["rules"].pop("items"))
    all_but_rules = Draft202012Validator(schema)
    written, known = Result.to_dict, set()

    @wraps(written)
    def checked(result):
        said = written(result)
        with not_watching():
            all_but_rules.validate(json.loads(json.dumps(said | {"rules": []})))
            rules = {hash(text): text for text in map(json.dumps, said["rules"][:_MOST_RULES_CHECKED])}
            # A check takes 1 ms, and most rules are written again and again.
            for number in rules.keys() - known:
                one_rule.validate(json.loads(rules[number]))
                known.add(number)
        return said

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Result, "to_dict", checked)
        yield


@pytest.hookimpl(optionalhook=True)  # tests also run without pytest-xdist
def pytest_xdist_make_scheduler(config, log):
    """A file stays on one worker, and so do all tests of Spark, and all of the browser.

    A Spark session, a browser and what a file mines once for its tests are then
    made once. The groups are told by the scheduler itself: pytest-xdist's own
    (`--dist=loadgroup`) writes them into a test's name, which pytest 9.2 no longer lets it.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return _group(nodeid)

    return ByFile(config, log)


def pytest_collection_modifyitems(items):
    """Spark and the browser take longest, so they start first."""
    items.sort(key=lambda item: _group(item.nodeid) not in ("spark", "browser"))


def _group(nodeid):
    if nodeid.startswith("tests/browser/"):
        return "browser"
    return "spark" if "spark" in nodeid else nodeid.partition("::")[0]

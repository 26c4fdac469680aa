"""Saved results come from outside: damaged or edited ones end in one sentence, never in a traceback."""

import copy
import json
import random
from contextlib import suppress
from functools import cache

import jsonschema
import pytest

import causalrules
from causalrules.domain import Result
from causalrules.domain.result_schema import result_schema
from causalrules.errors import CausalRulesError
from causalrules.publish.result_page import page_text
from causalrules.report.markdown import mining_markdown
from causalrules.report.terminal.mining import mining_report
from causalrules.simulation import planted_table

STRANGE = (None, True, -1, 0, 1e308, "", "x" * 3000, "\x1b[31m", [], [None], {}, {"a": 1}, 10**30)


@cache
def saved():
    result = causalrules.mine(planted_table(2000), "ill=yes")
    return json.loads(json.dumps(result.to_dict()))


def places(node, way=()):
    """The way to every value of the file."""
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in entries:
        yield (*way, key)
        yield from places(value, (*way, key))


def mutated(entry, random_source):
    """The file with one to three places gone or with something else in them."""
    changed = copy.deepcopy(entry)
    for _ in range(random_source.randint(1, 3)):
        way = random_source.choice(list(places(changed)))
        owner = changed
        for key in way[:-1]:
            owner = owner[key]
        if random_source.random() < 0.3:
            del owner[way[-1]]
        else:
            owner[way[-1]] = random_source.choice(STRANGE)
    return changed


def shown(path):
    """Load a result and show it in every way; only our own errors may come out."""
    with suppress(CausalRulesError):
        result = Result.load(path)
        assert repr(result)
        assert page_text(result)
        assert mining_markdown(result)
        assert mining_report(result)


def test_every_result_fits_the_published_schema():
    jsonschema.Draft202012Validator.check_schema(result_schema())
    jsonschema.validate(saved(), result_schema())


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_result_is_shown_or_refused(tmp_path, seed):
    path = tmp_path / "result.json"
    path.write_text(json.dumps(mutated(saved(), random.Random(seed))))
    shown(path)

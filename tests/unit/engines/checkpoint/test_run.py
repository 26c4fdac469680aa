"""A checkpoint says what it is of, and what is other now."""

import json
from dataclasses import replace

import pytest

from causalrules.domain import Settings
from causalrules.engines.checkpoint.checkpoint import describe, differences
from causalrules.paper import PaperSettings
from strategies import coded

ROWS = [{"a": "p", "b": "q", "z": True}, {"a": "q", "b": "p", "z": False}]
TABLE = coded(ROWS)


def run(settings=None, fingerprints=("ab",), table=TABLE, **other):
    return describe(table.summary, table.items, settings or Settings(), fingerprints) | other


HERE = run()


def test_it_is_read_back_as_it_was():
    assert json.loads(json.dumps(HERE)) == HERE
    assert HERE["schema"] == "causalrules-checkpoint/2"
    assert HERE["settings"]["min_support"] == 0.05


@pytest.mark.parametrize(
    "settings", [Settings(threads=3), Settings(engine="memory"), Settings(engine="streaming", memory="1GB")]
)
def test_what_does_not_change_a_result_does_not_change_the_run(settings):
    assert run(settings) == HERE


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (run(Settings(min_support=0.01)), ["min_support was 0.01 and is 0.05 now"]),
        (
            run(PaperSettings(matching="exact")),
            ["another method was asked", "matching was 'exact' and is 'auto' now"],
        ),
        (run(Settings(drop="x", seed=1)), ["seed was 1 and is 0 now", "drop was ['x'] and is [] now"]),
        (run(fingerprints=["cd"]), ["some of the 2 records are others"]),
        (run(fingerprints=["cd"], n_records=1234567), ["the records are others (1,234,567 there, 2 now)"]),
        (
            run(table=replace(TABLE, items=TABLE.items[::-1])),
            ["the columns or their values are others (4 items there, 4 now)"],
        ),
        (
            run(table=replace(TABLE, items=TABLE.items[::-1]), n_records=3),
            ["the records are others (3 there, 2 now)"],
        ),
        (run(outcome="z=no"), ["the outcome was 'z=no' and is 'z=yes' now"]),
        (run(version="0.0.9"), [f"it was made by causalrules 0.0.9, this is {HERE['version']}"]),
        (
            run(settings=None) | {"settings": {**HERE["settings"], "newer": None}},
            ["another method was asked"],
        ),
        (
            run(schema="causalrules-checkpoint/9"),
            [
                "its form is 'causalrules-checkpoint/9', "
                "this version of causalrules reads 'causalrules-checkpoint/2'"
            ],
        ),
        (run(source="/elsewhere.csv"), []),
    ],
)
def test_differences_are_named(there, said):
    assert differences(there, HERE) == said


def test_every_setting_is_looked_at_but_those_without_effect():
    assert set(Settings().to_dict()) - set(HERE["settings"]) == {"engine", "memory", "threads"}

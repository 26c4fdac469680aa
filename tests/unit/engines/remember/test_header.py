"""A checkpoint says what it is of, and what is other now."""

import json
from dataclasses import replace

import pytest

from causalrules.domain import Settings
from causalrules.engines.remember.header import Header, SchemaError, _digest
from strategies import coded

ROWS = [{"a": "p", "b": "q", "z": True}, {"a": "q", "b": "p", "z": False}]
TABLE = coded(ROWS)


def header(settings=None, fingerprints=("ab",), table=TABLE):
    return Header.of(table.summary, table.items, settings or Settings(), fingerprints)


HERE = header()


def test_it_is_read_back_as_it_was():
    assert Header.from_bytes(HERE.to_bytes()) == HERE
    entry = json.loads(HERE.to_bytes())
    assert entry["schema"] == "causalrules-checkpoint/1"
    assert entry["settings"]["min_support"] == 0.05


@pytest.mark.parametrize(
    "settings", [Settings(threads=3), Settings(engine="memory"), Settings(engine="streaming", memory="1GB")]
)
def test_what_does_not_change_a_result_does_not_change_the_run(settings):
    assert header(settings) == HERE


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (header(Settings(min_support=0.01)), ["min_support was 0.01 and is 0.05 now"]),
        (header(Settings(epsilon=3)), ["epsilon was 3 and is not given now"]),
        (header(Settings(drop="x", seed=1)), ["seed was 1 and is 0 now", "drop was ['x'] and is [] now"]),
        (header(fingerprints=["cd"]), ["some of the 2 records are others"]),
        (
            replace(header(fingerprints=["cd"]), n_records=1234567),
            ["the records are others (1,234,567 there, 2 now)"],
        ),
        (
            header(table=replace(TABLE, items=TABLE.items[::-1])),
            ["the columns or their values are others (4 items there, 4 now)"],
        ),
        (replace(HERE, outcome="z=no"), ["the outcome was 'z=no' and is 'z=yes' now"]),
        (replace(HERE, version="0.0.9"), [f"it was made by causalrules 0.0.9, this is {HERE.version}"]),
        (
            replace(HERE, settings={**HERE.settings, "newer": None}),
            ["newer was not given and is 'unknown' now"],
        ),
        (replace(HERE, source="/elsewhere.csv"), []),
    ],
)
def test_differences_are_named(there, said):
    assert there.differences(HERE) == said
    assert (there.fingerprint == HERE.fingerprint) == (said == [])


def test_every_setting_is_looked_at_but_those_without_effect():
    assert set(Settings().to_dict()) - set(HERE.settings) == {"engine", "memory", "threads"}


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b"null", HERE.to_bytes()[:-1], b"[" * 100_000])
def test_what_is_damaged_is_nothing(data):
    assert Header.from_bytes(data) is None


def test_a_byte_changed_is_seen():
    data = HERE.to_bytes()
    assert Header.from_bytes(data.replace(b"0.05", b"0.06")) is None


def test_another_form_is_named():
    entry = json.loads(HERE.to_bytes()) | {"schema": "causalrules-checkpoint/9"}
    del entry["checksum"]
    data = json.dumps(entry | {"checksum": _digest(entry)}).encode()
    with pytest.raises(SchemaError, match=r"its form is 'causalrules-checkpoint/9', this version"):
        Header.from_bytes(data)

"""Damaged tables end in an answer or in one sentence, with every reader and both engines."""

from contextlib import suppress

import pytest

import causalrules
import source_formats
from causalrules.errors import CausalRulesError
from causalrules.read.table_at import TableAt
from fuzz.mutations import chance_of, damaged_file, outcome_of, samples

SAMPLES = samples()
NAMES = ["sex", "age", "city", "ill"]


def ask(path, engine, **options):
    """Mine a file; only our own errors may come out."""
    with suppress(CausalRulesError):
        mined(path, engine=engine, **options)


def mined(path, **options):
    """A search through the file, told what its name does not tell."""
    names = NAMES if path.name == "a.data" else None
    at = TableAt(path, sheet="People") if path.suffix == ".xlsx" else path
    return causalrules.mine(at, outcome_of(path.name), columns=names, max_length=1, **options)


def written(folder, name, content):
    """The file in a folder, and what stands beside it; gives the path to ask about."""
    path = folder / name
    path.write_bytes(content)
    if path.suffix != ".names":
        return path
    beside = path.with_suffix(".data")
    beside.write_bytes(source_formats.text().partition(b"\n")[2].replace(b",,", b",?,"))
    return beside


@pytest.mark.parametrize("name", SAMPLES)
def test_the_sound_file_is_read(tmp_path, name):
    found = mined(written(tmp_path, name, SAMPLES[name])).data.outcome.n_with
    expected = sum(row["ILL"] == "yes" for row in source_formats.ROWS) if name.startswith("people") else 20
    assert found == expected


@pytest.mark.parametrize("engine", ["memory", "streaming"])
@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files_are_read_or_refused(tmp_path, name, engine):
    for number in range(40 if name.startswith("a.") else 6):
        path = written(tmp_path, name, damaged_file(name, chance_of(name, number)))
        ask(path, engine, controls="items" if number % 2 else "auto")

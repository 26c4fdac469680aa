"""Damaged tables end in an answer or in one sentence, with every reader and both engines."""

from contextlib import suppress

import pytest

import causalrules
from causalrules.errors import CausalRulesError
from fuzz.mutations import OUTCOME, chance_of, damaged, samples

SAMPLES = samples()


def ask(path, engine, **options):
    """Mine a file; only our own errors may come out."""
    with suppress(CausalRulesError):
        names = ["sex", "age", "city", "ill"] if path.suffix == ".data" else None
        causalrules.mine(path, OUTCOME, columns=names, engine=engine, max_length=1, **options)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_sound_file_is_read(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(SAMPLES[name])
    names = ["sex", "age", "city", "ill"] if path.suffix == ".data" else None
    assert causalrules.mine(path, OUTCOME, columns=names).data.outcome.n_with == 20


@pytest.mark.parametrize("engine", ["memory", "streaming"])
@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files_are_read_or_refused(tmp_path, name, engine):
    path = tmp_path / name
    for number in range(40):
        path.write_bytes(damaged(SAMPLES[name], chance_of(name, number)))
        ask(path, engine, controls="items" if number % 2 else "auto")

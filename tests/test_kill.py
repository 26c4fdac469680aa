"""Sixty runs are killed at random moments, some twice; each goes on and finds what it would have found."""

import os
import random
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import chain

import pytest

import causalrules
from causalrules.engines.checkpoint import SavedAnswers
from causalrules.report.table_files import write_table
from causalrules.simulation import planted_table
from started_commands import start_saving_every_answer

pytestmark = pytest.mark.slow

WAYS = {
    "as usual": {},
    "two threads": {"threads": 2},
    "exact": {"controls": "items", "max_length": 2, "explain": False},
    "records kept": {"controls": "items", "max_length": 1, "checkpoint_records": True},
    "records kept in blocks": {"engine": "streaming", "max_length": 1, "checkpoint_records": True},
    "by distance, held out": {"matching": "jaccard", "holdout": 0.5, "max_length": 1, "explain": True},
}
N_KILLS = 10  # of each way


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "patients.csv"
    write_table(planted_table(2000), path)
    return path


def arguments_of(options):
    for name, value in options.items():
        if value is not False:
            yield f"--{name.replace('_', '-')}"
            yield from () if value is True else (str(value),)


def kill_a_run(table, options, folder, n_answers, delay):
    """Start the command and kill it soon after it has saved so many answers; whether it was running yet.

    Every answer is saved by itself, so that there is much to be killed in the middle of.
    """
    command = ["mine", str(table), "--outcome", "ill=yes", "--threads", "1", "--quiet"]
    more = ["--checkpoint", str(folder), *arguments_of(options)]
    told = folder.with_suffix(".told")
    process = start_saving_every_answer([*command, *more], told)
    while process.is_alive() and len(answers_in(folder)) < n_answers:
        time.sleep(0.001)
    time.sleep(delay)
    process.kill()
    process.join()
    assert told.read_bytes() == b""
    told.unlink()
    return process.exitcode == -9


def answers_in(folder):
    """Keys of the answers that were saved, whoever has the lock; none while that cannot be told."""
    file = (folder / "checkpoint.sqlite").absolute().as_uri()
    try:
        with closing(sqlite3.connect(f"{file}?immutable=1", uri=True)) as connection:
            return {key for (key,) in connection.execute("SELECT key FROM answers")}
    except sqlite3.Error:
        return set()


def found_by(result):
    found = result.to_dict()
    del found["created"], found["timings"]
    return found


@pytest.mark.parametrize("way", WAYS)
def test_a_killed_run_goes_on_and_finds_the_same(patients, tmp_path, way):
    options = WAYS[way]
    settings = {"threads": 1} | options
    with pytest.MonkeyPatch.context() as patch:
        for name in ("SECONDS_BETWEEN_SAVES", "SHARE_BETWEEN_SAVES"):
            patch.setattr(f"causalrules.engines.checkpoint.saved_answers.{name}", 0.0)
        expected = found_by(
            causalrules.mine(str(patients), "ill=yes", checkpoint=tmp_path / "whole", **settings)
        )
    assert expected["rules"]
    n_whole = len(answers_in(tmp_path / "whole"))
    chance = random.Random(f"moments of {way}")
    moments = [
        # The first answer is the survey: records are written right after it.
        sorted(chance.choice([1, chance.randrange(1, n_whole)]) for _ in range(2 if trial % 3 == 0 else 1))
        for trial in range(N_KILLS)
    ]
    delays = [[chance.uniform(0, 0.02) for _ in times] for times in moments]

    def kill(trial):
        folder = tmp_path / f"c{trial}"
        return [
            kill_a_run(patients, options, folder, *when)
            for when in zip(moments[trial], delays[trial], strict=True)
        ]

    with ThreadPoolExecutor(2) as pool:
        was_running = list(chain.from_iterable(pool.map(kill, range(N_KILLS))))
    assert sum(was_running) >= len(was_running) // 2  # else too few were killed in the middle
    assert sorted(os.listdir(tmp_path)) == sorted(["whole", *(f"c{trial}" for trial in range(N_KILLS))])
    for trial in range(N_KILLS):
        folder = tmp_path / f"c{trial}"
        n_before = n_whole_answers_in(folder)
        result = causalrules.mine(str(patients), "ill=yes", checkpoint=folder, **settings)
        assert found_by(result) == expected, f"killed at {moments[trial]}"
        # Nothing that a killed run saved was found damaged: it would have been put aside.
        files = ["records-0-0.parquet"] if "checkpoint_records" in options else []
        assert sorted(os.listdir(folder)) == ["checkpoint.sqlite", *files]
        assert n_before <= len(answers_in(folder)) == n_whole


def n_whole_answers_in(folder):
    """Answers that a run finds after the kill: SQLite undoes what was being written."""
    saved = SavedAnswers(folder, pytest.fail)
    saved.open()
    try:
        if saved.run() is None:
            return 0
        keys = [key for (key,) in saved._connection.execute("SELECT key FROM answers")]
        assert all(saved.find(key) is not None for key in keys)
        return len(keys)
    finally:
        saved.close()

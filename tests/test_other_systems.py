"""What only Windows does, done here: files that somebody has open can be neither removed nor replaced."""

import os
import stat
from pathlib import Path

import pytest

import causalrules
from causalrules.engines import load
from causalrules.engines.blocks import Blocks
from causalrules.engines.checkpoint.saved_answers import SavedAnswers
from causalrules.errors import CausalRulesError
from causalrules.report.table_files import write_table
from causalrules.simulation import planted_table

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="open files are looked up in Linux's /proc"
)


def open_files():
    """The regular files that this process has open."""
    found = set()
    for entry in os.scandir("/proc/self/fd"):
        try:
            if stat.S_ISREG(os.stat(entry.path).st_mode):
                found.add(os.readlink(entry.path))
        except OSError:
            continue
    return found


@pytest.fixture
def strict_disk(monkeypatch, tmp_path):
    """A disk below which nothing that is open is removed, renamed or replaced; gives the folder."""

    def guarded(name, n_paths):
        real = getattr(os, name)

        def act(*paths, dir_fd=None, **options):
            for path in paths[:n_paths]:
                start = os.readlink(f"/proc/self/fd/{dir_fd}") if dir_fd is not None else os.getcwd()
                whole = os.path.join(start, os.fspath(path))
                if whole in open_files() and whole.startswith(str(tmp_path)):
                    raise PermissionError(
                        13, "The process cannot access the file because it is in use", whole
                    )
            if dir_fd is not None:
                options["dir_fd"] = dir_fd
            return real(*paths, **options)

        monkeypatch.setattr(os, name, act)

    for name, n_paths in (("unlink", 1), ("remove", 1), ("rename", 2), ("replace", 2)):
        guarded(name, n_paths)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    return tmp_path


def test_the_strict_disk_is_strict(tmp_path, strict_disk):
    path = tmp_path / "open.txt"
    with path.open("w"), pytest.raises(PermissionError):
        path.unlink()
    path.unlink()


def left_in(folder):
    return sorted(path.name for path in (folder / "temporary").iterdir())


def test_streaming_leaves_nothing_behind(strict_disk, monkeypatch):
    monkeypatch.setattr(load, "records_within", lambda *_: 50)
    path = strict_disk / "people.csv"
    write_table(planted_table(600), path)
    written = []
    real = Blocks._write
    monkeypatch.setattr(Blocks, "_write", lambda *given: written.append(1) or real(*given))
    result = causalrules.mine(path, "ill=yes", max_length=1, engine="streaming")
    assert result.data.rows == 600
    assert written, "records were on the disk"
    assert left_in(strict_disk) == []


@pytest.mark.parametrize("name", ["people.sqlite", "people.duckdb", "people.csv.gz", "people.sav"])
def test_sources_that_need_a_copy_leave_nothing_behind(strict_disk, name):
    import source_formats

    path = source_formats.FILES[name][1](strict_disk, name)
    for engine in ("memory", "streaming"):
        source_formats.answer(path, engine=engine)
    assert left_in(strict_disk) == []


def test_results_and_checkpoints_are_replaced(strict_disk):
    kept = strict_disk / "kept"
    table, options = planted_table(300), {"max_length": 1, "checkpoint": kept}
    for _ in range(2):
        causalrules.mine(table, "ill=yes", **options).save(strict_disk / "result.json")
        assert os.listdir(kept) == ["checkpoint.sqlite"]
    with (kept / "checkpoint.sqlite").open("r+b") as file:
        file.truncate(3000)
    causalrules.mine(table, "ill=yes", **options)
    assert sorted(os.listdir(kept)) == ["checkpoint.sqlite", "damaged.sqlite"]


def test_a_checkpoint_for_nothing_is_taken_away(strict_disk):
    with pytest.raises(CausalRulesError):
        causalrules.mine(planted_table(300), "ill=perhaps", checkpoint=strict_disk / "kept")
    saved = SavedAnswers(strict_disk / "kept", print)
    saved.open()
    saved.close()
    assert not (strict_disk / "kept").exists()


def test_the_explorer_leaves_nothing_behind(strict_disk):
    pytest.importorskip("starlette")
    from starlette.testclient import TestClient

    from causalrules.explorer.server import opened
    from explorer.asking import LIMITS, answered, people_csv

    (strict_disk / "tables").mkdir()
    with opened(strict_disk / "tables", 0, LIMITS) as explorer:
        address, _, token = explorer.url.partition("/#")
        client = TestClient(explorer.app, base_url=address, headers={"X-Causalrules-Token": token})
        for number in range(LIMITS.uploads + 1):
            file = client.post("/api/uploads", params={"name": f"{number}.csv"}, content=people_csv()).json()
        answered(client, {"file": file["id"], "outcome": {"column": "health", "value": "ill"}})
    assert left_in(strict_disk) == []

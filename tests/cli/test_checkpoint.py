"""--checkpoint as people use it."""

import contextlib
import json
import os
import subprocess
import sys

import pytest

from causalrules.report.table_files import write_table
from causalrules.simulation import planted_table
from terminal import seen_on_a_terminal


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "patients.csv"
    write_table(planted_table(1000), path)
    return path


@pytest.fixture
def mine(command, patients):
    return lambda *more: command("mine", patients, "--outcome", "ill=yes", *more)


def without_times(path):
    result = json.loads(path.read_text())
    del result["created"], result["timings"]
    return result


@pytest.mark.parametrize("controls", ["items", "auto"])
def test_the_same_command_answers_from_the_checkpoint(mine, tmp_path, controls):
    options = ["--controls", controls, "--json"]
    assert mine(*options, "plain.json")[0] == 0
    code, first, said = mine("--checkpoint", "c", *options, "first.json")
    assert (code, said) == (0, "")
    code, again, said = mine("--checkpoint", "c", *options, "again.json")
    n_rules = len(json.loads((tmp_path / "plain.json").read_text())["rules"])
    assert said == f"Resumed from c: {n_rules} of {n_rules} cohort studies were taken from there.\n"
    assert (code, again) == (0, first)
    results = [without_times(tmp_path / f"{name}.json") for name in ("plain", "first", "again")]
    assert results[0] == results[1] == results[2]
    assert sorted(os.listdir(tmp_path)) == ["again.json", "c", "first.json", "plain.json"]
    assert mine("--checkpoint", "c", "--controls", controls, "--quiet")[2] == ""


def test_another_run_is_a_mistake_of_use(mine, refuse, patients, tmp_path):
    mine("--checkpoint", "c")
    arguments = ["mine", patients, "--outcome", "ill=yes", "--min-support", "0.1", "--checkpoint", "c"]
    assert refuse(2, *arguments) == (
        "causalrules: cannot use c as a checkpoint: it holds another run: "
        "min_support was 0.05 and is 0.1 now. Name another folder for this run, or delete that one.\n"
    )


def test_a_place_where_no_folder_can_be_is_told_before_the_table_is_read(refuse):
    said = refuse(1, "mine", "missing.csv", "--outcome", "ill=yes", "--checkpoint", "no/where")
    assert said == (
        "causalrules: cannot use no/where as a checkpoint: No such file or directory. "
        "Name a folder that can be written to.\n"
    )


@pytest.mark.parametrize(
    ("controls", "moment"), [("items", "progress.length == 2"), ("auto", "progress.tested == 2")]
)
def test_ctrl_c_saves_what_was_counted(patients, tmp_path, controls, moment):
    program = (
        "import os, signal, sys\n"
        "import causalrules.cli.progress_bar as progress_bar\n"
        "def interrupt(progress):\n"
        f"    if {moment}: os.kill(os.getpid(), signal.SIGINT)\n"
        "progress_bar.ignore_progress = interrupt\n"
        "from causalrules.cli import main\n"
        "main()\n"
    )
    options = ["mine", str(patients), "--outcome", "ill=yes", "--threads", "1"]
    options += ["--direction", "raises"] if controls == "items" else []
    options += ["--controls", controls, "--checkpoint", "c"]
    stopped, resumed, plain = (
        subprocess.run(
            [sys.executable, *start, *options[:with_folder], "--json", name],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        for start, with_folder, name in [
            (["-c", program], None, "stopped.json"),
            (["-m", "causalrules"], None, "resumed.json"),
            (["-m", "causalrules"], -2, "plain.json"),
        ]
    )
    assert stopped.returncode == 130
    assert "Saved in c: the same command resumes from there." in stopped.stderr
    n_stopped = len(json.loads((tmp_path / "stopped.json").read_text())["rules"])
    n_whole = len(json.loads((tmp_path / "plain.json").read_text())["rules"])
    assert 0 < n_stopped < n_whole
    assert (resumed.returncode, plain.stderr) == (0, "")
    assert f" of {n_whole} cohort studies were taken from there." in resumed.stderr
    assert without_times(tmp_path / "resumed.json") == without_times(tmp_path / "plain.json")


def test_the_bar_tells_what_was_taken_from_the_checkpoint(mine, patients):
    mine("--checkpoint", "c")
    asked = ["mine", patients, "--outcome", "ill=yes", "--checkpoint", "c"]
    seen = seen_on_a_terminal(asked, "stderr", COLUMNS="120")
    assert b"from the checkpoint)" in seen
    assert b"Resumed from c" in seen


@pytest.fixture
def small_disk(tmp_path):
    """A folder with room for a quarter of a megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_fills_up_does_not_end_the_run(mine, small_disk, tmp_path, monkeypatch):
    for name in ("SECONDS_BETWEEN_SAVES", "SHARE_BETWEEN_SAVES"):
        monkeypatch.setattr(f"causalrules.engines.checkpoint.saved_answers.{name}", 0.0)
    options = ["--controls", "items", "--max-length", "3", "--json"]
    assert mine(*options, "plain.json")[0] == 0
    (small_disk / "other").write_bytes(bytes(150_000))
    run = ["--checkpoint", small_disk / "c", *options, "full.json"]
    code, _, said = mine(*run)
    assert code == 0
    assert " ".join(said.split()) == (
        f"Cannot save to the checkpoint {small_disk / 'c'}: No space left on device. "
        "The run goes on and tries again later; what was saved before is whole."
    )
    assert without_times(tmp_path / "full.json") == without_times(tmp_path / "plain.json")
    assert os.listdir(small_disk / "c") == ["checkpoint.sqlite"]
    assert (small_disk / "c" / "checkpoint.sqlite").stat().st_size > 20_000
    (small_disk / "other").unlink()
    code, _, said = mine(*run)
    assert code == 0
    assert "Resumed from" in said
    assert without_times(tmp_path / "full.json") == without_times(tmp_path / "plain.json")


def test_a_disk_that_is_full_from_the_start_is_told_at_once(mine, small_disk, tmp_path):
    with contextlib.suppress(OSError), (small_disk / "other").open("wb") as file:
        while True:
            file.write(bytes(4096))
            file.flush()
    code, out, said = mine("--checkpoint", small_disk / "c")
    assert (code, out) == (1, "")
    assert "No space left on device. Name a folder that can be written to." in said
    assert os.listdir(small_disk) == ["other"]

"""The command as a process: how it ends, and what it does when it is asked to end."""

import json
import os
import signal
import subprocess
import sys

import pytest

from causalrules.report.table_files import write_table
from causalrules.simulation import planted_table


@pytest.fixture
def patients(tmp_path):
    path = tmp_path / "patients.csv"
    write_table(planted_table(2000), path)
    return path


def command(*arguments):
    return [sys.executable, "-m", "causalrules", *map(str, arguments)]


def test_all_that_was_printed_arrives_and_what_was_registered_for_the_end_is_called(patients):
    program = (
        "import atexit, sys\n"
        "atexit.register(print, 'registered', file=sys.stderr)\n"
        "from causalrules.cli import main\n"
        "main()\n"
    )
    arguments = ["mine", str(patients), "--outcome", "ill=yes", "--format", "json"]
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "registered\n")
    assert json.loads(done.stdout)["rules"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_device_under_standard_output_is_told(patients):
    with open("/dev/full", "w") as full:
        done = subprocess.run(command("--version"), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("causalrules: could not finish: No space left on device")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to be caught")
@pytest.mark.parametrize("options", [(), ("--engine", "streaming", "--memory", "16MiB")])
def test_a_request_to_end_is_treated_like_ctrl_c(patients, tmp_path, options):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    program = (
        "import os, signal\n"
        "import causalrules.cli.progress_bar as progress_bar\n"
        "def end(progress):\n"
        "    if progress.tested == 2: os.kill(os.getpid(), signal.SIGTERM)\n"
        "progress_bar.ignore_progress = end\n"
        "from causalrules.cli import main\n"
        "main()\n"
    )
    arguments = ["mine", patients, "--outcome", "ill=yes", "--json", tmp_path / "r.json", *options]
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        env=os.environ | {"TMPDIR": str(scratch)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 128 + signal.SIGTERM
    assert "Interrupted: " in done.stderr
    assert json.loads((tmp_path / "r.json").read_text())["interrupted"]
    assert not any(scratch.iterdir())

"""Every call to the disk fails once, in turn, and nothing is lost."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def failing_disk(tmp_path_factory):
    """The library that fails, compiled; a skip with the reason where it cannot be."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        reason = "needs Linux and a C compiler: apt-get install gcc libc6-dev"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    library = tmp_path_factory.mktemp("disk") / "failing_disk.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", library, HERE / "failing_disk.c", "-ldl"],
        check=True,
        timeout=120,
    )
    return library


def test_every_call_to_the_disk_fails_once(failing_disk, tmp_path):
    beneath = {"LD_PRELOAD": str(failing_disk), "FAILING_DISK": str(tmp_path.resolve())}
    run = subprocess.run(
        [sys.executable, HERE / "failing_disk.py", tmp_path.resolve()],
        env=os.environ | beneath,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["wrong"] == []
    for scenario, least in (("replace_a_file", 8), ("resume_a_checkpoint", 30), ("begin_a_checkpoint", 40)):
        for error in ("EIO", "ENOSPC"):
            assert least < found["rounds"][f"{scenario}, {error}"] < 999, "all calls had their turn"

"""Where nothing can be kept between runs, a run still works."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import causalrules

PROGRAM = """
import os, numba, numpy
import numba.core.caching
numba.njit(lambda number: number)(1)  # what another user may not read is imported by now
import numba.extending, numba.core.runtime
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
from causalrules.kernels import bits
bits.count_codes.compiled
print(bits.__file__)
"""


@pytest.fixture
def installed(tmp_path):
    """The package as root installs it, where nobody else can write."""
    copy = tmp_path / "installed" / "causalrules"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(causalrules.__file__).parent, copy, ignore=ignore)
    for folder, _, files in os.walk(copy):
        for name in files:
            Path(folder, name).chmod(0o444)
        Path(folder).chmod(0o555)
    tmp_path.chmod(0o755)
    yield copy.parent
    for folder, _, _ in os.walk(copy):
        Path(folder).chmod(0o755)


def run_as_nobody(installed, tmp_path, **environment):
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root can run a command as another user")
    readable = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(installed)}
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and not folder.stat().st_mode & 0o005:
            folder.chmod(0o755)
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**readable, **environment},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_home_the_compiled_code_is_kept_among_temporary_files(installed, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    temporary.chmod(0o777)
    done = run_as_nobody(installed, tmp_path, HOME="/nonexistent", TMPDIR=str(temporary))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(installed))
    folder = temporary / "causalrules-65534"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_made_is_not_trusted(installed, tmp_path):
    temporary = tmp_path / "temporary"
    (temporary / "causalrules-65534").mkdir(parents=True)
    temporary.chmod(0o777)
    (temporary / "causalrules-65534").chmod(0o777)
    done = run_as_nobody(installed, tmp_path, HOME="/nonexistent", TMPDIR=str(temporary))
    assert done.returncode == 0, done.stderr
    assert not list((temporary / "causalrules-65534").iterdir())


def test_a_full_disk_under_the_cache_costs_time_only(monkeypatch, tmp_path):
    from numba.core import caching

    from causalrules.kernels.compiled import kernel

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(caching.IndexDataCacheFile, "save", full)
    assert kernel(_twice)(21) == 42


def test_a_damaged_cache_costs_time_only(monkeypatch):
    from numba.core import caching

    from causalrules.kernels.compiled import kernel

    def damaged(*_):
        raise EOFError("Ran out of input")

    monkeypatch.setattr(caching.IndexDataCacheFile, "load", damaged)
    assert kernel(_twice)(21) == 42


def _twice(number):
    return 2 * number

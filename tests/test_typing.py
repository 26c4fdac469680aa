"""A user's file is understood by `mypy --strict` and by pyright: settings are typed, mistakes are seen."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import causalrules

EXAMPLE = Path(__file__).parent / "typed" / "user_example.py"

SOURCE = Path(causalrules.__file__).parents[1]

CONFIG = f"""
[mypy]
strict = true
mypy_path = {SOURCE}
follow_imports = silent

[mypy-dowhy.*,networkx.*,numba.*,psutil.*,pyarrow.*,pandas.*,scipy.*,sklearn.*]
ignore_missing_imports = true
follow_imports = skip

[mypy-altair.*,click.*,duckdb.*,jinja2.*,narwhals.*,numpy.*,polars.*,pyagrum.*,pyspark.*,rich.*,starlette.*]
follow_imports = skip
"""
"""Other people's packages are not read: that took most of the time, and no type of ours depends on them."""


def test_a_users_file_is_typed(tmp_path):
    # Unused ignores are errors in strict mode: the last lines of the file must be seen as mistakes.
    (tmp_path / "mypy.ini").write_text(CONFIG)
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(EXAMPLE)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


MISTAKES = [
    number for number, line in enumerate(EXAMPLE.read_text().splitlines()) if "# type: ignore" in line
]


def test_pyright_sees_the_same(tmp_path):
    pytest.importorskip("basedpyright", reason="make test installs it")
    settings = {
        "include": [str(EXAMPLE)],
        "typeCheckingMode": "strict",
        "extraPaths": [str(SOURCE)],
        "enableTypeIgnoreComments": False,  # so that it has to name the mistakes
        "reportUnknownMemberType": False,  # Arrow has no types
        "reportUnknownVariableType": False,
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    found = json.loads(done.stdout)["generalDiagnostics"]
    assert sorted({one["range"]["start"]["line"] for one in found}) == MISTAKES, done.stdout

"""A user's file is understood by `mypy --strict`: settings are typed, and mistakes in them are seen."""

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parent / "typed" / "user_example.py"

CONFIG = """
[mypy]
strict = true
follow_imports = silent

[mypy-dowhy.*,networkx.*,numba.*,psutil.*,pyarrow.*,pandas.*,scipy.*,sklearn.*]
ignore_missing_imports = true
follow_imports = skip

[mypy-altair.*,duckdb.*,jinja2.*,narwhals.*,numpy.*,polars.*,pyagrum.*,pyspark.*,rich.*,starlette.*,typer.*]
follow_imports = skip
"""
"""Other people's packages are not read: that took most of the time, and no type of ours depends on them."""


def test_a_users_file_is_typed(tmp_path):
    # Unused ignores are errors in strict mode: the last lines of the file must be seen as mistakes.
    (tmp_path / "mypy.ini").write_text(CONFIG)
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(EXAMPLE)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr

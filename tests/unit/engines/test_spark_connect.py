"""Spark Connect: the driver is elsewhere, and has no Java of ours."""

import os
import subprocess
import sys
from pathlib import Path

from spark_sessions import require_spark

CLIENT = Path(__file__).parents[2] / "connect_client.py"


def as_client_of(server):
    return os.environ | {"SPARK_REMOTE": server, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def test_a_connect_client_counts_as_memory_does(tmp_path):
    require_spark()
    done = subprocess.run(
        [sys.executable, CLIENT],
        cwd=tmp_path,
        env=as_client_of("local[2]"),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.stdout.endswith("the same\n"), done.stdout + done.stderr


def test_a_server_that_does_not_answer_is_one_sentence(tmp_path):
    require_spark()
    program = (
        "from causalrules.domain import Settings\n"
        "from causalrules.engines.spark import open_spark\n"
        "from causalrules.errors import EngineError\n"
        "try:\n"
        "    open_spark('people', 'ill=yes', Settings())\n"
        "except EngineError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=as_client_of("sc://localhost:1"),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.stdout.count("\n") == 1, done.stdout + done.stderr
    assert "sc://localhost:1" in done.stdout

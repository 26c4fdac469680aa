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

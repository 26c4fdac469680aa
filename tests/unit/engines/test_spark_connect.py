"""Spark Connect, from the terminal: a session of our own, whose driver is another process."""

import json
import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import causalrules
from causalrules.engines.spark import is_spark_frame
from spark_sessions import comparable, require_spark


def test_a_connect_client_finds_what_memory_finds(tmp_path):
    require_spark()
    chance = np.random.default_rng(5)
    smokes, town = chance.random(400) < 0.4, chance.choice(["north", "south"], 400)
    ill = chance.random(400) < 0.2 + 0.5 * smokes
    columns = {"smokes": smokes, "town": pa.array(town), "ill": ill}
    parquet.write_table(pa.table(columns), tmp_path / "people.parquet")
    options = ["--outcome", "ill=true", "--engine", "spark", "--format", "json", "--quiet"]
    run = subprocess.run(
        [sys.executable, "-m", "causalrules", "mine", "people.parquet", *options],
        cwd=tmp_path,
        env=os.environ | {"SPARK_REMOTE": "local[2]", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert any(rule["verdict"] == "causal" for rule in found["rules"])
    expected = causalrules.mine(tmp_path / "people.parquet", "ill=true").to_dict()
    assert comparable(found) == comparable(json.loads(json.dumps(expected)))


def test_a_frame_of_connect_is_a_spark_frame():
    connect = pytest.importorskip("pyspark.sql.connect.dataframe")
    assert is_spark_frame(connect.DataFrame.__new__(connect.DataFrame))

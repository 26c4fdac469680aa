"""Spark Connect, from the terminal: the driver is another process, and here is neither Py4J nor Java."""

import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import causalrules
from causalrules.engines.spark import is_spark_frame
from spark_programs import connect_server, environment
from spark_sessions import comparable, require_spark

THIN = """
import runpy, sys

class NotInstalled:  # as where pyspark-client is installed instead of pyspark
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "py4j" or f"{name}.".startswith("pyspark.core."):
            raise ModuleNotFoundError(f"No module named {name!r}")

sys.meta_path.insert(0, NotInstalled())
runpy.run_module("causalrules", run_name="__main__", alter_sys=True)
"""


def test_a_thin_client_finds_what_memory_finds(tmp_path):
    require_spark()
    chance = np.random.default_rng(5)
    smokes, town = chance.random(400) < 0.4, chance.choice(["north", "south"], 400)
    ill = chance.random(400) < 0.2 + 0.5 * smokes
    columns = {"smokes": smokes, "town": pa.array(town), "ill": ill}
    parquet.write_table(pa.table(columns), tmp_path / "people.parquet")
    options = ["--outcome", "ill=true", "--engine", "spark", "--format", "json", "--quiet"]
    with connect_server() as address:
        run = subprocess.run(
            [sys.executable, "-c", THIN, "mine", str(tmp_path / "people.parquet"), *options],
            env=environment(SPARK_REMOTE=address, JAVA_HOME="/nowhere"),
            capture_output=True,
            text=True,
        )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    found = json.loads(run.stdout)
    assert any(rule["verdict"] == "causal" for rule in found["rules"])
    expected = causalrules.mine(tmp_path / "people.parquet", "ill=true").to_dict()
    assert comparable(found) == comparable(json.loads(json.dumps(expected)))


def test_a_frame_of_connect_is_a_spark_frame(monkeypatch):
    utils = pytest.importorskip("pyspark.testing.utils")
    # False where the first test to import it made an error of PySpark's warning about pandas 3.
    monkeypatch.setattr(utils, "should_test_connect", True)
    connect = pytest.importorskip("pyspark.sql.connect.dataframe")
    assert is_spark_frame(connect.DataFrame.__new__(connect.DataFrame))

"""A standalone cluster: a master and two workers, one of which is killed while it holds the records."""

import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import causalrules
from spark_programs import environment, standalone_cluster
from spark_sessions import comparable, require_spark

WITH_A_DEATH = """
import json, os, signal, sys
import causalrules
from causalrules.engines.spark import driver_engine
from causalrules.engines.spark.spark_engine import SparkEngine

driver_engine.MOST_BYTES = 0
path, worker, asked = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
strata, n_executors = SparkEngine.strata, []

def after_a_death(engine, *words):
    context = engine._session.spark.sparkContext
    n_executors.append(context._jsc.sc().getExecutorMemoryStatus().size() - 1)  # the driver is counted, too
    SparkEngine.strata = strata
    os.kill(worker, signal.SIGKILL)
    return strata(engine, *words)

SparkEngine.strata = after_a_death
found = causalrules.mine(path, "ill=true", engine="spark", **asked)
print(json.dumps({"n_executors": n_executors, "result": found.to_dict()}))
"""


@pytest.mark.cluster
def test_a_worker_that_is_killed_changes_nothing(tmp_path):
    require_spark()
    chance = np.random.default_rng(5)
    n = 3000
    smokes, town = chance.random(n) < 0.4, chance.choice(["north", "south"], n)
    ages = chance.choice(["young", "old"], n)
    ill = chance.random(n) < 0.2 + 0.5 * smokes
    people = pa.table({"smokes": smokes, "town": pa.array(town), "age": pa.array(ages), "ill": ill})
    for number in range(2):
        (tmp_path / "people").mkdir(exist_ok=True)
        parquet.write_table(people[number * 1500 :][:1500], tmp_path / "people" / f"{number}.parquet")
    asked = {"controls": "items", "max_length": 1}
    settings = {
        "spark.executor.memory": "512m",
        "spark.driver.memory": "512m",
        "spark.driver.host": "127.0.0.1",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.ui.enabled": "false",
        "spark.shuffle.io.maxRetries": "1",
        "spark.shuffle.io.retryWait": "1s",
    }
    options = " ".join(f"--conf {name}={value}" for name, value in settings.items())
    with standalone_cluster(2) as (address, workers):
        submitted = f"--master {address} {options} pyspark-shell"
        run = subprocess.run(
            [
                sys.executable,
                "-c",
                WITH_A_DEATH,
                str(tmp_path / "people"),
                str(workers[0].pid),
                json.dumps(asked),
            ],
            env=environment(PYSPARK_SUBMIT_ARGS=submitted),
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        assert workers[0].poll() is not None
        assert workers[1].poll() is None
    said = json.loads(run.stdout)
    assert said["n_executors"] == [2]
    found = said["result"]
    assert any(rule["verdict"] == "causal" for rule in found["rules"])
    expected = causalrules.mine(people, "ill=true", **asked).to_dict()
    assert comparable(found) == comparable(json.loads(json.dumps(expected)))

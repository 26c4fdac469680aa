"""A Spark session for tests: two executors, each a process of its own, where that runs."""

from __future__ import annotations

import os
import sys
from functools import cache

import numpy as np
import pyarrow as pa
import pytest

from causalrules.domain import Settings
from causalrules.engines.spark import driver_engine, open_spark
from causalrules.engines.spark.session import quiet_about_pandas, require_java, require_pyspark
from causalrules.errors import CausalRulesError

TWO_EXECUTORS = "local-cluster[2,1,1024]"
TWO_THREADS = "local[2,4]"
"""Four attempts for each task."""

SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""To Java: do not compile twice, nor collect in parallel, what lives for some minutes on cores of others."""


def require_spark() -> None:
    """Skip with the reason where Spark cannot run; in CI that is a failure."""
    try:
        require_pyspark()
        require_java()
    except CausalRulesError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


@cache
def session():
    """One session for all tests of this process; small tables stay on Spark, which they are to test."""
    require_spark()
    driver_engine.MOST_BYTES = 0
    os.environ["PYSPARK_PYTHON"] = sys.executable
    try:
        return _started(TWO_EXECUTORS)
    except Exception:  # whatever keeps this machine from it
        return _started(TWO_THREADS)


def _started(master):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("tests")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": "spark-warehouse-never-written",
        "spark.sql.shuffle.partitions": "4",  # of 200 by default, nearly all would be empty
        "spark.driver.extraJavaOptions": SHORT_LIVED,
        "spark.executor.extraJavaOptions": SHORT_LIVED,
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    with quiet_about_pandas():
        spark = builder.getOrCreate()
        try:
            spark.range(2).repartition(2).count()
        except Exception:
            spark.stop()
            raise
    return spark


def frame_of(arrow, n_partitions):
    """An Arrow table on Spark, its records dealt out to so many partitions."""
    with quiet_about_pandas():
        frame = session().createDataFrame(arrow)
    return frame.repartition(n_partitions)


def comparable(result):
    """A result as a dictionary, without what may differ between engines: times, and where records were."""
    result = dict(result)
    for name in ("timings", "created", "kinds"):
        result.pop(name, None)
    return result | {
        "settings": {**result["settings"], "engine": None},
        "data": {**result["data"], "source": None},
    }


@cache
def on_spark(table, n_partitions):
    """A coded table opened on Spark, once for all questions; as many parts as partitions."""
    codes = [pa.array(np.where(codes > 0, codes - 1, 0), mask=codes == 0) for codes in table.codes]
    columns = {}
    for column, first, end in zip(codes, table.first_item, table.first_item[1:], strict=False):
        values = pa.array([item.value for item in table.items[first:end]])
        columns[table.items[first].column] = values.take(column)
    outcome = pa.array(np.where(table.has_outcome, "yes", "no"))
    frame = frame_of(pa.table({**columns, "z": outcome}), n_partitions)
    vocabulary, engine = open_spark(
        frame, "z=yes", Settings(categorical=tuple(columns)), n_parts=n_partitions
    )
    assert vocabulary.items == table.items
    return engine

"""The Spark session: the one at hand, or one of our own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from causalrules.engines.spark.worker_process import OnWorker
from causalrules.errors import EngineError, MissingJavaError, MissingPackageError, SparkJobError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

LEAST_JAVA = 17
_TASKS_A_CORE = 2
_TASKS_BY_GUESS = 16
_DESCRIPTION = "spark.job.description"
_OUR_SETTINGS = {
    "spark.sql.execution.arrow.maxBytesPerBatch": "16m",  # to a worker at once, however wide the records
    "spark.sql.session.timeZone": "UTC",  # moments read as they are in the file, as by the other engines
    "spark.ui.showConsoleProgress": "false",  # its bar would write over our own progress
    "spark.log.level": "ERROR",  # its warnings are about its own configuration
}
_JAVA_OPTIONS = "SPARK_SUBMIT_OPTS"
_COMPILE_RARELY = " ".join(
    [
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:Tier4InvocationThreshold=500000",
        "-XX:Tier4MinInvocationThreshold=60000",
        "-XX:Tier4CompileThreshold=1500000",
        "-XX:Tier4BackEdgeThreshold=4000000",
    ]
)
"""To Java: optimise only what runs a hundred times as often as is usual. Half of Java's processor time went
into optimising the planner, which plans a few jobs; loops over millions of records are still optimised."""


@dataclass(frozen=True, slots=True)
class Session:
    """A Spark session and whether it is ours to stop."""

    spark: SparkSession
    is_ours: bool

    @classmethod
    def find(cls) -> Session:
        """The active session, or a new one from the user's own configuration."""
        require_pyspark()
        with quiet_about_pandas():
            from pyspark.sql import SparkSession

            active = SparkSession.getActiveSession()
        return cls(active, is_ours=False) if active is not None else cls(_started(), is_ours=True)

    @classmethod
    def of_frame(cls, frame: DataFrame) -> Session:
        """The session that a data frame belongs to."""
        require_pyspark()
        return cls(frame.sparkSession, is_ours=False)

    @property
    def is_remote(self) -> bool:
        """Whether it is a client of Spark Connect."""
        return type(self.spark).__module__.startswith("pyspark.sql.connect")

    @contextmanager
    def _doing(self, what: str) -> Iterator[None]:
        """Jobs of the block carry this description in the Spark UI; with Spark Connect, this tag."""
        text = f"causalrules: {what}"
        if self.is_remote:
            tag = text.replace(",", "")
            self.spark.addTag(tag)
            try:
                yield
            finally:
                self.spark.removeTag(tag)
            return
        context = self.spark.sparkContext
        before = context.getLocalProperty(_DESCRIPTION)
        context.setLocalProperty(_DESCRIPTION, text)
        try:
            yield
        finally:
            context.setLocalProperty(_DESCRIPTION, before)

    def gather(self, frame: DataFrame, what: str) -> pa.Table:
        """Run a job and fetch its few rows; a failure becomes one sentence."""
        try:
            with self._doing(what), quiet_about_pandas():
                return frame.toArrow()
        except _failures() as error:
            raise SparkJobError(what, str(error)) from error

    def kept(self, frame: DataFrame, what: str) -> Kept:
        """A data frame that is computed once: Spark keeps it in memory or on disk, or else in a table.

        Platforms without machines of one's own (serverless) refuse to keep what was computed.
        """
        from pyspark import StorageLevel

        try:
            persisted = frame.persist(StorageLevel.MEMORY_AND_DISK)
        except _failures():
            return self._kept_in_table(frame, what)
        return Kept(persisted, persisted.unpersist)

    def _kept_in_table(self, frame: DataFrame, what: str) -> Kept:
        """A table of the current schema, which is dropped when it is let go of."""
        name = f"causalrules_{uuid4().hex}"
        try:
            with self._doing(what), quiet_about_pandas():
                frame.write.saveAsTable(name)
        except _failures() as error:
            raise SparkJobError(what, str(error)) from error
        return Kept(self.spark.table(name), lambda: self.spark.sql(f"DROP TABLE IF EXISTS {name}"))

    @property
    def n_tasks(self) -> int:
        """As many tasks as keep the cluster busy; a guess where Spark Connect does not tell its cores."""
        if self.is_remote:
            return _TASKS_BY_GUESS
        return _TASKS_A_CORE * int(self.spark.sparkContext.defaultParallelism)

    def in_few_partitions(self, frame: DataFrame, n_needed: int) -> DataFrame:
        """A data frame in as few partitions as are needed, or keep the cluster busy where that is known."""
        return frame if self.is_remote else frame.coalesce(max(n_needed, self.n_tasks))

    def stop(self) -> None:
        """Stop a session of ours; leave another alone."""
        if self.is_ours:
            self.spark.stop()


@dataclass(frozen=True, slots=True)
class Kept:
    """A data frame that Spark keeps, and how to let go of it."""

    frame: DataFrame
    let_go: Callable[[], object]


def _failures() -> tuple[type[Exception], ...]:
    """What Spark raises; a client of Spark Connect that is installed alone has no Py4J."""
    from pyspark.errors import PySparkException

    try:
        from py4j.protocol import Py4JError
    except ImportError:
        return (PySparkException,)
    return PySparkException, Py4JError


def is_spark_frame(source: Any) -> bool:
    """Whether it is a Spark data frame, classic or of Spark Connect; imports nothing."""
    return any(
        kind.__module__.startswith("pyspark.sql.") and kind.__name__ == "DataFrame"
        for kind in type(source).__mro__
    )


def require_pyspark() -> None:
    """Refuse to go on without PySpark 4."""
    try:
        import pyspark
    except ImportError as error:
        raise MissingPackageError("the Spark engine", "PySpark", "spark") from error
    if int(pyspark.__version__.partition(".")[0]) < 4:
        needed = f"PySpark 4 or later (found: {pyspark.__version__})"
        raise MissingPackageError("the Spark engine", needed, "spark")


def mapped(
    frame: DataFrame, work: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]], row: str
) -> DataFrame:
    """What the work makes of each partition's batches; `row` names its columns and their types."""
    with quiet_about_pandas():
        return frame.mapInArrow(OnWorker(work), row)


@contextmanager
def quiet_about_pandas() -> Iterator[None]:
    """PySpark warns of every pandas newer than itself, which we hand nothing to."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield


def _started() -> SparkSession:
    """A new session; where nothing else is configured, on all cores of this machine."""
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    remote = os.environ.get("SPARK_REMOTE", "")
    if not remote.startswith("sc://"):
        require_java()
    builder = SparkSession.builder.appName("causalrules")
    if not remote:
        for name, value in _OUR_SETTINGS.items():
            builder = builder.config(name, value)
    ours = {"PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable)}  # workers run what runs us
    ours[_JAVA_OPTIONS] = f"{_COMPILE_RARELY} {os.environ.get(_JAVA_OPTIONS, '')}"  # the last one counts
    with _environment(ours), quiet_about_pandas():
        try:
            return builder.getOrCreate()
        except (PySparkException, RuntimeError, OSError) as error:
            where = f" at {remote}" if remote else ""
            raise EngineError(
                f"no Spark session could be started{where}: {quoted(str(error).partition(chr(10))[0])}. "
                "Check the configuration of Spark, or start a session before and try again."
            ) from error


@contextmanager
def _environment(changed: Mapping[str, str]) -> Iterator[None]:
    """Variables of the environment, while a session is started."""
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def require_java() -> None:
    """Refuse to go on without a Java that Spark 4 runs on."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None or not shutil.which(java):
        raise MissingJavaError(
            f"JAVA_HOME is {home}, which has no bin/java" if home else "there is neither JAVA_HOME nor java"
        )
    question = [java, "-version"]
    answer = subprocess.run(question, capture_output=True, text=True, check=False)  # noqa: S603 - the user's own
    version = re.search(r'version "(?:1\.)?(\d+)', answer.stderr + answer.stdout)
    if version is None:
        raise MissingJavaError(f"{java} does not tell its version")
    if int(version[1]) < LEAST_JAVA:
        raise MissingJavaError(f"{java} is Java {version[1]}")
